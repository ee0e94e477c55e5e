// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carom::test {

/// The pixels of a picture, row by row from the top.
struct Pixels {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::array<std::uint8_t, 3>> rgb;

  /// "#77AADD".
  [[nodiscard]] std::string colour(std::size_t column, std::size_t row) const;
};

/// Reads a PNG of 8 bits a channel, not interlaced: what gnuplot writes. Throws otherwise.
[[nodiscard]] Pixels read_png(const std::string& file);

}  // namespace carom::test
