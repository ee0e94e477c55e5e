// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/estimation_of.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <ceres/ceres.h>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/study/fit/measurement_errors.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using BlockResidual = std::function<void(std::size_t block, std::span<const double> p,
                                         VectorXd& residual, MatrixXd& derivatives)>;

void differentiate(const Objective& objective, std::size_t impact, std::span<const double> p,
                   VectorXd& residual, MatrixXd& derivatives) {
  whitened_residual(objective, impact, p, residual);
  derivatives.resize(residual.size(), static_cast<Index>(p.size()));
  std::vector<double> moved(p.begin(), p.end());
  VectorXd up;
  VectorXd down;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const Parameter& one = objective.parameters().list[k];
    const double step = std::cbrt(epsilon) * (one.high - one.low);
    const double high = std::min(p[k] + step, one.high);
    const double low = std::max(p[k] - step, one.low);
    moved[k] = high;
    whitened_residual(objective, impact, moved, up);
    moved[k] = low;
    whitened_residual(objective, impact, moved, down);
    moved[k] = p[k];
    derivatives.col(static_cast<Index>(k)) =
        high > low ? VectorXd((up - down) / (high - low)) : VectorXd::Zero(up.size());
  }
}

BlockResidual block_residual(const Objective& objective, std::vector<std::size_t> impacts,
                             Residuals residuals) {
  if (residuals == Residuals::of_both_errors) {
    return [&objective, impacts](std::size_t block, std::span<const double> p, VectorXd& residual,
                                 MatrixXd& derivatives) {
      differentiate(objective, impacts[block], p, residual, derivatives);
    };
  }
  return [&objective, impacts](std::size_t block, std::span<const double> p, VectorXd& residual,
                               MatrixXd& derivatives) {
    const std::size_t width = objective.width();
    std::vector<double> by_rows(width * p.size());
    residual.resize(static_cast<Index>(width));
    objective.residual(impacts[block], p, {residual.data(), width}, by_rows);
    derivatives =
        Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            by_rows.data(), static_cast<Index>(width), static_cast<Index>(p.size()));
  };
}

/// A block for Ceres, each parameter a block of its own so that it can be held.
class Block : public ceres::CostFunction {
 public:
  Block(const BlockResidual& residual, std::size_t block, std::size_t width, std::size_t parameters)
      : residual_(&residual), block_(block), parameters_(parameters) {
    set_num_residuals(static_cast<int>(width));
    mutable_parameter_block_sizes()->assign(parameters, 1);
  }

  bool Evaluate(double const* const* parameters, double* residuals,
                double** jacobians) const override {
    std::vector<double> p(parameters_);
    for (std::size_t k = 0; k < parameters_; ++k) p[k] = *parameters[k];
    VectorXd r;
    MatrixXd J;
    (*residual_)(block_, p, r, J);
    std::copy(r.data(), r.data() + r.size(), residuals);
    for (std::size_t k = 0; jacobians != nullptr && k < parameters_; ++k) {
      if (jacobians[k] == nullptr) continue;
      std::copy(J.col(static_cast<Index>(k)).data(), J.col(static_cast<Index>(k)).data() + r.size(),
                jacobians[k]);
    }
    return r.allFinite() && J.allFinite();
  }

 private:
  const BlockResidual* residual_;
  std::size_t block_;
  std::size_t parameters_;
};

