// SPDX-License-Identifier: Apache-2.0
// Sections 4 and 5: the complementarity problem and its solutions in closed form.
#include <array>
#include <cmath>
#include <optional>

#include <Eigen/Dense>

#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

constexpr int bars = 4000;

// --- Eqs 27-28 -----------------------------------------------------------------------------------

/// The solution of the complementarity problem in three rows, y = A x + q, 0 <= x, y.
struct LcpSolution {
  unsigned free = 0;  ///< bits: which of x = (Lambda_N, Lambda_TR, xi_TL) are not zero
  Vec2 impulse;
};

/// All eight complementary ways, each tested by its own inequalities. Empty unless one alone is a
/// solution.
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

/// Its impulse; none: zero.
Vec2 lcp_impulse(const PlanarProblem& p) {
  return unique_solution(p).value_or(LcpSolution{}).impulse;
}

std::vector<PlanarProblem> bars_of_27() { return many(bars, 27, random_bar); }

double moreau_apart_from_lcp() {
  return greatest(bars_of_27(), [](const PlanarProblem& p) {
    const Vec2 P = moreau(p).impulse;
    return apart(P, lcp_impulse(p), P);
  });
}

bool has_impulse(const PlanarProblem& p) { return lcp_impulse(p).n > 0.; }

Found unique_impact() {
  const auto is_unique = [](const PlanarProblem& p) { return unique_solution(p).has_value(); };
  return in_all(bars_of_27(), is_unique, {{"worst", moreau_apart_from_lcp()}});
}

/// Free in backward slip are all three, in stick Lambda_N and Lambda_TR, in forward slip Lambda_N.
Found three_combinations() {
  std::array<int, 8> n{};
  for (const PlanarProblem& p : bars_of_27()) {
    if (const auto solution = unique_solution(p)) ++n[solution->free];
  }
  const int other = bars - n[7] - n[3] - n[1];
  return {other == 0, {{"backward", n[7]}, {"stick", n[3]}, {"forward", n[1]}, {"other", other}}};
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
  for (const double sigma : {1., -1.}) {  // eqs 40-41
    const SlipTerms s = slip_terms(p.G, p.surface.friction, sigma);
    if (sigma * s.a * (v.t / v.n) >= sigma * s.c * stretch(p.surface)) return std::nullopt;
  }
  const double det = determinant(p.G);
  return State{.regime = Mode::stick,
               .impulse = {.n = (-p.G.tt * (1. + en) * v.n + p.G.nt * (1. + et) * v.t) / det,
                           .t = (p.G.nt * (1. + en) * v.n - p.G.nn * (1. + et) * v.t) / det},
               .velocity = {.n = -en * v.n, .t = -et * v.t}};  // eqs 35-38
}

/// The impact state whose conditions hold; no impulse unless there is exactly one.
State state_by_formula(const PlanarProblem& p) {
  const auto states = those(std::vector{slip(p, 1.), stick(p), slip(p, -1.)},
                            [](const auto& state) { return state.has_value(); });
  return states.size() == 1 ? *states[0] : State{};
}

std::vector<PlanarProblem> bars_of_29() { return many(bars, 29, random_bar); }

std::vector<PlanarProblem> bars_that_stick() {
  return those(bars_of_29(), [](const PlanarProblem& p) { return stick(p).has_value(); });
}

bool has_state(const PlanarProblem& p) { return state_by_formula(p).regime != Mode::no_impulse; }

/// Eq. 39.
bool has_39(const PlanarProblem& p) {
  return p.G.nt * p.approach.t / p.approach.n < p.G.tt * stretch(p.surface);
}

Found formulas_of_states() {
  const double worst = greatest(bars_of_29(), [](const PlanarProblem& p) {
    const State s = state_by_formula(p);
    const PlanarOutcome o = moreau(p);
    return largest(apart(o.impulse, s.impulse, o.impulse),
                   apart(o.velocity, s.velocity, p.approach));
  });
  const auto same = [](const auto& p) { return state_by_formula(p).regime == moreau(p).mode; };
  return in_all(bars_of_29(), same, {{"worst", worst}}, worst < 1e-9);
}

Found stick_without_friction() {
  const double worst = greatest(bars_that_stick(), [](PlanarProblem p) {
    const Vec2 P = moreau(p).impulse;
    p.surface.friction *= 2.;
    p.surface.static_friction *= 2.;
    const PlanarOutcome o = moreau(p);
    return o.mode == Mode::stick ? apart(o.impulse, P, P) : 0.;
  });
  return below(1e-12, worst, {{"stick", bars_that_stick().size()}});
}

/// A bar at 60 degrees, one approach for each impact state.
Computed row_of_states(const Row& row) {
  const State s = state_by_formula(
      at_ratio(bar(uniform_bar, 60.), surface(1., 1., below_critical), row.number("γ_T⁻/γ_N⁻")));
  Computed cells = impact_row(s.impulse, s.velocity);
  cells.emplace_back("impact state", state_name(s.regime));
  return cells;
}

/// xi_N > 0 [eq. 28 as printed, PG5].
bool has_positive_xi(const PlanarProblem& p) {
  return moreau(p).velocity.n + p.surface.restitution * p.approach.n > 0.;
}

}  // namespace

Computations impact_states() {
  return {.checks = {{"positive-impulse", [] { return in_all(bars_of_27(), has_impulse); }},
                     {"unique-impact", unique_impact},
                     {"three-combinations", three_combinations},
                     {"moreau-solves-it", [] { return below(1e-9, moreau_apart_from_lcp()); }},
                     {"one-state", [] { return in_all(bars_of_29(), has_state); }},
                     {"formulas-of-states", formulas_of_states},
                     {"condition-39", [] { return in_all(bars_that_stick(), has_39); }},
                     {"stick-without-friction", stick_without_friction},
                     {"PG5", [] { return in_none(many(1000, 5, random_bar), has_positive_xi); }}},
          .tables = {{"states", row_of_states}}};
}

}  // namespace carom::papers::pg
