// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/intervals.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <carom/core/dense_factors.hpp>
#include <carom/core/random.hpp>
#include <carom/core/scalar.hpp>
#include <carom/study/fit/and_list.hpp>
#include <carom/study/fit/order_statistics.hpp>
#include <carom/study/parallel.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();

Index at(std::size_t i) { return static_cast<Index>(i); }

/// Sums over the blocks, at the estimate.
struct Sums {
  MatrixXd information;  ///< second derivatives of the loss, without those of the residuals
  MatrixXd gradients;    ///< of the loss, a column for each group
  double squares = 0.;   ///< |r|^2
};

Sums sums(const Estimation& fit, std::span<const double> p) {
  const Index size = at(fit.size());
  Sums s{.information = MatrixXd::Zero(size, size),
         .gradients = MatrixXd::Zero(size, at(fit.groups()))};
  VectorXd r(at(fit.width));
  MatrixXd J(at(fit.width), size);
  for (std::size_t block = 0; block < fit.blocks(); ++block) {
    fit.residual(block, p, r, J);
    const double square = r.squaredNorm();
    const double slope = fit.slope(square);
    const VectorXd gradient = J.transpose() * r;
    s.squares += square;
    s.gradients.col(at(fit.group[block])) += slope * gradient;
    s.information += slope * (J.transpose() * J);
    // 2 rho'' (J^T r)(J^T r)^T: along r a loss that grows like |r| has no curvature. rho'' by the
    // change of rho' over a small change of s; where s is 0 there is none.
    if (square <= 0.) continue;
    const double step = std::cbrt(epsilon) * square;
    const double curvature = (fit.slope(square + step) - fit.slope(square - step)) / (2. * step);
    s.information += 2. * curvature * (gradient * gradient.transpose());
  }
  return s;
}

/// The inverse of the information on the parameters that are not at a bound, where it has one.
struct Inverse {
  MatrixXd matrix;               ///< zero in rows of what is at a bound or not determined
  std::vector<bool> determined;  ///< false: at a bound, or not determined
  std::vector<std::string> undetermined;
};

double range(const Estimation::Number& number, double p) {
  const double width = number.high - number.low;
  if (std::isfinite(width) && width > 0.) return width;
  return p != 0. ? std::abs(p) : 1.;
}

/// A direction of the parameters, in units of their ranges, that changes no residual.
void tell_direction(const Estimation& fit, const std::vector<std::size_t>& free,
                    const VectorXd& direction, Inverse& inverse) {
  // What takes part by less than a tenth does not belong to the statement.
  constexpr double part = 0.1;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < free.size(); ++k) {
    if (std::abs(direction[at(k)]) < part) continue;
    inverse.determined[free[k]] = false;
    names.push_back(fit.parameters[free[k]].name);
  }
  inverse.undetermined.push_back(
      names.size() == 1
          ? fmt::format("The data do not determine {}: no residual depends on it.", names[0])
          : fmt::format("The data do not determine {} separately: they can change together without "
                        "any change of the residuals.",
                        and_list(names)));
}

Inverse invert(const Estimation& fit, const Estimate& estimate, const MatrixXd& information,
               const std::vector<bool>& at_bound) {
  const Index size = at(fit.size());
  Inverse inverse{.matrix = MatrixXd::Zero(size, size),
                  .determined = std::vector<bool>(fit.size(), true),
                  .undetermined = {}};
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < fit.size(); ++j) {
    if (at_bound[j]) inverse.determined[j] = false;
    if (!at_bound[j]) free.push_back(j);
  }
  if (free.empty()) return inverse;
  MatrixXd scaled(at(free.size()), at(free.size()));
  VectorXd unit(at(free.size()));
  for (std::size_t k = 0; k < free.size(); ++k) {
    unit[at(k)] = range(fit.parameters[free[k]], estimate.p[free[k]]);
  }
  for (std::size_t k = 0; k < free.size(); ++k) {
    for (std::size_t l = 0; l < free.size(); ++l) {
      scaled(at(k), at(l)) = unit[at(k)] * unit[at(l)] * information(at(free[k]), at(free[l]));
    }
  }
  const SymmetricEigen eigen = symmetric_eigen(scaled);
  // Derivatives by differences have a relative error of about epsilon^(2/3); its square is nothing
  // beside the largest.
  const double threshold = std::pow(epsilon, 4. / 3.) * std::max(eigen.values.maxCoeff(), 0.);
  MatrixXd inverted = MatrixXd::Zero(at(free.size()), at(free.size()));
  for (Index i = 0; i < eigen.values.size(); ++i) {
    const VectorXd direction = eigen.vectors.col(i);
    if (eigen.values[i] > threshold) {
      inverted += direction * direction.transpose() / eigen.values[i];
    } else {
      tell_direction(fit, free, direction, inverse);
    }
  }
  for (std::size_t k = 0; k < free.size(); ++k) {
    for (std::size_t l = 0; l < free.size(); ++l) {
      if (!inverse.determined[free[k]] || !inverse.determined[free[l]]) continue;
      inverse.matrix(at(free[k]), at(free[l])) = unit[at(k)] * unit[at(l)] * inverted(at(k), at(l));
    }
  }
  return inverse;
}

