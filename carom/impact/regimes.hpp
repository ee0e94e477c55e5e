// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <carom/core/planar.hpp>
#include <carom/impact/surface.hpp>

/// Closed-form boundaries between the regimes of a planar impact. Each takes the contact inverse
/// inertia of any system. `mechanics/` gives G of a bar or rod at an angle.
namespace carom {

// --- [Payr & Glocker 2005] -----------------------------------------------------------------------

/// Limits of the approach ratio r = v_t-/v_n- under `moreau` (hypothesis newton). Empty if that
/// slip cannot be reached at any ratio, because friction is supercritical.
struct RegimeBoundaries {
  std::optional<double> forward;   ///< r_f: forward slip if r <= r_f [eq. 47]
  std::optional<double> backward;  ///< r_b: backward slip if r >= r_b [eq. 34]; stick between
};

[[nodiscard]] RegimeBoundaries regime_boundaries(const Sym2& G, const Surface& surface);

/// mu_c = G_nn/|G_nt|: above it one direction of slip cannot be reached, and the contact can jam.
/// Empty if normal and tangential directions are not coupled. [Payr & Glocker 2005, Fig. 6]
[[nodiscard]] std::optional<double> critical_friction(const Sym2& G);

/// The least critical friction of a bar over all angles, and the angle where it is reached.
struct LeastCriticalFriction {
  double friction = 0.;  ///< 2 sqrt(K(K+1)); 4/3 for a uniform bar
  double angle = 0.;     ///< phi in (0, pi/2) [rad]: tan^2 phi = (K+1)/K; and pi - phi
};

/// @param K  inertia factor Theta/(m s^2) of the bar, > 0; 1/3 if uniform.
[[nodiscard]] LeastCriticalFriction least_critical_friction(double K);

// --- [Sun & Baruh 2022] --------------------------------------------------------------------------

/// The ratios that determine the mode, for slip along +t. With r = -v_t/v_n >= 0: slip lasts
/// through compression if r > R1, through the whole impact if r > R3. After a stop the contact
/// sticks if |R2| <= mu_s. A contact that jams has R1 <= 0 or none, and slip then always stops in
/// compression.
struct SlideRatios {
  std::optional<double> R1;  ///< eq. 28; empty if v_n cannot change while slipping
  std::optional<double> R2;  ///< friction ratio needed for stick, eq. 30 corrected (ERRATA, SB1)
  std::optional<double> R3;  ///< (1 + e) R1
  bool jams = false;         ///< normal velocity grows while slipping (ERRATA, SB3)
};

[[nodiscard]] SlideRatios slide_ratios(const Sym2& G, const Surface& surface);

/// |v_t|/(mu |v_n|): for a particle, slip ends during compression if it is < 1 [Sec. 6]. Empty
/// without friction or without approach.
[[nodiscard]] std::optional<double> slide_parameter(const Vec2& approach, double friction);

// --- Painleve ------------------------------------------------------------------------------------

/// Effect of slip on the normal velocity of a planar contact.
struct PainleveTest {
  double slope = 0.;           ///< dv_n/dp while slipping, G_nn - mu sgn(v_t) G_nt [1/kg]
  bool jams = false;           ///< slope < 0 for this direction of slip
  bool jams_reversed = false;  ///< slope < 0 for the other direction
};

/// @param slip  v_t; only its sign matters (zero counts as positive)
[[nodiscard]] PainleveTest painleve_test(const Sym2& G, double friction, double slip);

}  // namespace carom
