// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/reporter.hpp>
#include <carom/motion/step_contacts.hpp>

namespace carom::motion {

/// Reports samples and impacts of a run by steps.
class StepSampler : public Reporter {
 public:
  StepSampler(const Setting& setting, ContactList& contacts, Mechanics& mechanics)
      : Reporter(setting, contacts),
        setting_(setting),
        contacts_(contacts),
        mechanics_(mechanics) {}

  /// Forces are means over the last step, velocities those at its end, or mean ones where its law
  /// is for them. A contact of the step that is not closed any more has none.
  void sample(const State& now, const LastStep& last, const EnergyAccount& account, As kind);
  /// The impacts of a step: each island is an event. Returns how many there are.
  std::size_t report_impacts(const Step& step, double time);

 private:
  void fill(const State& now, const LastStep& last);

  const Setting& setting_;
  const ContactList& contacts_;
  Mechanics& mechanics_;
  ContactMotion motion_;
  /// What a sample refers to.
  struct Told {
    std::vector<ContactStatus> status;
    std::vector<double> force;
    std::vector<double> velocity;
    std::vector<double> gap;
    std::vector<double> couple;
    std::vector<double> spin;
  } told_;
};

}  // namespace carom::motion
