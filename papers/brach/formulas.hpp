// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <papers/brach/sphere.hpp>

/// The closed forms of [Brach 1998, Sec. 4], corrected, and where that differs as printed.
namespace carom::papers::br {

/// The sphere solved with mu = part mu_0: in space, and in the plane with a couple.
[[nodiscard]] Struck struck_in_space(const Sample& s);
[[nodiscard]] Struck struck_in_plane(const Sample& s);

/// Samples whose impulse is against the slip, and in the plane without a couple.
[[nodiscard]] Sample along_slip(FixedRandom& random);
[[nodiscard]] Sample without_couple(FixedRandom& random);

enum class Form : bool { corrected, printed };

inline constexpr double lambda_sphere = 2. / 7.;

// --- 4.1: point contact in space. `part` = mu_j/mu_j0 --------------------------------------------

/// Velocity after: eqs 11, 12, 13.
[[nodiscard]] Vec3 velocity_after(const Sample& s);
/// Spin after: eqs 14 and 15 (printed: minus in both), and w_n, which stays.
[[nodiscard]] Vec3 spin_after(const Sample& s, Form form);
/// T_L [J]: eq. 16.
[[nodiscard]] double loss_16(const Sample& s, Form form);
/// T_L [J]: eq. 17, for an impulse against the slip; `part` = mu/mu_0 in both.
[[nodiscard]] double loss_17(const Sample& s, Form form);

// --- 4.2: in the plane, with a couple. r = part[0] = mu/mu_0 -------------------------------------

/// lambda = 1/(1 - e_m a^2/k^2)
[[nodiscard]] double lambda(double e_m);
/// mu_0; printed it is a velocity.
[[nodiscard]] double critical_rolling(const Sample& s, Form form);
/// V_t, eq. 19.
[[nodiscard]] double slide_after(const Sample& s);
/// Omega_t', eq. 20.
[[nodiscard]] double roll_after(const Sample& s);
/// M_t', eq. 23, of the impulse P_t.
[[nodiscard]] double couple_23(const Sample& s, double P_t);
/// T_L [J], eq. 24.
[[nodiscard]] double loss_24(const Sample& s, Form form);
/// T_L [J], eq. 25: no couple, e_m = -1.
[[nodiscard]] double loss_25(const Sample& s, Form form);
/// T_R*, eq. 27: of e_n = 0 and mu = mu_0.
[[nodiscard]] double remaining_27(const Sphere& s, double e_m, Form form);
/// Its upper bound, eq. 28.
[[nodiscard]] double bound_28(const Sphere& s, Form form);

/// The fraction of energy that remains where e_n = 0 and slip ends, by the system equations.
[[nodiscard]] double remaining(const Sphere& s, double e_m);

}  // namespace carom::papers::br
