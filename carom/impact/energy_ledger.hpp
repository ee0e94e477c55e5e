// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include <carom/core/scalar.hpp>

namespace carom {

/// The normal work of a law that follows the process, for each stage [J].
struct StageWork {
  double compression = 0.;  ///< <= 0
  double restitution = 0.;  ///< >= 0

  bool operator==(const StageWork&) const = default;
};

/// Energy ledger: work of the contact impulses on the system [J]; negative is a loss.
struct EnergyLedger {
  double change = 0.;               ///< after - before, the sum of the parts below
  double normal = 0.;               ///< work of the normal impulse
  double friction = 0.;             ///< work of the tangential impulse
  double couple = 0.;               ///< work of the couple, if the law has one
  std::optional<StageWork> stages;  ///< empty for algebraic laws, which have no stages

  /// The sum of the magnitudes of the parts: the scale for a change of energy.
  [[nodiscard]] double scale() const {
    return std::abs(friction) + std::abs(couple) +
           (stages ? std::abs(stages->compression) + std::abs(stages->restitution)
                   : std::abs(normal));
  }

  bool operator==(const EnergyLedger&) const = default;
};

/// A gain above this times the ledger's scale counts as energy gained.
inline constexpr double energy_gain_tolerance = 1e-12;

/// For a ledger's change and scale.
template <class S>
[[nodiscard]] constexpr Mask<S> gains_energy(const S& change, const S& scale) {
  return change > S(energy_gain_tolerance) * scale;
}

[[nodiscard]] inline bool gains_energy(const EnergyLedger& e) {
  return gains_energy(e.change, e.scale());
}

}  // namespace carom
