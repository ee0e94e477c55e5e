// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <carom/scenario/csv_table.hpp>

namespace carom::scenario {

/// The text of a file of data, gzipped or not. Throws InputError where it cannot be read.
[[nodiscard]] std::string read_data(const std::filesystem::path& file);

/// A table from such a file. Throws InputError with file and line.
[[nodiscard]] CsvTable read_csv(const std::filesystem::path& file);

}  // namespace carom::scenario
