// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>

/// Which laws to ask about a scenario.
namespace carom::study {

/// A law to ask.
struct ChosenLaw {
  const Law* law = nullptr;
  std::string note;  ///< "ignores static_friction"; or empty
};

/// A law that is not asked, and why.
struct LeftOut {
  const Law* law = nullptr;
  std::string reason;
  bool quiet = false;  ///< it lacks a coefficient that is its own alone: not worth a word
};

struct LawChoice {
  std::vector<ChosenLaw> chosen;  ///< at least one
  std::vector<LeftOut> left_out;
};

/// `laws`, or if there are none the scenario's own, or else all that apply: laws whose coefficients
/// are given, and that can honour the ones that are. A law named stays in, with a note. Throws
/// InputError where a law that is named lacks a coefficient, or none applies.
[[nodiscard]] LawChoice choose_laws(const scenario::Scenario& scenario,
                                    std::span<const Law* const> laws);

/// The first coefficient of the surface that a law requires and the scenario does not give.
[[nodiscard]] std::optional<std::string> missing_coefficient(const LawInfo& law,
                                                             const scenario::Scenario& scenario);

/// An error about the surface, with the place of what is wrong.
[[nodiscard]] InputError placed(const InputError& error, const scenario::Scenario& scenario);

/// carom::require_answerable, with the place of what is wrong.
void require_answerable(const Law& law, const scenario::Scenario& scenario);

}  // namespace carom::study
