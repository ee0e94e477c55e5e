// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace carom::scenario {

/// A number of a scenario, or one derived from it, that is to vary.
struct VariedNumber {
  std::string path;   ///< "system.angle_deg", "surface.friction", or derived: "approach_ratio"
  double from = 0.;   ///< the value that it has first
  double to = 0.;     ///< the other end of its range
  std::string field;  ///< for errors: "map.x", "--x"
  std::string place;  ///< file:line:column; empty for the command line
};

}  // namespace carom::scenario
