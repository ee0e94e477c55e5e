// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/measurement_errors.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// C^-1/2, the symmetric one: it changes smoothly with C.
MatrixXd inverse_root(const MatrixXd& C) {
  const SymmetricEigen eigen = symmetric_eigen(C);
  // What has no error would count without limit.
  const double least = rounding * eigen.values.maxCoeff();
  const VectorXd root = eigen.values.cwiseMax(least).cwiseSqrt().cwiseInverse();
  return eigen.vectors * root.asDiagonal() * eigen.vectors.transpose();
}

VectorXd impulse(const Law& law, const ContactProblem& problem) {
  Outcome outcome;
  solve(law, problem, {}, outcome);
  return Eigen::Map<const VectorXd>(outcome.impulse.data(),
                                    static_cast<Index>(outcome.impulse.size()))
      .head(static_cast<Index>(problem.components()));
}

}  // namespace

void whitened_residual(const Objective& objective, std::size_t impact, std::span<const double> p,
                       VectorXd& residual) {
  const MeasuredImpact& measured = objective.data().impacts[impact];
  const auto width = static_cast<Index>(objective.width());
  const auto vector = [&](const std::vector<double>& x) {
    return Eigen::Map<const VectorXd>(x.data(), width);
  };
  MeasuredContact contact;
  objective.contact(impact, p, contact);
  ContactProblem problem = contact.problem;
  // In units of the metric, so that velocities and spins have one scale.
  const VectorXd scale = vector(objective.data().metric).cwiseSqrt();
  const VectorXd before = vector(measured.error_before).cwiseProduct(scale);
  const VectorXd after = vector(measured.error_after).cwiseProduct(scale);

  // dP/dv by central differences.
  const auto size = static_cast<Index>(problem.components());
  MatrixXd slope(size, size);
  for (Index c = 0; c < size; ++c) {
    double deviation = 0.;  // of this component of the approach
    for (Index j = 0; j < width; ++j) {
      const double part = contact.W(j, c) * measured.error_before[static_cast<std::size_t>(j)];
      deviation += part * part;
    }
    constexpr double small = 0.01;
    const double v = problem.approach[static_cast<std::size_t>(c)];
    const double step = std::max(small * std::sqrt(deviation), std::cbrt(epsilon) * std::abs(v));
    if (!(step > 0.)) {
      slope.col(c).setZero();
      continue;
    }
    double& moved = problem.approach[static_cast<std::size_t>(c)];
    moved = v + step;
    const VectorXd up = impulse(objective.law(), problem);
    moved = v - step;
    const VectorXd down = impulse(objective.law(), problem);
    moved = v;
    slope.col(c) = (up - down) / (2. * step);
  }
  const MatrixXd F = MatrixXd::Identity(width, width) +
                     contact.response.leftCols(size) * slope * contact.W.leftCols(size).transpose();
  const MatrixXd of_before =
      scale.asDiagonal() * F * scale.cwiseInverse().asDiagonal() * before.asDiagonal();
  MatrixXd C = of_before * of_before.transpose();
  C.diagonal() += after.cwiseAbs2();

  std::vector<double> predicted(objective.width());
  (void)objective.predict(impact, p, predicted);
  residual =
      inverse_root(C) * scale.cwiseProduct(vector(predicted) - vector(measured.after)).eval();
}

void require_errors(const MeasuredImpacts& data, std::span<const std::size_t> impacts) {
  for (const std::size_t i : impacts) {
    const MeasuredImpact& impact = data.impacts[i];
    const char* missing = impact.error_before.empty()  ? "before"
                          : impact.error_after.empty() ? "after"
                                                       : nullptr;
    if (missing == nullptr) continue;
    throw InputError(
        fmt::format("fit.error_{}", missing),
        fmt::format("row {} has no standard errors of its velocities {}; errors before are taken "
                    "into account where both are known",
                    impact.id, missing));
  }
}

}  // namespace carom::study::fit
