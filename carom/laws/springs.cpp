// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/springs.hpp>

#include <cassert>
#include <cmath>

namespace carom::springs {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// More turns of the fast mode [rad] than an impact can have: a contact that locks swings for ever,
/// and then rounding would make the event.
constexpr double longest = 1e9;

/// More steps than any search that is worth its answer takes.
constexpr int most_steps = 1 << 16;

/// Largest rate of a mode, w times its amplitude.
double speed(const Wave<double>& f, const std::array<double, 2>& w, std::size_t i) {
  return std::sqrt(f.a[i] * w[i] * (f.a[i] * w[i]) + f.b[i] * f.b[i]);
}

/// A bound of the derivative of order n >= 2.
double bound(const Wave<double>& f, const std::array<double, 2>& w, int n) {
  double sum = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    double term = speed(f, w, i);
    for (int k = 1; k < n; ++k) term *= w[i];
    sum += term;
  }
  return sum;
}

/// How long f + d t - M t^2/2 stays positive, for f >= 0.
double safe(double f, double d, double M) {
  if (!(M > 0.)) return d < 0. ? f / -d : never;
  const double r = std::sqrt(d * d + 2. * M * f);
  return d < 0. ? 2. * f / (r - d) : (d + r) / M;
}

/// What bounds a wave, for all times.
struct Bounds {
  double second = 0.;       ///< of its second derivative
  double ripple = 0.;       ///< of the fast mode; infinite where it does not oscillate
  double slow_second = 0.;  ///< of the slow part's second derivative
};

Bounds bounds_of(const Wave<double>& f, const std::array<double, 2>& w) {
  const double fast = speed(f, w, 0);
  const double slow = speed(f, w, 1);
  return {.second = fast * w[0] + slow * w[1],
          .ripple = w[0] > 0. ? fast / w[0] : never,
          .slow_second = slow * w[1]};
}

/// A watch at some time, and how far one may step from there.
struct Look {
  double f = 0.;
  double d = 0.;
  double step = 0.;
};

Look look(const Wave<double>& f, const Bounds& bounds, const std::array<double, 2>& w,
          const Clock<double>& k) {
  const double slow = f.constant + (f.a[1] * k.c[1] + f.b[1] * k.s[1]);
  const double slow_rate = f.b[1] * k.c[1] - f.a[1] * (w[1] * (w[1] * k.s[1]));
  Look at;
  at.f = slow + (f.a[0] * k.c[0] + f.b[0] * k.s[0]);
  at.d = slow_rate + (f.b[0] * k.c[0] - f.a[0] * (w[0] * (w[0] * k.s[0])));
  at.step = safe(std::max(at.f, 0.), at.d, bounds.second);
  if (slow > bounds.ripple) {
    at.step = std::max(at.step, safe(slow - bounds.ripple, slow_rate, bounds.slow_second));
  }
  return at;
}

/// The first step of a watch that starts from zero: f >= leading t^n/n! - M t^(n+1)/(n+1)!, of
/// which half is taken, so that what follows is well above rounding.
double first_step(const Watch& x, const Bounds& bounds, const std::array<double, 2>& w,
                  const Clock<double>& start) {
  if (x.order == 0) return look(x.wave, bounds, w, start).step;
  const double M = bound(x.wave, w, x.order + 1);
  return M > 0. ? 0.5 * (x.order + 1) * x.leading / M : never;
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
    if (!((t + step) * frequency[0] <= longest)) return event;  // nothing ever happens
    const bool arrived = step <= 2. * epsilon * t;
    t += step;
    event.t = t;
    event.found = true;
    if (arrived) return event;
    const Clock<double> k = clock_at(frequency, t);
    step = never;
    for (std::size_t i = 0; i < count; ++i) {
      const Look at = look(watches[i].wave, bounds[i], frequency, k);
      if (at.f <= 0. && at.d < 0.) {
        event.watch = i;
        return event;
      }
      if (at.step < step) {
        step = at.step;
        event.watch = i;
      }
    }
    event.found = false;
  }
  event.converged = false;
  return event;
}

}  // namespace carom::springs
