// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/multi_comparison.hpp>

namespace carom::report {

/// An outcome of several contacts and what it belongs to, to be written in the schema of
/// tests/reference/README.md.
struct MultiRecord {
  std::string_view id;  ///< as JSON; empty: no id
  std::string_view law_name;
  const Law& law;
  const ContactProblem& problem;
  const Outcome& outcome;
  const std::vector<double>* velocity_after = nullptr;  ///< u+, where there are coordinates
  std::string_view note{};                              ///< what the law could not honour
};

/// Appends one JSON object, without a line end.
void append_outcome(std::string& out, const MultiRecord& record);

/// For programs: an object with the problem and an outcome for each law.
/// @param more  members to add at its end, each with a comma before it
[[nodiscard]] std::string multi_json(const scenario::Scenario& scenario,
                                     const study::MultiComparison& comparison,
                                     std::string_view more = {});

}  // namespace carom::report
