// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/spatial_comparison.hpp>

/// `carom solve` of an impact in space, in its three forms.
namespace carom::report {

/// For people: what was asked, a table with a column for what was before and one for each law, and
/// what to notice.
[[nodiscard]] std::string spatial_table(const scenario::Scenario& scenario,
                                        const study::SpatialComparison& comparison,
                                        const Page& page);

/// For programs: an object with the problem and an outcome for each law.
/// @param more  members to add at its end, each with a comma before it
[[nodiscard]] std::string spatial_json(const scenario::Scenario& scenario,
                                       const study::SpatialComparison& comparison,
                                       std::string_view more = {});

/// For spreadsheets: a header with units, a row for each law; empty where there is no value.
[[nodiscard]] std::string spatial_csv(const study::SpatialComparison& comparison);

/// Which laws were left out and what those that were asked for cannot honour; a line each.
[[nodiscard]] std::string spatial_notes(const study::SpatialComparison& comparison);

}  // namespace carom::report
