// SPDX-License-Identifier: Apache-2.0
// Sections 4 and 5: the complementarity problem and its solutions in closed form.
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <Eigen/Dense>

#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

using Bars = std::vector<PlanarProblem>;
constexpr int bars = 4000;
constexpr double infinity = std::numeric_limits<double>::infinity();

// --- Eqs 27-28 -----------------------------------------------------------------------------------

/// A solution of the complementarity problem in three rows.
struct LcpSolution {
  unsigned free = 0;  ///< bits: which of x = (Lambda_N, Lambda_TR, xi_TL) are not zero
  Vec2 impulse;
};

/// y = A x + q, 0 <= y, x complementary: all eight ways, each tested by its own inequalities.
/// Empty unless exactly one of them is a solution.
std::optional<LcpSolution> unique_solution(const PlanarProblem& p) {
  const double mu = p.surface.friction;
  const Sym2& G = p.G;
  Eigen::Matrix3d A;
  A << G.nn - mu * G.nt, G.nt, 0., G.nt - mu * G.tt, G.tt, 1., 2. * mu, -1., 0.;  // [eq. 27]
  const Eigen::Vector3d q{(1. + p.surface.restitution) * p.approach.n,
                          (1. + p.surface.tangential_restitution) * p.approach.t, 0.};
  std::vector<LcpSolution> found;
  for (unsigned free = 0; free < 8; ++free) {
    // Rows of free x say y = 0, the others x = 0.
    Eigen::Matrix3d B = Eigen::Matrix3d::Identity();
    Eigen::Vector3d rhs = Eigen::Vector3d::Zero();
    for (Eigen::Index i = 0; i < 3; ++i) {
      if (((free >> static_cast<unsigned>(i)) & 1U) == 0) continue;
      B.row(i) = A.row(i);
      rhs(i) = -q(i);
    }
    const Eigen::FullPivLU<Eigen::Matrix3d> lu(B);
    if (!lu.isInvertible()) continue;
    const Eigen::Vector3d x = lu.solve(rhs);
    const Eigen::Vector3d y = A * x + q;
    const double slack = 1e-11 * (1. + q.norm()) * (1. + x.norm());
    if (x.minCoeff() < -slack || y.minCoeff() < -slack) continue;
    found.push_back({free, {.n = x(0), .t = x(1) - mu * x(0)}});  // [eq. 26]
  }
  return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
}

Bars bars_of_27() { return many(bars, 27, random_bar); }

Found positive_impulse() {
  return in_all(bars_of_27(), [](const PlanarProblem& p) {
    const auto solution = unique_solution(p);
    return solution && solution->impulse.n > 0.;
  });
}

/// Of impulses, relative.
double apart_from_moreau() {
  return greatest(bars_of_27(), [](const PlanarProblem& p) {
    const auto solution = unique_solution(p);
    const Vec2 P = moreau(p).impulse;
    return solution ? apart(P, solution->impulse, P) : infinity;
  });
}

Found unique_impact() {
  return in_all(bars_of_27(), [](const PlanarProblem& p) { return unique_solution(p).has_value(); },
                {{"worst", apart_from_moreau()}});
}

Found three_combinations() {
  std::array<int, 8> n{};
  for (const PlanarProblem& p : bars_of_27()) {
    if (const auto solution = unique_solution(p)) ++n[solution->free];
  }
  const int other = bars - n[7] - n[3] - n[1];
  return {other == 0, {{"backward", n[7]}, {"stick", n[3]}, {"forward", n[1]}, {"other", other}}};
}

Found moreau_solves_it() {
  const double worst = apart_from_moreau();
  return {worst < 1e-9, {{"worst", worst}}};
}

// --- Eqs 29-47 -----------------------------------------------------------------------------------

struct State {
  Mode regime = Mode::no_impulse;
  Vec2 impulse;
  Vec2 velocity;
};

/// (1 + eps_N)/(1 + eps_T).
double stretch(const Surface& s) { return (1. + s.restitution) / (1. + s.tangential_restitution); }

/// Backward slip, sigma = 1, or forward slip, sigma = -1, where its conditions hold.
std::optional<State> slip(const PlanarProblem& p, double sigma) {
  const Vec2& v = p.approach;
  const double e = p.surface.restitution;
  const SlipTerms s = slip_terms(p.G, p.surface.friction, sigma);
  const double limit = sigma * s.c / s.a * stretch(p.surface);
  if (!(s.a > 0.) || sigma * (v.t / v.n) < limit) return std::nullopt;  // eqs 33-34, 46-47
  const double normal = -(1. + e) * v.n / s.a;                          // eqs 29, 42
  return State{.regime = sigma > 0. ? Mode::backward_slip : Mode::forward_slip,
               .impulse = {.n = normal, .t = sigma * p.surface.friction * normal},
               .velocity = {.n = -e * v.n, .t = s.c * normal + v.t}};  // eqs 32, 45
}

