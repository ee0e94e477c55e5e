// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/brach_system.hpp>

#include <cmath>

#include <carom/core/stick.hpp>
#include <carom/core/tangent.hpp>
#include <carom/impact/planar/problem.hpp>

namespace carom {
namespace {

double unit_of(double mobility) { return mobility > 0. ? 1. / std::sqrt(mobility) : 1.; }

/// Without couples [Brach 1998, eqs 8-9].
BrachState solve_point_contact(const SpatialProblem& p, const BrachNumbers& x) {
  const auto& [G, v, surface, spin] = p;
  BrachState s;
  s.spin = spin.approach;
  const double target_n = -x.e_n * v.n;
  const double b_n = v.n - target_n;
  if (x.by_ratio) {
    const Tangent ratio{.t1 = x.tangential[0], .t2 = x.tangential[1]};
    const double coupled = dot(coupling(G), ratio);
    const double slope = G.nn + coupled;
    const double parts = G.nn + magnitude(G.n1 * ratio.t1) + magnitude(G.n2 * ratio.t2);
    if (!(magnitude(slope) > rounding * parts)) return s;
    const double normal = -b_n / slope;
    s.impulse = joined(normal, normal * ratio);
    s.velocity =
        joined(target_n, tangential(v) + normal * (coupling(G) + tangential_product(G, ratio)));
    s.regular = true;
    return s;
  }
  const Tangent target{.t1 = -x.tangential[0] * v.t1, .t2 = -x.tangential[1] * v.t2};
  const Tangent b = tangential(v) - target;
  const StickSlopes stick(G);
  if (stick.locks || !stick.inverse.reaches(b, range_tolerance)) return s;
  const double normal = -(b_n - dot(stick.ratio, b)) / stick.normal;
  s.impulse = joined(normal, -1. * (stick.inverse * b + normal * stick.ratio));
  s.velocity = joined(target_n, target);
  s.regular = true;
  return s;
}

}  // namespace

bool has_couples(const SpatialProblem& problem) {
  if (!problem.spin.known) return false;
  return problem.surface.has_couples(3);
}

BrachNumbers with_moments(const SpatialProblem& problem, double e_n, bool by_ratio,
                          const std::array<double, 2>& tangential) {
  BrachNumbers x{.e_n = e_n, .by_ratio = by_ratio, .tangential = tangential};
  if (!has_couples(problem)) return x;
  x.by_moment_ratio = problem.surface.has_moment_ratio();
  x.moment = problem.surface.moment;
  return x;
}

BrachSystem::BrachSystem(const SpatialProblem& problem, const BrachNumbers& numbers)
    : problem_(problem), numbers_(numbers) {
  const Sym3& G = problem.G;
  const Sym3& S = problem.spin.G;
  const Mat3& C = problem.spin.cross;
  const Vec3& v = problem.approach;
  const Vec3& w = problem.spin.approach;
  const Matrix all{{{G.nn, G.n1, G.n2, C[0][0], C[0][1], C[0][2]},
                    {G.n1, G.t11, G.t12, C[1][0], C[1][1], C[1][2]},
                    {G.n2, G.t12, G.t22, C[2][0], C[2][1], C[2][2]},
                    {C[0][0], C[1][0], C[2][0], S.nn, S.n1, S.n2},
                    {C[0][1], C[1][1], C[2][1], S.n1, S.t11, S.t12},
                    {C[0][2], C[1][2], C[2][2], S.n2, S.t12, S.t22}}};
  const Vector before{v.n, v.t1, v.t2, w.n, w.t1, w.t2};
  for (std::size_t i = 0; i < 6; ++i) {
    scale_[i] = unit_of(all[i][i]);
    approach_[i] = before[i] * scale_[i];
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) mobility_[i][j] = all[i][j] * scale_[i] * scale_[j];
  }
  const Vec3& I = problem.spin.inertia;
  inertia_ = {I.n * S.nn, I.t1 * S.t11, I.t2 * S.t22};

