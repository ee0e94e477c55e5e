// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <carom/core/world.hpp>

namespace carom {

/// Which balls (centres and radii, both finite, [m]) may touch or overlap: all that do, and few
/// others. First below second, ascending. Time grows with the balls and their neighbours, not with
/// the square: those of like size are sorted into cells, the few larger ones tried with all.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> near_pairs(
    const std::vector<World3>& centres, const std::vector<double>& radii);

}  // namespace carom
