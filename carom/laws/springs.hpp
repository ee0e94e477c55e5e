// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <carom/core/circular.hpp>
#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>

/// The two kinds of segment of a contact with lumped springs, each solved in closed form, and the
/// search for the first event in a segment. Used by `compliant`.
///
/// Forces are in units in which the stiffness of the normal spring in compression is 1. Impulses,
/// velocities and works do not depend on that stiffness.
namespace carom::springs {

template <class S>
struct State {
  BasicVec2<S> force{};     ///< F
  BasicVec2<S> velocity{};  ///< v [m/s]
  BasicVec2<S> impulse{};   ///< integral of F [N s]
  S normal_work{};          ///< [J]
  S friction_work{};        ///< work of F_t, including the tangential spring [J]
};

template <class S>
struct Stiffness {
  S normal{};      ///< 1 in compression, 1/e^2 in restitution
  S tangential{};  ///< 1/eta^2
};

/// Velocity of the slider along s if it slips that way: v_t minus the rate of the tangential
/// spring.
template <class S>
[[nodiscard]] S slider_velocity(const S& mu, const Stiffness<S>& k, const BasicVec2<S>& v,
                                double s) {
  return S(s) * v.t + mu * (k.normal / k.tangential) * v.n;
}

/// Its change with the normal impulse, along s. A value within the rounding error of its terms is
/// zero: the slider then neither stops nor begins to slip.
template <class S>
[[nodiscard]] S slider_rate(const BasicSym2<S>& G, const S& mu, const Stiffness<S>& k, double s) {
  const S tangential = S(s) * G.nt - mu * G.tt;
  const S normal = mu * (k.normal / k.tangential) * (G.nn - mu * (S(s) * G.nt));
  const S rate = tangential + normal;
  return magnitude(rate) > S(8. * epsilon) * magnitude(normal) ? rate : S(0.);
}

// --- slip ----------------------------------------------------------------------------------------

/// Slip of the slider along s: F_t = -s mu F_n. With the normal impulse p as the independent
/// variable everything is algebraic: v is linear in p, and F_n^2 decreases by k_n times twice the
/// normal work.
template <class S>
struct Slip {
  State<S> start;
  Stiffness<S> k;
  S s{};                 ///< +1 or -1
  S mu{};                ///< friction
  BasicVec2<S> slope{};  ///< dv/dp = (G_nn - s mu G_nt, G_nt - s mu G_tt)

  Slip(const BasicSym2<S>& G, const S& friction, const Stiffness<S>& stiffness,
       const State<S>& state, double direction)
      : start(state),
        k(stiffness),
        s(direction),
        mu(friction),
        slope{.n = G.nn - friction * (S(direction) * G.nt),
              .t = G.nt - friction * (S(direction) * G.tt)} {}

  /// Velocity of the slider at the start.
  [[nodiscard]] S slider() const { return slider_velocity(mu, k, start.velocity, value_of(s)); }

  [[nodiscard]] State<S> at(const S& p) const {
    State<S> x = start;
    const S half(0.5);
    const S work = p * (start.velocity.n + half * (slope.n * p));
    const S two(2.);
    x.force.n = root(S(start.force.n * start.force.n - k.normal * (two * work)));
    x.force.t = -(s * (mu * x.force.n));
    x.velocity.n = start.velocity.n + slope.n * p;
    x.velocity.t = start.velocity.t + slope.t * p;
    x.impulse.n = start.impulse.n + p;
    x.impulse.t = start.impulse.t - s * (mu * p);
    x.normal_work = start.normal_work + work;
    x.friction_work =
        start.friction_work - s * (mu * (p * (start.velocity.t + half * (slope.t * p))));
    return x;
  }
};

// --- stick ---------------------------------------------------------------------------------------

/// constant + sum over two modes of (a cos wt + b sin(wt)/w): an oscillating quantity.
template <class S>
struct Wave {
  S constant{};
  std::array<S, 2> a{};
  std::array<S, 2> b{};

