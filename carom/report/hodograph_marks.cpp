// SPDX-License-Identifier: Apache-2.0
#include <carom/report/hodograph_marks.hpp>

#include <algorithm>

namespace carom::report {

SlipMark mark_of(const std::vector<SpatialPathPoint>& path, std::size_t i) {
  if (i + 1 == path.size()) return SlipMark::end;
  if (i == 0) return SlipMark::start;
  const SpatialPathPoint& x = path[i];
  if (!x.ends_phase) return SlipMark::none;
  const SpatialPathPoint& next = path[i + 1];
  const bool stops = x.motion == Motion::slip &&
                     (next.motion == Motion::stick || length(tangential(x.velocity)) == 0.);
  const bool changes = x.stage != next.stage;
  if (stops) return changes ? SlipMark::both : SlipMark::slip_ends;
  return changes ? SlipMark::stage_changes : SlipMark::none;
}

bool has_mark(const SpatialPaths& paths, SlipMark mark) {
  const bool of_both = mark == SlipMark::slip_ends || mark == SlipMark::stage_changes;
  return std::any_of(paths.begin(), paths.end(), [&](const auto& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const SlipMark found = mark_of(path, i);
      if (found == mark || (of_both && found == SlipMark::both)) return true;
    }
    return false;
  });
}

bool recompresses(const SpatialPaths& paths) {
  return std::any_of(paths.begin(), paths.end(), [](const auto& path) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (path[i - 1].stage == Stage::restitution && path[i].stage == Stage::compression) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace carom::report
