// SPDX-License-Identifier: Apache-2.0
#include <carom/study/multi_comparison.hpp>

#include <carom/study/law_choice.hpp>

namespace carom::study {

std::vector<const Law*> applying_multi_laws(const scenario::Scenario& s) {
  std::vector<const Law*> laws;
  for (const ChosenLaw& c : choose_laws(s, {}).chosen) laws.push_back(c.law);
  return laws;
}

MultiComparison compare_multi_laws(const scenario::Scenario& s, const MultiQuestion& q) {
  const MultiAtImpact& at = *s.multi;
  MultiComparison c;
  c.problem = {.G = at.contact.G, .approach = at.contact.approach, .surfaces = s.surfaces.each};
  c.names = at.names;
  // Where the supports move, what drives them does work, too.
  c.kinetic = at.configuration && at.configuration->support_velocity.empty();
  if (at.configuration) {
    c.coordinates = at.configuration->coordinates;
    c.velocity_before = at.configuration->u;
  }
  c.energy_before = c.kinetic ? kinetic_energy(*at.configuration, at.configuration->u)
                              : contact_energy(c.problem);
  LawChoice choice = choose_laws(s, q.laws);
  c.left_out = std::move(choice.left_out);
  for (ChosenLaw& chosen : choice.chosen) {
    MultiAnswer a;
    a.law = chosen.law;
    a.note = std::move(chosen.note);
    solve_as_several(*chosen.law, c.problem, q.options, a.outcome);
    // Once more for the course: looking at it may change the last digits.
    if (q.traces && a.law->info->knows("stiffness")) a.law->several(c.problem, q.options, &a.trace);
    if (at.configuration) {
      a.velocity_after = velocity_after(*at.configuration, a.outcome.impulse);
    }
    c.answers.push_back(std::move(a));
  }
  return c;
}

}  // namespace carom::study
