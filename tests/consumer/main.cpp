// SPDX-License-Identifier: Apache-2.0
// A robot's foot strikes the ground: joint velocities after, and whether the law creates energy.
#include <cmath>
#include <cstdio>

#include <carom/laws/energetic.hpp>
#include <carom/laws/newton.hpp>
#include <carom/mechanics/planar_bodies.hpp>

int main() {
  const carom::Bar bar{.angle = 2.0943951023931953, .velocity = {0.4, -1.0}};
  const carom::Configuration at = carom::configuration(bar);
  const carom::ContactSpace contact = carom::contact_space(at);
  const carom::PlanarProblem problem{.G = contact.G,
                                     .approach = contact.approach,
                                     .surface = {.restitution = 0.5, .friction = 0.3}};
  const carom::PlanarOutcome outcome = carom::Energetic{}(problem);
  const auto after = carom::velocity_after(at, outcome.impulse);
  std::printf("%.6f %.6f %.6f\n", after(0), after(1), after(2));
  return std::abs(after(0) - 0.581992) < 1e-6 &&
                 !carom::Newton{}(problem).flags.has(carom::Verdict::energy_gained)
             ? 0
             : 1;
}
