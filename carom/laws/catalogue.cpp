// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/catalogue.hpp>

#include <array>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/labels.hpp>

namespace carom {
namespace {

constexpr std::array<NamedLaw, 14> laws{{
    {.name = "newton", .law = Newton{}, .summary = Newton::info.summary},
    {.name = "poisson", .law = Poisson{}, .summary = Poisson::info.summary},
    {.name = "energetic", .law = Energetic{}, .summary = Energetic::info.summary},
    {.name = "moreau", .law = Moreau{}, .summary = Moreau::info.summary},
    {.name = "moreau:poisson",
     .law = Moreau{.hypothesis = Hypothesis::poisson},
     .summary = "moreau in two stages, compression then expansion"},
    {.name = "brach", .law = Brach{}, .summary = Brach::info.summary},
    {.name = "compliant", .law = Compliant{}, .summary = Compliant::info.summary},
    {.name = "conventional", .law = Conventional{}, .summary = Conventional::info.summary},
    {.name = "conventional:rebound",
     .law = Conventional{.friction_opposes = FrictionOpposes::rebound},
     .summary = "conventional with friction against the slip after (Kane & Levinson)"},
    {.name = "shen-townsend",
     .law = Poisson{},
     .summary = "poisson in the plane, with mu_s; its cases i, ii, iii are among the labels",
     .is_alias = true},
    {.name = "walton",
     .law = Moreau{},
     .summary = "moreau on a sphere (G_nt = 0), as used for particles in flows",
     .is_alias = true},
    {.name = "sun-baruh",
     .law = Poisson{},
     .summary = "poisson in the plane; in space an algebraic approximation of it",
     .is_alias = true},
    {.name = "sun-baruh:energetic",
     .law = Energetic{},
     .summary = "energetic in the plane; in space an algebraic approximation of it",
     .is_alias = true},
    {.name = "lzb",
     .law = Energetic{},
     .summary = "energetic at one contact; at many, forces by the energy stored in each",
     .is_alias = true},
}};

}  // namespace

std::span<const NamedLaw> catalogue() { return laws; }

const NamedLaw* find_law(std::string_view name) noexcept {
  for (const NamedLaw& law : laws) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

const NamedLaw& find_law(std::string_view name, std::string_view field) {
  if (const NamedLaw* law = find_law(name)) return *law;
  std::vector<std::string_view> names;
  for (const NamedLaw& law : laws) names.push_back(law.name);
  throw InputError(std::string(field),
                   "unknown law '" + std::string(name) + "'" + did_you_mean(name, names));
}

const LawInfo& info(const PlanarLaw& law) {
  return std::visit([](const auto& l) -> const LawInfo& { return l.info; }, law);
}

std::string mode_label(const PlanarLaw& law, const PlanarOutcome& outcome) {
  static constexpr std::string_view digits = "0123456";
  switch (info(law).labels) {
    case Labels::modes: {
      const auto i = static_cast<std::size_t>(outcome.mode);
      return i < digits.size() ? std::string(digits.substr(i, 1)) : "";
    }
    case Labels::regimes:
      return std::string(regime_name(outcome.mode));
    case Labels::sticks:
      if (outcome.mode == Mode::no_impulse) return "";
      return outcome.mode == Mode::stick ? "stick" : "slip";
    case Labels::slider:
      return slider_text(outcome.slider);
  }
  return "";
}

std::vector<PlanarPhase> all_phases(const PlanarLaw& law, const PlanarProblem& problem,
                                    const PlanarOutcome& outcome) {
  if (std::holds_alternative<Compliant>(law)) return compliant_phases(problem);
  return {outcome.phases.begin(), outcome.phases.end()};
}

void require_answerable(const PlanarLaw& law, const PlanarProblem& problem) {
  const LawInfo& about = info(law);
  validate(problem.surface, "surface", about.release);
  if (problem.surface.moment_coefficient > -1. && about.honours_couples && problem.spin.rr == 0.) {
    throw InputError("surface.moment_coefficients",
                     "needs a spin at the contact, which contact space alone does not tell and "
                     "slides do not have");
  }
}

PlanarOutcome solve(const PlanarLaw& law, const PlanarProblem& problem) {
  return std::visit([&](const auto& l) { return l(problem); }, law);
}

std::optional<std::string> cannot_honour(const PlanarLaw& law, const Surface& s) {
  const LawInfo& about = info(law);
  if (s.static_friction > s.friction && !about.honours_static_friction) {
    return "no static_friction apart from friction";
  }
  if (!about.honours_ratios) {
    if (s.impulse_ratio) return "no impulse_ratio";
    if (s.tangential_coefficient) return "no tangential_coefficient";
  }
  if (s.moment_coefficient > -1. && !about.honours_couples) return "no couple";
  if (s.tangential_restitution > 0.) {
    const auto* moreau = std::get_if<Moreau>(&law);
    if (moreau != nullptr && moreau->hypothesis == Hypothesis::poisson) {
      return "tangential_restitution is undefined in two stages";
    }
    if (!about.honours_tangential_restitution) return "no tangential_restitution";
  }
  return std::nullopt;
}

}  // namespace carom
