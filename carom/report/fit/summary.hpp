// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/table.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/ranking.hpp>

/// What a fit found, for people.
namespace carom::report {

/// Everything that reports of a fit are about.
struct FitReport {
  const scenario::FitRequest& request;
  const study::fit::MeasuredImpacts& data;
  const study::fit::Ranking& ranking;
  study::fit::MinimiseOptions options{};
  std::size_t folds = 0;  ///< 0: no cross-validation
};

/// Rows used and left out, the ranking, and the coefficients of each model.
[[nodiscard]] std::string fit_summary(const FitReport& report, const Page& page);

/// What the data do not determine, and what else to bear in mind of a model: sentences.
[[nodiscard]] std::vector<std::string> fit_notes(const study::fit::FittedModel& model);

}  // namespace carom::report
