// SPDX-License-Identifier: Apache-2.0
// Sections 4 and 5: the complementarity problem and its solutions in closed form.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Dense>

#include <papers/engine/largest.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

// --- Eqs 27-28 -----------------------------------------------------------------------------------

/// A solution of the complementarity problem in three rows.
struct LcpSolution {
  std::array<bool, 3> positive{};  ///< which of x = (Lambda_N, Lambda_TR, xi_TL) are free
  Vec2 impulse;
};

/// y = A x + q, 0 <= y, x complementary: all eight ways, each tested by its own inequalities.
std::vector<LcpSolution> solve_by_enumeration(const PlanarProblem& p) {
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
    LcpSolution s;
    for (Eigen::Index i = 0; i < 3; ++i) {
      s.positive[static_cast<std::size_t>(i)] = ((free >> static_cast<unsigned>(i)) & 1U) != 0;
      if (!s.positive[static_cast<std::size_t>(i)]) continue;
      B.row(i) = A.row(i);
      rhs(i) = -q(i);
    }
    const Eigen::FullPivLU<Eigen::Matrix3d> lu(B);
    if (!lu.isInvertible()) continue;
    const Eigen::Vector3d x = lu.solve(rhs);
    const Eigen::Vector3d y = A * x + q;
    const double slack = 1e-11 * (1. + q.norm()) * (1. + x.norm());
    if (x.minCoeff() < -slack || y.minCoeff() < -slack) continue;
    s.impulse = {.n = x(0), .t = x(1) - mu * x(0)};  // [eq. 26]
    found.push_back(s);
  }
  return found;
}

struct LcpCheck {
  int problems = 0;
  int unique = 0;        ///< exactly one solution
  int with_impulse = 0;  ///< and its normal impulse is positive
  std::array<int, 8> by_case{};
  double difference = 0.;  ///< of the impulse from that of `moreau`, relative
};

LcpCheck check_complementarity(int problems) {
  FixedRandom random(27);
  LcpCheck c;
  for (; c.problems < problems; ++c.problems) {
    const PlanarProblem p = random_bar(random);
    const auto solutions = solve_by_enumeration(p);
    if (solutions.size() != 1) continue;
    ++c.unique;
    const LcpSolution& s = solutions.front();
    if (s.impulse.n > 0.) ++c.with_impulse;
    ++c.by_case[(s.positive[0] ? 1U : 0U) + (s.positive[1] ? 2U : 0U) + (s.positive[2] ? 4U : 0U)];
    const Vec2 P = moreau(p).impulse;
    const Vec2 d = P - s.impulse;
    c.difference = largest(c.difference, std::sqrt(dot(d, d) / dot(P, P)));
  }
  return c;
}

// --- Eqs 29-47 -----------------------------------------------------------------------------------

/// The three impact states by their own formulas, where their conditions hold.
struct State {
  Mode regime = Mode::no_impulse;
  Vec2 impulse;
  Vec2 velocity;
};

std::vector<State> states_by_formula(const PlanarProblem& p) {
  const double mu = p.surface.friction;
  const double en = p.surface.restitution;
  const double et = p.surface.tangential_restitution;
  const Vec2 v = p.approach;
  const double r = v.t / v.n;
  const double stretch = (1. + en) / (1. + et);
  std::vector<State> states;
  const auto slip = [&](double sigma, Mode regime) {
    const SlipTerms s = slip_terms(p, sigma);
    if (!(s.a > 0.) || sigma * r < sigma * s.c / s.a * stretch) return;  // eqs 33-34, 46-47
    const double normal = -(1. + en) * v.n / s.a;                        // eqs 29, 42
    states.push_back({.regime = regime,
                      .impulse = {.n = normal, .t = sigma * mu * normal},
                      .velocity = {.n = -en * v.n, .t = s.c * normal + v.t}});  // eqs 32, 45
  };
  slip(1., Mode::backward_slip);
  const SlipTerms b = slip_terms(p, 1.);
  const SlipTerms f = slip_terms(p, -1.);
  const double det = determinant(p.G);
  if (f.a * r > f.c * stretch && b.a * r < b.c * stretch) {  // eqs 40-41
    states.push_back({.regime = Mode::stick,
                      .impulse = {.n = (-p.G.tt * (1. + en) * v.n + p.G.nt * (1. + et) * v.t) / det,
                                  .t = (p.G.nt * (1. + en) * v.n - p.G.nn * (1. + et) * v.t) / det},
                      .velocity = {.n = -en * v.n, .t = -et * v.t}});  // eqs 35-38
  }
  slip(-1., Mode::forward_slip);
  return states;
}

struct FormulaCheck {
  int problems = 0;
  int one_state = 0;  ///< exactly one set of conditions holds
  int same_regime = 0;
  int stick = 0;
  int stick_with_39 = 0;                 ///< stick where eq. 39 holds, too
  double stick_with_more_friction = 0.;  ///< difference of the impulse, relative
  double difference = 0.;                ///< of velocities and impulses, relative
};