  matrix_[0] = mobility_[0];
  right_[0] = -(1. + numbers.e_n) * approach_[0];
  for (std::size_t i = 1; i < 3; ++i) {
    const double x = numbers.tangential[i - 1];
    if (numbers.by_ratio) {
      matrix_[i][i] = 1.;
      matrix_[i][0] = -x * scale_[0] / scale_[i];
    } else {
      matrix_[i] = mobility_[i];
      right_[i] = -(1. + x) * approach_[i];
    }
  }
  for (std::size_t i = 3; i < 6; ++i) {
    const double x = numbers.moment[i - 3];
    const double inertia = inertia_[i - 3];
    if (numbers.by_moment_ratio) {
      matrix_[i][i] = 1.;
      matrix_[i][0] = -x * scale_[0] / scale_[i];
    } else if (inertia > 0.) {
      for (std::size_t j = 0; j < 6; ++j) matrix_[i][j] = -(1. + x) * inertia * mobility_[i][j];
      matrix_[i][i] += x;
      right_[i] = (1. + x) * inertia * approach_[i];
    } else {
      matrix_[i][i] = 1.;  // the body does not rotate about this axis: no couple
    }
  }
}

BrachSystem::Derivative BrachSystem::derivative(std::size_t row) const {
  Derivative d;
  const bool ratio =
      (row > 0 && row < 3 && numbers_.by_ratio) || (row > 2 && numbers_.by_moment_ratio);
  if (ratio) {
    d.slope[0] = -scale_[0] / scale_[row];
  } else if (row < 3) {
    d.shift = -approach_[row];
  } else if (inertia_[row - 3] > 0.) {
    const double inertia = inertia_[row - 3];
    for (std::size_t j = 0; j < 6; ++j) d.slope[j] = -inertia * mobility_[row][j];
    d.slope[row] += 1.;
    d.shift = inertia * approach_[row];
  }
  return d;
}

BrachState BrachSystem::state(const Vector& z) const {
  BrachState s;
  Vector after{};
  for (std::size_t i = 0; i < 6; ++i) {
    after[i] = approach_[i];
    for (std::size_t j = 0; j < 6; ++j) after[i] += mobility_[i][j] * z[j];
    after[i] /= scale_[i];
  }
  s.impulse = {.n = z[0] * scale_[0], .t1 = z[1] * scale_[1], .t2 = z[2] * scale_[2]};
  s.couple = {.n = z[3] * scale_[3], .t1 = z[4] * scale_[4], .t2 = z[5] * scale_[5]};
  s.velocity = {.n = after[0], .t1 = after[1], .t2 = after[2]};
  s.spin = {.n = after[3], .t1 = after[4], .t2 = after[5]};
  // Set the values that the coefficients prescribe, so that rounding does not change them.
  const Vec3& v = problem_.approach;
  s.velocity.n = -numbers_.e_n * v.n;
  if (!numbers_.by_ratio) {
    s.velocity.t1 = -numbers_.tangential[0] * v.t1;
    s.velocity.t2 = -numbers_.tangential[1] * v.t2;
  }
  s.regular = true;
  return s;
}

BrachState solve_brach(const SpatialProblem& problem, const BrachNumbers& numbers) {
  if (!has_couples(problem)) return solve_point_contact(problem, numbers);
  const BrachSystem system(problem, numbers);
  const LinearSystem<6> equations(system.matrix());
  if (!equations.regular()) return {};
  return system.state(equations.solve(system.right()));
}

CriticalRatios critical_ratios(const SpatialProblem& problem, double e_n) {
  CriticalRatios c;
  const BrachState stop = solve_brach(problem, with_moments(problem, e_n, false, {0., 0.}));
  if (stop.regular) {
    const Vec3& P = stop.impulse;
    c.direction = {P.t1, P.t2};
    c.exist = P.n > rounding * (magnitude(P.t1) + magnitude(P.t2));
    if (c.exist) c.ratio = {P.t1 / P.n, P.t2 / P.n};
    return c;
  }
  const BrachState smooth = solve_brach(problem, with_moments(problem, e_n, true, {0., 0.}));
  if (smooth.regular) c.direction = {-smooth.velocity.t1, -smooth.velocity.t2};
  return c;
}

}  // namespace carom
