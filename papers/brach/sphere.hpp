// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <carom/impact/spatial_problem.hpp>
#include <carom/mechanics/spatial_system.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>

/// The sphere of [Brach 1998, Sec. 4] that strikes a flat barrier: solved by the system equations
/// (the law `brach`), to hold the closed forms against.
namespace carom::papers::br {

/// K = k^2/a^2 of a solid sphere.
inline constexpr double K = 2. / 5.;

/// A solid sphere. Vectors along n, t, t', right-handed; the normal points into the sphere, so that
/// v.n < 0 approaches.
struct Sphere {
  double mass = 1.;    ///< [kg]
  double radius = 1.;  ///< a [m]
  Vec3 velocity;       ///< of the centre [m/s]
  Vec3 spin;           ///< [rad/s]

  [[nodiscard]] double k2() const { return K * radius * radius; }  ///< k^2 [m^2]
  /// Of the contact: v_Ct = v_t - a w_t', v_Ct' = v_t' + a w_t.
  [[nodiscard]] Vec3 contact_velocity() const {
    return {.n = velocity.n,
            .t1 = velocity.t1 - radius * spin.t2,
            .t2 = velocity.t2 + radius * spin.t1};
  }
  [[nodiscard]] double energy() const;  ///< kinetic [J]
};

/// The sphere after the impact, as the system equations give it.
struct Struck {
  Vec3 velocity;
  Vec3 spin;
  Vec3 impulse;
  Vec3 couple;
  double loss = 0.;  ///< T_L, kinetic energy before less that after [J]
};

[[nodiscard]] SpatialProblem problem_of(const Sphere& sphere, const SpatialSurface& surface);

/// By the law `brach`.
[[nodiscard]] Struck direct(const Sphere& sphere, const SpatialSurface& surface);

/// mu_t0 and mu_t'0 at a given e_n, point contact: 2 v_Cj/(7 v_n (1 + e_n)).
[[nodiscard]] std::array<double, 2> critical(const Sphere& sphere, double e_n);

/// A random sphere with a surface given by e_n and impulse ratios up to the critical ones.
struct Sample {
  Sphere sphere;
  double e_n = 0.;
  std::array<double, 2> part{};  ///< mu_t/mu_t0, mu_t'/mu_t'0
  double e_m = -1.;              ///< of Section 4.2, about t'
};

/// A surface that gives impulse ratios; couples about t' by e_m.
[[nodiscard]] SpatialSurface surface_of(double e_n, const std::array<double, 2>& ratio,
                                        double e_m = -1.);

/// With spin about every axis, e_m = -1.
[[nodiscard]] Sample sample_in_space(FixedRandom& random);
/// Section 4.2: v_t' = w_n = w_t = 0, e_m in [-1, 0.3].
[[nodiscard]] Sample sample_in_plane(FixedRandom& random);

inline constexpr int trials = 500;

/// The greatest value that `error` gives over random samples.
template <class Draw, class Error>
[[nodiscard]] double worst(std::uint64_t seed, const Draw& draw, const Error& error) {
  FixedRandom random(seed);
  double most = 0.;
  for (int k = 0; k < trials; ++k) most = largest(most, error(draw(random)));
  return most;
}

}  // namespace carom::papers::br
