// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <support/spatial_problems.hpp>

/// Pairs of bodies in space, and what they make of a contact.
namespace carom::test {

/// A rigid body at a contact, as the reference gives it: world axes.
struct SpatialBody {
  double mass = 1.;
  Mat3 inertia{};
  std::array<double, 3> contact_offset{};
  std::array<double, 3> velocity{};
  std::array<double, 3> spin{};
};

/// Contact space of one or two bodies, written out for itself. @param frame  rows n, t1, t2
[[nodiscard]] SpatialProblem contact_space(const std::vector<SpatialBody>& bodies,
                                           const Mat3& frame);

/// Largest component.
[[nodiscard]] inline double max_norm(const Vec3& v) {
  return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)});
}

/// Largest of |v-|, |v+| and what P and M make: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const SpatialProblem& p, const Vec3& impulse,
                                    const Vec3& couple, const Vec3& velocity);

/// |v- + G P + C M - v+| over that scale.
[[nodiscard]] double momentum_residual(const SpatialProblem& p, const Vec3& impulse,
                                       const Vec3& couple, const Vec3& velocity);

}  // namespace carom::test
