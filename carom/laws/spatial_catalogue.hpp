// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/law.hpp>

/// All laws in space by name.
namespace carom {

/// A law in space under a name that a user may give.
struct NamedSpatialLaw {
  std::string_view name;  ///< "newton", "moreau:poisson", "sun-baruh:energetic"
  SpatialOutcome (*solve)(const SpatialProblem& problem, const SpatialOptions& options);
  const LawInfo* info;
  std::string_view summary;  ///< one line
  bool is_alias = false;     ///< another name for a law that is in the catalogue already
};

/// Every law, in the order in which they are shown.
[[nodiscard]] std::span<const NamedSpatialLaw> spatial_catalogue();

/// Throws InputError (with "did you mean") under `field` if there is none.
[[nodiscard]] const NamedSpatialLaw& find_spatial_law(std::string_view name,
                                                      std::string_view field);

/// The same, or null.
[[nodiscard]] const NamedSpatialLaw* find_spatial_law(std::string_view name) noexcept;

/// "0".."6", "slip", "stick" or "no-impulse" as the law labels its outcomes; empty where none.
[[nodiscard]] std::string mode_label(const NamedSpatialLaw& law, const SpatialOutcome& outcome);

/// Why a law cannot honour what the surface asks for, or nothing if it can.
[[nodiscard]] std::optional<std::string> cannot_honour(const NamedSpatialLaw& law,
                                                       const SpatialSurface& surface);

/// Throws InputError if `law` cannot be asked at all: restitution above 1, couples without spin.
void require_answerable(const NamedSpatialLaw& law, const SpatialProblem& problem);

}  // namespace carom
