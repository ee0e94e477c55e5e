// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/multi_comparison.hpp>

/// `carom solve` of an impact of several contacts, for people and for spreadsheets; multi_json.hpp
/// is for programs.
namespace carom::report {

/// For people: for each law a table with a row for each contact, the laws side by side, and what to
/// notice. Of very many contacts the first and the last are shown.
[[nodiscard]] std::string multi_table(const scenario::Scenario& scenario,
                                      const study::MultiComparison& comparison, const Page& page);

/// For spreadsheets: a header with units, a row for each law and contact.
[[nodiscard]] std::string multi_csv(const study::MultiComparison& comparison);

/// Which laws were left out and what those that were asked for cannot honour; a line each.
[[nodiscard]] std::string multi_notes(const study::MultiComparison& comparison);

}  // namespace carom::report
