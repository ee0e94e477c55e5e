// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/measured_impacts.hpp>

/// The models of a fit: a law, and what is fitted with it.
namespace carom::study::fit {

/// An addend of a coefficient, as written: "by |x_m|".
struct TermWords {
  Form form = Form::linear;
  std::string column;  ///< of the data, or "approach_speed", "slip_speed"
};

/// What is fitted, as written: "restitution by |x_m|", "friction by group", "mass".
struct ParameterWords {
  std::string name;  ///< of a coefficient, or of a number of the system
  std::vector<TermWords> terms{};
  bool by_group = false;
  scenario::PlacedText given{};  ///< for messages
};

/// Parses "NAME", "NAME by group" or "NAME by EXPRESSION, EXPRESSION", each EXPRESSION one of
/// COLUMN, |COLUMN|, COLUMN^2, COLUMN+COLUMN^2 or COLUMN^p. Throws InputError.
[[nodiscard]] ParameterWords parse_parameter(const scenario::PlacedText& text);

/// A law and the parameters that are fitted with it.
struct FitModel {
  std::string name;                ///< "moreau + tangential_restitution"
  const Law* law = nullptr;        ///< as named
  const Law* answering = nullptr;  ///< the row that solves such contacts
  std::vector<ParameterWords> parameters{};
  std::vector<std::string> notes{};  ///< what was left out, and why
};

/// The models that a request asks for. @param asked  "poisson" or "poisson + friction by group"
/// (from the command line): of the file's models those of that law, or if there are none, that law
/// with the file's parameters; empty: all of the file's, or all laws that apply.
[[nodiscard]] std::vector<FitModel> models_of(const scenario::FitRequest& request,
                                              const std::vector<scenario::PlacedText>& asked,
                                              const MeasuredImpacts& data);

/// The columns that the parameters of a request depend on, or those of models asked for.
[[nodiscard]] std::vector<scenario::PlacedText> columns_of(
    const scenario::FitRequest& request, const std::vector<scenario::PlacedText>& asked);

/// The parameters of a model, with their bounds and starts. Throws InputError.
[[nodiscard]] Parameters parameters_of(const FitModel& model, const scenario::FitRequest& request,
                                       const MeasuredImpacts& data);

}  // namespace carom::study::fit
