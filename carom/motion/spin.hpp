// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <carom/motion/acceleration.hpp>
#include <carom/motion/contacts.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Rolling and drilling friction: the equations are in spin.cpp.
class Spins {
 public:
  /// Components of a spin that one couple resists.
  struct Rows {
    std::size_t first = first_spin;
    std::size_t size = 1;
  };

  Spins(const Setting& setting, Contacts& contacts, Present& now)
      : setting_(setting), contacts_(contacts), now_(now) {}

  [[nodiscard]] Rows rows_of(Turning turning) const;
  /// The bound of the couple: a length over the reference length.
  [[nodiscard]] double bound_of(std::size_t contact, Turning turning) const;

  // --- at the state that is looked at
  void load(const std::vector<std::size_t>& contacts);
  [[nodiscard]] double size(std::size_t contact, Turning turning) const;
  [[nodiscard]] std::array<double, 2> direction(std::size_t contact, Turning turning) const;
  /// The couple of a contact for a normal force 1.
  [[nodiscard]] std::array<double, 3> couple_of(std::size_t contact) const;
  /// Adds unknowns for what is held.
  void add_held(std::size_t contact, const Mechanics& mechanics, ContactSystem& system) const;

  // --- a step
  void note_at_start();
  [[nodiscard]] bool fall_too_fast() const;
  /// Rolling so slow that its direction is determined by errors, and decreasing: it vanishes after
  /// `left`.
  [[nodiscard]] bool vanish(const Vector& acceleration, Trigger& trigger, double& left) const;
  void forget_releases();

  // --- an event
  /// Holds what stops, in whichever direction it may turn next.
  /// @param others  whether so do others that are about to stop
  void stop(const Trigger& trigger, bool others);
  /// Whether what modes exclude of the velocities, once it is removed, has turned a spin away from
  /// the direction for which the modes were decided, or has stopped it.
  [[nodiscard]] bool have_turned() const;
  /// The spins of the candidates, for the mode decision.
  void pose(const Trigger& trigger, const std::vector<SpinStatus>& before,
            const std::vector<std::size_t>& candidates, AccelerationProblem& problem);
  /// Their modes, which were decided.
  void take(const std::vector<std::size_t>& candidates, const AccelerationProblem& problem,
            const AccelerationAnswer& answer);
  /// Names an event after spins where no contact changes its mode.
  void name_event(const Trigger& trigger, const std::vector<ContactStatus>& before,
                  const std::vector<SpinStatus>& spins_before, Event& event) const;

  [[nodiscard]] std::vector<double> save_modes() const;
  [[nodiscard]] bool load_modes(const std::vector<double>& numbers);

 private:
  const Setting& setting_;
  Contacts& contacts_;
  Present& now_;
  std::vector<Mechanics::SpinRow> rows_;  ///< of the spins that were posed
};

}  // namespace carom::motion
