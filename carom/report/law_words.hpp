// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <carom/impact/verdict.hpp>

/// Words about laws that reports in the plane and in space share.
namespace carom::report {

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string join(const std::vector<std::string>& words);

/// All that is to be said, gravest first: "energy-gained + jam"; "ordinary" where nothing is.
[[nodiscard]] std::string verdict_text(const Verdicts& flags);

/// A name as part of a column's: what CSV and most readers take for something else is made "_".
[[nodiscard]] std::string column_part(const std::string& name);

/// The laws whose outcome has `verdict`, joined; empty if none. @param answers  each with a law's
/// name and an outcome
template <class Answers>
[[nodiscard]] std::string laws_with(const Answers& answers, Verdict verdict) {
  std::vector<std::string> names;
  for (const auto& a : answers) {
    if (a.outcome.flags.has(verdict)) names.emplace_back(a.law->name);
  }
  return join(names);
}

/// "Left out: a and b (reason).", a line for each reason. @param left_out  laws with their reasons
template <class LeftOut>
[[nodiscard]] std::string left_out_text(const LeftOut& left_out) {
  std::vector<std::string> reasons;
  for (const auto& l : left_out) {
    if (l.quiet) continue;
    if (std::find(reasons.begin(), reasons.end(), l.reason) == reasons.end()) {
      reasons.push_back(l.reason);
    }
  }
  std::string text;
  for (const std::string& reason : reasons) {
    std::vector<std::string> names;
    for (const auto& l : left_out) {
      if (l.reason == reason) names.emplace_back(l.law->name);
    }
    const bool lacks = reason.ends_with("is not given");
    text += "Left out: " + join(names) + " (" + reason + ")" +
            (lacks ? "." : "; --law asks by name.") + "\n";
  }
  return text;
}

}  // namespace carom::report
