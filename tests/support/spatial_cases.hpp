// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const SpatialProblem& problem);
}  // namespace carom

/// The cases of tests/reference/spatial.json for the algebraic laws, as plain structs.
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

struct SpatialCase {
  std::string id;
  std::string law;  ///< the name in the catalogue, its option included
  SpatialProblem problem;
  Vec3 impulse;
  Vec3 velocity;
  Vec3 couple;
  std::string mode;                                  ///< "0".."6"; empty where none is given
  std::map<std::string, double> ledger;              ///< change, normal_compression, ...
  std::vector<std::pair<std::string, Vec3>> phases;  ///< stage and type, velocity at the end
  std::map<std::string, std::array<std::optional<double>, 2>> pairs;  ///< critical_mu_at_e_n, ...
  std::optional<double> e_n_max;
  std::optional<bool> slides_throughout;
  double tolerance = 0.;
};

/// For the names of tests.
inline std::ostream& operator<<(std::ostream& out, const SpatialCase& c) { return out << c.id; }

/// The cases of `brach` and `sun-baruh`.
[[nodiscard]] const std::vector<SpatialCase>& spatial_cases();

/// Largest of |v-|, |v+| and what P and M make: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const SpatialProblem& p, const Vec3& impulse,
                                    const Vec3& couple, const Vec3& velocity);

/// |v- + G P + C M - v+| over that scale.
[[nodiscard]] double momentum_residual(const SpatialProblem& p, const Vec3& impulse,
                                       const Vec3& couple, const Vec3& velocity);

/// Largest component.
[[nodiscard]] double largest(const Vec3& v);

}  // namespace carom::test
