// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <carom/papers/publication.hpp>
#include <carom/report/chart.hpp>
#include <carom/study/map.hpp>

/// How publications make their pictures.
namespace carom::papers {

/// The text of a scenario of examples/, built in: "maps/payr-glocker-4", "kane-levinson". Throws
/// std::invalid_argument where there is none.
[[nodiscard]] std::string_view example(std::string_view name);

/// The map that a scenario's [map] asks for.
[[nodiscard]] study::Map map_of(std::string_view scenario);

/// Its picture.
[[nodiscard]] Picture map_picture(std::string name, std::string caption, std::string_view scenario);

/// A picture of curves; `chart` is called when it is drawn.
[[nodiscard]] Picture chart_picture(std::string name, std::string caption,
                                    std::function<report::Chart()> chart);

}  // namespace carom::papers
