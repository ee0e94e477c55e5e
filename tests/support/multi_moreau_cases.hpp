// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <carom/impact/contact_problem.hpp>

/// The cases of tests/reference/own/multi-moreau-own.json as plain structs.
namespace carom::test {

struct MultiMoreauCase {
  std::string id;
  bool two_stages = false;
  ContactProblem problem;
  std::vector<double> impulse;
  std::vector<double> velocity;
  double change = 0.;
  std::map<std::string, std::vector<double>> ledger;  ///< of each contact: normal, friction, ...
  double tolerance = 0.;
};

/// For the names of tests.
inline std::ostream& operator<<(std::ostream& out, const MultiMoreauCase& c) { return out << c.id; }

[[nodiscard]] const std::vector<MultiMoreauCase>& multi_moreau_cases();

}  // namespace carom::test
