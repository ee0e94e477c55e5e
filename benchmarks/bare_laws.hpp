// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/impact/planar/problem.hpp>

/// The laws as one would write them by hand, for impulse and velocity only: no phases, no ledger,
/// no verdict, no rank-one G, no separating contact. What the library's laws are measured against.
namespace carom::bare {

struct Totals {
  Vec2 impulse;
  Vec2 velocity;
};

/// Routh's two segments: slip as at first up to p_stop, then stick or slip the other way.
/// Rates are per unit of normal impulse.
struct Segments {
  double slip;          ///< |v_t-|
  double direction;     ///< its sign
  double deceleration;  ///< of that slip
  double slope_1;       ///< dv_n/dp at first
  double slope_2;       ///< dv_n/dp afterwards
  double ratio_2;       ///< dP_t/dp afterwards
  double p_stop;        ///< infinite if slip never stops
};

inline Segments segments(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  const double mu = surface.friction;
  Segments x;
  x.slip = std::abs(v.t);
  x.direction = std::copysign(1., v.t);
  x.deceleration = mu * G.tt - x.direction * G.nt;
  x.slope_1 = G.nn - mu * x.direction * G.nt;
  const double stick = -G.nt / G.tt;
  const double slide = -std::copysign(mu, G.nt);
  x.ratio_2 = std::abs(G.nt) <= surface.static_friction * G.tt ? stick : slide;
  x.slope_2 = G.nn + x.ratio_2 * G.nt;
  const double stop = x.slip / x.deceleration;
  const double later = x.slip > 0. ? std::numeric_limits<double>::infinity() : 0.;
  x.p_stop = x.deceleration > 0. ? stop : later;
  return x;
}

/// Ends at normal impulse p.
inline Totals end(const PlanarProblem& problem, const Segments& x, double p, double v_n) {
  const double first = std::min(p, x.p_stop);
  const double second = p - first;
  const double mu = problem.surface.friction;
  const double slip_rate = problem.G.nt + x.ratio_2 * problem.G.tt;
  const double left = x.direction * (x.slip - x.deceleration * p);
  return {.impulse = {.n = p, .t = x.ratio_2 * second - mu * x.direction * first},
          .velocity = {.n = v_n, .t = p < x.p_stop ? left : slip_rate * second}};
}

inline Totals newton(const PlanarProblem& problem) {
  const Segments x = segments(problem);
  const double v_n = problem.approach.n;
  const double e = problem.surface.restitution;
  const double change = -(1. + e) * v_n;
  const double v_1 = x.slope_1 * x.p_stop;  // change of v_n until slip stops
  const double p_1 = change / x.slope_1;
  const double p_2 = x.p_stop + (change - v_1) / x.slope_2;
  return end(problem, x, change <= v_1 ? p_1 : p_2, -e * v_n);
}

inline Totals poisson(const PlanarProblem& problem) {
  const Segments x = segments(problem);
  const double v_n = problem.approach.n;
  const double e = problem.surface.restitution;
  const double v_1 = x.slope_1 * x.p_stop;  // change of v_n until slip stops
  const double compression_1 = -v_n / x.slope_1;
  const double compression_2 = x.p_stop - (v_n + v_1) / x.slope_2;
  const double p = (1. + e) * (-v_n <= v_1 ? compression_1 : compression_2);
  const double first = std::min(p, x.p_stop);
  return end(problem, x, p, v_n + x.slope_1 * first + x.slope_2 * (p - first));
}

inline Totals energetic(const PlanarProblem& problem) {
  const Segments x = segments(problem);
  const double v_n = problem.approach.n;
  const double e = problem.surface.restitution;
  const double v_stop = v_n + x.slope_1 * x.p_stop;
  const double v_1 = -e * v_n;
  if (v_1 <= v_stop) return end(problem, x, (v_1 - v_n) / x.slope_1, v_1);
  if (v_stop >= 0.) {
    // Twice the work that restitution still owes when slip stops.
    const double owed = (v_1 * v_1 - v_stop * v_stop) / x.slope_1;
    const double v_2 = std::sqrt(v_stop * v_stop + x.slope_2 * owed);
    return end(problem, x, x.p_stop + owed / (v_stop + v_2), v_2);
  }
  // Under the root: 2 slope_2 |W_c|.
  const double v_2 = e * std::sqrt(v_stop * v_stop - x.slope_2 * (v_n + v_stop) * x.p_stop);
  return end(problem, x, x.p_stop + (v_2 - v_stop) / x.slope_2, v_2);
}

/// xi = G P + b with xi_n = 0 <= P_n and Coulomb's law between P_t and xi_t.
inline Totals contact(const Sym2& G, const Vec2& b, double mu) {
  const double det = G.nn * G.tt - G.nt * G.nt;
  // det times the impulse that stops all motion, which is the answer if it lies in the cone. If
  // not, P lies on the cone's edge on the same side, since dxi_t/dP_t > 0 along xi_n = 0.
  const Vec2 stop{.n = G.nt * b.t - G.tt * b.n, .t = G.nt * b.n - G.nn * b.t};
  if (std::abs(stop.t) <= mu * stop.n) {
    return {.impulse = {.n = stop.n / det, .t = stop.t / det}, .velocity = {}};
  }
  const double ratio = std::copysign(mu, stop.t);
  const double p = -b.n / (G.nn + ratio * G.nt);
  return {.impulse = {.n = p, .t = ratio * p},
          .velocity = {.n = 0., .t = b.t + (G.nt + ratio * G.tt) * p}};
}

inline Totals moreau(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  const double e = surface.restitution;
  const double eps_t = surface.tangential_restitution;
  Totals x = contact(G, {.n = (1. + e) * v.n, .t = (1. + eps_t) * v.t}, surface.friction);
  x.velocity.n -= e * v.n;
  x.velocity.t -= eps_t * v.t;
  return x;
}

inline Totals moreau_poisson(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  Totals x = contact(G, v, surface.friction);
  const double n = surface.restitution * x.impulse.n;
  const double bound = surface.friction * n;
  const double t = std::clamp(-(x.velocity.t + G.nt * n) / G.tt, -bound, bound);
  x.impulse.n += n;
  x.impulse.t += t;
  x.velocity.n = G.nn * n + G.nt * t;
  x.velocity.t += G.nt * n + G.tt * t;
  return x;
}

/// Coulomb's rule on the critical ratio.
inline Totals brach(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  const double e = surface.restitution;
  const double b = (1. + e) * v.n;
  const double stop_n = G.nt * v.t - G.tt * b;  // det times the impulse that ends slip
  const double stop_t = G.nt * b - G.nn * v.t;
  const double mu = surface.friction;
  const bool sticks = std::abs(stop_t) <= mu * stop_n;
  const double ratio = sticks ? stop_t / stop_n : std::copysign(mu, stop_t);
  const double p = -b / (G.nn + ratio * G.nt);
  if (!(p > 0.)) return {.impulse = {}, .velocity = v};  // no solution
  return {.impulse = {.n = p, .t = ratio * p},
          .velocity = {.n = -e * v.n, .t = v.t + (G.nt + ratio * G.tt) * p}};
}

/// Slip ends if static friction can do it, else friction against the slip of the approach.
inline Totals conventional(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  const double e = surface.restitution;
  const double b = (1. + e) * v.n;
  const double det = G.nn * G.tt - G.nt * G.nt;
  const Vec2 stop{.n = G.nt * v.t - G.tt * b, .t = G.nt * b - G.nn * v.t};
  if (std::abs(stop.t) <= surface.static_friction * stop.n) {
    return {.impulse = {.n = stop.n / det, .t = stop.t / det},
            .velocity = {.n = -e * v.n, .t = 0.}};
  }
  const double ratio = -std::copysign(surface.friction, v.t != 0. ? v.t : G.nt);
  const double p = -b / (G.nn + ratio * G.nt);
  if (!(p > 0.)) return {.impulse = {}, .velocity = v};  // no solution
  return {.impulse = {.n = p, .t = ratio * p},
          .velocity = {.n = -e * v.n, .t = v.t + (G.nt + ratio * G.tt) * p}};
}

}  // namespace carom::bare
