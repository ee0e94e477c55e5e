// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/imbalance.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>

namespace carom::study::fit {

namespace {

using Eigen::Index;

/// The part of each column that no impulse produces.
Eigen::MatrixXd without_impulse(const MeasuredContact& contact, const Eigen::MatrixXd& inverse_G,
                                const Eigen::MatrixXd& columns) {
  return columns - contact.response * (inverse_G * (contact.W.transpose() * columns));
}

double weighted_norm(const MeasuredImpacts& data, const Eigen::VectorXd& y) {
  return data.norm({y.data(), static_cast<std::size_t>(y.size())});
}

/// k |dw| of the rotations that alone would produce e.
double size_of_spin(const MeasuredImpacts& data, const MeasuredContact& contact,
                    const Eigen::MatrixXd& inverse_G, const Eigen::VectorXd& e) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto width = static_cast<Index>(data.coordinates.size());
  std::vector<Index> spins;
  for (Index j = 0; j < width; ++j) {
    if (data.units[static_cast<std::size_t>(j)] == "rad/s") spins.push_back(j);
  }
  if (spins.empty() || static_cast<Index>(spins.size()) == width) return none;
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(width, static_cast<Index>(spins.size()));
  for (std::size_t k = 0; k < spins.size(); ++k) {
    const double metric = data.metric[static_cast<std::size_t>(spins[k])];
    turn(spins[k], static_cast<Index>(k)) = 1. / std::sqrt(metric);  // 1 m/s each
  }
  const Eigen::MatrixXd seen = without_impulse(contact, inverse_G, turn);
  const Eigen::VectorXd spin = least_squares(seen, e);
  // What remains is no rounding: another coordinate must be wrong, too.
  const double rest = weighted_norm(data, e - seen * spin);
  if (!(rest <= std::sqrt(rounding) * weighted_norm(data, e))) return none;
  return spin.norm();
}

}  // namespace

Imbalance imbalance(const MeasuredImpacts& data, const MeasuredContact& contact,
                    const MeasuredImpact& impact) {
  const auto width = static_cast<Index>(data.coordinates.size());
  const Eigen::Map<const Eigen::VectorXd> before(impact.before.data(), width);
  const Eigen::Map<const Eigen::VectorXd> after(impact.after.data(), width);
  const Eigen::MatrixXd inverse_G = pseudo_inverse(contact.problem.G.dense(), rounding).matrix;
  const Eigen::VectorXd e = without_impulse(contact, inverse_G, after - before);
  Imbalance found;
  found.change.assign(e.data(), e.data() + e.size());
  found.size = weighted_norm(data, e);
  found.of_spin = size_of_spin(data, contact, inverse_G, e);
  const Eigen::VectorXd momentum_before = contact.mass * before;
  const Eigen::VectorXd momentum_after = contact.mass * after;
  found.energy_before = 0.5 * before.dot(momentum_before);
  found.energy_after = 0.5 * after.dot(momentum_after);
  double slope = 0.;
  for (Index j = 0; j < width; ++j) {
    slope += (momentum_before[j] * momentum_before[j] + momentum_after[j] * momentum_after[j]) /
             data.metric[static_cast<std::size_t>(j)];
  }
  found.energy_slope = std::sqrt(slope / 2.);
  found.approach = contact.W.col(0).dot(before);
  found.separation = contact.W.col(0).dot(after);
  return found;
}

}  // namespace carom::study::fit
