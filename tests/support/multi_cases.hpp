// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/laws/solve_options.hpp>

/// The reference cases of several contacts, as plain structs.
namespace carom::test {

/// Contacts of which only the sum of tangential impulses is defined.
struct TangentialSum {
  std::vector<std::size_t> contacts;
  std::vector<double> sum;  ///< one a tangent
};

struct MultiReferenceCase {
  std::string id;
  std::string law;  ///< as in the catalogue of laws: "lzb", "moreau", "moreau:poisson"
  ContactProblem problem;
  SolveOptions options;
  std::vector<double> impulse;  ///< NaN where it is not defined
  std::vector<double> velocity;
  std::vector<TangentialSum> sums;
  double change = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> normal_work;    ///< one a contact, or empty
  std::vector<double> friction_work;  ///< one a contact, or empty
  double tolerance = 0.;
  std::string line;  ///< the problem as a line for `carom solve --stream`
};

/// Of a file under tests/, e.g. "reference/multi.json".
[[nodiscard]] std::vector<MultiReferenceCase> read_multi_cases(const std::string& file);

/// Those of reference/multi.json.
[[nodiscard]] const std::vector<MultiReferenceCase>& multi_cases();

/// The largest difference of an outcome to a case, in the measure of tests/reference/README.md.
[[nodiscard]] double multi_error(const MultiReferenceCase& reference, const Outcome& outcome);

}  // namespace carom::test
