// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <carom/report/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

/// `carom solve` in its three forms.
namespace carom::report {

/// For people: what was asked, a table with a column for each law, and what to notice.
[[nodiscard]] std::string comparison_table(const scenario::Scenario& scenario,
                                           const study::Comparison& comparison, const Page& page);

/// For programs: an object with the problem and an outcome for each law.
/// @param more  members to add at its end, each with a comma before it
[[nodiscard]] std::string comparison_json(const scenario::Scenario& scenario,
                                          const study::Comparison& comparison,
                                          std::string_view more = {});

/// For spreadsheets: a header with units, a row for each law; empty where there is no value.
[[nodiscard]] std::string comparison_csv(const study::Comparison& comparison);

/// Which laws were left out and what those that were asked for cannot honour; a line each.
[[nodiscard]] std::string comparison_notes(const study::Comparison& comparison);

}  // namespace carom::report
