// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <Eigen/Core>

#include <carom/impact/coefficients.hpp>

/// How a law that differentiates itself is asked, and how it answers.
namespace carom {

/// A number that an outcome depends on.
struct ImpactInput {
  std::size_t contact = 0;
  const Coefficient* coefficient = nullptr;  ///< null: a component of the approach
  std::size_t index = 0;                     ///< which component, or which number of it
};

/// d(impulse, velocity after)/d(input): a column for each input; rows as in Outcome, impulses
/// first.
struct Derivatives {
  Eigen::MatrixXd by_input;
  std::string why_not{};  ///< not empty: the outcome has no derivative, for this reason
};

}  // namespace carom
