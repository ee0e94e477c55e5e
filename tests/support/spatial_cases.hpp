// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

/// The cases of tests/reference/spatial.json and compliant_space.json as plain structs, for all
/// laws in space. `law` is the name in the catalogue, its option included ("sun-baruh:energetic").
namespace carom::test {

struct SpatialReferencePhase {
  std::string stage;
  std::string motion;  ///< "slip" or "stick"
  double p_end = 0.;   ///< normal impulse at its end; NaN where it is not given
  Vec3 velocity;       ///< at its end
};

struct SpatialReferenceCase {
  std::string id;
  std::string law;
  SpatialProblem problem;  ///< with the spin's part where it is given by bodies
  bool by_bodies = false;  ///< the line is given by bodies, not in contact space
  Vec3 impulse;
  Vec3 velocity;
  Vec3 couple;
  std::string mode;                      ///< "0".."6"; empty where none is given
  std::map<std::string, double> ledger;  ///< change, and normal_compression etc. where given
  std::vector<SpatialReferencePhase> phases;
  std::string slider;  ///< its states, of `compliant`: "slip/stick/slip"
  double tolerance = 0.;
  std::map<std::string, std::vector<double>> extra;  ///< numbers, rows, true as 1; null: NaN
  std::string line;  ///< the problem as a line for `carom solve --stream`
};

/// For the names of tests.
inline std::ostream& operator<<(std::ostream& out, const SpatialReferenceCase& c) {
  return out << c.id;
}

[[nodiscard]] const std::vector<SpatialReferenceCase>& spatial_reference_cases();

/// Those of compliant_space.json; the ledger has the works of its extras too.
[[nodiscard]] const std::vector<SpatialReferenceCase>& compliant_space_cases();

/// Those of one law and its options: "poisson", "sun-baruh" (both hypotheses), "brach".
[[nodiscard]] std::vector<SpatialReferenceCase> spatial_reference_cases(const std::string& law);

/// Compares impulse, velocity, couple and ledger as tests/reference/README.md says. Empty: equal;
/// else what differs, and by how much.
[[nodiscard]] std::string compare(const SpatialReferenceCase& expected, const SpatialOutcome& o);

/// The same for the phases.
[[nodiscard]] std::string compare_phases(const SpatialReferenceCase& expected,
                                         const SpatialOutcome& o);

}  // namespace carom::test
