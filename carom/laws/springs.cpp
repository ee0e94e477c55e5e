// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/springs.hpp>

#include <cassert>
#include <cmath>

namespace carom::springs {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Limit of the phase of the fast mode [rad], beyond that of any impact. A contact that locks
/// oscillates for ever, and an event would be a rounding error.
constexpr double longest = 1e9;

/// Limit of the number of steps of the search.
constexpr int most_steps = 1 << 16;

/// Largest rate of a mode, w times its amplitude.
double speed(const Wave<double>& f, const std::array<double, 2>& w, std::size_t i) {
  return std::sqrt(f.a[i] * w[i] * (f.a[i] * w[i]) + f.b[i] * f.b[i]);
}

/// An upper bound of the derivative of order n >= 2.
double bound(const Wave<double>& f, const std::array<double, 2>& w, int n) {
  double sum = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    double term = speed(f, w, i);
    for (int k = 1; k < n; ++k) term *= w[i];
    sum += term;
  }
  return sum;
}

/// How long f + d t - M t^2/2 stays positive, for f >= 0. M may be negative.
double safe(double f, double d, double M) {
  const double square = d * d + 2. * M * f;
  if (square < 0. || (!(M > 0.) && !(d < 0.))) return never;
  const double r = std::sqrt(square);
  return d < 0. ? 2. * f / (r - d) : (d + r) / M;
}

/// Bounds of a wave for all times.
struct Bounds {
  double second = 0.;       ///< of its second derivative
  double ripple = 0.;       ///< of the fast mode; infinite if it does not oscillate
  double slow_second = 0.;  ///< of the second derivative of the slow part
  double coupling = 0.;     ///< of (w_fast^2 - w_slow^2) times the rate of the fast mode
};

Bounds bounds_of(const Wave<double>& f, const std::array<double, 2>& w) {
  const double fast = speed(f, w, 0);
  const double slow = speed(f, w, 1);
  // The difference of the squares, and its possible rounding error.
  const double apart = (w[0] - w[1]) * (w[0] + w[1]) + 8. * epsilon * (w[0] * w[0]);
  return {.second = fast * w[0] + slow * w[1],
          .ripple = w[0] > 0. ? fast / w[0] : never,
          .slow_second = slow * w[1],
          .coupling = apart * fast};
}

/// A watch at some time: its value, its first two derivatives, and the magnitude of the terms of
/// its value.
struct Look {
  double f = 0.;
  double d = 0.;
  double q = 0.;
  double terms = 0.;
};

Look look(const Wave<double>& f, const std::array<double, 2>& w, const Clock<double>& k) {
  Look at{.f = f.constant, .d = 0., .q = 0., .terms = std::abs(f.constant)};
  for (std::size_t i = 2; i-- > 0;) {
    const double w2 = w[i] * w[i];
    const double c = f.a[i] * k.c[i];
    const double s = f.b[i] * k.s[i];
    at.f += c + s;
    at.d += f.b[i] * k.c[i] - f.a[i] * (w2 * k.s[i]);
    at.q -= w2 * (c + s);
    at.terms += std::abs(c) + std::abs(s);
  }
  return at;
}

constexpr std::array<double, 6> factorials{1., 1., 2., 6., 24., 120.};
constexpr double factorial(int n) { return factorials[static_cast<std::size_t>(n)]; }

/// Stumpff's function c_n(z) = sum over j of (-z)^j/(n + 2j)!, for 0 <= z <= 1 and n <= 5.
double stumpff(int n, double z) {
  constexpr int terms = 8;  // the next one is below 1/18! of the first
  double sum = 1.;
  for (int m = n + 2 * terms; m > n; m -= 2) sum = 1. - sum * z / (m * (m - 1));
  return sum / factorial(n);
}

/// Evaluation near the start of a wave that is zero to order n there. Its modes cancel to below
/// their rounding error. Without the terms that vanish it is
///
///     f = leading t^n/n! + sum over modes of (D_n+1 t^(n+1) c_n+1 + D_n+2 t^(n+2) c_n+2)
///
/// with D_j the derivatives of a mode at the start and c_j Stumpff's functions of (wt)^2.
Look look_near_start(const Watch& x, const std::array<double, 2>& w, double t) {
  const int n = x.order;
  const double t_n1 = n == 1 ? 1. : (n == 2 ? t : t * t);  // t^(n-1)
  Look at;
  at.f = x.leading * (t_n1 * t) / factorial(n);
  at.d = x.leading * t_n1 / factorial(n - 1);
  if (n > 1) at.q = x.leading * (n == 2 ? 1. : t) / factorial(n - 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const double w2 = w[i] * w[i];
    const double z = w2 * (t * t);
    // Derivatives of a cos wt + b sin(wt)/w: a, b, -w^2 a, -w^2 b, w^4 a, ...
    const double even = (n > 1 ? w2 : -1.) * (w2 * x.wave.a[i]);
    const double odd = (n > 2 ? w2 : -1.) * (w2 * x.wave.b[i]);
    const double D1 = t_n1 * (n == 2 ? odd : even);
    const double D2 = t_n1 * t * (n == 2 ? even : odd);
    const double c4 = stumpff(n + 2, z);
    const double c3 = stumpff(n + 1, z);
    const double c2 = 1. / factorial(n) - z * c4;
    const double c1 = 1. / factorial(n - 1) - z * c3;
    at.f += t * t * (D1 * c3 + D2 * c4);
    at.d += t * (D1 * c2 + D2 * c3);
    at.q += D1 * c1 + D2 * c2;
  }
  return at;
}

