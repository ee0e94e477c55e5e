// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/core/runge_kutta.hpp>
#include <carom/laws/lzb/crossing.hpp>
#include <carom/laws/lzb/friction.hpp>
#include <carom/laws/lzb/model.hpp>
#include <carom/laws/lzb/prospect.hpp>
#include <carom/laws/lzb/record.hpp>
#include <carom/laws/lzb/system.hpp>

namespace carom::lzb {

/// Thresholds below which a quantity counts as zero, relative to the approach.
struct Tolerances {
  explicit Tolerances(double asked);

  static constexpr double rounding = 1e-13;          ///< of velocities
  static constexpr double impulse_rounding = 1e-15;  ///< of impulses near the ends of a loading

  double asked;    ///< error of the outcome
  double local;    ///< error of a step
  double rest;     ///< velocity of a contact at rest
  double slip;     ///< slip that has stopped
  double creep;    ///< slip whose direction is that of its rate
  double impulse;  ///< impulse that may be neglected at either end of a contact's loading
};

/// An impact from first contact until every contact separates or rests. Uses steps of an order-8
/// Runge-Kutta method with error control, within which stages and stick or slip do not change. A
/// step with an event is cut at the event.
template <int D>
class Process {
 public:
  Process(const Model& model, double tolerance, std::size_t most_steps, Course* trace);

  /// There is no impact, because no contact approaches.
  [[nodiscard]] bool idle() const { return idle_; }
  void run();

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Record& record() const { return record_; }
  [[nodiscard]] const Units& units() const { return model_.units; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] bool converged() const { return converged_; }
  /// Number of contacts that were ended early.
  [[nodiscard]] std::size_t ended_early() const { return ended_early_; }
  [[nodiscard]] bool jams() const { return jams_; }
  [[nodiscard]] bool recompressed() const;
  /// Velocities at all contacts.
  [[nodiscard]] std::vector<double> velocities() const;
  /// Whether a normal velocity counts as zero: rounding, or an approach within the tolerance.
  [[nodiscard]] bool rests(double v) const {
    return v <= Tolerances::rounding && v >= -tolerance_.rest;
  }

 private:
  static constexpr std::size_t d = D;

  enum class Event : std::uint8_t {
    compressed,    ///< v_n = 0 from below
    expanded,      ///< x = 0
    recompresses,  ///< v_n = 0 from above, x > 0
    closes,        ///< v_n of an open contact = 0 from above
    stops,         ///< slip = 0
    passes,        ///< in space: slip nearly vanishes while its direction changes
    breaks,        ///< friction of stick has reached its limit
    slips,         ///< creeping slip is large enough to have its own direction
  };
  struct Fired {
    Event event;
    std::size_t index;   ///< contact or group, index in the model
    double x = 0.;       ///< deformation of a contact that has closed within the step
    double P = 0.;       ///< impulse of that contact
    double P_time = 0.;  ///< impulse integrated over the step
  };
  /// A change of stage within a step that was computed without it: the corrections to the step.
  struct Late {
    std::size_t contact;    ///< index in the system
    double part = 1.;       ///< fraction of the step at which it switched
    double at = 0.;         ///< deformation at which it switched
    double passed = 0.;     ///< distance travelled in the other stage, if it is back at the end
    double x = 0.;          ///< correction of the deformation
    double P = 0.;          ///< correction of the impulse
    double P_time = 0.;     ///< integral of that correction over the step
    bool switches = false;  ///< at the end of the step it is in the other stage
    bool parted = false;    ///< the contact was open in between
  };

  /// Result of a trial step.
  struct Judgement {
    bool retry = false;
    double step = 0.;  ///< step size of the next trial
  };

  // in process.cpp
  void begin();
  bool advance();
  double try_step(double h);
  template <class Tableau>
  double try_step_with(double h);
  template <class Tableau>
  void step_with(double h, std::vector<double>& y);
  [[nodiscard]] double twice_integrated(std::size_t number) const;
  void accept(double h);
  void weigh();
  void synchronize();
  void restart();
  [[nodiscard]] bool finished() const;
  bool resumes();
  void let_rest();
  bool ends_early();
  void end_at_once();
  /// Limit of the number of events at one instant: a few per contact, bounded so that it takes
  /// seconds at most, and in proportion to the steps where these are limited to few.
  [[nodiscard]] std::size_t most_standing() const {
    return std::min<std::size_t>({200 + 50 * model_.size(), 2000, 5 + most_steps_ / 10});
  }
  /// Limit of the number of steps that are tried, of which some are rejected or cut at an event.
  /// One or two per step are usual.
  [[nodiscard]] std::size_t most_tries() const { return 4 * most_steps_; }
  void sample(double t, const double* y);
  void sample_within(double h);

