// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <carom/study/sweep/sweep.hpp>

namespace carom::report {

/// A sweep for people: what varied, statistics with their errors, which input matters, and what
/// could not be computed.
[[nodiscard]] std::string sweep_summary(const study::SweepPlan& plan,
                                        const study::SweepResult& result, const Page& page);

/// "friction μ: normal, mean 0.3, deviation 0.05, in [0, 1]".
[[nodiscard]] std::string spread_words(const scenario::SweepAxis& axis);

/// What could not be computed, a line for each kind; empty if all could.
[[nodiscard]] std::vector<std::string> fault_words(const study::SweepPlan& plan,
                                                   const study::Faults& faults);

}  // namespace carom::report
