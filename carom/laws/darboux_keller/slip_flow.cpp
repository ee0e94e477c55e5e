// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/darboux_keller/slip_flow.hpp>

#include <algorithm>
#include <limits>

namespace carom {
namespace {

/// 1/n, n > 0
constexpr std::array<double, SlipSeries::most + 3> inverse = [] {
  std::array<double, SlipSeries::most + 3> x{};
  for (std::size_t n = 1; n < x.size(); ++n) x[n] = 1. / static_cast<double>(n);
  return x;
}();

/// log2 of x > 0 to 0.01, by additions and multiplications only, so that step sizes do not depend
/// on the math library.
double rough_log2(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);  // in [1/2, 1)
  // Interpolates at 1/2, 0.7071 and 1.
  return exponent + (-2.7071 + m * (4.1213 - m * 1.4142));
}

/// 2^x to 0.4 %
double rough_exp2(double x) {
  const double whole = std::floor(x);
  const double f = x - whole;
  return std::ldexp(1. + f * (0.6565 + f * 0.3435), static_cast<int>(whole));
}

/// The order of the series: close to the one with the least work per unit of tau.
std::size_t order_for(double error) {
  const double order = 2. - 0.62 * rough_log2(error);
  return static_cast<std::size_t>(std::clamp(order, 6., static_cast<double>(SlipSeries::most)));
}

/// The largest step, at most `longest`, for which the term c tau^n is at most `error`.
double step_for(double error, double c, std::size_t n) {
  constexpr double longest = 64.;
  if (!(c > 0.)) return longest;
  return std::min(longest, rough_exp2((rough_log2(error) - rough_log2(c)) * inverse[n]));
}

/// Sum of a[i] b[k - i] over i <= k, in four partial sums, so that additions are independent.
template <class Row>
double convolve(const Row& a, const Row& b, std::size_t k) {
  double part[4] = {0., 0., 0., 0.};
  std::size_t i = 0;
  for (; i + 3 <= k; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) part[j] += a[i + j] * b[k - i - j];
  }
  for (; i <= k; ++i) part[0] += a[i] * b[k - i];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace

SlipFlow::SlipFlow(const Sym3& G, double mu)
    : nn_(G.nn),
      b_{.t1 = G.n1, .t2 = G.n2},
      a11_(G.t11),
      a12_(G.t12),
      a22_(G.t22),
      mu_(mu),
      b_size_(length(b_)),
      rate_(b_size_ + mu * (G.t11 + G.t22)),
      half_spread_(length(Tangent{.t1 = 0.5 * (G.t11 - G.t22), .t2 = G.t12})) {}

Tangent SlipFlow::ray_near(Tangent e) const {
  constexpr int iterations = 4;  // the initial error is below 1/4, and each iteration squares it
  for (int i = 0; i < iterations; ++i) {
    const Tangent next = e - (turning(e) / attraction(e)) * quarter_turn(e);
    e = (1. / length(next)) * next;
  }
  return e;
}

StraightSlip SlipFlow::straight_on(const Tangent& e, double allowed) const {
  const double h = turning(e);
  const double dh = attraction(e);
  StraightSlip straight{.direction = e, .growth = growth(e), .missed = 0.};
  if (std::abs(h) <= 8. * epsilon * rate_) return straight;
  // By Kantorovich's theorem there is a ray within 2 |h/h'| if 2 |h h''| <= h'^2. Half of that
  // bound preserves the sign of h'. |h''| is at most |b| + 4 mu times half the difference of A's
  // eigenvalues.
  const double bound = b_size_ + 4. * mu_ * half_spread_;
  const bool near = 4. * bound * std::abs(h) <= dh * dh;
  if (std::abs(h) <= ray_tolerance * rate_) {
    // Use friction along the ray itself: a remaining h would accumulate while slip lasts.
    if (near) straight.direction = ray_near(e);
    straight.growth = growth(straight.direction);
    return straight;
  }
  constexpr double unknown = std::numeric_limits<double>::infinity();
  straight.missed = unknown;
  // If slip converges in all directions, at `least` or faster, this bounds the effect of what
  // remains, in any direction.
  const double least = mu_ * (0.5 * (a11_ + a22_) - half_spread_) - b_size_;
  if (least > ray_tolerance * rate_) straight.missed = rate_ / least;
  if (!near || dh > 0. || std::abs(h) > -dh * allowed) return straight;
  const Tangent ray = ray_near(e);
  // The component of slip perpendicular to the ray, s h/h', decays at the rate mu e'.A.e'. It can
  // change other velocities by as much times R; if slip stops, by R/|g| of that.
  const Tangent across = quarter_turn(ray);
  const double decay = mu_ * dot(across, A(across));
  const double g = growth(ray);
  double missed = decay > 0. ? (h / dh) * (rate_ / decay) : unknown;
  if (g < 0.) missed *= rate_ / g;
  missed = std::abs(missed);
  if (missed < straight.missed) straight = {.direction = ray, .growth = g, .missed = missed};
  return straight;
}

ImpulseLine SlipFlow::slip_line(const Tangent& e) const {
  const Tangent f = force(e);
  double k = normal_rate(e);
  // A neutral ray is approached but never reached, so that the distance to it is more than
  // rounding.
  constexpr double near_neutral = 10. * ray_tolerance;
  constexpr double neutral_margin = 100. * ray_tolerance;  // of the normal rate beside such a ray
  const bool neutral = std::abs(dot(e, f)) <= near_neutral * rate_;
  const double margin = neutral ? neutral_margin : rounding;
  if (std::abs(k) <= margin * (nn_ + mu_ * std::abs(dot(b_, e)))) k = 0.;
  return {.impulse = -mu_ * e, .velocity = {.n = k, .t1 = f.t1, .t2 = f.t2}};
}

AfterSlip SlipFlow::after_slip(double mu_s) const {
  const double trace = a11_ + a22_;
  const double det = a11_ * a22_ - a12_ * a12_;
  AfterSlip after;
  Tangent hold;  // A^-1 b, or its part in the range of A
  Tangent away;  // direction of slip if friction does not hold
  double slope = nn_;
  if (!(det > rounding * (a11_ * a22_))) {
    if (trace > 0.) {
      const Tangent column =
          a11_ >= a22_ ? Tangent{.t1 = a11_, .t2 = a12_} : Tangent{.t1 = a12_, .t2 = a22_};
      const Tangent a = (1. / length(column)) * column;
      const double along = dot(a, b_);
      hold = (along / trace) * a;
      slope = (nn_ * trace - along * along) / trace;
      after.sticks = std::abs(along) <= mu_s * trace;
      away = sign(along) * a;
    }
  } else {
    const Tangent adjoint{.t1 = a22_ * b_.t1 - a12_ * b_.t2, .t2 = a11_ * b_.t2 - a12_ * b_.t1};
    hold = {.t1 = adjoint.t1 / det, .t2 = adjoint.t2 / det};
    after.sticks = length(adjoint) <= mu_s * det;
    if (!after.sticks) away = diverging_direction();
    // G_nn - b.A^-1 b, with the larger pivot first.
    const bool first = a11_ >= a22_;
    const double a = first ? a11_ : a22_;
    const double b_a = first ? b_.t1 : b_.t2;
    const double b_c = (first ? b_.t2 : b_.t1) - b_a * (a12_ / a);
    const double c = (first ? a22_ : a11_) - a12_ * (a12_ / a);
    const double once = (nn_ * a - b_a * b_a) / a;
    slope = (once * c - b_c * b_c) / c;
  }
  if (after.sticks) {
    after.line.impulse = -1. * hold;
    after.line.velocity.n = slope > rounding * nn_ ? slope : 0.;
  } else {
    after.line = slip_line(away);
    after.line.velocity.n = std::max(after.line.velocity.n, 0.);
  }
  return after;
}

Tangent SlipFlow::diverging_direction() const {
  // Newton's method on 1/|x(g)| = 1, x = (g + mu A)^-1 b. The left side is concave and increasing,
  // so that g increases to the root from any lower bound.
  double g = std::max(0., b_size_ - mu_ * (a11_ + a22_));
  Tangent x = b_;
  constexpr int budget = 100;
  for (int i = 0; i < budget; ++i) {
    const double m11 = g + mu_ * a11_;
    const double m12 = mu_ * a12_;
    const double m22 = g + mu_ * a22_;
    const double det = m11 * m22 - m12 * m12;
    if (!(det > 0.)) break;
    const auto solve = [&](const Tangent& y) {
      return Tangent{.t1 = (m22 * y.t1 - m12 * y.t2) / det, .t2 = (m11 * y.t2 - m12 * y.t1) / det};
    };
    x = solve(b_);
    const double n = length(x);
    const double change = (n - 1.) * (n * n) / dot(x, solve(x));
    g += change;
    if (!(change > epsilon * g)) break;
  }
  return (1. / length(x)) * x;
}

SlipSeries::SlipSeries(const SlipFlow& flow, double v_n, const Tangent& slip, double error)
    : order_(order_for(error)) {
  // In units of the slip and of 1/rate, all coefficients are of order one.
  const double speed = carom::length(slip);
  const double per_rate = 1. / flow.rate_;
  const double b1 = flow.b_.t1 * per_rate;
  const double b2 = flow.b_.t2 * per_rate;
  const double friction = flow.mu_ * per_rate;
  const double a11 = flow.a11_ * friction;
  const double a12 = flow.a12_ * friction;
  const double a22 = flow.a22_ * friction;
  Row s;  // |u|
  Row q;  // u.u
  u1_[0] = slip.t1 / speed;
  u2_[0] = slip.t2 / speed;
  s[0] = q[0] = 1.;
  for (std::size_t k = 0; k < order_; ++k) {
    const std::size_t n = k + 1;
    u1_[n] = (b1 * s[k] - (a11 * u1_[k] + a12 * u2_[k])) * inverse[n];
    u2_[n] = (b2 * s[k] - (a12 * u1_[k] + a22 * u2_[k])) * inverse[n];
    // Coefficient n of s^2 = u.u. Products of equal powers occur twice.
    double uu_1 = u1_[0] * u1_[n];
    double uu_2 = u2_[0] * u2_[n];
    double ss = 0.;
    const std::size_t half = (n + 1) / 2;
    for (std::size_t i = 1; i < half; ++i) {
      uu_1 += u1_[i] * u1_[n - i];
      uu_2 += u2_[i] * u2_[n - i];
      ss += s[i] * s[n - i];
    }
    double uu = uu_1 + uu_2;
    uu *= 2.;
    ss *= 2.;
    if (n % 2 == 0) {
      const std::size_t middle = n / 2;
      uu += u1_[middle] * u1_[middle] + u2_[middle] * u2_[middle];
      ss += s[middle] * s[middle];
    }
    q[n] = uu;
    s[n] = 0.5 * (uu - ss);
  }
  // Integrals: dp = s dtau/R, dv_n = (G_nn s - mu b.u) dtau/R, dW_n = v_n dp, dW_T = -mu s dp.
  const double nn = flow.nn_ * per_rate * speed;
  const double mu_b1 = flow.mu_ * b1 * speed;
  const double mu_b2 = flow.mu_ * b2 * speed;
  const double to_p = per_rate * speed;
  const double to_w = -flow.mu_ * to_p * speed;
  Row vs;  // v_n s
  v_[0] = v_n;
  p_[0] = w_n_[0] = w_t_[0] = 0.;
  for (std::size_t k = 0; k <= order_; ++k) {
    const double over = inverse[k + 1];
    v_[k + 1] = (nn * s[k] - (mu_b1 * u1_[k] + mu_b2 * u2_[k])) * over;
    p_[k + 1] = to_p * s[k] * over;
    w_t_[k + 1] = to_w * q[k] * over;
    vs[k] = convolve(v_, s, k);
    w_n_[k + 1] = to_p * vs[k] * over;
  }
  // The last coefficients of all integrals, relative to their magnitude.
  const double per_velocity = 1. / (std::abs(v_n) + nn + std::abs(mu_b1) + std::abs(mu_b2));
  const auto last = [&](std::size_t n) {
    return std::max({std::abs(u1_[n]), std::abs(u2_[n]), std::abs(s[n]), std::abs(q[n]),
                     per_velocity * std::abs(vs[n])});
  };
  length_ = std::min(step_for(error, last(order_), order_),
                     step_for(error, last(order_ - 1), order_ - 1));
  for (std::size_t k = 0; k <= order_; ++k) {
    u1_[k] *= speed;
    u2_[k] *= speed;
  }
  impulse_scale_ = -friction;
}

double SlipSeries::value(const Row& c, double tau) const {
  double sum = c[order_ + 1];
  for (std::size_t k = order_ + 1; k-- > 0;) sum = c[k] + tau * sum;
  return sum;
}

SlipSeries::Added SlipSeries::at(double tau) const {
  double p = p_[order_ + 1];
  double v = v_[order_ + 1];
  double w_n = w_n_[order_ + 1];
  double w_t = w_t_[order_ + 1];
  Tangent u;
  Tangent integral;
  for (std::size_t k = order_ + 1; k-- > 0;) {
    p = p_[k] + tau * p;
    v = v_[k] + tau * v;
    w_n = w_n_[k] + tau * w_n;
    w_t = w_t_[k] + tau * w_t;
    u = {.t1 = u1_[k] + tau * u.t1, .t2 = u2_[k] + tau * u.t2};
    const double over = inverse[k + 1];
    integral = {.t1 = u1_[k] * over + tau * integral.t1, .t2 = u2_[k] * over + tau * integral.t2};
  }
  return {.p = p,
          .impulse = (impulse_scale_ * tau) * integral,
          .normal_work = w_n,
          .friction_work = w_t,
          .v_n = v,
          .slip = u};
}

double SlipSeries::where(const Row& c, double target, double low, double high) const {
  // Newton's method, safeguarded by the bracket.
  const double at_low = value(c, low) - target;
  const double at_high = value(c, high) - target;
  if (!(high > low)) return low;
  if (at_low == 0. || at_high == 0. ||
      (at_low > 0.) == (at_high > 0.)) {  // one of the ends, to rounding
    return std::abs(at_low) <= std::abs(at_high) ? low : high;
  }
  const bool rises = at_high > 0.;
  double tau = low + (high - low) * (at_low / (at_low - at_high));
  constexpr int budget = 100;
  for (int i = 0; i < budget; ++i) {
    double f = c[order_ + 1];
    double slope = 0.;
    for (std::size_t k = order_ + 1; k-- > 0;) {
      slope = f + tau * slope;
      f = c[k] + tau * f;
    }
    f -= target;
    if (f == 0.) break;
    ((f > 0.) == rises ? high : low) = tau;
    double next = tau - f / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const double change = std::abs(next - tau);
    tau = next;
    if (change <= epsilon * tau || !(high - low > epsilon * high)) break;
  }
  return tau;
}

SlipSeries::Stretches SlipSeries::monotone(const SlipFlow& flow) const {
  Stretches stretches;
  const auto add = [&](double end) { stretches.end[stretches.size++] = end; };
  // dv_n/dp = G_nn - mu b.e is extremal where e is parallel or antiparallel to b, and monotone
  // between, because the direction changes monotonically. First find these points, then the zeros
  // between them.
  Row across{};
  Row rate{};
  for (std::size_t k = 0; k <= order_; ++k) {
    across[k] = u1_[k] * flow.b_.t2 - u2_[k] * flow.b_.t1;
    rate[k] = v_[k + 1] / inverse[k + 1];
  }
  std::array<double, 2> part{length_, length_};
  std::size_t parts = 1;
  if (value(across, 0.) * value(across, length_) < 0.) {
    part[0] = where(across, 0., 0., length_);
    parts = 2;
  }
  double begin = 0.;
  for (std::size_t i = 0; i < parts; ++i) {
    const double end = part[i];
    if (value(rate, begin) * value(rate, end) < 0.) add(where(rate, 0., begin, end));
    add(end);
    begin = end;
  }
  return stretches;
}

}  // namespace carom
