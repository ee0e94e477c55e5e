// SPDX-License-Identifier: Apache-2.0
// Sections 3 and 4: the procedure, step by step, against the law. Section 7: the conventional
// method.
#include <papers/publications.hpp>
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers {
namespace st {

std::optional<Collision> procedure(const PlanarProblem& p, const Reading& as) {
  const Sym2& G = p.G;
  const Vec2& v = p.approach;
  const double mu = p.surface.friction;
  const double mu_s = p.surface.static_friction;
  const double e = p.surface.restitution;
  // Without slip before, that which would begin (ST5).
  const double s = v.t != 0. ? sign(v.t) : -sign(G.nt);
  const double first = -mu * s;          // P_t/P_n while slipping as at first
  const auto rate = [&](double ratio) {  // of the velocity, for a unit of F
    return Vec2{.n = G.nn + ratio * G.nt, .t = G.nt + ratio * G.tt};
  };
  Collision c;

  // Eqs 15-17: slip vanishes after F*.
  c.F_star = -v.t / rate(first).t;
  c.u_n_star = v.n + c.F_star * rate(first).n;
  const bool never = !(c.F_star >= 0.) || !std::isfinite(c.F_star);
  if (never && !as.any_t_star) {
    c.F_star = std::numeric_limits<double>::infinity();
    c.kase = ShenTownsendCase::iii;
  } else {
    c.kase = c.u_n_star < 0.   ? ShenTownsendCase::i
             : c.u_n_star > 0. ? ShenTownsendCase::iii
                               : ShenTownsendCase::ii;
  }

  // Eqs 19-22: what stick needs, and whether static friction can give it.
  c.needed = s * G.nt / G.tt;
  const bool case_iii = c.kase == ShenTownsendCase::iii;
  const double held = as.signed_ratio && case_iii ? c.needed : std::abs(c.needed);
  c.sticks = held <= mu_s;  // equality: stick (ST6)
  const bool may_slip = as.slips_if_below && c.kase == ShenTownsendCase::i ? held < mu_s : true;
  const double after = c.sticks ? -G.nt / G.tt : mu * s;

  if (case_iii) {
    c.F_c = -v.n / rate(first).n;  // eqs 12-13, 31
    c.F_s = (1. + e) * c.F_c;
    c.stops = c.F_star < c.F_s;
    const double slipping = c.stops ? c.F_star : c.F_s;
    const double rest = c.F_s - slipping;  // eqs 32-38
    c.impulse = {.n = c.F_s, .t = first * slipping + after * rest};
    c.sticks = c.sticks && c.stops;
  } else {
    if (!c.sticks && !may_slip) return std::nullopt;
    c.stops = true;
    c.F_c = c.F_star - c.u_n_star / rate(after).n;  // eqs 18 or 23-24
    c.F_s = (1. + e) * c.F_c;
    c.impulse = {.n = c.F_s, .t = first * c.F_star + after * (c.F_s - c.F_star)};  // eqs 25-30
    if (as.friction_of_one && c.kase == ShenTownsendCase::ii && !c.sticks) {
      c.impulse.t = first * c.F_star + s * e * c.F_c;
    }
  }
  c.velocity = v + G * c.impulse;
  return c;
}

namespace {

/// The procedure on many random problems.
struct Trials {
  int problems = 0;
  int before = 0;  ///< case i
  int after = 0;   ///< case iii
  int sticks = 0;
  int reverses = 0;
  int negative_F_star = 0;    ///< slip grows: there is no F* (ST4)
  int same_case = 0;          ///< as the law's
  int lost_by_i_c = 0;        ///< ST1: no branch is left
  int wrong_sign_sticks = 0;  ///< ST3: stick although static friction is exceeded
  double difference = 0.;     ///< from `shen-townsend`, relative
};

Trials tried() {
  FixedRandom random(1998);
  Trials n;
  for (; n.problems < 20000; ++n.problems) {
    const PlanarProblem p = random_problem(random);
    const Collision c = *procedure(p);
    const PlanarOutcome law = process(p);
    n.difference = largest(n.difference, difference(p, c.velocity, law.velocity));
    if (shen_townsend_case(law) == c.kase) ++n.same_case;
    ++(c.kase == ShenTownsendCase::i ? n.before : n.after);
    if (c.stops) ++(c.sticks ? n.sticks : n.reverses);
    const double s = p.approach.t > 0. ? 1. : -1.;
    if (s * p.G.nt > p.surface.friction * p.G.tt) ++n.negative_F_star;
    if (!procedure(p, {.slips_if_below = true})) ++n.lost_by_i_c;
    const auto printed = procedure(p, {.signed_ratio = true});
    if (c.kase == ShenTownsendCase::iii && c.stops && !c.sticks && printed->sticks) {
      ++n.wrong_sign_sticks;
    }
  }
  return n;
}

const Trials& trials() {
  static const Trials n = tried();
  return n;
}

// --- Section 7 -----------------------------------------------------------------------------------

/// How far the conventional method is from the process, over random problems of one kind: of
/// velocities, relative.
Extent conventional_from_process(double mu_factor, double static_factor,
                                 bool (*is_of_kind)(const PlanarOutcome&)) {
  Extent d;
  for (PlanarProblem p : many(20000, 7, random_problem)) {
    p.surface.friction *= mu_factor;
    p.surface.static_friction = static_factor * p.surface.friction;
    if (is_of_kind(process(p))) d.add(apart(p, "shen-townsend", "conventional"));
  }
  return d;
}

bool any(const PlanarOutcome&) { return true; }
bool slides(const PlanarOutcome& o) { return o.mode == Mode::slides; }
bool keeps_direction(const PlanarOutcome& o) { return slides(o) || ends_in_stick(o); }

}  // namespace
}  // namespace st

Computations shen_townsend() {
  using namespace st;
  Computations paper = merged({pendulums(), two_spheres(), errata()});
  paper.checks["three-cases"] = []() -> Found {
    const Trials& n = trials();
    return {n.same_case == n.problems && n.difference < 1e-9,
            {{"problems", n.problems},
             {"before", n.before},
             {"after", n.after},
             {"sticks", n.sticks},
             {"reverses", n.reverses},
             {"difference", n.difference},
             {"same_case", n.same_case}}};
  };
  paper.checks["time-of-stop"] = []() -> Found {
    return {trials().negative_F_star == 0,
            {{"grows", trials().negative_F_star}, {"problems", trials().problems}}};
  };
  paper.checks["tests-of-case-i"] = []() -> Found {
    return {trials().lost_by_i_c == 0,
            {{"lost", trials().lost_by_i_c}, {"before", trials().before}}};
  };
  paper.checks["tests-of-case-iii"] = []() -> Found {
    return {trials().wrong_sign_sticks == 0, {{"wrong", trials().wrong_sign_sticks}}};
  };
  paper.checks["frictionless"] = []() -> Found {
    const Extent d = conventional_from_process(0., 1., any);
    return {d.most < 1e-12, {{"problems", d.count()}, {"worst", d.most}}};
  };
  paper.checks["lasting-slip"] = []() -> Found {
    const Extent d = conventional_from_process(1., 1., slides);
    const Extent held = conventional_from_process(1., 1.3, slides);
    return {d.count() > 1000 && d.most < 1e-12,
            {{"problems", d.count()}, {"worst", d.most}, {"held", held.most}}};
  };
  paper.checks["kept-direction"] = []() -> Found {
    const Extent d = conventional_from_process(1., 1., keeps_direction);
    return {d.most < 1e-12, {{"problems", d.count()}, {"worst", d.most}}};
  };
  return paper;
}

}  // namespace carom::papers
