// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/impact/planar/problem.hpp>

/// The problems that the benchmarks solve, and how far two answers are apart.
namespace carom::benchmarks {

inline constexpr std::size_t problem_count = 65'536;

/// SplitMix64: the same problems in every run.
class Random {
 public:
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool chance(double p) { return uniform(0., 1.) < p; }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 0;
};

/// Bodies of all shapes, now and then nearly locked; oblique blows; rough and smooth surfaces.
inline PlanarProblem random_problem(Random& random) {
  double rho = random.uniform(-1., 1.);  // correlation of the two directions
  if (random.chance(0.1)) rho = std::copysign(1. - std::pow(10., random.uniform(-4., -1.)), rho);
  const double nn = std::pow(10., random.uniform(-1., 1.));
  const double tt = nn * std::pow(10., random.uniform(-1., 1.));
  const double incidence = random.uniform(-1.5, 1.5);
  const double mu = random.uniform(0., 1.5);
  PlanarProblem p;
  p.G = {.nn = nn, .nt = rho * std::sqrt(nn * tt), .tt = tt};
  p.approach = {.n = -std::cos(incidence), .t = random.chance(0.05) ? 0. : std::sin(incidence)};
  p.surface = {.restitution = random.uniform(0., 1.),
               .friction = mu,
               .static_friction = random.chance(0.5) ? mu : mu * random.uniform(1., 1.5),
               .tangential_restitution = random.uniform(0., 1.),
               .compliance_ratio = std::pow(10., random.uniform(-1., 1.)) * tt / nn};
  return p;
}

inline const std::vector<PlanarProblem>& problems() {
  static const std::vector<PlanarProblem> all = [] {
    Random random;
    std::vector<PlanarProblem> made(problem_count);
    for (PlanarProblem& p : made) p = random_problem(random);
    return made;
  }();
  return all;
}

/// How far two answers are apart, relative to the impulse and to the velocities that it makes.
template <class A, class B>
double distance(const PlanarProblem& p, const A& a, const B& b) {
  const auto size = [](const Vec2& x) { return std::max(std::abs(x.n), std::abs(x.t)); };
  if (a.impulse == Vec2{}) return b.impulse == Vec2{} ? 0. : 1.;  // no solution
  const Vec2 made{.n = p.G.nn * std::abs(a.impulse.n) + std::abs(p.G.nt * a.impulse.t),
                  .t = std::abs(p.G.nt * a.impulse.n) + p.G.tt * std::abs(a.impulse.t)};
  const double scale = std::max({size(p.approach), size(a.velocity), size(made)});
  return std::max(size(a.impulse - b.impulse) / size(a.impulse),
                  size(a.velocity - b.velocity) / scale);
}

inline constexpr double tolerance = 1e-9;  // rounding, grown by the worst conditioned G

}  // namespace carom::benchmarks
