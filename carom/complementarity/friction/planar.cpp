// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/planar.hpp>

#include <algorithm>
#include <cmath>

namespace carom::complementarity {
namespace {

/// Relative distance in xi below which two solutions are one, as in space (cone.cpp).
constexpr double same = 1e-9;

double largest(const Vec2& v) { return std::max(std::abs(v.n), std::abs(v.t)); }

/// The largest velocity: |b| and the effect of the impulses.
double velocity_scale(const Sym2& G, const Vec2& b, const Vec2& P) {
  return std::max(
      {largest(b), (G.nn + std::abs(G.nt)) * largest(P), (G.tt + std::abs(G.nt)) * largest(P)});
}

/// Checks the inequalities of a branch, to rounding.
bool holds(const PlanarSolution& s, const Sym2& G, const Vec2& b, double mu) {
  const double v = rounding * velocity_scale(G, b, s.P);
  const double p = rounding * largest(s.P);
  const double cone = mu * s.P.n - std::abs(s.P.t);
  switch (s.branch) {
    case PlanarCase::open:
      return s.xi.n >= -v;
    case PlanarCase::backward:
      return s.P.n >= -p && s.xi.t <= v;
    case PlanarCase::stick:
      return s.P.n >= -p && cone >= -p * (1. + mu);
    case PlanarCase::forward:
      return s.P.n >= -p && s.xi.t >= -v;
  }
  return false;
}

}  // namespace

PlanarSolutions enumerate_planar_friction(const Sym2& G, const Vec2& b, double mu) {
  PlanarSolutions found;
  const auto consider = [&](PlanarCase branch, const Vec2& P) {
    if (!std::isfinite(P.n) || !std::isfinite(P.t)) return;
    const PlanarSolution s{.branch = branch, .P = P, .xi = G * P + b};
    if (branch != PlanarCase::open && !(P.n > 0.)) return;  // that is `open`
    if (!holds(s, G, b, mu)) return;
    const double near = same * velocity_scale(G, b, P);
    for (const PlanarSolution& other : found) {
      if (largest(s.xi - other.xi) <= near) return;
    }
    found.add(s);
  };
  consider(PlanarCase::open, {});
  for (const auto branch : {PlanarCase::backward, PlanarCase::forward}) {
    const double ratio = branch == PlanarCase::backward ? mu : -mu;
    const double a = G.nn + ratio * G.nt;
    if (std::abs(a) > rounding * (G.nn + mu * std::abs(G.nt)))
      consider(branch, {.n = -b.n / a, .t = ratio * (-b.n / a)});
  }
  const double det = determinant(G);
  if (det > rounding * G.nn * G.tt) {
    const double normal = (G.nt * b.t - G.tt * b.n) / det;
    consider(PlanarCase::stick, {.n = normal, .t = -(b.t + G.nt * normal) / G.tt});
  }
  return found;
}

}  // namespace carom::complementarity