std::vector<bool> bounds_met(const Estimation& fit, const Estimate& estimate) {
  std::vector<bool> met(fit.size());
  for (std::size_t j = 0; j < fit.size(); ++j) {
    const Estimation::Number& number = fit.parameters[j];
    // Iterations end within this of a bound that they tend to.
    const double near = std::sqrt(epsilon) * range(number, estimate.p[j]);
    met[j] = estimate.p[j] <= number.low + near || estimate.p[j] >= number.high - near;
  }
  return met;
}

std::size_t freedom_of(const Estimation& fit, const std::vector<bool>& at_bound) {
  const auto free = static_cast<std::size_t>(std::count(at_bound.begin(), at_bound.end(), false));
  const std::size_t components = fit.blocks() * fit.width;
  return components > free ? components - free : 0;
}

/// Errors and correlations from the matrix.
void finish(const Estimation& fit, Inverse inverse, Covariance& covariance) {
  const Index size = at(fit.size());
  covariance.undetermined = std::move(inverse.undetermined);
  covariance.error = VectorXd::Zero(size);
  covariance.correlation = MatrixXd::Identity(size, size);
  for (std::size_t j = 0; j < fit.size(); ++j) {
    if (inverse.determined[j]) {
      covariance.error[at(j)] = std::sqrt(std::max(covariance.matrix(at(j), at(j)), 0.));
    } else if (!covariance.at_bound[j]) {
      covariance.error[at(j)] = infinity;
    }
    const Estimation::Number& number = fit.parameters[j];
    const double width = number.high - number.low;
    if (inverse.determined[j] && covariance.error[at(j)] > width) {
      covariance.undetermined.push_back(fmt::format(
          "The data hardly determine {}: its standard error, {:.3g}, exceeds its range, [{:g}, "
          "{:g}].",
          number.name, covariance.error[at(j)], number.low, number.high));
    }
  }
  for (Index j = 0; j < size; ++j) {
    for (Index k = 0; k < size; ++k) {
      const double scale = covariance.error[j] * covariance.error[k];
      if (j == k || !(scale > 0.) || !std::isfinite(scale)) continue;
      covariance.correlation(j, k) = covariance.matrix(j, k) / scale;
    }
  }
}

double two_sided(double confidence) { return 0.5 + confidence / 2.; }

}  // namespace

Covariance gauss_newton_covariance(const Estimation& fit, const Estimate& estimate,
                                   std::optional<double> deviation) {
  Covariance covariance;
  covariance.at_bound = bounds_met(fit, estimate);
  covariance.freedom = freedom_of(fit, covariance.at_bound);
  const Sums s = sums(fit, estimate.p);
  Inverse inverse = invert(fit, estimate, s.information, covariance.at_bound);
  const double variance =
      s.squares / static_cast<double>(std::max<std::size_t>(covariance.freedom, 1));
  covariance.deviation = deviation ? *deviation : std::sqrt(variance);
  covariance.matrix = inverse.matrix * (covariance.deviation * covariance.deviation);
  finish(fit, std::move(inverse), covariance);
  return covariance;
}

