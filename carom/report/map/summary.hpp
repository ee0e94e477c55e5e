// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <carom/study/map/map.hpp>

namespace carom::report {

/// A map in a screenful: what each layer holds, how much of the map, and a picture in letters; for
/// curves a short table.
[[nodiscard]] std::string map_summary(const study::Map& map, const Page& page);

}  // namespace carom::report
