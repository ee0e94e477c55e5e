// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <carom/report/hodograph_view.hpp>

/// Places on the ways of laws through an impact in space that a picture marks.
namespace carom::report {

/// As the data file has them.
enum class SlipMark : int {
  none = 0,
  stage_changes = 1,  ///< compression ends, or begins anew
  end = 2,            ///< of the way
  slip_ends = 3,
  start = 4,
  both = 5,  ///< slip ends where the stage changes
};

[[nodiscard]] SlipMark mark_of(const std::vector<SpatialPathPoint>& path, std::size_t i);

/// Whether any of the paths has this mark; those that a picture lacks are not in its key.
[[nodiscard]] bool has_mark(const SpatialPaths& paths, SlipMark mark);

/// Whether compression begins anew on any of them.
[[nodiscard]] bool recompresses(const SpatialPaths& paths);

}  // namespace carom::report
