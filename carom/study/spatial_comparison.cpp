// SPDX-License-Identifier: Apache-2.0
#include <carom/study/spatial_comparison.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/study/law_choice.hpp>

namespace carom::study {
namespace {

void require_coefficients(const Law& law, const scenario::Scenario& s) {
  if (const auto key = missing_coefficient(*answering(law, in_space)->info, s)) {
    throw InputError("surface." + *key, "is missing; " + std::string(law.name) + " needs it",
                     s.surfaces.place);
  }
}

SpatialOutcome ask(const Law& law, const SpatialProblem& problem, const SpatialOptions& options,
                   const scenario::Scenario& s) {
  try {
    require_answerable(*answering(law, in_space)->info, problem.surface, problem.spin.known, 3);
  } catch (const InputError& e) {
    throw placed(e, s);
  }
  return answering(law, in_space)->spatial(problem, options);
}

Distance distance(const Law& law, const SpatialOutcome& outcome, const Law& other,
                  const SpatialOutcome& reference, const Vec3& approach) {
  Distance d{.from = std::string(other.name), .relative = {}, .same_mode = {}};
  const auto size = [](const Vec3& v) { return std::hypot(v.n, v.t1, v.t2); };
  if (size(approach) > 0.) {
    d.relative = size(outcome.velocity - reference.velocity) / size(approach);
  }
  if (law.info->labels == other.info->labels) {
    d.same_mode = mode_label(*law.info, outcome.mode) == mode_label(*other.info, reference.mode);
  }
  return d;
}

}  // namespace

EquivalentRestitution equivalent_restitution(const SpatialProblem& p, const SpatialOutcome& o) {
  EquivalentRestitution e;
  if (!(o.impulse.n > 0.)) return e;
  if (p.approach.n < 0.) e.newton = -o.velocity.n / p.approach.n;
  if (o.energy.stages && o.energy.stages->compression < 0.) {
    e.energetic =
        std::sqrt(std::max(0., o.energy.stages->restitution) / -o.energy.stages->compression);
  }
  if (!o.phases.empty() && o.phases.counted() == o.phases.size()) {
    double compression = 0.;
    double before = 0.;
    for (const SpatialPhase& phase : o.phases) {
      if (phase.stage == Stage::compression) compression += phase.impulse.n - before;
      before = phase.impulse.n;
    }
    if (compression > 0.) e.poisson = (o.impulse.n - compression) / compression;
  }
  return e;
}

SpatialComparison compare_spatial_laws(const scenario::Scenario& s, const SpatialQuestion& q) {
  require_tolerance(q.options.tolerance, "--tolerance");
  const SpatialAtImpact at = at_impact(*s.space);
  SpatialComparison c;
  c.problem = {.G = at.contact.G,
               .approach = at.contact.approach,
               .surface = s.surface(),
               .spin = at.contact.spin};
  // Where the surface moves, what drives it does work, too.
  c.kinetic = at.bodies && !at.bodies->surface_moves();
  double kinetic = 0.;
  if (at.bodies) {
    for (std::size_t i = 0; i < at.bodies->size(); ++i) {
      const SpatialMotion& m = at.bodies->before(i);
      c.before.push_back({.motion = m, .energy = at.bodies->energy(i, m)});
      kinetic += c.before.back().energy.total();
      c.names.push_back(at.bodies->size() == 1 ? "body" : "body " + std::to_string(i + 1));
    }
  }
  if (const auto* bodies = std::get_if<SpatialBodies>(&*s.space)) {
    if (!bodies->first.name.empty()) c.names[0] = bodies->first.name;
    if (bodies->second && !bodies->second->name.empty()) c.names[1] = bodies->second->name;
  }
  c.energy_before = c.kinetic ? kinetic : contact_energy(c.problem);

  const Law* reference = nullptr;
  SpatialOutcome expected;
  if (!q.against.empty() && q.against != "exact") {
    reference = &find_law(q.against, "--against", in_space);
    require_coefficients(*reference, s);
    expected = ask(*reference, c.problem, q.options, s);
  }
  LawChoice choice = choose_laws(s, q.laws);
  c.left_out = std::move(choice.left_out);
  for (ChosenLaw& chosen : choice.chosen) {
    const Law& law = *chosen.law;
    SpatialAnswer a{.law = &law,
                    .outcome = ask(law, c.problem, q.options, s),
                    .equivalent = {},
                    .bodies = {},
                    .distance = {},
                    .note = std::move(chosen.note)};
    a.equivalent = equivalent_restitution(c.problem, a.outcome);
    for (std::size_t i = 0; i < c.before.size(); ++i) {
      const SpatialMotion m = at.bodies->after(i, a.outcome.impulse, a.outcome.couple);
      a.bodies.push_back({.motion = m, .energy = at.bodies->energy(i, m)});
    }
    if (reference != nullptr) {
      a.distance = distance(law, a.outcome, *reference, expected, c.problem.approach);
    } else if (!q.against.empty()) {
      const Law& exact = find_law(law.exact, "--against", in_space);
      require_coefficients(exact, s);
      const SpatialOutcome process = ask(exact, c.problem, q.options, s);
      a.distance = distance(law, a.outcome, exact, process, c.problem.approach);
    }
    c.answers.push_back(std::move(a));
  }
  return c;
}

}  // namespace carom::study
