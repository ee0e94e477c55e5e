// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/compliant_space/slip_step.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/circular.hpp>

namespace carom::springs {
namespace {

constexpr std::size_t n = SlipStep::stages;
constexpr auto inner = Radau7::inner();
constexpr Radau7::FullRow error_row = Radau7::error();
constexpr Radau7::Row at_start = Radau7::at_start();

/// 1 - exp(-x) for x >= 0, by Taylor's series of x/2^k and k doublings, so that it does not depend
/// on the C library.
double one_minus_exp(double x) {
  constexpr double small = 0.25;
  int doublings = 0;
  while (x > small) {
    x *= 0.5;
    ++doublings;
  }
  double sum = 0.;
  constexpr int terms = 12;  // the next one is below 0.25^12/13! of the first
  for (int k = terms; k > 0; --k) sum = (1. - sum) * x / k;
  while (doublings-- > 0) sum *= 2. - sum;
  return sum;
}

/// Weights of the barycentric formula for the start and the stages.
constexpr Radau7::FullRow barycentric = [] {
  Radau7::FullRow w{};
  for (std::size_t j = 0; j <= n; ++j) {
    w[j] = 1.;
    for (std::size_t m = 0; m <= n; ++m) {
      if (m != j) w[j] /= Radau7::node(j) - Radau7::node(m);
    }
  }
  return w;
}();

/// The polynomial through zero at the start and these values at the stages, at x > 0.
double interpolated(const Radau7::Row& values, double x) {
  double above = 0.;
  double below = barycentric[0] / x;
  for (std::size_t j = 0; j < n; ++j) {
    const double distance = x - Radau7::nodes[j];
    if (distance == 0.) return values[j];
    const double w = barycentric[j + 1] / distance;
    above += w * values[j];
    below += w;
  }
  return above / below;
}

}  // namespace

double Reach::impulse() const { return rate > 0. ? length * one_minus_exp(rate) : length; }

double turning_rate(const SlidingContact& c, double k_n, const SlipPoint& x) {
  const Tangent across = quarter_turn(x.direction);
  const double stiffness = c.tangential_k / c.friction;
  const double side = dot(tangential(x.velocity), across);
  if (x.square > 0.) return stiffness * side / x.square;
  // At u = 0 the direction is that of v_T. The terms of first order in p of u ds/dp = ... give it.
  const Tangent pull = coupling(c.G) - c.friction * tangential_product(c.G, x.direction);
  const double slip = dot(tangential(x.velocity), x.direction);
  const double sum = -2. * k_n * x.velocity.n + stiffness * slip;
  return sum > 0. ? stiffness * dot(pull, across) / sum : 0.;
}

/// Impulse, velocity, u and rate at all stages, from the angles.
bool SlipStep::evaluate() {
  const SlidingContact& c = *contact_;
  const Sym3& G = c.G;
  const SlipPoint& start = point_[0];
  const Tangent across = quarter_turn(start.direction);
  std::array<Tangent, n> pushed;  // the integrand of P_T/-mu
  for (std::size_t j = 0; j < n; ++j) {
    const auto [cosine, sine] = cos_sin(angle_[j]);
    point_[j + 1].direction = cosine * start.direction + sine * across;
    pushed[j] = weight_[j + 1] * point_[j + 1].direction;
  }
  Row coupled;  // b.(P_T/-mu) dp/dx
  for (std::size_t k = 0; k < n; ++k) {
    Tangent sum{};
    for (std::size_t j = 0; j < n; ++j) sum = sum + inner[k][j] * pushed[j];
    const Vec3 dP = joined(impulse_[k], -c.friction * sum);
    point_[k + 1].impulse = start.impulse + dP;
    point_[k + 1].velocity = start.velocity + G * dP;
    coupled[k] = weight_[k + 1] * (G.n1 * sum.t1 + G.n2 * sum.t2);
  }
  const double stiffness = c.tangential_k / c.friction;
  bool sound = true;
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0.;
    for (std::size_t j = 0; j < n; ++j) sum += inner[k][j] * coupled[j];
    const double p = impulse_[k];
    SlipPoint& x = point_[k + 1];
    const double work = p * (start.velocity.n + 0.5 * (G.nn * p)) - c.friction * sum;
    x.square = start.square - 2. * (k_n_ * work);
    sound = sound && x.square > 0.;
    rate_[k] = stiffness * dot(tangential(x.velocity), quarter_turn(x.direction)) / x.square;
  }
  return sound;
}

