// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace carom::study::fit {

/// A minimum of the loss, or one that was sought with some parameters held.
struct Estimate {
  std::vector<double> p;
  double loss = 0.;  ///< the sum over blocks of weight times rho(|r|^2)/2
  bool converged = false;
};

/// What `Estimation::minimise` is asked.
struct Question {
  std::vector<double> start;
  std::vector<bool> held{};       ///< parameters that stay at `start`; empty: none
  std::vector<double> weights{};  ///< of the blocks; empty: 1
};

/// What estimation has to know of a fit: residuals in blocks (one impact each), a loss that is a
/// sum over blocks of rho(|r|^2)/2, and how to find its minimum. Its functions may be called by
/// several threads at once.
struct Estimation {
  struct Number {
    std::string name;
    double low = 0.;
    double high = 0.;
  };
  std::vector<Number> parameters;
  std::size_t width = 0;           ///< length of the residual of each block
  std::vector<std::size_t> group;  ///< of each block: 0, ..., groups - 1. Groups are independent

  /// Residual of a block, and its derivatives, a column for each parameter.
  std::function<void(std::size_t block, std::span<const double> p, Eigen::VectorXd& residual,
                     Eigen::MatrixXd& derivatives)>
      residual;
  /// rho'(s) of s = |r|^2: 1 for least squares.
  std::function<double(double s)> slope;
  std::function<Estimate(const Question&)> minimise;

  [[nodiscard]] std::size_t blocks() const { return group.size(); }
  [[nodiscard]] std::size_t size() const { return parameters.size(); }
  [[nodiscard]] std::size_t groups() const {
    std::size_t most = 0;
    for (const std::size_t g : group) most = g + 1 > most ? g + 1 : most;
    return most;
  }
};

}  // namespace carom::study::fit
