// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/minimise.hpp>
#include <carom/study/fit/models.hpp>

/// Models fitted to the same data, and compared by cross-validation.
namespace carom::study::fit {

/// The fold of each impact: groups in random order, dealt in turn. Impacts without a group are
/// groups of their own. Does not depend on the order of rows.
[[nodiscard]] std::vector<std::size_t> folds_of(const MeasuredImpacts& data,
                                                std::span<const std::size_t> impacts,
                                                std::size_t folds, std::uint64_t seed);

/// A difference of means with its 95 % interval.
struct Difference {
  double mean = 0.;
  double low = 0.;
  double high = 0.;
};

/// The mean of `a - b`, both errors of the same impacts, and its percentile interval by bootstrap
/// of groups.
[[nodiscard]] Difference paired_difference(const MeasuredImpacts& data,
                                           std::span<const std::size_t> impacts,
                                           std::span<const double> a, std::span<const double> b,
                                           std::uint64_t seed);

/// A model and what came of it.
struct FittedModel {
  FitModel model;
  Parameters parameters;
  Minimum minimum;
  std::vector<double> errors;       ///< of each fitted impact, with the coefficients of all
  std::vector<double> validated{};  ///< the same with coefficients of the other folds; empty: not
                                    ///< asked for
  double validated_error = 0.;      ///< their mean
  std::size_t without_answer = 0;   ///< impacts for which the law has none
  std::optional<Difference> difference{};  ///< of `validated` from the reference
};

struct RankingOptions {
  MinimiseOptions minimise{};
  std::size_t folds = 5;  ///< 0: no cross-validation
  unsigned threads = 0;
  std::string against{};                   ///< a model's name, or a law's; empty: the first model
  std::function<void(double)> progress{};  ///< share done; called by one thread at a time
};

struct Ranking {
  std::vector<std::size_t> impacts;  ///< that were fitted, indices into the data
  std::vector<FittedModel> models;   ///< by cross-validated error, least first
  std::string reference;             ///< name of the model that others are compared with
};

/// Fits all models, on all cores; the same on any number of them. Throws
/// Interrupted.
[[nodiscard]] Ranking rank(const MeasuredImpacts& data, const scenario::FitRequest& request,
                           std::vector<FitModel> models, const RankingOptions& options);

}  // namespace carom::study::fit