/// The matrix of Newton's method, factored by elimination with row pivots. False if it is singular.
bool SlipStep::factor() {
  const SlidingContact& c = *contact_;
  const Sym3& G = c.G;
  const double stiffness = c.tangential_k / c.friction;
  std::array<Row, n> product{};  // sum over l of a_jl W_l a_lm
  std::array<Tangent, n> across;
  std::array<Tangent, n> pull;  // mu A s' W
  Row normal_pull;              // mu b.s' W
  for (std::size_t m = 0; m < n; ++m) {
    across[m] = quarter_turn(point_[m + 1].direction);
    const double w = c.friction * weight_[m + 1];
    pull[m] = w * tangential_product(G, across[m]);
    normal_pull[m] = w * dot(coupling(G), across[m]);
  }
  if (G.n1 != 0. || G.n2 != 0.) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t l = 0; l < n; ++l) {
        const double w = inner[j][l] * weight_[l + 1];
        for (std::size_t m = 0; m < n; ++m) product[j][m] += w * inner[l][m];
      }
    }
  }
  std::array<Row, n> slope;  // W_j drate_j/dangle_m
  for (std::size_t j = 0; j < n; ++j) {
    const SlipPoint& x = point_[j + 1];
    const double w = weight_[j + 1] * stiffness / x.square;
    const double by_square = weight_[j + 1] * rate_[j] / x.square * (2. * k_n_);
    for (std::size_t m = 0; m < n; ++m) {
      slope[j][m] =
          -w * dot(across[j], pull[m]) * inner[j][m] - by_square * product[j][m] * normal_pull[m];
    }
    slope[j][j] -= w * dot(tangential(x.velocity), x.direction);
  }
  for (std::size_t k = 0; k < n; ++k) {
    matrix_[k] = {};
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t m = 0; m < n; ++m) matrix_[k][m] -= inner[k][j] * slope[j][m];
    }
    matrix_[k][k] += 1.;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(matrix_[i][k]) > std::abs(matrix_[pivot][k])) pivot = i;
    }
    if (!(std::abs(matrix_[pivot][k]) > 0.)) return false;
    pivot_[k] = pivot;
    if (pivot != k) std::swap(matrix_[pivot], matrix_[k]);
    const double inverse = 1. / matrix_[k][k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double multiple = matrix_[i][k] *= inverse;
      for (std::size_t j = k + 1; j < n; ++j) matrix_[i][j] -= multiple * matrix_[k][j];
    }
  }
  return true;
}

/// One iteration with the factored matrix. Returns the largest change of an angle.
double SlipStep::improve() {
  Row x;
  for (std::size_t k = 0; k < n; ++k) {
    double sum = angle_[k];
    for (std::size_t j = 0; j < n; ++j) sum -= inner[k][j] * (weight_[j + 1] * rate_[j]);
    x[k] = sum;
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (pivot_[k] != k) std::swap(x[k], x[pivot_[k]]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < k; ++j) x[k] -= matrix_[k][j] * x[j];
  }
  double change = 0.;
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= matrix_[k][j] * x[j];
    x[k] /= matrix_[k][k];
    angle_[k] -= x[k];
    change = std::max(change, std::abs(x[k]));
    if (!std::isfinite(x[k])) return x[k];
  }
  return change;
}

/// A first guess of the angles, from the last step that was solved, if it has the same start or
/// ended where this one starts.
void SlipStep::guess(const SlipPoint& start, const Reach& reach) {
  const Row last = angle_;
  const bool same_start = start.impulse == point_[0].impulse;
  const bool follows = start.impulse == point_[n].impulse;
  const bool same_kind = (reach.rate > 0.) == (reach_.rate > 0.);
  const double ratio = reach.rate > 0. ? reach.rate / reach_.rate : reach.length / reach_.length;
  angle_ = {};
  constexpr double furthest = 1.5;  // the polynomial grows fast beyond its step
  if (!solved_ || !same_kind || !(same_start || follows)) return;
  const double from = same_start ? 0. : 1.;
  if (!(ratio > 0. && from + ratio <= 1. + furthest)) return;
  const double angle = same_start ? 0. : last[n - 1];
  constexpr double far = 0.5;  // [rad] then it is no guess
  Row found;
  for (std::size_t k = 0; k < n; ++k) {
    found[k] = interpolated(last, from + ratio * Radau7::nodes[k]) - angle;
    if (!(std::abs(found[k]) < far)) return;
  }
  angle_ = found;
}

bool SlipStep::solve(const SlidingContact& contact, double k_n, const SlipPoint& start,
                     const Reach& reach) {
  guess(start, reach);
  contact_ = &contact;
  k_n_ = k_n;
  reach_ = reach;
  solved_ = false;
  point_[0] = start;
  start_rate_ = turning_rate(contact, k_n, start);
  weight_[0] = reach.length * (reach.rate > 0. ? reach.rate : 1.);
  for (std::size_t k = 0; k < n; ++k) {
    const double x = Radau7::nodes[k];
    if (reach.rate > 0.) {
      const double gone = one_minus_exp(reach.rate * x);
      impulse_[k] = reach.length * gone;
      weight_[k + 1] = reach.length * reach.rate * (1. - gone);
    } else {
      impulse_[k] = reach.length * x;
      weight_[k + 1] = reach.length;
    }
  }
  constexpr int most_iterations = 16;
  constexpr double far = 3.;  // [rad] no step turns further
  constexpr double settled = 5e-16;
  constexpr double slow = 0.05;  // a new matrix where the old one reduces the error by less
  double last = far;
  bool fresh = true;
  for (int i = 0; i < most_iterations; ++i) {
    if (!evaluate()) return false;
    if (fresh && !factor()) return false;
    const double change = improve();
    if (!(change <= far)) return false;
    // With the matrix of this point the next change is about the square of this one.
    const double next = fresh ? change * change : change * (change / last);
    if (next <= settled) {
      solved_ = evaluate();
      return solved_;
    }
    fresh = change > slow * last;
    last = change;
  }
  return false;
}

double SlipStep::impulse_error() const {
  Tangent sum{};
  for (std::size_t j = 0; j <= n; ++j) {
    sum = sum + error_row[j] * weight_[j] * point_[j].direction;
  }
  return contact_->friction * length(sum);
}

/// The lesser of two estimates: by rates, which in a stiff step are large where the angle is right,
/// and by the angles themselves.
double SlipStep::angle_error() const {
  double by_rates = error_row[0] * weight_[0] * start_rate_;
  double by_angles = 0.;
  for (std::size_t j = 0; j < n; ++j) {
    by_rates += error_row[j + 1] * weight_[j + 1] * rate_[j];
    by_angles += at_start[j] * angle_[j];
  }
  return std::min(std::abs(by_rates), std::abs(by_angles));
}

}  // namespace carom::springs
