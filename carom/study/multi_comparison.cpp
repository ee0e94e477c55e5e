// SPDX-License-Identifier: Apache-2.0
#include <carom/study/multi_comparison.hpp>

#include <optional>

#include <carom/core/error.hpp>
#include <carom/study/law_choice.hpp>

namespace carom::study {
namespace {

/// The first thing that a contact's surface asks for and the law cannot honour.
std::optional<std::string> cannot_honour_any(const NamedMultiLaw& law,
                                             const std::vector<MultiSurface>& surfaces) {
  for (const MultiSurface& s : surfaces) {
    if (auto reason = cannot_honour(law, s)) return reason;
  }
  return std::nullopt;
}

struct Chosen {
  const NamedMultiLaw* law = nullptr;
  std::string note;
};

std::vector<Chosen> choose(const scenario::Scenario& s, std::span<const NamedMultiLaw* const> laws,
                           std::vector<MultiLeftOut>& left_out) {
  const scenario::MultiImpact& impact = *s.multi;
  std::vector<Chosen> chosen;
  const std::span<const NamedMultiLaw* const> named = laws.empty() ? impact.laws : laws;
  for (const NamedMultiLaw* law : named) {
    if (const auto key = missing_coefficient(*law->info, s)) {
      throw InputError("surface." + *key,
                       "is missing; " + std::string(law->name) + " needs it at every contact",
                       s.surface_place);
    }
    chosen.push_back({.law = law, .note = cannot_honour_any(*law, impact.surfaces).value_or("")});
  }
  if (!named.empty()) return chosen;
  for (const NamedMultiLaw& law : multi_catalogue()) {
    if (const auto key = missing_coefficient(*law.info, s)) {
      left_out.push_back({.law = &law, .reason = "surface." + *key + " is not given"});
    } else if (auto reason = cannot_honour_any(law, impact.surfaces)) {
      left_out.push_back({.law = &law, .reason = std::move(*reason)});
    } else {
      chosen.push_back({.law = &law, .note = ""});
    }
  }
  if (chosen.empty()) {
    for (const char* key : {"restitution", "friction"}) {
      if (s.place_of(key) == nullptr) {
        throw InputError("surface." + std::string(key), "is missing at a contact", s.surface_place);
      }
    }
    throw InputError(
        "surface",
        "no law takes all of these coefficients: " + std::string(left_out.front().law->name) +
            " has " + left_out.front().reason,
        s.surface_place);
  }
  return chosen;
}

}  // namespace

std::vector<const NamedMultiLaw*> applying_multi_laws(const scenario::Scenario& s) {
  std::vector<MultiLeftOut> left_out;
  std::vector<const NamedMultiLaw*> laws;
  for (const Chosen& c : choose(s, {}, left_out)) laws.push_back(c.law);
  return laws;
}

MultiComparison compare_multi_laws(const scenario::Scenario& s, const MultiQuestion& q) {
  const MultiAtImpact& at = s.multi->system;
  MultiComparison c;
  c.problem = {.G = at.contact.G, .approach = at.contact.approach, .surfaces = s.multi->surfaces};
  c.names = at.names;
  // Where the supports move, what drives them does work, too.
  c.kinetic = at.configuration && at.configuration->support_velocity.empty();
  if (at.configuration) {
    c.coordinates = at.configuration->coordinates;
    c.velocity_before = at.configuration->u;
  }
  c.energy_before = c.kinetic ? kinetic_energy(*at.configuration, at.configuration->u)
                              : contact_energy(c.problem);
  for (Chosen& chosen : choose(s, q.laws, c.left_out)) {
    MultiAnswer a;
    a.law = chosen.law;
    a.note = std::move(chosen.note);
    a.outcome = chosen.law->solve(c.problem, q.options, nullptr);
    // Once more for the course: looking at it may change the last digits.
    if (q.traces && a.law->needs_stiffness) a.law->solve(c.problem, q.options, &a.trace);
    if (at.configuration) {
      a.velocity_after = velocity_after(*at.configuration, a.outcome.impulse);
    }
    c.answers.push_back(std::move(a));
  }
  return c;
}

}  // namespace carom::study
