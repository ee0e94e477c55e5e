// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <carom/complementarity/friction/velocity_newton.hpp>

// Newton steps on Coulomb's law itself, see VelocityNewton::descend.
namespace carom::complementarity {
namespace {

/// Steps of a descent, and those after the last that gained a half. One shorter than `short_step`
/// counts as so many.
constexpr int most_descents = 30;
constexpr int most_stalled = 8;
constexpr double short_step = 0.1;
constexpr int short_counts = 4;
/// A step is accepted that lessens the error by this part of what is hoped for.
constexpr double enough_descent = 0.1;
constexpr int most_halvings = 10;
/// r of the natural map times the inertia at a contact: contacts with impulses as large as in a
/// pile need small slip to change from stick to slip.
constexpr double stiffness = 10.;

}  // namespace

bool VelocityNewton::descend(std::span<double> u, double least, double rho) {
  return block_ == 3 ? descend_of<3>(u, least, rho) : descend_of<6>(u, least, rho);
}

template <std::size_t b>
bool VelocityNewton::descend_of(std::span<double> u, double least, double rho) {
  set_rho(rho);
  center_ = P_;
  fresh_ = true;
  find_velocities<b>(u);
  std::fill(change_.begin(), change_.end(), 0.);
  std::fill(z_.begin(), z_.end(), 0.);
  double error = distance_along(0.);
  for (int step = 0, stalled = 0; step < most_descents; ++step) {
    if (!std::isfinite(error)) return false;
    if (error <= least * least) break;
    linearise();
    (void)push<b>(w_);
    if (!factorize<b>()) return false;
    lu_.solve(w_);
    find_change<b>();
    const double before = error;
    const double length = descent_length(error);
    for (std::size_t j = 0; j < u.size(); ++j) u[j] += length * w_[j];
    for (std::size_t j = 0; j < P_.size(); ++j) P_[j] += length * change_[j];
    find_velocities<b>(u);
    stalled = error < 0.5 * before ? 0 : stalled + (length < short_step ? short_counts : 1);
    if (length == 0. || stalled >= most_stalled) break;
  }
  for (const Contact& k : contacts_) cut(k, &P_[k.at], &made_[k.at]);
  take_made<b>(u);
  return error <= least * least;
}

/// The first of 1, 1/2, 1/4 ... of the step that lessens the error enough, or that with the least.
/// @param error  becomes that after the step
double VelocityNewton::descent_length(double& error) const {
  const double before = error;
  double best = 0.;
  double length = 1.;
  for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
    const double here = distance_along(length);
    if (here < error) {
      error = here;
      best = length;
    }
    if (here <= (1. - enough_descent * length) * before) break;
  }
  return best;
}

/// xi + R (P - P_k), into y_.
template <std::size_t b>
void VelocityNewton::find_velocities(std::span<const double> u) {
  for (const Contact& k : contacts_) {
    for (std::size_t c = 0; c < k.components; ++c) {
      const std::size_t j = k.at + c;
      y_[j] = along<b>(k, c, u) + c_[j] + k.R * (P_[j] - center_[j]);
    }
  }
}

/// P_n cut at zero, and each group at its bound times that.
void VelocityNewton::cut(const Contact& k, const double* y, double* P) {
  P[0] = std::max(0., y[0]);
  for (std::size_t g = 0; g < k.groups; ++g) {
    const Group& group = k.group[g];
    const std::size_t end = std::size_t{group.first} + group.size;
    const double most = group.bound * P[0];
    double square = 0.;
    for (std::size_t c = group.first; c < end; ++c) square += y[c] * y[c];
    const double f = square > most * most ? most / std::sqrt(square) : 1.;
    for (std::size_t c = group.first; c < end; ++c) P[c] = f * y[c];
  }
}

/// The sum of squares of P minus its map, at a part of the step.
double VelocityNewton::distance_along(double length) const {
  double sum = 0.;
  std::array<double, most_components> P{};
  std::array<double, most_components> y{};
  std::array<double, most_components> map{};
  for (const Contact& k : contacts_) {
    const double r = stiffness / k.inertia;
    for (std::size_t c = 0; c < k.components; ++c) {
      const std::size_t j = k.at + c;
      P[c] = P_[j] + length * change_[j];
      y[c] = P[c] - r * (y_[j] + length * (z_[j] + k.R * change_[j]));
    }
    cut(k, y.data(), map.data());
    for (std::size_t c = 0; c < k.components; ++c) {
      sum += k.inertia * (P[c] - map[c]) * (P[c] - map[c]);
    }
  }
  return sum;
}

/// The step by which P becomes its map, if modes stay as they are. With J the derivative of the
/// map, f = P minus its map and q = 1 - r R:
///
///     (1 - q J) dP = -f - r J dxi.
///
/// So dP is (1 - q J)^-1 (-f), into r_, minus D dxi with D = r (1 - q J)^-1 J; R D into J_.
void VelocityNewton::linearise() {
  std::array<double, most_components> y{};
  std::array<double, most_components> map{};
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& k = contacts_[i];
    Derivative& J = J_[i];
    J.fill(0.);
    double* const step = &r_[k.at];
    const double r = stiffness / k.inertia;
    for (std::size_t c = 0; c < k.components; ++c) {
      y[c] = P_[k.at + c] - r * y_[k.at + c];
    }
    cut(k, y.data(), map.data());
    for (std::size_t c = 0; c < k.components; ++c) step[c] = map[c] - P_[k.at + c];
    if (!(y[0] > 0.)) continue;
    const double slack = r * k.R;
    J[0] = 1.;
    step[0] /= slack;
    for (std::size_t g = 0; g < k.groups; ++g) {
      const Group& group = k.group[g];
      const std::size_t end = std::size_t{group.first} + group.size;
      double square = 0.;
      for (std::size_t c = group.first; c < end; ++c) square += y[c] * y[c];
      const double size = std::sqrt(square);
      if (!(size > group.bound * y[0])) {  // sticks
        for (std::size_t c = group.first; c < end; ++c) {
          J[c * most_components + c] = 1.;
          step[c] /= slack;
        }
        continue;
      }
      // It slips along w: the derivative is bound w in the first column, and turn (1 - w w^T).
      const double turn = group.bound * y[0] / size;
      const double across = 1. / (1. - (1. - slack) * turn);
      double along_slip = 0.;
      for (std::size_t c = group.first; c < end; ++c) along_slip += step[c] * y[c] / size;
      for (std::size_t c = group.first; c < end; ++c) {
        const double w = y[c] / size;
        J[c * most_components] = group.bound * w;
        for (std::size_t o = group.first; o < end; ++o) {
          const double other = y[o] / size;
          J[c * most_components + o] = slack * turn * across * ((c == o ? 1. : 0.) - w * other);
        }
        step[c] = across * (step[c] - along_slip * w) + along_slip * w +
                  (1. - slack) * group.bound * w * step[0];
      }
    }
  }
}

}  // namespace carom::complementarity
