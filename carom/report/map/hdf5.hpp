// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include <carom/study/map/map.hpp>

namespace carom::report {

/// The map as an HDF5 file, whole or not at all:
///
///     /x, /y                        values of the axes; attributes path, label, symbol, unit, log
///     /poisson/mode                 [y, x] a layer; attributes law, quantity, title, unit, ...
///     /boundaries/poisson/R3/0      n x 2, a line in the units of the axes
///
/// Categories are bytes with the attributes `categories` and `meanings`, 255 where undefined;
/// numbers are doubles, NaN where undefined. The file carries the scenario's text, the version and
/// the command as attributes of its root. The same map gives the same bytes.
/// Throws std::runtime_error.
void write_map_hdf5(const study::Map& map, const std::filesystem::path& file);

}  // namespace carom::report
