// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/compliant_space/stick_waves.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/circular.hpp>
#include <carom/core/scalar.hpp>

namespace carom::springs {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Limit of the number of steps of the search: tens of thousands of oscillations.
constexpr int most_steps = 1 << 18;

/// Phase of the slowest oscillation [rad] after which a contact with a linear mode is locked.
constexpr double longest = 100.;

using Square = std::array<std::array<double, 3>, 3>;

/// Eigenvalues (on the diagonal of a) and eigenvectors (columns of q) by Jacobi's rotations, which
/// are accurate for the small eigenvalues of a graded matrix too.
void diagonalize(Square& a, Square& q) {
  q = {{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  constexpr int most_sweeps = 32;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool rotated = false;
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = i + 1; j < 3; ++j) {
        const double off = a[i][j];
        const double product = a[i][i] * a[j][j];
        if (off == 0. || off * off <= 0.25 * epsilon * epsilon * product) continue;
        rotated = true;
        const double ratio = 0.5 * (a[j][j] - a[i][i]) / off;
        const double size = std::sqrt(1. + ratio * ratio);
        const double t = std::isfinite(size) ? 1. / (ratio + (ratio < 0. ? -size : size)) : 0.;
        const double c = 1. / std::sqrt(1. + t * t);
        const double s = t * c;
        a[i][i] -= t * off;
        a[j][j] += t * off;
        a[i][j] = a[j][i] = 0.;
        const std::size_t k = 3 - i - j;
        const double ki = a[k][i];
        const double kj = a[k][j];
        a[k][i] = a[i][k] = c * ki - s * kj;
        a[k][j] = a[j][k] = s * ki + c * kj;
        for (std::size_t r = 0; r < 3; ++r) {
          const double qi = q[r][i];
          const double qj = q[r][j];
          q[r][i] = c * qi - s * qj;
          q[r][j] = s * qi + c * qj;
        }
      }
    }
    if (!rotated) return;
  }
}

/// cos and sin of a mode as far as they differ from their first terms: sin(wt)/w, (1 - cos wt)/w^2
/// and (t - sin(wt)/w)/w^2.
struct Clock {
  double s1 = 0.;
  double c2 = 0.;
  double s3 = 0.;
};

Clock clock_at(double w, double t) {
  if (!(w > 0.)) return {.s1 = t, .c2 = 0.5 * t * t, .s3 = t * t * t / 6.};
  const double x = w * t;
  const auto [c, s] = cos_sin(0.5 * x);
  const double sine = s / w;
  Clock k{.s1 = 2. * (c * sine), .c2 = 2. * (sine * sine), .s3 = 0.};
  if (x > 1.) {
    k.s3 = (t - k.s1) / (w * w);
  } else {
    const double z = x * x;
    double sum = 1.;  // 6 (x - sin x)/x^3
    for (int m = 17; m > 3; m -= 2) sum = 1. - sum * z / (m * (m - 1));
    k.s3 = t * t * t / 6. * sum;
  }
  return k;
}

/// How long f + d t - M t^2/2 stays positive, for f >= 0. M may be negative.
double safe(double f, double d, double M) {
  const double square = d * d + 2. * M * f;
  if (square < 0. || (!(M > 0.) && !(d < 0.))) return never;
  const double r = std::sqrt(square);
  return d < 0. ? 2. * f / (r - d) : (d + r) / M;
}

/// A quantity that is positive until its event: value and derivatives, and bounds of the second
/// and third derivative.
struct Watch {
  double f = 0.;
  double d = 0.;
  double q = 0.;
  double second = 0.;
  double third = 0.;
};

/// How far one may step without passing a zero.
double step_from(const Watch& x) {
  const double f = std::max(x.f, 0.);
  double step = safe(f, x.d, x.second);
  if (!(x.third > 0.)) return std::max(step, safe(f, x.d, -x.q));
  // For t <= H the part -B t^3/6 is at least -(B H/3) t^2/2. Where f'' > 0, it outweighs this for
  // H = 3 f''/B. The best H lies between two bounds that converge.
  if (x.q > 0.) {
    const double H = 3. * x.q / x.third;
    step = std::max(step, x.d < 0. ? std::min(safe(f, x.d, 0.), H) : H);
  }
  double H = std::max(6. * (std::abs(x.q) + std::sqrt(x.third * std::abs(x.d))) / x.third, step);
  for (int i = 0; i < 6; ++i) {
    const double h = safe(f, x.d, x.third * H / 3. - x.q);
    step = std::max(step, std::min(h, H));
    if (!(h < H)) break;
    H = std::sqrt(step * H);
  }
  return step;
}

}  // namespace