FormulaCheck check_formulas(int problems) {
  FixedRandom random(29);
  FormulaCheck c;
  for (; c.problems < problems; ++c.problems) {
    const PlanarProblem p = random_bar(random);
    const auto states = states_by_formula(p);
    if (states.size() != 1) continue;
    ++c.one_state;
    const State& s = states.front();
    const PlanarOutcome o = moreau(p);
    if (o.mode == s.regime) ++c.same_regime;
    const Vec2 dP = o.impulse - s.impulse;
    const Vec2 dv = o.velocity - s.velocity;
    c.difference = largest({c.difference, std::sqrt(dot(dP, dP) / dot(o.impulse, o.impulse)),
                            std::sqrt(dot(dv, dv) / dot(p.approach, p.approach))});
    if (s.regime != Mode::stick) continue;
    ++c.stick;
    const double stretch = (1. + p.surface.restitution) / (1. + p.surface.tangential_restitution);
    if (p.G.nt * p.approach.t / p.approach.n < p.G.tt * stretch) ++c.stick_with_39;
    PlanarProblem rough = p;
    rough.surface.friction = rough.surface.static_friction = 2. * p.surface.friction;
    const PlanarOutcome same = moreau(rough);
    if (same.mode != Mode::stick) continue;
    const Vec2 d = same.impulse - o.impulse;
    c.stick_with_more_friction =
        largest(c.stick_with_more_friction, std::sqrt(dot(d, d) / dot(o.impulse, o.impulse)));
  }
  return c;
}

/// A bar at 60 degrees, one approach for each impact state.
Table states_table() {
  Table t{.caption = "A uniform bar at 60 deg, ε_N = ε_T = 1, μ = 1/2, γ_N⁻ = −1 m/s, m = 1 kg",
          .columns = {"γ_T⁻/γ_N⁻", "impact state", "Λ_N [N s]", "Λ_T [N s]", "γ_N⁺ [m/s]",
                      "γ_T⁺ [m/s]"},
          .rows = {}};
  for (const double r : {3., 1., -3.}) {
    const PlanarProblem p = at_ratio(bar(uniform_bar, 60.), surface(1., 1., below_critical), r);
    const State s = states_by_formula(p).at(0);
    const std::string_view name = s.regime == Mode::backward_slip  ? "backward slip"
                                  : s.regime == Mode::forward_slip ? "forward slip"
                                                                   : "stick";
    t.rows.push_back({{given(fmt::format("{:g}", r)), given(std::string(name)), ours(s.impulse.n),
                       ours(s.impulse.t), ours(s.velocity.n), ours(s.velocity.t)}});
  }
  return t;
}

}  // namespace

Part complementarity_problem() {
  const LcpCheck c = check_complementarity(4000);
  const int three = c.by_case[7] + c.by_case[3] + c.by_case[1];
  return {
      .id = "Eqs 27-28",
      .title = "The complementarity problem of a bar",
      .text =
          "The problem in three rows, solved by trying all eight complementary "
          "combinations, against `moreau`, which is in closed form.",
      .tables = {},
      .statements =
          {said("an approaching bar gets a positive normal impulse", c.with_impulse == c.problems,
                fmt::format("{} of {} random bars", c.with_impulse, c.problems)),
           said("the impact is determined uniquely", c.unique == c.problems,
                fmt::format("{} of {} have exactly one solution; its impulse differs from that "
                            "of `moreau` by at most {:.1e}",
                            c.unique, c.problems, c.difference)),
           said("three of the eight combinations occur", three == c.problems,
                fmt::format("backward slip {}, stick {}, forward slip {}, any other {}",
                            c.by_case[7], c.by_case[3], c.by_case[1], c.problems - three)),
           said("`moreau` is this problem's solution", c.difference < 1e-9,
                fmt::format("impulses differ by at most {:.1e}, relative", c.difference))},
      .pictures = {}};
}

Part closed_forms() {
  const FormulaCheck c = check_formulas(4000);
  return {
      .id = "Eqs 29-47",
      .title = "Backward slip, stick and forward slip in closed form",
      .text =
          "The formulas and conditions of the three impact states, each by itself, against "
          "`moreau`. The table has no counterpart in print.",
      .tables = {states_table()},
      .statements =
          {said("exactly one of the three sets of conditions holds", c.one_state == c.problems,
                fmt::format("{} of {} random bars", c.one_state, c.problems)),
           said("its formulas give the impact", c.same_regime == c.problems && c.difference < 1e-9,
                fmt::format("same state in {} of {}; impulses and velocities differ from "
                            "`moreau` by at most {:.1e}",
                            c.same_regime, c.problems, c.difference)),
           said("in stick, condition (39) follows from (40) and (41)",
                c.stick > 0 && c.stick_with_39 == c.stick,
                fmt::format("{} of {} impacts that stick", c.stick_with_39, c.stick)),
           said("friction decides whether it sticks, and nothing of what stick does",
                c.stick > 0 && c.stick_with_more_friction < 1e-12,
                fmt::format("{} impacts that stick: with twice the friction those that still "
                            "do differ by at most {:.0e}",
                            c.stick, c.stick_with_more_friction))},
      .pictures = {}};
}

}  // namespace carom::papers::pg
