// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <carom/laws/brach.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/conventional.hpp>
#include <carom/laws/energetic.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/moreau.hpp>
#include <carom/laws/newton.hpp>
#include <carom/laws/poisson.hpp>

/// All laws by name. To add one: write its file beside these, add its type to `PlanarLaw` and a row
/// to `catalogue`.
namespace carom {

using PlanarLaw = std::variant<Newton, Poisson, Energetic, Moreau, Brach, Compliant, Conventional>;

/// A law under a name that a user may give.
struct NamedLaw {
  std::string_view name;  ///< "newton", "moreau:poisson", or an alias such as "walton"
  PlanarLaw law;
  std::string_view summary;  ///< one line
  bool is_alias = false;     ///< another name for a law that is in the catalogue already
};

/// Every name, laws first (in the order in which they are shown), aliases last.
[[nodiscard]] std::span<const NamedLaw> catalogue();

/// Looks a name up. Throws InputError (with "did you mean") under `field` if there is none.
[[nodiscard]] const NamedLaw& find_law(std::string_view name, std::string_view field);

/// The same, or null.
[[nodiscard]] const NamedLaw* find_law(std::string_view name) noexcept;

[[nodiscard]] const LawInfo& info(const PlanarLaw& law);

/// The label of an outcome of `law`: "0".."6", a regime's name, "slip" or "stick", or the slider's
/// states "stick/slip+"; empty where there is none.
[[nodiscard]] std::string mode_label(const PlanarLaw& law, const PlanarOutcome& outcome);

/// Every phase of an outcome: its own, or of `compliant`, which may have any number.
[[nodiscard]] std::vector<PlanarPhase> all_phases(const PlanarLaw& law,
                                                  const PlanarProblem& problem,
                                                  const PlanarOutcome& outcome);

/// Throws InputError if `law` cannot be asked at all: restitution above 1 for a law that releases
/// no energy, a couple where the problem knows of no spin.
void require_answerable(const PlanarLaw& law, const PlanarProblem& problem);

/// What `law` says of `problem`. @pre the problem was validated
[[nodiscard]] PlanarOutcome solve(const PlanarLaw& law, const PlanarProblem& problem);

/// Why a law cannot honour what the surface asks for ("no tangential_restitution"), or nothing if
/// it can.
[[nodiscard]] std::optional<std::string> cannot_honour(const PlanarLaw& law,
                                                       const Surface& surface);

}  // namespace carom