/// Stick, where its conditions hold.
std::optional<State> stick(const PlanarProblem& p) {
  const Vec2& v = p.approach;
  const double en = p.surface.restitution;
  const double et = p.surface.tangential_restitution;
  const auto beyond = [&](double sigma) {  // eqs 40-41
    const SlipTerms s = slip_terms(p.G, p.surface.friction, sigma);
    return sigma * s.a * (v.t / v.n) >= sigma * s.c * stretch(p.surface);
  };
  if (beyond(1.) || beyond(-1.)) return std::nullopt;
  const double det = determinant(p.G);
  return State{.regime = Mode::stick,
               .impulse = {.n = (-p.G.tt * (1. + en) * v.n + p.G.nt * (1. + et) * v.t) / det,
                           .t = (p.G.nt * (1. + en) * v.n - p.G.nn * (1. + et) * v.t) / det},
               .velocity = {.n = -en * v.n, .t = -et * v.t}};  // eqs 35-38
}

/// The impact state whose conditions hold; empty unless there is exactly one.
std::optional<State> state_by_formula(const PlanarProblem& p) {
  std::optional<State> found;
  for (const auto& state : {slip(p, 1.), stick(p), slip(p, -1.)}) {
    if (state && found) return std::nullopt;
    if (state) found = state;
  }
  return found;
}

Bars bars_of_29() { return many(bars, 29, random_bar); }

Found one_state() {
  return in_all(bars_of_29(),
                [](const PlanarProblem& p) { return state_by_formula(p).has_value(); });
}

/// Of velocities and impulses, relative.
double formula_apart_from_moreau(const PlanarProblem& p) {
  const auto s = state_by_formula(p);
  const PlanarOutcome o = moreau(p);
  return s ? largest(apart(o.impulse, s->impulse, o.impulse),
                     apart(o.velocity, s->velocity, p.approach))
           : infinity;
}

Found formulas_of_states() {
  const double worst = greatest(bars_of_29(), formula_apart_from_moreau);
  const auto same = [](const PlanarProblem& p) {
    const auto s = state_by_formula(p);
    return s && s->regime == moreau(p).mode;
  };
  Found found = in_all(bars_of_29(), same, {{"worst", worst}});
  found.holds = found.holds && worst < 1e-9;
  return found;
}

Bars bars_that_stick() {
  return those(bars_of_29(), [](const PlanarProblem& p) { return stick(p).has_value(); });
}

Found condition_39() {
  return in_all(bars_that_stick(), [](const PlanarProblem& p) {
    return p.G.nt * p.approach.t / p.approach.n < p.G.tt * stretch(p.surface);
  });
}

Found stick_without_friction() {
  const double worst = greatest(bars_that_stick(), [](const PlanarProblem& p) {
    PlanarProblem rough = p;
    rough.surface.friction = rough.surface.static_friction = 2. * p.surface.friction;
    const PlanarOutcome o = moreau(rough);
    const Vec2 P = moreau(p).impulse;
    return o.mode == Mode::stick ? apart(o.impulse, P, P) : 0.;
  });
  return {worst < 1e-12, {{"stick", bars_that_stick().size()}, {"worst", worst}}};
}

/// A bar at 60 degrees, one approach for each impact state.
Computed row_of_states(const Row& row) {
  const State s = *state_by_formula(
      at_ratio(bar(uniform_bar, 60.), surface(1., 1., below_critical), row.number("γ_T⁻/γ_N⁻")));
  Computed cells = impact_row(s.impulse, s.velocity);
  cells.emplace_back("impact state", state_name(s.regime));
  return cells;
}

/// PG5: with the strict sign of (28) no impact would be allowed.
Found strict_inequality() {
  return in_none(many(1000, 5, random_bar), [](const PlanarProblem& p) {
    return moreau(p).velocity.n + p.surface.restitution * p.approach.n > 0.;
  });
}

}  // namespace

Computations impact_states() {
  return {.checks = {{"positive-impulse", positive_impulse},
                     {"unique-impact", unique_impact},
                     {"three-combinations", three_combinations},
                     {"moreau-solves-it", moreau_solves_it},
                     {"one-state", one_state},
                     {"formulas-of-states", formulas_of_states},
                     {"condition-39", condition_39},
                     {"stick-without-friction", stick_without_friction},
                     {"PG5", strict_inequality}},
          .tables = {{"states", row_of_states}}};
}

}  // namespace carom::papers::pg