StickWaves::StickWaves(const Sym3& G, double k_n, double k_t, const Vec3& force,
                       const Vec3& velocity) {
  const std::array<double, 3> root_k{std::sqrt(k_n), std::sqrt(k_t), std::sqrt(k_t)};
  Square matrix{{{G.nn, G.n1, G.n2}, {G.n1, G.t11, G.t12}, {G.n2, G.t12, G.t22}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) matrix[i][j] *= root_k[i] * root_k[j];
  }
  Square values = matrix;
  Square q;
  diagonalize(values, q);
  const std::array<double, 3> z{force.n / root_k[0], force.t1 / root_k[1], force.t2 / root_k[2]};
  const std::array<double, 3> dz{-(root_k[0] * velocity.n), -(root_k[1] * velocity.t1),
                                 -(root_k[2] * velocity.t2)};
  for (std::size_t m = 0; m < modes; ++m) {
    double terms = 0.;  // what the eigenvalue is a sum of
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) terms += std::abs(q[i][m] * matrix[i][j] * q[j][m]);
    }
    const double value = values[m][m];
    frequency_[m] = value > rounding * terms ? std::sqrt(value) : 0.;
    fastest_ = std::max(fastest_, frequency_[m]);
    if (frequency_[m] > 0. && !(slowest_ > 0. && slowest_ < frequency_[m])) {
      slowest_ = frequency_[m];
    }
    for (std::size_t i = 0; i < 3; ++i) {
      a_[m] += q[i][m] * z[i];
      b_[m] += q[i][m] * dz[i];
      to_[i][m] = root_k[i] * q[i][m];
    }
    const double w = frequency_[m];
    const double speed = std::sqrt(a_[m] * w * (a_[m] * w) + b_[m] * b_[m]);
    if (!(w > 0.)) has_linear_mode_ = true;
    for (std::size_t i = 0; i < 3; ++i) {
      const double rate = std::abs(to_[i][m]) * speed;
      size_[i] += w > 0. ? rate / w : 0.;
      speed_[i] += rate;
      second_[i] += rate * w;
      third_[i] += rate * w * w;
    }
  }
}

StickWaves::Look StickWaves::look(double t) const {
  Look x;
  for (std::size_t m = 0; m < modes; ++m) {
    const double w = frequency_[m];
    const Clock k = clock_at(w, t);
    const double w2 = w * w;
    const double rest = -w2 * (a_[m] * k.c2 + b_[m] * k.s3);
    const double z = a_[m] + b_[m] * t + rest;
    const double dz = b_[m] - w2 * (a_[m] * k.s1 + b_[m] * k.c2);
    for (std::size_t i = 0; i < 3; ++i) {
      x.rest[i] += to_[i][m] * rest;
      x.F[i] += to_[i][m] * z;
      x.dF[i] += to_[i][m] * dz;
      x.ddF[i] -= to_[i][m] * (w2 * z);
    }
  }
  return x;
}

StickPoint StickWaves::at(double t) const {
  std::array<double, 3> F{};
  std::array<double, 3> P{};
  for (std::size_t m = 0; m < modes; ++m) {
    const double w = frequency_[m];
    const Clock k = clock_at(w, t);
    const double z = a_[m] + b_[m] * t - w * w * (a_[m] * k.c2 + b_[m] * k.s3);
    const double sum = a_[m] * k.s1 + b_[m] * k.c2;
    for (std::size_t i = 0; i < 3; ++i) {
      F[i] += to_[i][m] * z;
      P[i] += to_[i][m] * sum;
    }
  }
  return {.force = {.n = F[0], .t1 = F[1], .t2 = F[2]},
          .impulse = {.n = P[0], .t1 = P[1], .t2 = P[2]}};
}

