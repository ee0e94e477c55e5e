// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/laws/table.hpp>

namespace carom::study {

/// A number with its name, as tables and files show it.
struct NamedNumber {
  std::string name;  ///< "friction"
  std::string unit;  ///< empty: none
  double value = 0.;
};

/// How an outcome changes with what went into it: exact derivatives, by running the law's own
/// kernel on numbers that carry them. At the edge between two modes they are those of the mode that
/// the outcome has.
struct Sensitivity {
  const Law* law = nullptr;
  Verdict verdict = Verdict::ordinary;  ///< of the outcome: why there may be nothing
  std::vector<NamedNumber> inputs;      ///< the approach, and the coefficients that the law knows
  std::vector<NamedNumber> outputs;     ///< impulse, velocity after, energy change
  Eigen::MatrixXd absolute;             ///< d output/d input, a row for each output

  /// (input/output) d output/d input: per cent for a per cent. Empty where either is zero.
  [[nodiscard]] std::optional<double> relative(Eigen::Index output, Eigen::Index input) const;
};

/// Where mu_s is not above mu it is taken to follow it. Empty inputs and outputs: there is no
/// impulse, and nothing to differentiate.
[[nodiscard]] Sensitivity sensitivity(const Law& law, const PlanarProblem& problem);

}  // namespace carom::study
