// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <carom/study/map/map.hpp>

/// Maps made by hand, to be reported.
namespace carom::test {

/// n values from one end to the other, in equal steps or equal ratios.
[[nodiscard]] study::Axis axis(const std::string& path, const std::string& label,
                               const std::string& symbol, const std::string& unit, double from,
                               double to, std::size_t n, bool log = false);

/// A layer of numbers, f(x, y).
[[nodiscard]] study::MapLayer numbers(const study::Map& map, std::string_view quantity,
                                      const std::string& law, const std::string& name,
                                      const std::function<double(double, double)>& f);

/// The same of categories: f gives their numbers.
[[nodiscard]] study::MapLayer categories(const study::Map& map, std::string_view quantity,
                                         const std::string& law, const std::string& name,
                                         std::vector<study::Category> all,
                                         const std::function<double(double, double)>& f);

/// Sun & Baruh's rod over angle and ratio of slip to approach: an empty map with its axes, ...
[[nodiscard]] study::Map rod_map(std::size_t n);
/// ... and what can be added to it.
[[nodiscard]] study::MapLayer rod_modes(const study::Map& map, const std::string& law);
[[nodiscard]] study::MapLayer rod_energy(const study::Map& map, const std::string& law);
[[nodiscard]] study::MapLayer rod_rebound(const study::Map& map, const std::string& law);

/// Payr & Glocker's bar over angle and approach ratio, with the boundaries of its regimes.
[[nodiscard]] study::Map bar_map(std::size_t n);
[[nodiscard]] study::MapLayer bar_regimes(const study::Map& map, const std::string& law);

}  // namespace carom::test
