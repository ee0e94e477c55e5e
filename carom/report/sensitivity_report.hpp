// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <carom/report/table.hpp>
#include <carom/study/sensitivity.hpp>

/// `carom solve --sensitivity` in its three forms.
namespace carom::report {

/// For people: a table for each law, absolute and per cent for a per cent.
[[nodiscard]] std::string sensitivity_table(const std::vector<study::Sensitivity>& all,
                                            const Page& page);

/// For programs: the member "sensitivity", an array with an object for each law.
[[nodiscard]] std::string sensitivity_json(const std::vector<study::Sensitivity>& all);

/// For spreadsheets: a row for each law, output and input.
[[nodiscard]] std::string sensitivity_csv(const std::vector<study::Sensitivity>& all);

}  // namespace carom::report
