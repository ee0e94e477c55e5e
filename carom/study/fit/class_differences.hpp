// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <carom/study/fit/classes.hpp>
#include <carom/study/fit/ranking.hpp>

/// Where the models of a ranking differ: their errors by what slip does.
namespace carom::study::fit {

/// A model's errors as it is judged: cross-validated where that was asked for.
[[nodiscard]] const std::vector<double>& judged_errors(const FittedModel& model);

/// The model that the others are compared with.
[[nodiscard]] const FittedModel& reference_of(const Ranking& ranking);

struct ModelInClass {
  const FittedModel* model = nullptr;
  double error = 0.;  ///< mean
  /// From the reference, with its 95 % interval; zero of the reference itself.
  Difference difference{};
};

/// The impacts of one class.
struct ClassDifferences {
  SlipClass kind = SlipClass::goes_on;
  std::vector<std::size_t> members;  ///< indices into Ranking::impacts
  std::size_t uncertain = 0;         ///< of these, whose class depends on restitution
  std::vector<ModelInClass> models;  ///< in the order of the ranking
};

/// By class, in the order of SlipClass, without those that are empty. Refers to the ranking.
/// @param classes  of Ranking::impacts
[[nodiscard]] std::vector<ClassDifferences> class_differences(const MeasuredImpacts& data,
                                                              const Ranking& ranking,
                                                              std::span<const Classified> classes,
                                                              std::uint64_t seed);

}  // namespace carom::study::fit
