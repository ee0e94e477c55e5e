// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <carom/report/json_writer.hpp>

namespace carom::report {

/// Many numbers as one member of a record: {"dtype": "<f4", "shape": [..], "base64": ".."}, the
/// bytes of an array as NumPy has it, little-endian, row by row. Single precision, unless numbers
/// are beyond its range; NaN stays NaN.
void write_packed(JsonWriter& json, std::span<const double> values,
                  std::span<const std::size_t> shape);

/// The same of small whole numbers, "|u1".
void write_packed(JsonWriter& json, std::span<const std::uint8_t> values,
                  std::span<const std::size_t> shape);

/// As in RFC 4648, with padding.
[[nodiscard]] std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace carom::report
