// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/planar_friction.hpp>

#include <algorithm>
#include <cmath>

namespace carom::complementarity {
namespace {

/// Rounding allowed in an inequality, in units in the last place of its largest term.
constexpr double slack = 64. * epsilon;

/// Relative distance in xi below which two solutions are one.
constexpr double same = 1e-9;

struct Scales {
  double velocity;  ///< the largest velocity about: |b| and what the impulses make
};

double largest(const Vec2& v) { return std::max(std::abs(v.n), std::abs(v.t)); }

Scales scales_of(const Sym2& G, const Vec2& b, const Vec2& P) {
  const double made = std::max((std::abs(G.nn) + std::abs(G.nt)) * largest(P),
                               (std::abs(G.tt) + std::abs(G.nt)) * largest(P));
  return {.velocity = std::max(largest(b), made)};
}

bool holds(const PlanarSolution& s, const Sym2& G, const Vec2& b, double mu) {
  const double v = slack * scales_of(G, b, s.P).velocity;
  const double p = slack * largest(s.P);
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
    const double near = same * std::max(scales_of(G, b, P).velocity, largest(b));
    for (const PlanarSolution& other : found) {
      if (largest(s.xi - other.xi) <= near) return;
    }
    found.add(s);
  };
  consider(PlanarCase::open, {});
  for (const auto branch : {PlanarCase::backward, PlanarCase::forward}) {
    const double ratio = branch == PlanarCase::backward ? mu : -mu;
    const double a = G.nn + ratio * G.nt;
    if (a != 0.) consider(branch, {.n = -b.n / a, .t = ratio * (-b.n / a)});
  }
  const double det = determinant(G);
  if (det > slack * G.nn * G.tt) {
    consider(PlanarCase::stick,
             {.n = (G.nt * b.t - G.tt * b.n) / det, .t = (G.nt * b.n - G.nn * b.t) / det});
  }
  return found;
}

}  // namespace carom::complementarity
