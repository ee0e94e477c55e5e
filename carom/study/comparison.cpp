// SPDX-License-Identifier: Apache-2.0
#include <carom/study/comparison.hpp>

#include <algorithm>

#include <carom/core/error.hpp>

namespace carom::study {
namespace {

/// Where a key of [surface] stands, or null if it is not given.
const std::string* place_of(const scenario::Scenario& s, std::string_view key) {
  for (const scenario::GivenKey& g : s.given) {
    if (g.key == key) return &g.place;
  }
  return nullptr;
}

/// The first coefficient of the surface that `law` requires and the scenario does not give.
std::optional<std::string> missing(const NamedLaw& law, const scenario::Scenario& s) {
  for (const LawParameter& p : info(law.law).parameters) {
    if (!p.fallback.empty() || place_of(s, p.key) != nullptr) continue;
    const bool replaced =
        std::any_of(p.instead.begin(), p.instead.end(),
                    [&](std::string_view key) { return place_of(s, key) != nullptr; });
    if (!replaced) return std::string(p.key);
  }
  return std::nullopt;
}

/// `require_answerable`, with the place of what is wrong.
void require_answerable_here(const NamedLaw& law, const PlanarProblem& problem,
                             const scenario::Scenario& s) {
  try {
    require_answerable(law.law, problem);
  } catch (const InputError& e) {
    constexpr std::string_view prefix = "surface.";
    const std::string_view field = e.field();
    const std::string* place =
        field.starts_with(prefix) ? place_of(s, field.substr(prefix.size())) : nullptr;
    throw InputError(e.field(), e.problem(), place != nullptr ? *place : s.surface_place);
  }
}

}  // namespace

Comparison compare_laws(const scenario::Scenario& s, std::span<const NamedLaw* const> laws) {
  SystemAtImpact at = at_impact(s.system);
  Comparison c;
  c.problem = {.G = at.contact.G,
               .approach = at.contact.approach,
               .surface = s.surface,
               .spin = at.contact.spin};
  c.configuration = std::move(at.configuration);
  // Where supports move, 1/2 u^T M u is not the kinetic energy.
  const bool kinetic = c.configuration && !c.configuration->drift.moves;
  c.energy_before = kinetic ? kinetic_energy(*c.configuration, c.configuration->velocity)
                            : contact_energy(c.problem);

  const auto ask = [&](const NamedLaw& law, std::string note) {
    require_answerable_here(law, c.problem, s);
    Answer a{.law = &law,
             .outcome = solve(law.law, c.problem),
             .phases = {},
             .equivalent = {},
             .brach = {},
             .velocity_after = {},
             .note = std::move(note)};
    a.phases = all_phases(law.law, c.problem, a.outcome);
    a.equivalent = equivalent_restitution(c.problem, a.outcome, a.phases);
    a.brach = brach_coefficients(c.problem, a.outcome);
    if (c.configuration)
      a.velocity_after = velocity_after(*c.configuration, a.outcome.impulse, a.outcome.couple);
    c.answers.push_back(std::move(a));
  };

  const std::span<const NamedLaw* const> named = laws.empty() ? s.laws : laws;
  for (const NamedLaw* law : named) {
    if (const auto key = missing(*law, s)) {
      throw InputError("surface." + *key, "is missing; " + std::string(law->name) + " needs it",
                       s.surface_place);
    }
    ask(*law, cannot_honour(law->law, s.surface).value_or(""));
  }
  if (!named.empty()) return c;

  for (const NamedLaw& law : catalogue()) {
    if (law.is_alias) continue;
    if (const auto key = missing(law, s)) {
      c.left_out.push_back({.law = &law, .reason = "surface." + *key + " is not given"});
    } else if (auto reason = cannot_honour(law.law, s.surface)) {
      c.left_out.push_back({.law = &law, .reason = std::move(*reason)});
    } else {
      ask(law, "");
    }
  }
  if (c.answers.empty()) {
    throw InputError("surface",
                     "no law applies: " + std::string(c.left_out.front().law->name) + ": " +
                         c.left_out.front().reason,
                     s.surface_place);
  }
  return c;
}

}  // namespace carom::study
