// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/mechanics.hpp>
#include <carom/motion/separation.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/step_contacts.hpp>

namespace carom::motion {

/// Positions at the end of a step, without overlap.
class StepPositions {
 public:
  /// @param mechanics  in the middle of the step
  StepPositions(const Setting& setting, const ContactList& contacts, const Mechanics& mechanics,
                const Step& step);

  /// Throws InputError if bodies overlap where a run starts.
  void check_start(const State& state);
  /// Follows the step from its start, and removes overlap. Returns false if too much of it is left.
  [[nodiscard]] bool find_end(const State& start, State& end);
  /// By how much displacements of the last step other than by its mean velocity changed the energy
  /// [J].
  [[nodiscard]] double corrected() const { return corrected_; }

 private:
  [[nodiscard]] bool find_shift();
  void displace(State& state, const Vector& by);
  [[nodiscard]] double energy_of(const State& state);
  [[nodiscard]] bool separate(State& state, double h);
  [[nodiscard]] double worst_overlap() const;

  const Setting& setting_;
  const Mechanics& mechanics_;
  const Step& step_;
  Mechanics elsewhere_;    ///< at other states than the middle of the step
  StepContacts contacts_;  ///< at the state that is separated
  Separation separation_;
  std::vector<ContactId> closing_;  ///< contacts that the step closes, ascending
  Vector shift_;                    ///< displacements where bodies struck within the step
  double corrected_ = 0.;
};

}  // namespace carom::motion
