// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <papers/engine/publication.hpp>

/// The parts and errata of [Brach 1998], topic by topic.
namespace carom::papers::br {

[[nodiscard]] Part system_equations();           ///< Section 2
[[nodiscard]] Part equivalence();                ///< Section 2.2
[[nodiscard]] Part energy_loss();                ///< Section 3, eq. 10
[[nodiscard]] std::vector<Part> sphere_parts();  ///< Section 4, Figs 4 and 5
[[nodiscard]] Part fig_4();
[[nodiscard]] Part fig_5();

[[nodiscard]] std::vector<Erratum> errata();

/// How T_L depends on the impulse ratios at given e_n: |mu| times the size of its gradient, over
/// the greatest loss.
struct Stationarity {
  double central = 0.;          ///< sphere, mu_0 at the actual e_n
  double central_without = 0.;  ///< sphere, mu_0 at e_n = 0
  double one_index = 0.;        ///< sphere, (mu_t0, mu_t0) as printed, at the actual e_n
  double off_centre = 0.;       ///< bodies whose centres are off the normal, mu_0 at the actual e_n
};
[[nodiscard]] Stationarity stationarity();

/// Eq. 10 against the energies of the bodies, relative to the energy before; with P_n0 and mu_0 at
/// e_n = 0, or at the actual e_n.
[[nodiscard]] double error_of_eq_10(bool at_actual);

}  // namespace carom::papers::br
