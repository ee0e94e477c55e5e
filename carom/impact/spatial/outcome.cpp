// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/spatial/outcome.hpp>

#include <algorithm>

namespace carom {

SpatialOutcome unchanged(const Vec3& approach, Verdict why) {
  SpatialOutcome outcome;
  outcome.velocity = approach;
  outcome.flags.add(why);
  return outcome;
}

SpatialOutcome process_without_impact(const Vec3& approach, Verdict why) {
  SpatialOutcome outcome = unchanged(approach, why);
  outcome.energy.stages = StageWork{};
  return outcome;
}

void account_for_process(const StageWork& normal, double friction, double change,
                         SpatialOutcome& outcome) {
  outcome.energy = {.change = change,
                    .normal = normal.compression + normal.restitution,
                    .friction = friction,
                    .stages = normal};
  const double known_to = std::max(energy_gain_tolerance, outcome.tolerance);
  outcome.flags.add_if(change > known_to * outcome.energy.scale(), Verdict::energy_gained);
}

}  // namespace carom
