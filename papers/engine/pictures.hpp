// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <papers/engine/chart.hpp>

/// How publications make their pictures.
namespace carom::papers {

/// Computes a picture and returns its record (docs/records.md). Called from several threads at once
/// for different pictures.
using Drawing = std::function<std::string()>;

/// A picture of curves; `chart` is called when it is drawn.
[[nodiscard]] Drawing chart(std::function<Chart()> chart);

/// The picture of the map that a scenario's [map] asks for. @param scenario  the text of its file
[[nodiscard]] Drawing map(std::string_view scenario);

}  // namespace carom::papers