/// How far one may step from there without passing a zero.
double step_from(const Look& at, const Wave<double>& f, const Bounds& bounds,
                 const std::array<double, 2>& w, const Clock<double>& k) {
  const double value = std::max(at.f, 0.);
  double step = safe(value, at.d, bounds.second);
  const double slow = f.constant + (f.a[1] * k.c[1] + f.b[1] * k.s[1]);
  if (slow > bounds.ripple) {
    const double slow_rate = f.b[1] * k.c[1] - f.a[1] * (w[1] * (w[1] * k.s[1]));
    step = std::max(step, safe(slow - bounds.ripple, slow_rate, bounds.slow_second));
  }
  const bool closing_in = at.d < 0. && 2. * step * -at.d >= value;
  if (closing_in || step * w[0] > 0.1) return step;
  // The modes cancel: a bound of the remainder. With f''' = -w_slow^2 f' - c', c' the coupling, and
  // |f'| <= |d| + |q| t + B t^2/2, the third derivative is at most B for a time of 1/w_slow.
  const double B = 2. * (w[1] * (w[1] * std::abs(at.d) + std::abs(at.q)) + bounds.coupling);
  // For t <= H its part -B t^3/6 is at least -(B H/3) t^2/2. The best H lies between two bounds
  // that converge.
  double H = 1. / (w[1] > 0. ? w[1] : w[0]);
  for (int i = 0; i < 4; ++i) {
    const double h = safe(value, at.d, B * H / 3. - at.q);
    step = std::max(step, std::min(h, H));
    if (!(h < H)) break;
    H = std::sqrt(step * H);
  }
  return step;
}

/// The first step of a watch that starts from zero: f >= leading t^n/n! - M t^(n+1)/(n+1)!, with
/// half of the safe step.
double first_step(const Watch& x, const Bounds& bounds, const std::array<double, 2>& w,
                  const Clock<double>& start) {
  if (x.order == 0) return step_from(look(x.wave, w, start), x.wave, bounds, w, start);
  double M = bound(x.wave, w, x.order + 1);
  double most = never;
  if (x.order > 1) {
    // As B in step_from, for the derivative of order n + 1.
    const double B = 2. * (w[1] * x.leading + bounds.coupling * (x.order == 2 ? 1. : w[0]));
    if (B < M) {
      M = B;
      most = 1. / (w[1] > 0. ? w[1] : w[0]);
    }
  }
  if (!(M > 0.)) return never;
  return std::min(0.5 * (x.order + 1) * x.leading / M, most);
}

}  // namespace

Event first_event(const Watch* watches, std::size_t count, const std::array<double, 2>& frequency) {
  Event event;
  double t = 0.;
  double step = never;
  const Clock<double> start{.c = {1., 1.}, .s = {0., 0.}};
  std::array<Bounds, most_watches> bounds;
  assert(count <= most_watches);
  for (std::size_t i = 0; i < count; ++i) {
    bounds[i] = bounds_of(watches[i].wave, frequency);
    if (watches[i].order > 0 && !(watches[i].leading > 0.)) {
      return {.watch = i, .t = 0., .found = true, .converged = true};
    }
    const double h = first_step(watches[i], bounds[i], frequency, start);
    if (h < step) {
      step = h;
      event.watch = i;
    }
  }
  for (int n = 0; n < most_steps; ++n) {
    if (step == never) return event;
    if (!((t + step) * frequency[0] <= longest)) return event;  // no event occurs
    const bool arrived = step <= 2. * epsilon * t;
    t += step;
    event.t = t;
    event.found = true;
    if (arrived) return event;
    const Clock<double> k = clock_at(frequency, t);
    step = never;
    for (std::size_t i = 0; i < count; ++i) {
      Look at = look(watches[i].wave, frequency, k);
      constexpr double cancellation = 1e-3;  // three digits are lost; decides about rounding only
      const bool cancels = std::abs(at.f) < cancellation * at.terms;
      if (cancels && watches[i].order > 0 && t * frequency[0] <= 1.) {
        at = look_near_start(watches[i], frequency, t);
      }
      if (at.f <= 0. && at.d < 0.) {
        event.watch = i;
        return event;
      }
      const double h = step_from(at, watches[i].wave, bounds[i], frequency, k);
      if (h < step) {
        step = h;
        event.watch = i;
      }
    }
    event.found = false;
  }
  event.converged = false;
  return event;
}

}  // namespace carom::springs