Covariance sandwich_covariance(const Estimation& fit, const Estimate& estimate) {
  Covariance covariance;
  covariance.at_bound = bounds_met(fit, estimate);
  covariance.freedom = freedom_of(fit, covariance.at_bound);
  const Sums s = sums(fit, estimate.p);
  Inverse inverse = invert(fit, estimate, s.information, covariance.at_bound);
  const auto groups = static_cast<double>(fit.groups());
  const double correction = groups > 1. ? groups / (groups - 1.) : 1.;
  covariance.matrix =
      inverse.matrix * (s.gradients * s.gradients.transpose()) * inverse.matrix * correction;
  finish(fit, std::move(inverse), covariance);
  if (fit.groups() < 2) {
    covariance.undetermined.push_back(
        "All rows are of one group: their scatter says nothing of the errors.");
  }
  return covariance;
}

Interval normal_interval(const Estimation& fit, const Estimate& estimate,
                         const Covariance& covariance, std::size_t j, double confidence) {
  const double z = boost::math::quantile(boost::math::normal(), two_sided(confidence));
  const double half = z * covariance.error[at(j)];
  const Estimation::Number& number = fit.parameters[j];
  return {.low = std::max(estimate.p[j] - half, number.low),
          .high = std::min(estimate.p[j] + half, number.high),
          .low_at_bound = !(estimate.p[j] - half > number.low),
          .high_at_bound = !(estimate.p[j] + half < number.high)};
}

namespace {

/// The signed root of the excess of |r|^2, over the deviation, as parameter j is held elsewhere.
class SignedRoot {
 public:
  SignedRoot(const Estimation& fit, const Estimate& estimate, std::size_t j, double deviation)
      : fit_(&fit), estimate_(&estimate), j_(j), deviation_(deviation), last_(estimate.p) {}

  double operator()(double value) {
    Question question{
        .start = last_, .held = std::vector<bool>(fit_->size(), false), .weights = {}};
    question.start[j_] = value;
    question.held[j_] = true;
    Estimate there = fit_->minimise(question);
    last_ = there.p;
    const double excess = 2. * (there.loss - estimate_->loss);
    // Both minima are known to a relative tolerance of the loss, some roundings.
    if (excess < -std::sqrt(epsilon) * estimate_->loss && (!lower_ || there.loss < lower_->loss)) {
      lower_ = there;
    }
    const double root = std::sqrt(std::max(excess, 0.)) / deviation_;
    return value < estimate_->p[j_] ? -root : root;
  }

  [[nodiscard]] const std::optional<Estimate>& lower() const { return lower_; }
  void restart() { last_ = estimate_->p; }

 private:
  const Estimation* fit_;
  const Estimate* estimate_;
  std::size_t j_;
  double deviation_;
  std::vector<double> last_;
  std::optional<Estimate> lower_{};
};

/// The value beyond `center`, towards `bound`, where |root| is `target`; nothing: it is nowhere.
std::optional<double> crossing(SignedRoot& root, double center, double bound, double guess,
                               double target, double tolerance) {
  const double side = bound < center ? -1. : 1.;
  const auto excess = [&](double x) { return side * root(x) - target; };
  const auto inside = [&](double x) { return side * (bound - x) > 0.; };
  double near = center;
  double f_near = -target;
  double far = guess;
  double f_far = 0.;
  for (;;) {  // outwards, doubling
    if (!inside(far)) far = bound;
    f_far = excess(far);
    if (f_far >= 0.) break;
    if (far == bound) return {};
    const double wider = far + 2. * (far - center);
    near = far;
    f_near = f_far;
    far = wider;
  }
  // Illinois: as regula falsi, but an end that stays twice counts half.
  constexpr int most = 60;
  int stayed = 0;
  for (int i = 0; i < most; ++i) {
    if (std::abs(far - near) <= tolerance * std::abs(far - center)) break;
    const double x = far - f_far * (far - near) / (f_far - f_near);
    const double f = excess(x);
    if (std::abs(f) <= tolerance * target) return x;
    if (f > 0.) {
      far = x;
      f_far = f;
      if (stayed == 1) f_near /= 2.;
      stayed = 1;
    } else {
      near = x;
      f_near = f;
      if (stayed == -1) f_far /= 2.;
      stayed = -1;
    }
  }
  return far;
}

}  // namespace