StickEvent StickWaves::first_event(const Limits& limits) const {
  using What = StickEvent::What;
  const double mu2 = limits.friction * limits.friction;
  const std::array<double, 3> sign{mu2, -1., -1.};  // the margin is the sum of sign_i F_i^2
  const Look start = look(0.);
  double margin = 0.;
  double margin_rate = 0.;
  double margin_second = 0.;
  double margin_terms = 0.;
  for (std::size_t i = 0; i < 3; ++i) {
    margin += sign[i] * start.F[i] * start.F[i];
    margin_rate += 2. * sign[i] * start.F[i] * start.dF[i];
    margin_second += sign[i] * start.dF[i] * start.dF[i];
    margin_terms += std::abs(sign[i]) * start.dF[i] * start.dF[i];
  }
  if (limits.on_cone) margin = margin_rate = 0.;
  const double slack = limits.at_most ? 0. : limits.most_force - start.F[0];
  const double slack_rate = limits.at_most ? 0. : -start.dF[0];
  const double horizon = has_linear_mode_ ? 1. / fastest_ : never;

  // mu^2 F_n^2 - |F_T|^2, as such or from F = F_0 + F_0' t + rest, whichever is rounded less. The
  // latter leaves out what is zero at the start.
  const auto watch_margin = [&](const Look& x, double t) {
    Watch w;
    double near_start = margin + t * (margin_rate + t * margin_second);
    double near_start_terms = margin + t * (std::abs(margin_rate) + t * margin_terms);
    double terms = 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      const double more = sign[i] * x.rest[i] * (2. * (start.F[i] + start.dF[i] * t) + x.rest[i]);
      near_start += more;
      near_start_terms += std::abs(more);
      w.f += sign[i] * x.F[i] * x.F[i];
      terms += std::abs(sign[i] * x.F[i]) * (std::abs(start.F[i]) + speed_[i] * t);
      w.d += 2. * sign[i] * x.F[i] * x.dF[i];
      w.q += 2. * sign[i] * (x.dF[i] * x.dF[i] + x.F[i] * x.ddF[i]);
      const double weight = 2. * std::abs(sign[i]);
      const double size = has_linear_mode_ ? std::abs(x.F[i]) + speed_[i] * horizon : size_[i];
      w.second += weight * (speed_[i] * speed_[i] + size * second_[i]);
      w.third += weight * (3. * speed_[i] * second_[i] + size * third_[i]);
    }
    if (near_start_terms < terms) w.f = near_start;
    if (t == 0.) {
      w.f = margin;
      w.d = margin_rate;
    }
    return w;
  };
  // F_n' > 0 in compression, F_max - F_n > 0 in restitution.
  const auto watch_normal = [&](const Look& x, double t) {
    if (limits.compression) {
      return Watch{.f = x.dF[0], .d = x.ddF[0], .q = 0., .second = third_[0], .third = 0.};
    }
    return Watch{.f = slack + slack_rate * t - x.rest[0],
                 .d = t > 0. ? -x.dF[0] : slack_rate,
                 .q = -x.ddF[0],
                 .second = second_[0],
                 .third = third_[0]};
  };

  const What normal = limits.compression ? What::turns : What::recompresses;
  double t = 0.;
  for (int n = 0; n < most_steps; ++n) {
    const Look x = t > 0. ? look(t) : start;
    const Watch m = watch_margin(x, t);
    const Watch v = watch_normal(x, t);
    double step_m = step_from(m);
    double step_v = limits.compression ? safe(std::max(v.f, 0.), v.d, v.second) : step_from(v);
    if (t == 0.) {
      // From zero: is the first derivative that is not zero positive? A tie within rounding is
      // decided a little later.
      constexpr double little = 1e-4;
      constexpr double tie = 1e-13;
      if (!(m.f > 0.) && !(m.d > 0.) && !(m.q > tie * m.second)) {
        if (m.d < 0. || m.q < -tie * m.second) return {.what = What::slips, .time = 0.};
        step_m = little / fastest_;
        if (!(watch_margin(look(step_m), step_m).f > 0.)) return {.what = What::slips, .time = 0.};
      }
      if (!limits.compression && !(v.f > 0.) && !(v.d > 0.) && !(v.q > 0.)) {
        return {.what = normal, .time = 0.};
      }
      if (limits.compression && !(v.f > 0.)) return {.what = normal, .time = 0.};
      step_m *= 0.5;
      if (!(v.f > 0.)) step_v *= 0.5;
    } else {
      if (m.f <= 0.) return {.what = What::slips, .time = t};
      if (v.f <= 0. && v.d < 0.) return {.what = normal, .time = t};
    }
    const double step = std::min({step_m, step_v, horizon});
    if (step == never || (has_linear_mode_ && t * slowest_ > longest)) return {};
    if (step <= 2. * epsilon * t)
      return {.what = step_m <= step_v ? What::slips : normal, .time = t};
    t += step;
  }
  return {.what = has_linear_mode_ ? What::nothing : What::too_many, .time = t};
}

}  // namespace carom::springs
