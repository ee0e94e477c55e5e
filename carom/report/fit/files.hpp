// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <carom/report/fit/summary.hpp>

/// What a fit writes for programs.
namespace carom::report {

/// All of it in one line of JSON.
[[nodiscard]] std::string fit_json(const FitReport& report);

/// A row for each fitted impact and model: predicted and measured velocities in the units of the
/// data, the error, and the cross-validated error.
[[nodiscard]] std::string residuals_csv(const FitReport& report);

/// Predictions of impacts that were not fitted, in the order of their file.
/// @param data  read for Use::predict
[[nodiscard]] std::string predictions_csv(const scenario::FitRequest& request,
                                          const study::fit::MeasuredImpacts& data,
                                          const study::fit::FittedModel& model);

/// A result as TOML, that `saved_parameters` reads.
[[nodiscard]] std::string saved_fit(const FitReport& report, std::string_view version);

/// A model of a saved result.
struct SavedModel {
  std::string name;
  std::vector<std::pair<std::string, double>> parameters;
};

/// Throws InputError.
[[nodiscard]] std::vector<SavedModel> read_saved_fit(const std::filesystem::path& file);

/// The record of a picture: predicted against measured velocities, and errors against approach and
/// the columns that coefficients depend on, of the model that is ranked first.
[[nodiscard]] std::string fit_record(const FitReport& report);

}  // namespace carom::report
