// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/sun_baruh.hpp>

#include <cassert>

#include <carom/laws/sun_baruh_process.hpp>

namespace carom {

// Flat, since a template's functions are not inlined just because they are called once.
[[gnu::flatten]] SpatialOutcome sun_baruh(const SpatialProblem& problem, Hypothesis hypothesis) {
  assert(hypothesis != Hypothesis::newton);
  SpatialOutcome outcome;
  const SpatialInputs<double> in{.problem = problem,
                                 .approach = problem.approach,
                                 .restitution = problem.surface.restitution,
                                 .friction = problem.surface.friction};
  sun_baruh_detail::Procedure<double> process(in, hypothesis, outcome);
  const double v_n = problem.approach.n;
  if (v_n < 0. || (v_n == 0. && process.grazing_jams())) {
    (void)process.run();
    return outcome;
  }
  outcome.velocity = problem.approach;
  outcome.flags.add(Verdict::no_impulse);
  return outcome;
}

}  // namespace carom