  [[nodiscard]] S rate_at_start() const { return b[0] + b[1]; }
};

/// cos wt and sin(wt)/w of both modes.
template <class S>
struct Clock {
  std::array<S, 2> c{};
  std::array<S, 2> s{};
};

template <class S>
[[nodiscard]] Clock<S> clock_at(const std::array<S, 2>& frequency, const S& t) {
  Clock<S> k;
  for (std::size_t i = 0; i < 2; ++i) {
    if (frequency[i] > S(0.)) {
      const auto [c, s] = cos_sin(S(frequency[i] * t));
      k.c[i] = c;
      k.s[i] = s / frequency[i];
    } else {
      k.c[i] = S(1.);
      k.s[i] = t;
    }
  }
  return k;
}

template <class S>
[[nodiscard]] S value(const Wave<S>& f, const Clock<S>& k) {
  return f.constant + ((f.a[0] * k.c[0] + f.b[0] * k.s[0]) + (f.a[1] * k.c[1] + f.b[1] * k.s[1]));
}

template <class S>
[[nodiscard]] S rate(const Wave<S>& f, const std::array<S, 2>& w, const Clock<S>& k) {
  return (f.b[0] * k.c[0] - f.a[0] * (w[0] * (w[0] * k.s[0]))) +
         (f.b[1] * k.c[1] - f.a[1] * (w[1] * (w[1] * k.s[1])));
}

/// Stick of the slider: both springs deform, dF/dt = -K v with dv/dt = G F, an oscillator with two
/// modes. With z = K^-1/2 F it is z'' = -A z, A = K^1/2 G K^1/2 symmetric.
template <class S>
struct Stick {
  State<S> start;
  Stiffness<S> k;
  std::array<S, 2> frequency{};  ///< of the fast and the slow mode; the latter may be 0
  Wave<S> normal_force;
  Wave<S> tangential_force;
  Wave<S> closing;  ///< -v_n
  Wave<S> slip;     ///< v_t

  Stick(const BasicSym2<S>& G, const S& det, const Stiffness<S>& stiffness, const State<S>& state)
      : start(state), k(stiffness) {
    const S zero(0.);
    const S half(0.5);
    const S k_n = root(k.normal);
    const S k_t = root(k.tangential);
    const S nn = k.normal * G.nn;
    const S tt = k.tangential * G.tt;
    const S nt = k_n * (k_t * G.nt);
    const S difference = half * (nn - tt);
    const S radius = root(S(difference * difference + nt * nt));
    const S high = half * (nn + tt) + radius;
    const S low = high > zero ? S((k.normal * (k.tangential * det)) / high) : zero;
    frequency = {root(high), root(low)};
    // The fast mode's direction (q_n, q_t); the slow one's is (-q_t, q_n).
    const bool normal_leads = !(difference < zero);
    S q_n = normal_leads ? S(difference + radius) : nt;
    S q_t = normal_leads ? nt : S(radius - difference);
    const S length = root(S(q_n * q_n + q_t * q_t));
    q_n = length > zero ? S(q_n / length) : S(1.);
    q_t = length > zero ? S(q_t / length) : zero;

    const std::array<S, 2> to_normal{q_n, -q_t};
    const std::array<S, 2> to_tangential{q_t, q_n};
    const BasicVec2<S> z{.n = start.force.n / k_n, .t = start.force.t / k_t};
    const BasicVec2<S> z_rate{.n = -(k_n * start.velocity.n), .t = -(k_t * start.velocity.t)};
    for (std::size_t i = 0; i < 2; ++i) {
      const S a = to_normal[i] * z.n + to_tangential[i] * z.t;
      const S b = to_normal[i] * z_rate.n + to_tangential[i] * z_rate.t;
      const S pull = frequency[i] * (frequency[i] * a);
      normal_force.a[i] = k_n * (to_normal[i] * a);
      normal_force.b[i] = k_n * (to_normal[i] * b);
      tangential_force.a[i] = k_t * (to_tangential[i] * a);
      tangential_force.b[i] = k_t * (to_tangential[i] * b);
      closing.a[i] = to_normal[i] / k_n * b;
      closing.b[i] = -(to_normal[i] / k_n * pull);
      slip.a[i] = -(to_tangential[i] / k_t * b);
      slip.b[i] = to_tangential[i] / k_t * pull;
    }
  }

