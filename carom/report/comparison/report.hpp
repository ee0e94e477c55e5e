// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <carom/report/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

/// `carom solve` in its three forms, all by the table of quantities.
namespace carom::report {

/// For people: what was asked, the laws side by side, and what to notice. With several contacts a
/// table for each law with a row for each contact stands before; of very many the first and the
/// last are shown.
[[nodiscard]] std::string comparison_table(const scenario::Scenario& scenario,
                                           const study::Comparison& comparison, const Page& page);

/// For programs: an object with the problem and an outcome for each law.
/// @param more  members to add at its end, each with a comma before it
[[nodiscard]] std::string comparison_json(const scenario::Scenario& scenario,
                                          const study::Comparison& comparison,
                                          std::string_view more = {});

/// For spreadsheets: a header with units, a row for each law, with several contacts for each law
/// and contact; empty where there is no value.
[[nodiscard]] std::string comparison_csv(const study::Comparison& comparison);

/// Which laws were left out and what those that were asked for cannot honour; a line each.
[[nodiscard]] std::string comparison_notes(const study::Comparison& comparison);

/// "e = 0.5, mu = 0.3": the coefficients that a scenario gives, as ranges where contacts differ.
/// @param for_pictures  with the symbols and minus signs of pictures
[[nodiscard]] std::string coefficients_text(const ContactProblem& problem, bool for_pictures);

}  // namespace carom::report
