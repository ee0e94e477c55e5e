// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carom {

/// For an error message about `word`: "; did you mean 'x'?" where one of `known` is near,
/// else "; known: a, b, c".
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

/// The one of `known` that `word` was probably meant to be; empty where none is near.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

/// Least number of letters to insert, delete, replace or swap with a neighbour.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace carom
