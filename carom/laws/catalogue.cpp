// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/catalogue.hpp>

#include <array>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/labels.hpp>

namespace carom {
namespace {

constexpr std::array<NamedLaw, 7> laws{{
    {.name = "newton", .law = Newton{}, .summary = Newton::info.summary},
    {.name = "poisson", .law = Poisson{}, .summary = Poisson::info.summary},
    {.name = "energetic", .law = Energetic{}, .summary = Energetic::info.summary},
    {.name = "moreau", .law = Moreau{}, .summary = Moreau::info.summary},
    {.name = "moreau:poisson",
     .law = Moreau{.hypothesis = Hypothesis::poisson},
     .summary = "moreau in two stages, compression then expansion"},
    {.name = "shen-townsend",
     .law = Poisson{},
     .summary = "poisson in the plane, with mu_s; its cases i, ii, iii are among the labels",
     .is_alias = true},
    {.name = "walton",
     .law = Moreau{},
     .summary = "moreau on a sphere (G_nt = 0), as used for particles in flows",
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

std::string_view mode_label(const PlanarLaw& law, Mode mode) {
  if (info(law).labels == Labels::regimes) return regime_name(mode);
  static constexpr std::string_view digits = "0123456";
  const auto i = static_cast<std::size_t>(mode);
  return i < digits.size() ? digits.substr(i, 1) : std::string_view();
}

PlanarOutcome solve(const PlanarLaw& law, const PlanarProblem& problem) {
  return std::visit([&](const auto& l) { return l(problem); }, law);
}

std::optional<std::string> cannot_honour(const PlanarLaw& law, const Surface& s) {
  const LawInfo& about = info(law);
  if (s.static_friction > s.friction && !about.honours_static_friction) {
    return "no static_friction apart from friction";
  }
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
