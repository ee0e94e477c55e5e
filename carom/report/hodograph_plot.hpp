// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/report/plot_script.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/spatial_comparison.hpp>

/// The hodograph of slip of an impact in space: how slip turns and changes as normal impulse
/// grows, with the invariant rays and the way of each law; beside it normal velocity, the ratio of
/// friction and work against normal impulse.
namespace carom::report {

/// @pre the comparison has an answer
[[nodiscard]] Plot hodograph_plot(const scenario::Scenario& scenario,
                                  const study::SpatialComparison& comparison,
                                  const PictureFiles& files);

}  // namespace carom::report