  /// mu F_n + s F_t: the margin before the slider slips along s.
  [[nodiscard]] Wave<S> margin(const S& mu, double s) const {
    Wave<S> m;
    for (std::size_t i = 0; i < 2; ++i) {
      m.a[i] = mu * normal_force.a[i] + S(s) * tangential_force.a[i];
      m.b[i] = mu * normal_force.b[i] + S(s) * tangential_force.b[i];
    }
    return m;
  }

  [[nodiscard]] State<S> at(const S& t) const {
    const Clock<S> c = clock_at(frequency, t);
    const S half(0.5);
    State<S> x = start;
    x.force = {.n = value(normal_force, c), .t = value(tangential_force, c)};
    x.velocity = {.n = -value(closing, c), .t = value(slip, c)};
    // The integral of a cos wt + b sin(wt)/w is a sin(wt)/w + b (1 - cos wt)/w^2, where the latter
    // is 2 (sin(wt/2)/w)^2.
    const Clock<S> c_half = clock_at(frequency, S(half * t));
    for (std::size_t i = 0; i < 2; ++i) {
      const S twice = S(2.) * (c_half.s[i] * c_half.s[i]);
      x.impulse.n = x.impulse.n + (normal_force.a[i] * c.s[i] + normal_force.b[i] * twice);
      x.impulse.t = x.impulse.t + (tangential_force.a[i] * c.s[i] + tangential_force.b[i] * twice);
    }
    const auto stored = [](const S& force, const S& stiffness) {
      return force * (force / stiffness);
    };
    x.normal_work =
        start.normal_work + half * (stored(start.force.n, k.normal) - stored(x.force.n, k.normal));
    x.friction_work = start.friction_work + half * (stored(start.force.t, k.tangential) -
                                                    stored(x.force.t, k.tangential));
    return x;
  }
};

// --- the first event -----------------------------------------------------------------------------

/// A quantity that is positive until its event. At the start it may be zero to some order. Its
/// first nonzero derivative, of order `order`, is then `leading`.
struct Watch {
  Wave<double> wave;
  int order = 0;
  double leading = 0.;
};

/// The time of the first event, and the watch that it belongs to.
struct Event {
  std::size_t watch = 0;
  double t = 0.;
  bool found = false;
  bool converged = true;
};

/// Largest number of watches.
inline constexpr std::size_t most_watches = 3;

/// Finds the first event without a fixed time step. With |f''| <= M, f stays positive for at least
/// h = (f' + sqrt(f'^2 + 2 M f))/M. Such steps never pass a root, and converge to it as fast as
/// Newton's method. If the fast mode is only a small ripple on the slow one, its amplitude is used
/// as the bound instead.
[[nodiscard]] Event first_event(const Watch* watches, std::size_t count,
                                const std::array<double, 2>& frequency);

/// The time of an event with the derivatives of the scalar type, from one Newton step. Its value is
/// the one found by the search, which near a multiple zero is more accurate than the wave.
template <class S>
[[nodiscard]] S with_derivatives(const Wave<S>& f, const std::array<S, 2>& frequency, double t) {
  const S at(t);
  const Clock<S> c = clock_at(frequency, at);
  const S slope = rate(f, frequency, c);
  if (!(slope < S(0.))) return S(t);
  const S left = value(f, c);
  return at - (left - S(value_of(left))) / slope;
}

template <class S>
[[nodiscard]] Wave<double> values_of(const Wave<S>& f) {
  Wave<double> w;
  w.constant = value_of(f.constant);
  for (std::size_t i = 0; i < 2; ++i) {
    w.a[i] = value_of(f.a[i]);
    w.b[i] = value_of(f.b[i]);
  }
  return w;
}

}  // namespace carom::springs
