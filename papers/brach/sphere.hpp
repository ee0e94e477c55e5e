// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>

#include <carom/impact/spatial_problem.hpp>
#include <papers/brach/trials.hpp>

/// The sphere of [Brach 1998, Sec. 4] that strikes a flat barrier: solved by the system equations
/// (the law `brach`), to hold the closed forms against.
namespace carom::papers::br {

/// K = k^2/a^2 of a solid sphere.
inline constexpr double K = 2. / 5.;

[[nodiscard]] inline double size(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// A solid sphere, and the barrier by e_n, impulse ratios as parts of the critical ones, and e_m.
/// Vectors along n, t, t', right-handed; the normal points into the sphere: v.n < 0 approaches.
struct Sphere {
  double mass = 1.;    ///< [kg]
  double radius = 1.;  ///< a [m]
  Vec3 velocity{};     ///< of the centre [m/s]
  Vec3 spin{};         ///< [rad/s]
  double e_n = 0.;
  std::array<double, 2> part{};  ///< mu_t/mu_t0, mu_t'/mu_t'0
  double e_m = -1.;              ///< about t' (Section 4.2); -1: no couple, point contact

  [[nodiscard]] double k2() const { return K * radius * radius; }  ///< k^2 [m^2]
  [[nodiscard]] Vec3 contact_velocity() const;  ///< v_Ct = v_t - a w_t', v_Ct' = v_t' + a w_t
  [[nodiscard]] double energy() const;          ///< kinetic [J]
};

/// With spin about every axis, in point contact; the same with an impulse against the slip.
[[nodiscard]] Sphere in_space(FixedRandom& random);
[[nodiscard]] Sphere along_slip(FixedRandom& random);
/// Section 4.2: v_t' = w_n = w_t = 0, e_m in [-1, 0.3]; the same with e_m = -1.
[[nodiscard]] Sphere in_plane(FixedRandom& random);
[[nodiscard]] Sphere without_couple(FixedRandom& random);
/// 1 kg, 1 m, v_n = -1 m/s, v_t = 1 m/s, with a spin about t'.
[[nodiscard]] Sphere skidding(double spin);

/// The velocities that the centre loses where slip ends: 2 v_Cj/7; with a couple about t'
/// lambda (v_t + e_m a w_t'), lambda = 1/(1 - e_m a^2/k^2).
[[nodiscard]] std::array<double, 2> lost_with_slip(const Sphere& s);
/// mu_t0 and mu_t'0: those over (1 + e_n) v_n.
[[nodiscard]] std::array<double, 2> critical(const Sphere& s);

/// What the system equations give.
struct Struck {
  Sphere after{};
  Vec3 impulse{};
  Vec3 couple{};
  double loss = 0.;  ///< T_L [J]

  [[nodiscard]] std::array<double, 2> ratio() const;  ///< P_t/P_n, P_t'/P_n
};

/// Of the sphere's own surface, or another.
[[nodiscard]] Struck struck(const Sphere& s);
[[nodiscard]] Struck struck(const Sphere& s, const Surface& surface);
/// With its e_n and e_m, but so that slip ends.
[[nodiscard]] Struck rolled(const Sphere& s);

[[nodiscard]] SpatialProblem problem_of(const Sphere& s, const Surface& surface = {});

}  // namespace carom::papers::br
