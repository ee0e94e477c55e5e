// SPDX-License-Identifier: Apache-2.0
#include <carom/study/comparison.hpp>

#include <algorithm>
#include <cmath>

namespace carom::study {
namespace {

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

Comparison compare_laws(const scenario::Scenario& s, std::span<const Law* const> laws) {
  SystemAtImpact at = at_impact(s.system);
  Comparison c;
  c.problem = {.G = at.contact.G,
               .approach = at.contact.approach,
               .surface = s.surface(),
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

  LawChoice choice = choose_laws(s, laws);
  for (ChosenLaw& chosen : choice.chosen) {
    const Law& law = *chosen.law;
    require_answerable(law, c.problem, s);
    Answer a{.law = &law,
             .outcome = solve(planar_kernel(law), c.problem),
             .phases = {},
             .equivalent = {},
             .brach = {},
             .velocity_after = {},
             .joints = {},
             .note = std::move(chosen.note)};
    a.phases = all_phases(planar_kernel(law), c.problem, a.outcome);
    a.equivalent = equivalent_restitution(c.problem, a.outcome, a.phases);
    a.brach = brach_coefficients(c.problem, a.outcome);
    if (c.configuration)
      a.velocity_after = velocity_after(*c.configuration, a.outcome.impulse, a.outcome.couple);
    if (linkage != nullptr) a.joints = settled_joints(*linkage, a.outcome, *a.velocity_after);
    c.answers.push_back(std::move(a));
  }
  c.left_out = std::move(choice.left_out);
  return c;
}

}  // namespace carom::study
