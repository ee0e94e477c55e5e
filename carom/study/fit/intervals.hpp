// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/study/fit/estimation.hpp>

/// How sure the estimates of a fit are.
namespace carom::study::fit {

/// Covariance of the estimates. A parameter at a bound is not varied: its rows are zero.
struct Covariance {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd error;        ///< standard errors; infinite where nothing is determined
  Eigen::MatrixXd correlation;  ///< zero beside the diagonal where one of the errors is not known
  std::vector<bool> at_bound;
  double deviation = 0.;    ///< of a residual component, as used; 0: of the sandwich
  std::size_t freedom = 0;  ///< residual components less free parameters
  /// What the data do not determine, a sentence each.
  std::vector<std::string> undetermined;
};

/// s^2 (J^T J)^-1 with s^2 = |r|^2/freedom, or with the deviation given: for least squares, where
/// residual components have equal deviations.
[[nodiscard]] Covariance gauss_newton_covariance(const Estimation& fit, const Estimate& estimate,
                                                 std::optional<double> deviation = {});

/// A^-1 B A^-1 with A the second derivatives of the loss, without those of the residuals, and B the
/// sum over groups of g g^T, g the gradient of the group's loss; times groups/(groups - 1). Right
/// for any loss, where components differ in deviation, and where rows of a group are not
/// independent, if there are many groups [Huber 1967; Liang & Zeger 1986].
[[nodiscard]] Covariance sandwich_covariance(const Estimation& fit, const Estimate& estimate);

struct Interval {
  double low = 0.;
  double high = 0.;
  bool low_at_bound = false;  ///< ends at the bound of the parameter, not because of the data
  bool high_at_bound = false;

  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
};

struct ProfileOptions {
  double confidence = 0.95;
  std::optional<double> deviation{};  ///< of a residual component; none: estimated
  double tolerance = 1e-3;            ///< of the ends, relative to the half width
};

struct Profile {
  Interval interval;
  bool determined = true;  ///< false: no value within the bounds is excluded
  /// A lower minimum was met on the way: the fit should start again from it.
  std::optional<Estimate> lower{};
};

/// The values of parameter j that are not rejected with all others fitted again: least squares,
///
///     |r(p_j)|^2 - |r|^2 <= s^2 F,
///
/// F the quantile of F(1, freedom) with s^2 = |r|^2/freedom, or of chi^2(1) with a deviation given
/// [Bates & Watts 1988, Sec. 6.1.2]. The ends are found by the signed root of the left side,
/// nearly linear in p_j, by regula falsi [Dowell & Jarratt 1971].
[[nodiscard]] Profile profile_interval(const Estimation& fit, const Estimate& estimate,
                                       const Covariance& covariance, std::size_t j,
                                       const ProfileOptions& options = {});

struct BootstrapOptions {
  std::size_t replicas = 1000;
  std::uint64_t seed = 1;
  double confidence = 0.95;
  unsigned threads = 0;             ///< 0: as many as there are
  std::function<bool()> stopped{};  ///< asked before each replica: ends early
};

struct Bootstrap {
  std::vector<Interval> intervals;  ///< percentiles; the same bits for any number of threads
  Eigen::MatrixXd replicas;         ///< a column each; those that did not converge are left out
  std::size_t failed = 0;
};

/// Draws as many groups as there are with replacement, and fits again [Efron & Tibshirani 1993,
/// ch. 13]. The only way here for laws that jump as their coefficients change.
[[nodiscard]] Bootstrap bootstrap(const Estimation& fit, const Estimate& estimate,
                                  const BootstrapOptions& options = {});

/// An interval p +- z error, within the bounds.
[[nodiscard]] Interval normal_interval(const Estimation& fit, const Estimate& estimate,
                                       const Covariance& covariance, std::size_t j,
                                       double confidence = 0.95);

}  // namespace carom::study::fit
