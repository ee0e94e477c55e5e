// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <limits>

#include "limit_kernels.hpp"

/// For inclusion in the one source file of an instruction set.
namespace carom::limit {
namespace {

template <std::size_t width>
struct VectorOf {
  typedef double type [[gnu::vector_size(8 * width)]];
  typedef long long mask [[gnu::vector_size(8 * width)]];
};

template <std::size_t width>
struct Kernel {
  using V = typename VectorOf<width>::type;
  using M = typename VectorOf<width>::mask;

  static V load(const double* x) {
    V v;
    __builtin_memcpy(&v, x, sizeof v);
    return v;
  }
  static void store(double* x, V v) { __builtin_memcpy(x, &v, sizeof v); }
  static V all(double x) { return x - V{}; }
  static M bits(V x) { return reinterpret_cast<M>(x); }
  static V sign_of(V x) { return reinterpret_cast<V>(bits(x) & bits(all(-0.))); }
  static V with_sign(V size, V s) { return reinterpret_cast<V>(bits(size) | bits(sign_of(s))); }
  static V times_sign(V x, V s) { return reinterpret_cast<V>(bits(x) ^ bits(sign_of(s))); }
  static V magnitude(V x) { return reinterpret_cast<V>(bits(x) & ~bits(all(-0.))); }
  static V min(V a, V b) { return a < b ? a : b; }
  static V root(V x) {
    if constexpr (width == 8) {
#ifdef __AVX512F__
      return _mm512_sqrt_pd(x);
#endif
    } else {
      return _mm256_sqrt_pd(x);
    }
  }

  struct Problem {
    V nn, nt, tt, v_n, v_t, e, mu, mu_s, eps_t;
  };
  struct Answer {
    V p_n, p_t, v_n, v_t;
  };

  /// Routh's two segments: slip as at first up to p_stop, then stick or slip the other way.
  struct Segments {
    V slip, deceleration, slope_1, slope_2, ratio_2, p_stop;
  };

  static Segments segments(const Problem& x) {
    Segments s;
    const V along = times_sign(x.nt, x.v_t);
    s.slip = magnitude(x.v_t);
    s.deceleration = x.mu * x.tt - along;
    s.slope_1 = x.nn - x.mu * along;
    s.ratio_2 = magnitude(x.nt) <= x.mu_s * x.tt ? -(x.nt / x.tt) : -with_sign(x.mu, x.nt);
    s.slope_2 = x.nn + s.ratio_2 * x.nt;
    const V later = s.slip > 0. ? all(std::numeric_limits<double>::infinity()) : V{};
    s.p_stop = s.deceleration > 0. ? s.slip / s.deceleration : later;
    return s;
  }

  static Answer end(const Problem& x, const Segments& s, V p, V v_n) {
    const V first = min(p, s.p_stop);
    const V second = p - first;
    const V left = times_sign(s.slip - s.deceleration * p, x.v_t);
    return {.p_n = p,
            .p_t = s.ratio_2 * second - times_sign(x.mu * first, x.v_t),
            .v_n = v_n,
            .v_t = p < s.p_stop ? left : (x.nt + s.ratio_2 * x.tt) * second};
  }

  /// The impulse at which v_n has changed so much.
  static V impulse_at(V change, const Segments& s) {
    const V v_1 = s.slope_1 * s.p_stop;
    const M before = change <= v_1;
    return (before ? V{} : s.p_stop) +
           (before ? change : change - v_1) / (before ? s.slope_1 : s.slope_2);
  }

  static Answer newton(const Problem& x) {
    const Segments s = segments(x);
    return end(x, s, impulse_at(-(1. + x.e) * x.v_n, s), -x.e * x.v_n);
  }

  static Answer poisson(const Problem& x) {
    const Segments s = segments(x);
    const V p = (1. + x.e) * impulse_at(-x.v_n, s);
    const V first = min(p, s.p_stop);
    return end(x, s, p, x.v_n + s.slope_1 * first + s.slope_2 * (p - first));
  }

