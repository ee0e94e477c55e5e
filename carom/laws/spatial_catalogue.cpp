// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/spatial_catalogue.hpp>

#include <array>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/laws/brach.hpp>
#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/energetic.hpp>
#include <carom/laws/moreau.hpp>
#include <carom/laws/newton.hpp>
#include <carom/laws/poisson.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/laws/spatial_moreau.hpp>
#include <carom/laws/sun_baruh.hpp>

namespace carom {
namespace {

constexpr std::string_view process_source = "[keller1986]; in the plane [routh1905]";

/// The planar law's words, but where the process is another.
constexpr LawInfo in_space(LawInfo info, std::string_view assumptions) {
  info.assumptions = assumptions;
  info.source = process_source;
  return info;
}

constexpr LawInfo newton_info =
    in_space(Newton::info,
             "Rigid bodies; Coulomb friction at every instant of the impact, so that slip turns, "
             "slows, may stick and slip again in another direction; restitution ends when the "
             "contact separates at e times the speed of approach. It can create energy: the "
             "outcome then says energy-gained.");
constexpr LawInfo poisson_info =
    in_space(Poisson::info,
             "Rigid bodies; Coulomb friction at every instant of the impact, so that slip turns, "
             "slows, may stick and slip again in another direction; restitution delivers e times "
             "the normal impulse of compression. Never creates energy.");
constexpr LawInfo energetic_info =
    in_space(Energetic::info,
             "Rigid bodies; Coulomb friction at every instant of the impact, so that slip turns, "
             "slows, may stick and slip again in another direction; restitution returns e^2 of "
             "the normal work done in compression. Never creates energy.");

constexpr LawInfo moreau_info = [] {
  LawInfo info = Moreau::info;
  info.assumptions =
      "Rigid bodies; with xi = v+ + eps v- one inclusion for the normal direction, -P_n in "
      "Upr(xi_n), and one for the tangent plane, -P_T in mu P_n Sgn(xi_T), with Coulomb's round "
      "cone; nothing is said of what happens during the impact. Creates no energy where eps_N = "
      "eps_T; can where they differ. With strong friction there may be several solutions: the one "
      "that sticks is returned, else the one that leaves the least kinetic energy. With "
      "hypothesis poisson (moreau:poisson) compression and expansion are one such problem each.";
  info.source = "[moreau1988], [glocker2001]; in the plane [payr2005]; two stages: [pfeiffer1996]";
  info.labels = Labels::sticks;
  return info;
}();

constexpr std::array brach_parameters{
    Brach::parameters[0],
    LawParameter{.key = "friction",
                 .symbol = "f",
                 .meaning = "limit of the impulse ratios: (mu_t, mu_t') = min(1, f/|mu_0|) mu_0, "
                            "mu_0 those that end slip",
                 .allowed = ">= 0",
                 .fallback = "",
                 .instead = Brach::instead_of_friction},
    LawParameter{.key = "impulse_ratio",
                 .symbol = "mu_t, mu_t'",
                 .meaning = "P_t/P_n and P_t'/P_n themselves, in place of friction",
                 .allowed = "any",
                 .fallback = "none"},
    LawParameter{.key = "tangential_coefficient",
                 .symbol = "e_t, e_t'",
                 .meaning = "-v_j+/v_j-, in place of friction; -1 frictionless, 0 ends slip",
                 .allowed = "any",
                 .fallback = "none"},
    LawParameter{.key = "moment_coefficients",
                 .symbol = "e_m",
                 .meaning = "couples about n, t1, t2: -1 none, 0 stops relative rotation",
                 .allowed = "[-1, 1]",
                 .fallback = "[-1, -1, -1]"},
    LawParameter{.key = "moment_ratio",
                 .symbol = "M_j/P_n",
                 .meaning = "couples over the normal impulse [m], in place of moment_coefficients",
                 .allowed = "any",
                 .fallback = "none"}};

constexpr LawInfo brach_info = [] {
  LawInfo info = Brach::info;
  info.summary = "linear, generalized coefficients e_n, mu or e_t (pairs), e_m; couples included";
  info.assumptions =
      "The equations of impulse and momentum are linear once ratios are given: restitution e_n, "
      "the impulse ratios (or velocity ratios, or Coulomb's limit along the critical ratios), and "
      "for contacts over an area a moment coefficient or ratio about each axis. Nothing is said of "
      "what happens during the impact; whether energy is lost is checked afterwards. e_n above 1 "
      "means that stored energy is released.";
  info.parameters = brach_parameters;
  return info;
}();

constexpr std::array sun_baruh_parameters{
    LawParameter{.key = "restitution",
                 .symbol = "e",
                 .meaning = "as the hypothesis says: ratio of impulses, or root of that of works",
                 .allowed = "[0, 1]",
                 .fallback = ""},
    parameter::friction, parameter::static_friction,
    LawParameter{.key = "hypothesis",
                 .symbol = "",
                 .meaning = "poisson, or energetic. In a scenario the law sun-baruh:energetic",
                 .allowed = "poisson, energetic",
                 .fallback = "poisson"}};

constexpr LawInfo sun_baruh_info{
    .id = "sun-baruh",
    .summary = "algebraic approximation of the friction process: one slip direction a stage",
    .assumptions =
        "Rigid bodies; in each stage friction points against the slip that the stage would leave "
        "without friction, and where slip ends within the stage, against whatever ends it. Exact "
        "in the plane and on spheres, and where slip ends in compression and sticks (poisson). "
        "Elsewhere an approximation, which may gain energy or end still approaching.",
    .source = "[sun2022]",
    .parameters = sun_baruh_parameters,
    .honours_static_friction = true};

template <Hypothesis hypothesis>
SpatialOutcome process(const SpatialProblem& p, const SpatialOptions& options) {
  return darboux_keller(p, hypothesis, options);
}
template <Hypothesis hypothesis>
SpatialOutcome set_valued(const SpatialProblem& p, const SpatialOptions&) {
  return moreau(p, hypothesis);
}
template <Hypothesis hypothesis>
SpatialOutcome algebraic(const SpatialProblem& p, const SpatialOptions&) {
  return sun_baruh(p, hypothesis);
}
SpatialOutcome linear(const SpatialProblem& p, const SpatialOptions&) { return brach(p); }

constexpr std::array<NamedSpatialLaw, 9> laws{{
    {.name = "newton",
     .solve = process<Hypothesis::newton>,
     .info = &newton_info,
     .summary = newton_info.summary},
    {.name = "poisson",
     .solve = process<Hypothesis::poisson>,
     .info = &poisson_info,
     .summary = poisson_info.summary},
    {.name = "energetic",
     .solve = process<Hypothesis::energetic>,
     .info = &energetic_info,
     .summary = energetic_info.summary},
    {.name = "moreau",
     .solve = set_valued<Hypothesis::newton>,
     .info = &moreau_info,
     .summary = moreau_info.summary},
    {.name = "moreau:poisson",
     .solve = set_valued<Hypothesis::poisson>,
     .info = &moreau_info,
     .summary = "moreau in two stages, compression then expansion"},
    {.name = "brach", .solve = linear, .info = &brach_info, .summary = brach_info.summary},
    {.name = "sun-baruh",
     .solve = algebraic<Hypothesis::poisson>,
     .info = &sun_baruh_info,
     .summary = sun_baruh_info.summary},
    {.name = "sun-baruh:energetic",
     .solve = algebraic<Hypothesis::energetic>,
     .info = &sun_baruh_info,
     .summary = "sun-baruh ended by the work ratio"},
    {.name = "lzb",
     .solve = process<Hypothesis::energetic>,
     .info = &energetic_info,
     .summary = "energetic at one contact; at many, forces by the energy stored in each",
     .is_alias = true},
}};

bool asks_for_couples(const SpatialSurface& s) {
  const auto& e_m = s.moment_coefficients;
  return s.moment_ratio || e_m[0] > -1. || e_m[1] > -1. || e_m[2] > -1.;
}

}  // namespace

std::span<const NamedSpatialLaw> spatial_catalogue() { return laws; }

const NamedSpatialLaw* find_spatial_law(std::string_view name) noexcept {
  for (const NamedSpatialLaw& law : laws) {
    if (law.name == name) return &law;
  }
  return nullptr;
}

const NamedSpatialLaw& find_spatial_law(std::string_view name, std::string_view field) {
  if (const NamedSpatialLaw* law = find_spatial_law(name)) return *law;
  std::vector<std::string_view> names;
  for (const NamedSpatialLaw& law : laws) names.push_back(law.name);
  throw InputError(std::string(field),
                   "unknown law '" + std::string(name) + "' in space" + did_you_mean(name, names));
}

std::string mode_label(const NamedSpatialLaw& law, const SpatialOutcome& outcome) {
  if (law.info->labels == Labels::modes) {
    const auto mode = static_cast<int>(outcome.mode);
    return mode <= 6 ? std::to_string(mode) : "";
  }
  switch (outcome.mode) {
    case Mode::stick:
      return "stick";
    case Mode::slip:
      return "slip";
    default:
      // moreau says so, as in the plane; brach has no label then.
      return law.info->honours_tangential_restitution ? "no-impulse" : "";
  }
}

std::optional<std::string> cannot_honour(const NamedSpatialLaw& law, const SpatialSurface& s) {
  const LawInfo& about = *law.info;
  if (s.static_friction > s.friction && !about.honours_static_friction) {
    return "no static_friction apart from friction";
  }
  if (!about.honours_ratios) {
    if (s.impulse_ratio) return "no impulse_ratio";
    if (s.tangential_coefficient) return "no tangential_coefficient";
  }
  if (asks_for_couples(s) && !about.honours_couples) return "no couple";
  if (s.tangential_restitution > 0.) {
    if (law.name == "moreau:poisson") return "tangential_restitution is undefined in two stages";
    if (!about.honours_tangential_restitution) return "no tangential_restitution";
  }
  return std::nullopt;
}

void require_answerable(const NamedSpatialLaw& law, const SpatialProblem& problem) {
  const SpatialSurface& s = problem.surface;
  validate(s, "surface", law.info->release);
  if (law.info->honours_couples && asks_for_couples(s) && !problem.spin.known) {
    throw InputError(s.moment_ratio ? "surface.moment_ratio" : "surface.moment_coefficients",
                     "needs a spin at the contact, which contact space alone does not tell");
  }
}

}  // namespace carom
