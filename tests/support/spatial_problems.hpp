// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>

#include <carom/impact/spatial/problem.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const Vec3& x);
std::ostream& operator<<(std::ostream& out, const SpatialProblem& problem);
}  // namespace carom

namespace carom::test {

/// Largest magnitude of the three.
[[nodiscard]] double largest(const Vec3& x);

/// Largest of |v-|, |v+|, |G P|: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const SpatialProblem& p, const Vec3& impulse,
                                    const Vec3& velocity);

/// |v- + G P - v+| over that scale.
[[nodiscard]] double momentum_residual(const SpatialProblem& p, const Vec3& impulse,
                                       const Vec3& velocity);

/// The same impact with tangents turned by an angle about the normal.
[[nodiscard]] SpatialProblem turned(const SpatialProblem& p, double angle);
[[nodiscard]] Vec3 turned(const Vec3& x, double angle);

/// Masses times `mass`, speeds times `speed`.
[[nodiscard]] SpatialProblem in_other_units(const SpatialProblem& p, double mass, double speed);

/// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double a, double b);
  bool chance(double p) { return uniform(0., 1.) < p; }

 private:
  std::uint64_t state_;
};

/// Two bodies of any shape strike each other anywhere, in any motion that closes the contact;
/// mu in [0, most_friction], e in [0, 1]. The same for the same seed.
[[nodiscard]] SpatialProblem random_bodies(std::uint64_t seed, double most_friction = 1.5);

}  // namespace carom::test