/// Least squares by Levenberg and Marquardt's method, with bounds and parameters held.
Estimate least_squares_fit(const BlockResidual& residual, std::size_t blocks, std::size_t width,
                           const std::vector<Estimation::Number>& numbers,
                           const Question& question) {
  Estimate estimate{.p = question.start};
  ceres::Problem problem;
  std::vector<double*> parameters;
  for (double& p : estimate.p) parameters.push_back(&p);
  for (std::size_t block = 0; block < blocks; ++block) {
    const double weight = question.weights.empty() ? 1. : question.weights[block];
    if (weight == 0.) continue;
    ceres::LossFunction* loss =
        weight == 1. ? nullptr : new ceres::ScaledLoss(nullptr, weight, ceres::TAKE_OWNERSHIP);
    problem.AddResidualBlock(new Block(residual, block, width, numbers.size()), loss, parameters);
  }
  bool all_held = true;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!question.held.empty() && question.held[k]) {
      problem.SetParameterBlockConstant(parameters[k]);
      continue;
    }
    all_held = false;
    *parameters[k] = std::clamp(*parameters[k], numbers[k].low, numbers[k].high);
    problem.SetParameterLowerBound(parameters[k], 0, numbers[k].low);
    problem.SetParameterUpperBound(parameters[k], 0, numbers[k].high);
  }
  ceres::Problem::EvaluateOptions serial;
  serial.num_threads = 1;
  if (all_held) {
    estimate.converged = problem.Evaluate(serial, &estimate.loss, nullptr, nullptr, nullptr);
    return estimate;
  }
  ceres::Solver::Options options;
  options.linear_solver_type = ceres::DENSE_QR;
  options.max_num_iterations = 100;
  options.num_threads = 1;
  options.logging_type = ceres::SILENT;
  constexpr double tight = 1e-12;  // of the loss: profiles are differences of losses
  options.function_tolerance = tight;
  options.parameter_tolerance = tight;
  options.gradient_tolerance = tight;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  estimate.converged = summary.IsSolutionUsable();
  estimate.loss = summary.final_cost;
  return estimate;
}

/// Blocks as often as their weights say, which are whole numbers.
std::vector<std::size_t> repeated(const std::vector<std::size_t>& impacts,
                                  const std::vector<double>& weights) {
  if (weights.empty()) return impacts;
  std::vector<std::size_t> all;
  for (std::size_t block = 0; block < impacts.size(); ++block) {
    all.insert(all.end(), static_cast<std::size_t>(std::lround(weights[block])), impacts[block]);
  }
  return all;
}

std::function<double(double)> slope_of(const MinimiseOptions& options) {
  switch (options.loss) {
    case Loss::least_squares:
      break;
    case Loss::huber:
      return [k = options.huber](double s) { return s <= k * k ? 1. : k / std::sqrt(s); };
    case Loss::mean_error:
      // rho = 2 root(s), whose slope has no bound at 0: an impact that is predicted exactly counts
      // as one that is predicted to rounding.
      return [](double s) { return 1. / std::sqrt(std::max(s, epsilon * epsilon)); };
  }
  return [](double) { return 1.; };
}

}  // namespace

Estimate estimate_of(const Minimum& minimum, std::size_t impacts, const MinimiseOptions& options) {
  // rho/2 is |r|^2/2 for least squares and Huber, |r| for the mean error.
  const double half = options.loss == Loss::mean_error ? 1. : 0.5;
  return {.p = minimum.p,
          .loss = half * minimum.loss * static_cast<double>(impacts),
          .converged = true};
}

Estimation estimation_of(const Objective& objective, std::span<const std::size_t> impacts,
                         const MinimiseOptions& options, Residuals residuals, bool restarts) {
  const std::vector<std::size_t> rows(impacts.begin(), impacts.end());
  if (residuals == Residuals::of_both_errors) require_errors(objective.data(), rows);
  Estimation fit;
  for (const Parameter& one : objective.parameters().list) {
    fit.parameters.push_back({.name = one.name, .low = one.low, .high = one.high});
  }
  fit.width = objective.width();
  // Groups in the order in which they occur; rows without groups are groups of their own.
  std::map<std::size_t, std::size_t> number;
  for (std::size_t block = 0; block < rows.size(); ++block) {
    const std::size_t group =
        objective.data().grouped ? objective.data().impacts[rows[block]].group : block;
    fit.group.push_back(number.emplace(group, number.size()).first->second);
  }
  fit.residual = block_residual(objective, rows, residuals);
  fit.slope = slope_of(options);
  fit.minimise = [&objective, rows, options, residuals, restarts, residual = fit.residual,
                  width = fit.width, numbers = fit.parameters](const Question& question) {
    const bool held =
        std::find(question.held.begin(), question.held.end(), true) != question.held.end();
    if (held || residuals == Residuals::of_both_errors) {
      return least_squares_fit(residual, rows.size(), width, numbers, question);
    }
    const std::vector<std::size_t> sample = repeated(rows, question.weights);
    return estimate_of(restarts ? minimise(objective, sample, options)
                                : minimise_from(objective, sample, options, question.start),
                       sample.size(), options);
  };
  return fit;
}

}  // namespace carom::study::fit