  // in process_events.hpp
  void stop_normal(std::size_t contact);
  [[nodiscard]] Judgement judge(double h);
  void judge_spring(std::size_t i, double h);
  void judge_watched(std::size_t k, double h);
  void judge_slip(std::size_t g, double h);
  void judge_stick(double h);
  void judge_creep(double h);
  void mark_creep();
  [[nodiscard]] double slowing(std::size_t k) const;
  /// @param weight  effect of a unit of deformation on velocity; infinite: the event must be
  ///   located
  void consider(const Crossing& c, double tolerance, double h, Event event, std::size_t index,
                double weight = HUGE_VAL);
  [[nodiscard]] double left_out(double time) const;
  bool make_up(std::size_t i, const Crossing& c, double h);
  bool make_up_opening(std::size_t i, double h);
  bool make_up_closing(std::size_t k, const Crossing& c, double h);
  [[nodiscard]] Quintic deformation(std::size_t i, double h) const;
  [[nodiscard]] Crossing coarse_deformation(std::size_t i, double h) const;
  [[nodiscard]] bool opens_soon(std::size_t i) const;
  void apply_late();
  void switch_late(double h);
  void earlier(double step);
  void deform_around(std::size_t contact, double impulse_time);
  void fire();
  void wake();
  bool wake_rings(std::size_t contact);
  void settle();

  // in process_friction.hpp
  [[nodiscard]] bool is_rough(std::size_t group) const;
  void stop(std::size_t group);
  void begin_slip(std::size_t group);
  void drop_offsets();
  [[nodiscard]] bool turns_away(std::size_t g, const std::array<double, 2>& slip) const;
  /// @return whether the system was rebuilt, though not yet with this friction
  bool update_friction();
  void seed_jams();
  void watch_jams();
  [[nodiscard]] bool sticking_is_possible();
  [[nodiscard]] Motion motion(std::size_t contact) const;

  const Model& model_;
  const Groups groups_;
  const Tolerances tolerance_;
  const std::size_t most_steps_;
  State state_;
  System<D> system_;
  Record record_;

  double t_ = 0.;
  double h_ = 0.;
  std::size_t steps_ = 0;
  std::size_t tried_ = 0;
  std::size_t standing_ = 0;  ///< events since time last advanced
  Prospect prospect_;
  Collapse collapse_;
  std::size_t looked_ = 0;  ///< step at which an early end was last checked
  std::size_t ended_early_ = 0;
  bool idle_ = false;
  bool converged_ = true;
  bool jams_ = false;
  bool tracing_ = false;

  // The ends of a step, and what lies between.
  RungeKutta<LargestError> stepper_;
  const bool low_order_;
  std::vector<double> y0_, y1_, f0_, f1_;
  std::vector<double> v0_, F0_, v1_, F1_;
  std::vector<double> weight_;

  std::vector<std::uint8_t> awake_;  ///< contacts whose resting neighbours are active
  std::vector<Fired> fired_;
  std::vector<Late> late_;
  std::vector<Fired> at_start_;              ///< events that should have occurred before the step
  std::vector<std::size_t> released_;        ///< groups whose friction has reached its limit
  std::vector<std::size_t> passed_;          ///< groups that have nearly reached it
  std::vector<std::size_t> stopped_;         ///< groups whose slip has stopped
  std::vector<std::array<double, 2>> held_;  ///< friction of the groups before an event
  std::vector<std::array<double, 2>> creeping_towards_;  ///< at the beginning of a step
  std::vector<double> slowing_;  ///< of each creeping group, at the beginning of a step
  double earliest_ = 0.;
  double top_swing_ = 0.;  ///< the highest frequency of any contact
  bool rebuild_ = false;
};

extern template class Process<1>;
extern template class Process<2>;
extern template class Process<3>;

}  // namespace carom::lzb
