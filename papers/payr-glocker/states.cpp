// SPDX-License-Identifier: Apache-2.0
// Section 3: energy. Sections 4 and 5: the complementarity problem and its solutions in closed
// form.
#include <array>
#include <optional>

#include <Eigen/Dense>

#include <carom/laws/moreau/several.hpp>
#include <papers/payr-glocker/cases.hpp>
#include <papers/publications.hpp>

namespace carom::papers::pg {
namespace {

// --- Eq. 14 --------------------------------------------------------------------------------------

constexpr double rounding_of_identities = 1e-12;  // relative, far above what rounding does

/// Eq. 14 of a bar, relative to T-: the left side by mass matrix and generalized velocities, the
/// right side by impulses at the contact.
struct Balance {
  double gain = 0.;        ///< T+ - T-
  double residual = 0.;    ///< left side less right side
  double dissipated = 0.;  ///< Lambda.xi [eq. 15]
};

Balance balance_of_a_bar(FixedRandom& random) {
  const double eps = random(0., 1.);
  const SystemAtImpact c = at_impact(Bar{.mass = random(0.1, 10.),
                                         .half_length = random(0.1, 3.),
                                         .inertia_factor = random(0.1, 1.),
                                         .angle = random(2., 178.) * degree,
                                         .velocity = {random(-3., 3.), -random(0.1, 3.)}});
  const PlanarProblem x = planar_problem(c.problem);
  const PlanarOutcome o = moreau({x.G, x.approach, surface(eps, eps, random(0.05, 3.))});
  const Vec2& P = o.impulse;
  const Vec2 xi = o.velocity + eps * x.approach;
  const double before = c.kinetic_energy(c.u);
  const double change = c.kinetic_energy(c.velocity_after(P)) - before;
  const double by_impulse =
      dot(P, xi) / (1. + eps) - 0.5 * (1. - eps) / (1. + eps) * dot(P, x.G * P);
  return {.gain = change / before,
          .residual = std::abs(change - by_impulse) / before,
          .dissipated = dot(P, xi) / before};
}

Found never_positive(double Balance::*what) {
  constexpr int bars = 2000;
  return below(rounding_of_identities, greatest(many(bars, 14, balance_of_a_bar), what),
               {{"bars", bars}});
}

/// Energy created, relative to the work done, at two contacts at once with one coefficient for all
/// four directions, or with one for each.
double gain_of_two_contacts(FixedRandom& random, bool equal) {
  Eigen::MatrixXd A(6, 4);
  for (double& a : A.reshaped()) a = random(-1., 1.);
  const double eps = random(0., 1.);
  const auto coefficient = [&] { return equal ? eps : random(0., 1.); };
  const auto any_surface = [&] {
    return Surface{.restitution = coefficient(),
                   .friction = random(0.05, 1.5),
                   .tangential_restitution = coefficient()};
  };
  const Outcome o = solve_multi_moreau(
      {.G = BlockMatrix::from_dense(A.transpose() * A, 2),
       .approach = {-random(0.1, 2.), random(-2., 2.), -random(0.1, 2.), random(-2., 2.)},
       .surfaces = {any_surface(), any_surface()}});
  return o.energy.change / o.energy.scale();
}

/// A bar at 45 degrees with eps = 1 and more friction than any surface has.
PlanarProblem rough_bar(double r) {
  return at_ratio(bar(uniform_bar, 45.), surface(1., 1., 1e6), r);
}

/// Beyond the ratio beta/delta [eq. 39]: is energy kept, as printed? Or (PG11) does it slip?
Found large_friction_beyond(bool as_printed) {
  const PlanarOutcome o = moreau(rough_bar(4.));
  const double limit =
      threshold(0.5, 4., [](double r) { return moreau(rough_bar(r)).mode == Mode::stick; });
  const double ratio = rough_bar(4.).G.tt / rough_bar(4.).G.nt;
  const bool slips = o.mode == Mode::backward_slip && o.energy.change < -0.1;
  return {as_printed ? std::abs(o.energy.change) < rounding_of_identities
                     : slips && std::abs(limit - ratio) < 1e-4,
          values_of(o, {{"limit", limit}, {"ratio", ratio}})};
}

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

/// xi_N > 0 [eq. 28 as printed, PG5].
bool has_positive_xi(const PlanarProblem& p) {
  return moreau(p).velocity.n + p.surface.restitution * p.approach.n > 0.;
}

}  // namespace

Computations impact_states() {
  Computations paper;
  paper.checks["same-energy"] = [] { return never_positive(&Balance::residual); };
  paper.checks["impulse-dissipates"] = [] { return never_positive(&Balance::dissipated); };
  paper.checks["no-energy-created"] = []() -> Found {
    constexpr int pairs = 400;
    const auto most = [](bool equal) {
      return greatest(
          many(pairs, 15, [&](FixedRandom& r) { return gain_of_two_contacts(r, equal); }));
    };
    Found found = never_positive(&Balance::gain);
    found.holds = found.holds && most(true) < 1e-9;
    found.values.insert({{"pairs", pairs}, {"equal", most(true)}, {"unequal", most(false)}});
    return found;
  };
  paper.checks["large-friction-sticks"] = []() -> Found {
    const PlanarOutcome o = moreau(rough_bar(1.));
    const double share = o.energy.change / contact_energy(rough_bar(1.));
    return {o.mode == Mode::stick && std::abs(share) < rounding_of_identities &&
                std::abs(o.velocity.t - 1.) < rounding_of_identities,
            values_of(o, {{"share", share}})};
  };
  paper.checks["large-friction-keeps-energy"] = [] { return large_friction_beyond(true); };
  paper.checks["PG11"] = [] { return large_friction_beyond(false); };
  paper.checks["positive-impulse"] = [] { return in_all(bars_of_27(), has_impulse); };
  paper.checks["unique-impact"] = []() -> Found {
    const auto is_unique = [](const PlanarProblem& p) { return unique_solution(p).has_value(); };
    return in_all(bars_of_27(), is_unique, {{"worst", moreau_apart_from_lcp()}});
  };
  // Free in backward slip are all three, in stick Lambda_N and Lambda_TR, in forward slip Lambda_N.
  paper.checks["three-combinations"] = []() -> Found {
    std::array<int, 8> n{};
    for (const PlanarProblem& p : bars_of_27()) {
      if (const auto solution = unique_solution(p)) ++n[solution->free];
    }
    const int other = bars - n[7] - n[3] - n[1];
    return {other == 0, {{"backward", n[7]}, {"stick", n[3]}, {"forward", n[1]}, {"other", other}}};
  };
  paper.checks["moreau-solves-it"] = [] { return below(1e-9, moreau_apart_from_lcp()); };
  paper.checks["one-state"] = [] { return in_all(bars_of_29(), has_state); };
  paper.checks["formulas-of-states"] = []() -> Found {
    const double worst = greatest(bars_of_29(), [](const PlanarProblem& p) {
      const State s = state_by_formula(p);
      const PlanarOutcome o = moreau(p);
      return largest(apart(o.impulse, s.impulse, o.impulse),
                     apart(o.velocity, s.velocity, p.approach));
    });
    const auto same = [](const auto& p) { return state_by_formula(p).regime == moreau(p).mode; };
    return in_all(bars_of_29(), same, {{"worst", worst}}, worst < 1e-9);
  };
  paper.checks["condition-39"] = [] { return in_all(bars_that_stick(), has_39); };
  paper.checks["stick-without-friction"] = []() -> Found {
    const double worst = greatest(bars_that_stick(), [](PlanarProblem p) {
      const Vec2 P = moreau(p).impulse;
      p.surface.friction *= 2.;
      p.surface.static_friction *= 2.;
      const PlanarOutcome o = moreau(p);
      return o.mode == Mode::stick ? apart(o.impulse, P, P) : 0.;
    });
    return below(1e-12, worst, {{"stick", bars_that_stick().size()}});
  };
  paper.checks["PG5"] = [] { return in_none(many(1000, 5, random_bar), has_positive_xi); };
  // A bar at 60 degrees, one approach for each impact state.
  paper.tables["states"] = [](const Row& row) -> Computed {
    const State s = state_by_formula(
        at_ratio(bar(uniform_bar, 60.), surface(1., 1., below_critical), row.number("γ_T⁻/γ_N⁻")));
    Computed cells = impact_row(s.impulse, s.velocity);
    cells.emplace_back("impact state", state_name(s.regime));
    return cells;
  };
  return paper;
}

}  // namespace carom::papers::pg

carom::papers::Computations carom::papers::payr_glocker() {
  return merged({pg::impact_states(), pg::regimes(), pg::ratios(), pg::spheres()});
}
