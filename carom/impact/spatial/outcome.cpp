// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/spatial/outcome.hpp>

namespace carom {

SpatialOutcome unchanged(const Vec3& approach, Verdict why) {
  SpatialOutcome outcome;
  outcome.velocity = approach;
  outcome.flags.add(why);
  return outcome;
}

}  // namespace carom
