// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <carom/impact/spatial_problem.hpp>

/// The cases of tests/reference/spatial.json for the algebraic laws, as plain structs.
namespace carom::test {

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

}  // namespace carom::test
