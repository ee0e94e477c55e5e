// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <carom/laws/law.hpp>
#include <carom/laws/multi_law.hpp>

/// All laws for several contacts by name.
namespace carom {

struct NamedMultiLaw {
  std::string_view name;  ///< "moreau", "moreau:poisson", "lzb"
  MultiOutcome (*solve)(const MultiProblem& problem, const MultiOptions& options,
                        MultiTrace* trace);
  const LawInfo* info;
  std::string_view summary;  ///< one line
  bool needs_stiffness = false;
};

/// Every law, in the order in which they are shown.
[[nodiscard]] std::span<const NamedMultiLaw> multi_catalogue();

/// Throws InputError (with "did you mean") under `field` if there is none; of a law for one contact
/// it says so.
[[nodiscard]] const NamedMultiLaw& find_multi_law(std::string_view name, std::string_view field);

/// The same, or null.
[[nodiscard]] const NamedMultiLaw* find_multi_law(std::string_view name) noexcept;

/// Why a law cannot honour what a surface asks for, or nothing if it can.
[[nodiscard]] std::optional<std::string> cannot_honour(const NamedMultiLaw& law,
                                                       const MultiSurface& surface);

}  // namespace carom
