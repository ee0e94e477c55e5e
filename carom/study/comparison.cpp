// SPDX-License-Identifier: Apache-2.0
#include <carom/study/comparison.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>

namespace carom::study {
namespace {

/// The first coefficient of the surface that `law` requires and the scenario does not give.
std::optional<std::string> missing(const NamedLaw& law, const scenario::Scenario& s) {
  for (const LawParameter& p : info(law.law).parameters) {
    if (!p.fallback.empty() || s.place_of(p.key) != nullptr) continue;
    const bool replaced =
        std::any_of(p.instead.begin(), p.instead.end(),
                    [&](std::string_view key) { return s.place_of(key) != nullptr; });
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
        field.starts_with(prefix) ? s.place_of(field.substr(prefix.size())) : nullptr;
    throw InputError(e.field(), e.problem(), place != nullptr ? *place : s.surface_place);
  }
}

/// The impulses in the joints, with what is only rounding set to zero: hinges show no couple and
/// slides no impulse along their axis.
std::vector<JointImpulse> settled_joints(const Linkage& l, const PlanarOutcome& o,
                                         const Eigen::VectorXd& after) {
  constexpr double few_roundings = 1e-13;
  std::vector<JointImpulse> joints = joint_impulses(l, o.impulse, o.couple, after);
  double impulse = std::hypot(o.impulse.n, o.impulse.t);
  double reach = std::hypot(l.contact.point[0], l.contact.point[1]);
  for (const JointImpulse& j : joints) {
    impulse = std::max({impulse, std::abs(j.impulse[0]), std::abs(j.impulse[1])});
  }
  for (const Link& link : l.links) {
    reach = std::max({reach, std::hypot(link.at[0], link.at[1]),
                      std::hypot(link.mass_centre[0], link.mass_centre[1])});
  }
  const auto settle = [](double& x, double scale) {
    if (std::abs(x) <= few_roundings * scale) x = 0.;
  };
  for (JointImpulse& j : joints) {
    settle(j.impulse[0], impulse);
    settle(j.impulse[1], impulse);
    settle(j.couple, impulse * reach);
  }
  return joints;
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
  c.kinetic = c.configuration && !c.configuration->drift.moves;
  c.energy_before = c.kinetic ? kinetic_energy(*c.configuration, c.configuration->velocity)
                              : contact_energy(c.problem);
  const auto* linkage = std::get_if<Linkage>(&s.system);
  if (linkage != nullptr) {
    for (const Link& link : linkage->links) c.joints.push_back({link.name, link.joint});
  }

  const auto ask = [&](const NamedLaw& law, std::string note) {
    require_answerable_here(law, c.problem, s);
    Answer a{.law = &law,
             .outcome = solve(law.law, c.problem),
             .phases = {},
             .equivalent = {},
             .brach = {},
             .velocity_after = {},
             .joints = {},
             .note = std::move(note)};
    a.phases = all_phases(law.law, c.problem, a.outcome);
    a.equivalent = equivalent_restitution(c.problem, a.outcome, a.phases);
    a.brach = brach_coefficients(c.problem, a.outcome);
    if (c.configuration)
      a.velocity_after = velocity_after(*c.configuration, a.outcome.impulse, a.outcome.couple);
    if (linkage != nullptr) a.joints = settled_joints(*linkage, a.outcome, *a.velocity_after);
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
      c.left_out.push_back({.law = &law,
                            .reason = "surface." + *key + " is not given",
                            .quiet = *key != "restitution" && *key != "friction"});
    } else if (auto reason = cannot_honour(law.law, s.surface)) {
      c.left_out.push_back({.law = &law, .reason = std::move(*reason)});
    } else {
      ask(law, "");
    }
  }
  if (c.answers.empty()) {
    for (const char* key : {"restitution", "friction"}) {
      const auto lacking = [&](const LeftOut& l) {
        return l.reason == "surface." + std::string(key) + " is not given";
      };
      if (std::any_of(c.left_out.begin(), c.left_out.end(), lacking)) {
        throw InputError("surface." + std::string(key), "is missing", s.surface_place);
      }
    }
    throw InputError(
        "surface",
        "no law takes all of these coefficients: " + std::string(c.left_out.front().law->name) +
            " has " + c.left_out.front().reason,
        s.surface_place);
  }
  return c;
}

}  // namespace carom::study
