// SPDX-License-Identifier: Apache-2.0
// Sections 3 and 4: the procedure, step by step, against the law.
#include <algorithm>

#include <fmt/format.h>

#include <carom/papers/largest.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

/// The procedure on many random problems.
struct Check {
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

Check check(int problems) {
  FixedRandom random(1998);
  Check n;
  for (; n.problems < problems; ++n.problems) {
    const PlanarProblem p = random_problem(random);
    const Collision c = *procedure(p);
    const PlanarOutcome law = solve_by("shen-townsend", p);
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
    const PlanarOutcome law = solve_by("shen-townsend", p);
    if (!is_of_kind(law)) continue;
    ++d.problems;
    d.greatest =
        largest(d.greatest, difference(p, law.velocity, solve_by("conventional", p).velocity));
  }
  return d;
}

bool any(const PlanarOutcome&) { return true; }
bool slides(const PlanarOutcome& o) { return o.mode == Mode::slides; }
bool keeps_direction(const PlanarOutcome& o) { return slides(o) || ends_in_stick(o); }

}  // namespace

Part discussion_part() {
  const Distance frictionless = conventional_from_process(0., 1., any);
  const Distance sliding = conventional_from_process(1., 1., slides);
  const Distance held = conventional_from_process(1., 1.3, slides);
  const Distance kept = conventional_from_process(1., 1., keeps_direction);
  return {.id = "Section 7",
          .title = "When the conventional method will do",
          .text = "`conventional` against `shen-townsend` on random bodies and surfaces.",
          .tables = {},
          .statements =
              {said("without friction both methods are the same", frictionless.greatest < 1e-12,
                    fmt::format("{} problems: velocities differ by at most {:.0e}, relative",
                                frictionless.problems, frictionless.greatest)),
               said("where slip lasts through the impact both methods are the same",
                    sliding.problems > 1000 && sliding.greatest < 1e-12,
                    fmt::format("{} problems with μ_s = μ: velocities differ by at most {:.0e}, "
                                "relative (with μ_s = 1.3μ by up to {:.2f}, where the conventional "
                                "method sticks)",
                                sliding.problems, sliding.greatest, held.greatest)),
               said("where slip does not change its direction both methods are comparable",
                    kept.greatest < 1e-12,
                    fmt::format("{} problems with μ_s = μ, those that stop and stick among them: "
                                "velocities differ by up to {:.2f} of the approach",
                                kept.problems, kept.greatest),
                    "ST14")},
          .pictures = {}};
}

Part procedure_part() {
  const Check n = check(20000);
  return {
      .id = "Sections 3-4",
      .title = "The procedure",
      .text =
          "Cases (i) to (iii) and their tests, written out as in the text and mended as the "
          "errata say, on random bodies and surfaces, against the law `shen-townsend`.",
      .tables = {},
      .statements =
          {said("every impact falls under one of the three cases",
                n.same_case == n.problems && n.difference < 1e-9,
                fmt::format("{} problems, {} of case (i), {} of case (iii); slip stops and sticks "
                            "in {}, reverses in {}; velocities differ from the law by at most "
                            "{:.0e}, relative, and the case is the same in {}",
                            n.problems, n.before, n.after, n.sticks, n.reverses, n.difference,
                            n.same_case)),
           said("the time t* at which slip vanishes is never negative", n.negative_F_star == 0,
                fmt::format("slip grows from the beginning in {} of {}", n.negative_F_star,
                            n.problems),
                "ST4"),
           said("the tests of case (i) as printed decide between stick and slip",
                n.lost_by_i_c == 0,
                fmt::format("in {} of {} neither (b) nor (c) holds", n.lost_by_i_c, n.before),
                "ST1"),
           said("the tests of case (iii) as printed, without absolute values, decide",
                n.wrong_sign_sticks == 0,
                fmt::format("{} problems would stick although static friction is exceeded",
                            n.wrong_sign_sticks),
                "ST3")},
      .pictures = {}};
}

}  // namespace carom::papers::st
