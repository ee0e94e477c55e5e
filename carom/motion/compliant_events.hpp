// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/compliant_contact.hpp>
#include <carom/motion/equations.hpp>
#include <carom/motion/mode_decision.hpp>
#include <carom/motion/projection.hpp>

namespace carom::motion {

/// Compliant contacts that touch, change between loading and unloading, are held or released.
class CompliantEvents {
 public:
  CompliantEvents(Contacts& contacts, CompliantContacts& compliant, Equations& equations,
                  Projection& projection, ModeDecision& decision, Present& now)
      : contacts_(contacts),
        compliant_(compliant),
        equations_(equations),
        projection_(projection),
        decision_(decision),
        now_(now) {}

  /// What an event changes at its contact.
  /// @return whether the contact is held from now on, which the event tells
  [[nodiscard]] bool apply(const Trigger& trigger, Event& event);
  /// A contact that is held has a spring again.
  void load_again(std::size_t contact);
  /// Contacts that are held and open are released.
  void release_held();

 private:
  using Stage = CompliantContacts::Stage;
  void set_stage(std::size_t contact, Stage stage, double deformation);
  void release(std::size_t contact);
  [[nodiscard]] bool rests_at_release(std::size_t contact);
  void hold(std::size_t contact, Event& event);

  Contacts& contacts_;
  CompliantContacts& compliant_;
  Equations& equations_;
  Projection& projection_;
  ModeDecision& decision_;
  Present& now_;
  std::vector<double> dy_;
};

}  // namespace carom::motion
