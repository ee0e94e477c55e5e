// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/motion/mechanics.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Passes events and samples of a run on to its recorder, each contact before what mentions it, and
/// knows when samples are due.
class Reporter {
 public:
  /// @param contacts  those that are mentioned in events are kept
  Reporter(const Setting& setting, ContactList& contacts)
      : setting_(setting), contacts_(contacts) {}

  /// Sets the recorder that receives all later events and samples.
  void begin(Recorder& recorder, double now);
  /// Whether the recorder ends the run.
  [[nodiscard]] bool stops();
  [[nodiscard]] bool was_stopped() const { return stopped_; }
  [[nodiscard]] bool wants_sides() const { return recorder_->wants_sides(); }

  void event(const Event& event);
  enum class As : std::uint8_t { sample, before, after, last };
  void report(const Sample& sample, double time, As kind);

  [[nodiscard]] double next() const { return next_; }  ///< sample [s]
  void find_next(double after);
  [[nodiscard]] double last() const { return last_; }  ///< sample that was reported [s]

  void save(Progress& progress) const;
  void load(const Progress& progress);

  std::size_t events = 0;  ///< so far

 private:
  void tell_contacts();

  const Setting& setting_;
  ContactList& contacts_;
  Recorder* recorder_ = nullptr;
  std::vector<ContactId> told_;         ///< beyond those that the model knows from the start
  std::size_t told_version_ = nowhere;  ///< of the list of contacts
  bool stopped_ = false;
  double interval_ = -1.;  ///< to which next_ belongs [s]
  double next_ = 0.;
  double last_ = -infinite;
};

}  // namespace carom::motion