Profile profile_interval(const Estimation& fit, const Estimate& estimate,
                         const Covariance& covariance, std::size_t j,
                         const ProfileOptions& options) {
  const Estimation::Number& number = fit.parameters[j];
  const double center = estimate.p[j];
  Profile profile;
  profile.interval = {
      .low = number.low, .high = number.high, .low_at_bound = true, .high_at_bound = true};
  double deviation = options.deviation.value_or(0.);
  double target = 0.;
  const double level = two_sided(options.confidence);
  if (options.deviation) {
    target = boost::math::quantile(boost::math::normal(), level);
  } else {
    if (covariance.freedom == 0) {
      profile.determined = false;
      return profile;
    }
    const auto freedom = static_cast<double>(covariance.freedom);
    deviation = std::sqrt(2. * estimate.loss / freedom);
    target = boost::math::quantile(boost::math::students_t(freedom), level);
  }
  if (!(deviation > 0.)) {  // the fit is perfect
    profile.interval = {.low = center, .high = center};
    return profile;
  }
  SignedRoot root(fit, estimate, j, deviation);
  const double error = covariance.error[at(j)];
  // Where the covariance does not know: a hundredth of the range.
  const double half =
      error > 0. && std::isfinite(error) ? target * error : 0.01 * range(number, center);
  const auto end = [&](double bound, double guess, double& value, bool& at_bound) {
    if (center == bound) return;
    root.restart();
    const auto found = crossing(root, center, bound, guess, target, options.tolerance);
    if (!found) return;
    value = *found;
    at_bound = false;
  };
  end(number.low, center - half, profile.interval.low, profile.interval.low_at_bound);
  end(number.high, center + half, profile.interval.high, profile.interval.high_at_bound);
  profile.determined = !(profile.interval.low_at_bound && profile.interval.high_at_bound);
  profile.lower = root.lower();
  return profile;
}

Bootstrap bootstrap(const Estimation& fit, const Estimate& estimate,
                    const BootstrapOptions& options) {
  const std::size_t groups = fit.groups();
  std::vector<std::vector<double>> found(options.replicas);
  std::vector<std::uint8_t> state(options.replicas, 0);  // 1: converged, 2: failed
  parallel_blocks(options.replicas, 1, options.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      if (options.stopped && options.stopped()) return;
      const RandomStream random(options.seed, b);
      std::vector<double> count(groups, 0.);
      for (std::size_t g = 0; g < groups; ++g) count[random.below(g, groups)] += 1.;
      Question question{.start = estimate.p, .held = {}, .weights = {}};
      question.weights.reserve(fit.blocks());
      for (const std::size_t g : fit.group) question.weights.push_back(count[g]);
      const Estimate again = fit.minimise(question);
      found[b] = again.p;
      state[b] = again.converged ? 1 : 2;
    }
  });
  Bootstrap result;
  const auto converged = std::count(state.begin(), state.end(), 1);
  result.failed = static_cast<std::size_t>(std::count(state.begin(), state.end(), 2));
  result.replicas.resize(at(fit.size()), converged);
  Index column = 0;
  for (std::size_t b = 0; b < options.replicas; ++b) {
    if (state[b] != 1) continue;
    result.replicas.col(column++) = Eigen::Map<const VectorXd>(found[b].data(), at(fit.size()));
  }
  for (std::size_t j = 0; j < fit.size() && converged > 0; ++j) {
    std::vector<double> values;
    for (Index c = 0; c < result.replicas.cols(); ++c) {
      values.push_back(result.replicas(at(j), c));
    }
    Interval interval{.low = quantile(values, 1. - two_sided(options.confidence)),
                      .high = quantile(values, two_sided(options.confidence))};
    interval.low_at_bound = interval.low <= fit.parameters[j].low;
    interval.high_at_bound = interval.high >= fit.parameters[j].high;
    result.intervals.push_back(interval);
  }
  return result;
}

}  // namespace carom::study::fit
