// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/verdict.hpp>
#include <carom/study/comparison.hpp>

/// Words about laws that reports share.
namespace carom::report {

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string join(const std::vector<std::string>& words);

/// All that is to be said, gravest first: "energy-gained + jam"; "ordinary" where nothing is.
[[nodiscard]] std::string verdict_text(const Verdicts& flags);

/// A name as part of a column's: what CSV and most readers take for something else is made "_".
[[nodiscard]] std::string column_part(const std::string& name);

/// A field of CSV, in quotes where a reader would otherwise take it for something else. Control
/// characters are made visible, as in messages.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The shortest text that reads back as the same number; nothing where it is not finite.
void append_csv_number(std::string& out, double value);

/// The laws whose outcome has `verdict`, joined; empty if none.
[[nodiscard]] std::string laws_with(const std::vector<study::Answer>& answers, Verdict verdict);

/// "Left out: a and b (reason).", a line for each reason.
[[nodiscard]] std::string left_out_text(const std::vector<study::LeftOut>& left_out);

}  // namespace carom::report
