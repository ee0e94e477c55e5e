// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/multi_catalogue.hpp>

#include <array>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/laws/catalogue.hpp>
#include <carom/laws/lzb.hpp>
#include <carom/laws/multi_moreau.hpp>
#include <carom/laws/spatial_catalogue.hpp>

namespace carom {
namespace {

MultiOutcome moreau(const MultiProblem& problem, const MultiOptions& options,
                    MultiTrace* /*trace*/) {
  return solve_multi_moreau(problem, options);
}

MultiOutcome moreau_poisson(const MultiProblem& problem, const MultiOptions& options,
                            MultiTrace* /*trace*/) {
  return solve_multi_moreau_poisson(problem, options);
}

const std::array<NamedMultiLaw, 3> laws = {{
    {.name = "moreau",
     .solve = moreau,
     .info = &MultiMoreau::info,
     .summary = "complementarity on the total impulses, with eps_N, eps_T and mu"},
    {.name = "moreau:poisson",
     .solve = moreau_poisson,
     .info = &MultiMoreau::poisson_info,
     .summary = "the same in two stages, the second returning e times the first's impulses"},
    {.name = "lzb",
     .solve = solve_lzb,
     .info = &Lzb::info,
     .summary = "forces by the energy stored in each contact, energetic restitution, friction",
     .needs_stiffness = true},
}};

}  // namespace

std::span<const NamedMultiLaw> multi_catalogue() { return laws; }

const NamedMultiLaw* find_multi_law(std::string_view name) noexcept {
  for (const NamedMultiLaw& law : laws) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

const NamedMultiLaw& find_multi_law(std::string_view name, std::string_view field) {
  if (const NamedMultiLaw* law = find_multi_law(name)) return *law;
  if (find_law(name) != nullptr || find_spatial_law(name) != nullptr) {
    throw InputError(
        std::string(field),
        std::string(name) + " is of one contact; several are for moreau, moreau:poisson and lzb");
  }
  std::vector<std::string_view> known;
  for (const NamedMultiLaw& law : laws) known.push_back(law.name);
  throw InputError(std::string(field),
                   "unknown law '" + std::string(name) + "'" + did_you_mean(name, known));
}

std::optional<std::string> cannot_honour(const NamedMultiLaw& law, const MultiSurface& s) {
  if (!law.info->honours_static_friction && s.static_friction > s.friction) {
    return "no static_friction above friction";
  }
  if (s.tangential_restitution > 0.) {
    if (law.name == "moreau:poisson") return "tangential_restitution is undefined in two stages";
    if (!law.info->honours_tangential_restitution) return "no tangential_restitution";
  }
  return std::nullopt;
}

}  // namespace carom
