// SPDX-License-Identifier: Apache-2.0
// Sections 3 and 4: the procedure, step by step, against the law. Section 7: the conventional
// method.
#include <papers/engine/largest.hpp>
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
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

Found three_cases() {
  const Trials& n = trials();
  return {n.same_case == n.problems && n.difference < 1e-9,
          {{"problems", n.problems},
           {"before", n.before},
           {"after", n.after},
           {"sticks", n.sticks},
           {"reverses", n.reverses},
           {"difference", n.difference},
           {"same_case", n.same_case}}};
}

Found time_of_stop() {
  return {trials().negative_F_star == 0,
          {{"grows", trials().negative_F_star}, {"problems", trials().problems}}};
}

Found tests_of_case_i() {
  return {trials().lost_by_i_c == 0, {{"lost", trials().lost_by_i_c}, {"before", trials().before}}};
}

Found tests_of_case_iii() {
  return {trials().wrong_sign_sticks == 0, {{"wrong", trials().wrong_sign_sticks}}};
}

// --- Section 7 -----------------------------------------------------------------------------------

/// How far the conventional method is from the process, over random problems of one kind.
struct Distance {
  int problems = 0;
  double greatest = 0.;  ///< of velocities, relative
};

template <class Kind>
Distance conventional_from_process(double mu_factor, double static_factor, const Kind& is_of_kind) {
  FixedRandom random(7);
  Distance d;
  for (int k = 0; k < 20000; ++k) {
    PlanarProblem p = random_problem(random);
    p.surface.friction *= mu_factor;
    p.surface.static_friction = static_factor * p.surface.friction;
    const PlanarOutcome law = process(p);
    if (!is_of_kind(law)) continue;
    ++d.problems;
    d.greatest = largest(d.greatest, apart(p, "shen-townsend", "conventional"));
  }
  return d;
}

bool any(const PlanarOutcome&) { return true; }
bool slides(const PlanarOutcome& o) { return o.mode == Mode::slides; }
bool keeps_direction(const PlanarOutcome& o) { return slides(o) || ends_in_stick(o); }

Found frictionless() {
  const Distance d = conventional_from_process(0., 1., any);
  return {d.greatest < 1e-12, {{"problems", d.problems}, {"worst", d.greatest}}};
}

Found lasting_slip() {
  const Distance d = conventional_from_process(1., 1., slides);
  const Distance held = conventional_from_process(1., 1.3, slides);
  return {d.problems > 1000 && d.greatest < 1e-12,
          {{"problems", d.problems}, {"worst", d.greatest}, {"held", held.greatest}}};
}

Found kept_direction() {
  const Distance d = conventional_from_process(1., 1., keeps_direction);
  return {d.greatest < 1e-12, {{"problems", d.problems}, {"worst", d.greatest}}};
}

}  // namespace

Computations procedure_and_discussion() {
  return {.checks = {{"three-cases", three_cases},
                     {"time-of-stop", time_of_stop},
                     {"tests-of-case-i", tests_of_case_i},
                     {"tests-of-case-iii", tests_of_case_iii},
                     {"frictionless", frictionless},
                     {"lasting-slip", lasting_slip},
                     {"kept-direction", kept_direction}}};
}

}  // namespace carom::papers::st
