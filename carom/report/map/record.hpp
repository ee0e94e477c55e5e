// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <carom/study/map/map.hpp>

namespace carom::report {

enum class MapStyle : std::uint8_t { map, surface };

/// A map as the record of its picture, in JSON; docs/records.md describes it. Large maps are
/// thinned to what a picture can show. Throws InputError under "--style" where a surface is asked
/// for of what has none: categories, curves.
[[nodiscard]] std::string map_record(const study::Map& map, MapStyle style);

}  // namespace carom::report
