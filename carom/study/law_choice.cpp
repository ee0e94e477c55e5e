// SPDX-License-Identifier: Apache-2.0
#include <carom/study/law_choice.hpp>

#include <algorithm>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/impact/coefficients.hpp>
#include <carom/mechanics/vehicles.hpp>

namespace carom::study {
namespace {

/// Whether what a law ignores is a coefficient of impacts. One of motion is ignored by all laws.
bool is_for_impacts(const Law& law, const scenario::Scenario& s) {
  const Coefficient* ignored = find_coefficient(applies(law, s.problem()).field);
  return ignored == nullptr || !ignored->in_motion_only;
}

LawChoice all_that_apply(const scenario::Scenario& s) {
  LawChoice choice;
  for (const Law& law : laws_for(s.kind())) {
    if (const auto key = missing_coefficient(*law.info, s)) {
      choice.left_out.push_back(
          {.law = &law,
           .reason = "surface." + *key + " is not given",
           .quiet = s.kind().contacts == 1 && *key != "restitution" && *key != "friction"});
    } else if (law.applies != nullptr && law.applies(law, s.problem()).cannot()) {
      choice.left_out.push_back(
          {.law = &law, .reason = std::string(law.applies(law, s.problem()).why)});
    } else if (auto reason = cannot_honour(law, s.problem()); reason && is_for_impacts(law, s)) {
      choice.left_out.push_back({.law = &law, .reason = std::move(*reason)});
    } else {
      choice.chosen.push_back({.law = &law, .note = reason.value_or("")});
    }
  }
  return choice;
}

[[noreturn]] void fail_without_laws(const LawChoice& choice, const scenario::Scenario& s) {
  for (const char* key : {"restitution", "friction"}) {
    const auto lacking = [&](const LeftOut& l) {
      return l.reason == "surface." + std::string(key) + " is not given";
    };
    if (std::any_of(choice.left_out.begin(), choice.left_out.end(), lacking)) {
      throw InputError("surface." + std::string(key), "is missing", s.surfaces.place);
    }
  }
  const LeftOut& first = choice.left_out.front();
  throw InputError("surface",
                   "no law takes all of these coefficients: " + std::string(first.law->name) + " " +
                       first.reason,
                   s.surfaces.place);
}

}  // namespace

std::optional<std::string> missing_coefficient(const LawInfo& law, const scenario::Scenario& s) {
  for (const Surface& surface : s.surfaces.each) {
    if (const auto key = carom::missing_coefficient(law, surface)) return std::string(*key);
  }
  return std::nullopt;
}

LawChoice choose_laws(const scenario::Scenario& s, std::span<const Law* const> laws) {
  const std::span<const Law* const> named =
      laws.empty() ? std::span<const Law* const>(s.laws) : laws;
  if (named.empty()) {
    LawChoice choice = all_that_apply(s);
    if (choice.chosen.empty()) fail_without_laws(choice, s);
    return choice;
  }
  LawChoice choice;
  for (const Law* law : named) {
    if (const auto key = missing_coefficient(*answering(*law, s.kind())->info, s)) {
      throw InputError("surface." + *key,
                       "is missing; " + std::string(law->name) + " needs it" +
                           (s.kind().contacts > 1 ? " at every contact" : ""),
                       s.surfaces.place);
    }
    choice.chosen.push_back({.law = law, .note = cannot_honour(*law, s.problem()).value_or("")});
  }
  return choice;
}

InputError placed(const InputError& e, const scenario::Scenario& s) {
  constexpr std::string_view prefix = "surface.";
  const std::string_view field = e.field();
  const std::string* place =
      field.starts_with(prefix) ? s.place_of(field.substr(prefix.size())) : nullptr;
  return {e.field(), e.problem(), place != nullptr ? *place : s.surfaces.place};
}

void require_answerable(const Law& law, const scenario::Scenario& s) {
  const ContactProblem& p = s.problem();
  try {
    require_applies(law, p);
  } catch (const InputError& e) {
    throw placed(e, s);
  }
  if (p.contacts() > 1) return;  // validated when read: no law of several releases energy
  // Coefficients that were found from measured velocities are what they are.
  if (s.impact.vehicles != nullptr && s.impact.vehicles->found) return;
  try {
    carom::require_answerable(info_for(law, s.kind()), p.surfaces.front(), p.spin_rows > 0,
                              p.components());
  } catch (const InputError& e) {
    throw placed(e, s);
  }
}

}  // namespace carom::study
