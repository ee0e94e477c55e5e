// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include <carom/study/map/map.hpp>

namespace carom::report {

/// The map as a table: a row for each cell, x running fastest; columns for the axes and for each
/// layer. Categories by their labels; numbers the shortest that read back the same; nothing where
/// it is undefined. Given to `sink` in pieces of about a megabyte.
void write_map_csv(const study::Map& map, const std::function<void(std::string_view)>& sink);

}  // namespace carom::report
