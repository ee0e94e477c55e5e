// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/equations.hpp>
#include <carom/motion/projection.hpp>
#include <carom/motion/reporter.hpp>

namespace carom::motion {

/// Reports samples and both sides of events of an event-driven run.
class Sampler : public Reporter {
 public:
  Sampler(const Setting& setting, Contacts& contacts, Equations& equations, Projection& projection,
          Present& now);

  void begin(Recorder& recorder) { Reporter::begin(recorder, now_.shown_time); }
  void sample(double time, const std::vector<double>& y, As kind = As::sample) {
    sample(time, y, kind, time);
  }
  /// The present, if the recorder wants both sides of events.
  void side(As kind);
  /// The first side of an event that a stretch has reached. It is shown as integration has left it:
  /// forces that are about to change may depend on the least changes of velocities.
  /// @param of  the instant of y, a little earlier where slip is about to stop
  void before(double time, const std::vector<double>& y, double of);
  /// The first and the last instant, and those between steps.
  void sample_present() { sample(now_.time, now_.y); }
  void sample_last();

  /// Whether a sample is to be written up to a time.
  [[nodiscard]] bool is_due(double time) const { return next() <= time; }
  /// Writes the requested samples up to `time`; at(t, y) fills y. If it is stopped, the last sample
  /// is what is shown: a run that continues repeats the step without these samples.
  /// @return false if it was stopped
  template <class At>
  [[nodiscard]] bool sample_until(double time, const At& at) {
    while (is_due(time)) {
      const double t = next();
      sampled_.resize(now_.size());
      at(t, sampled_);
      sample(t, sampled_);
      find_next(t);
      if (!stops()) continue;
      now_.show(t, sampled_);
      return false;
    }
    return true;
  }
  /// Samples in the time of infinitely many impacts that are passed over, from `from` at `start` to
  /// the present state. Contacts have the modes of then. The time is short, so that straight lines
  /// suffice.
  void sample_passed_over(double start, const std::vector<double>& from,
                          std::vector<ContactStatus> modes);

 private:
  /// @param of  the instant of y, where supports are then
  void sample(double time, const std::vector<double>& y, As kind, double of);
  void fill_contacts();
  void fill_spins();

  const Setting& setting_;
  Contacts& contacts_;
  Equations& equations_;
  Projection& projection_;
  Present& now_;
  bool told_before_ = false;  ///< whether the first side of the next event was reported
  std::vector<double> sampled_;
  std::vector<double> on_constraints_;  ///< the sample
  std::vector<double> dy_;
  /// What a sample refers to.
  struct Told {
    std::vector<double> gap;
    std::vector<double> velocity;
    std::vector<double> couple;
    std::vector<double> spin;
    EnergyAccount energy;
  } told_;
};

}  // namespace carom::motion