  static Answer energetic(const Problem& x) {
    const Segments s = segments(x);
    const V v_stop = x.v_n + s.slope_1 * s.p_stop;
    const V v_1 = -x.e * x.v_n;
    const M slides = v_1 <= v_stop;
    const M compressed = v_stop >= 0.;
    // Where compression has ended, twice the work that restitution still owes when slip stops.
    const V quotient = (slides ? v_1 - x.v_n : v_1 * v_1 - v_stop * v_stop) / s.slope_1;
    const V lost = -(x.v_n + v_stop) * s.p_stop;
    const V speed = root(v_stop * v_stop + s.slope_2 * (compressed ? quotient : lost));
    const V v_2 = compressed ? speed : x.e * speed;
    const V rest = (compressed ? quotient : v_2 - v_stop) / (compressed ? v_stop + v_2 : s.slope_2);
    return end(x, s, slides ? quotient : s.p_stop + rest, slides ? v_1 : v_2);
  }

  static Answer moreau(const Problem& x) {
    const V b_n = (1. + x.e) * x.v_n;
    const V b_t = (1. + x.eps_t) * x.v_t;
    const V stop_n = x.nt * b_t - x.tt * b_n;  // det G times the impulse that stops all motion
    const V stop_t = x.nt * b_n - x.nn * b_t;
    const M sticks = magnitude(stop_t) <= x.mu * stop_n;
    const V ratio = with_sign(x.mu, stop_t);
    const V inverse = 1. / (sticks ? x.nn * x.tt - x.nt * x.nt : x.nn + ratio * x.nt);
    const V p = (sticks ? stop_n : -b_n) * inverse;
    const V t = sticks ? stop_t * inverse : ratio * p;
    const V xi = sticks ? V{} : b_t + (x.nt + ratio * x.tt) * p;
    return {.p_n = p, .p_t = t, .v_n = -x.e * x.v_n, .v_t = xi - x.eps_t * x.v_t};
  }

  /// Coulomb's rule on the critical ratio.
  static Answer brach(const Problem& x) {
    const V b = (1. + x.e) * x.v_n;
    const V stop_n = x.nt * x.v_t - x.tt * b;  // det G times the impulse that ends slip
    const V stop_t = x.nt * b - x.nn * x.v_t;
    const M sticks = magnitude(stop_t) <= x.mu * stop_n;
    const V ratio = sticks ? stop_t / stop_n : with_sign(x.mu, stop_t);
    const V p = -b / (x.nn + ratio * x.nt);
    const M solved = p > 0.;
    return {.p_n = solved ? p : V{},
            .p_t = solved ? ratio * p : V{},
            .v_n = solved ? -x.e * x.v_n : x.v_n,
            .v_t = solved ? x.v_t + (x.nt + ratio * x.tt) * p : x.v_t};
  }

  template <bool one_surface, class Solve>
  static void rows(const Columns& c, const Solve& solve) {
    const auto surface = [](const double* column, std::size_t i) {
      return one_surface ? all(*column) : load(column + i);
    };
    for (std::size_t i = 0; i < c.size; i += width) {
      const Answer a = solve(Problem{.nn = load(c.nn + i),
                                     .nt = load(c.nt + i),
                                     .tt = load(c.tt + i),
                                     .v_n = load(c.normal + i),
                                     .v_t = load(c.slip + i),
                                     .e = surface(c.restitution, i),
                                     .mu = surface(c.friction, i),
                                     .mu_s = surface(c.static_friction, i),
                                     .eps_t = surface(c.tangential_restitution, i)});
      store(c.impulse_n + i, a.p_n);
      store(c.impulse_t + i, a.p_t);
      store(c.velocity_n + i, a.v_n);
      store(c.velocity_t + i, a.v_t);
    }
  }

  template <class Solve>
  static void run(const Columns& c, const Solve& solve) {
    c.one_surface ? rows<true>(c, solve) : rows<false>(c, solve);
  }

  static void solve(Law law, const Columns& c) {
    switch (law) {
      case Law::newton:
        return run(c, [](const Problem& x) { return newton(x); });
      case Law::poisson:
        return run(c, [](const Problem& x) { return poisson(x); });
      case Law::energetic:
        return run(c, [](const Problem& x) { return energetic(x); });
      case Law::moreau:
        return run(c, [](const Problem& x) { return moreau(x); });
      case Law::brach:
        return run(c, [](const Problem& x) { return brach(x); });
    }
  }
};

}  // namespace
}  // namespace carom::limit
