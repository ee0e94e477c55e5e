// SPDX-License-Identifier: Apache-2.0
#include <support/arbitrary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

namespace carom {

std::ostream& operator<<(std::ostream& out, const PlanarProblem& p) {
  out.precision(17);
  return out << "{G = [" << p.G.nn << ", " << p.G.nt << ", " << p.G.tt << "], v = (" << p.approach.n
             << ", " << p.approach.t << "), e = " << p.surface.restitution
             << ", eps_T = " << p.surface.tangential_restitution << ", mu = " << p.surface.friction
             << ", mu_s = " << p.surface.static_friction << "}";
}

}  // namespace carom

namespace carom::test {

PlanarProblem arbitrary_problem(std::uint64_t seed, const Arbitrary& what) {
  std::mt19937_64 engine(seed);
  // Not std::uniform_real_distribution, whose values differ between libraries.
  const auto uniform = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(engine() >> 11) * 0x1p-53;
  };
  const auto chance = [&](double p) { return uniform(0., 1.) < p; };
  PlanarProblem p;
  // Correlation of the two directions; near +-1 now and then, where things are delicate.
  double rho = uniform(-1., 1.);
  if (chance(0.1)) rho = std::copysign(1. - std::pow(10., uniform(-6., -1.)), rho);
  const double nn = std::pow(10., uniform(-2., 2.));
  const double tt = std::pow(10., uniform(-2., 2.));
  p.G = {.nn = nn, .nt = rho * std::sqrt(nn * tt), .tt = tt};
  const double speed = std::pow(10., uniform(-1., 1.));
  const double incidence = uniform(-1.55, 1.55);
  p.approach = {.n = -speed * std::cos(incidence), .t = speed * std::sin(incidence)};
  p.surface.restitution = uniform(0., 1.);
  p.surface.friction = chance(0.5) ? uniform(0., 1.) : std::pow(10., uniform(-2., 1.));
  p.surface.tangential_restitution = what.tangential_restitution ? uniform(0., 1.) : 0.;
  if (what.edges) {
    if (chance(0.05)) p.surface.restitution = 0.;
    if (chance(0.05)) p.surface.restitution = 1.;
    if (chance(0.05)) p.surface.friction = 0.;
    if (chance(0.05)) p.approach.t = 0.;
    if (chance(0.05)) p.G.nt = 0.;
  }
  p.surface.static_friction = p.surface.friction;
  if (what.static_friction && chance(0.5)) p.surface.static_friction *= uniform(1., 2.);
  return p;
}

double velocity_scale(const PlanarProblem& p, const Vec2& P, const Vec2& v) {
  const double made = std::max(p.G.nn * std::abs(P.n) + std::abs(p.G.nt * P.t),
                               std::abs(p.G.nt * P.n) + p.G.tt * std::abs(P.t));
  return std::max(
      {std::abs(p.approach.n), std::abs(p.approach.t), std::abs(v.n), std::abs(v.t), made});
}

double momentum_residual(const PlanarProblem& p, const Vec2& P, const Vec2& v) {
  const Vec2 r = p.approach + p.G * P - v;
  return std::max(std::abs(r.n), std::abs(r.t)) / velocity_scale(p, P, v);
}

int property_runs() {
  const char* runs = std::getenv("CAROM_PROPERTY_RUNS");
  return runs != nullptr ? std::atoi(runs) : 100'000;
}

}  // namespace carom::test
