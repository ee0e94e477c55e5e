// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <carom/motion/course.hpp>
#include <carom/motion/neighbours.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Locates events within a step: the first time at which an indicator changes sign or a gap closes.
class EventSearch {
 public:
  EventSearch(const Setting& setting, const Contacts& contacts, const CompliantContacts& compliant,
              Neighbours& neighbours, Equations& equations, const Indicators& indicators,
              Course& course, Present& now);

  /// @param t1  end of the step [s]
  /// @param trigger  what comes first, if anything
  /// @return false if the course of the step is unknown
  [[nodiscard]] bool first_event(double t1, Trigger& trigger);

 private:
  void search_before(Trigger& trigger);
  [[nodiscard]] bool may_dip(std::size_t slot) const;
  void search_indicator(std::size_t slot, double t1, bool finely, Trigger& trigger);
  [[nodiscard]] bool find_indicators(double time);
  [[nodiscard]] double indicator_at(double time, std::size_t slot);
  /// The same where searches of several indicators ask for the same instants.
  [[nodiscard]] double indicator_seen_at(double time, std::size_t slot);
  void state_in_step(double time);  ///< looks at it
  [[nodiscard]] double gap_at(double time, std::size_t contact);
  [[nodiscard]] double gap_rate_at(double time, std::size_t contact);
  [[nodiscard]] double margin_at(double time, std::size_t contact);
  [[nodiscard]] bool search_margin(std::size_t contact, double t1, Trigger& trigger);
  [[nodiscard]] bool search_closing(std::size_t i, double t1, Trigger& trigger);
  /// By how much the two of a pair approach each other in the step at most [m].
  [[nodiscard]] double approach_of(const BodyPair& pair);
  [[nodiscard]] bool search_overlap(double t1, Trigger& trigger);

  const Setting& setting_;
  const Contacts& contacts_;
  const CompliantContacts& compliant_;
  Neighbours& neighbours_;
  Equations& equations_;
  const Indicators& indicators_;
  Course& course_;
  Present& now_;
  /// A state within a step.
  struct Known {
    double time = infinite;
    std::vector<double> y;
  };
  static constexpr std::size_t most_known = 16;
  std::vector<Known> known_;  ///< the last ones that were asked for
  std::size_t next_known_ = 0;
  double looked_at_ = infinite;  ///< in this step, last
  /// Of the pair that was asked for last.
  struct Approach {
    bool known = false;
    BodyPair pair{};
    double by = 0.;  ///< [m]
  } approach_;
  State step_start_;
  State step_end_;
  std::vector<double> trial_;
  std::vector<double> dy_;
  std::vector<double> values_;
  /// Indicators within a step.
  struct Seen {
    double time = infinite;
    bool possible = false;
    std::vector<double> values;
  };
  static constexpr std::size_t most_seen = 32;
  std::vector<Seen> seen_;  ///< the last ones that were asked for
  std::size_t next_seen_ = 0;
  std::vector<std::size_t> wrong_;  ///< slots of indicators
};

}  // namespace carom::motion
