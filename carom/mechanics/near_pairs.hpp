// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <carom/core/world.hpp>

namespace carom {

/// Broad phase: pairs of balls (centres and radii, both finite, [m]) that may touch or overlap. It
/// returns all that do, and few others, with first < second, ascending. The time grows linearly
/// with the number of balls and their neighbours: balls of similar size are sorted into a uniform
/// grid, and the few larger ones are tested against all.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> near_pairs(
    const std::vector<World3>& centres, const std::vector<double>& radii);

}  // namespace carom
