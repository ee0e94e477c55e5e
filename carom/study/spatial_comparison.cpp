// SPDX-License-Identifier: Apache-2.0
#include <carom/study/spatial_comparison.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/study/law_choice.hpp>

namespace carom::study {
namespace {

struct Chosen {
  const NamedSpatialLaw* law = nullptr;
  std::string note;
};

[[noreturn]] void fail_without_laws(const std::vector<SpatialLeftOut>& left_out,
                                    const scenario::Scenario& s) {
  for (const char* key : {"restitution", "friction"}) {
    const std::string reason = "surface." + std::string(key) + " is not given";
    if (std::any_of(left_out.begin(), left_out.end(),
                    [&](const SpatialLeftOut& l) { return l.reason == reason; })) {
      throw InputError("surface." + std::string(key), "is missing", s.surface_place);
    }
  }
  const SpatialLeftOut& first = left_out.front();
  throw InputError("surface",
                   "no law takes all of these coefficients: " + std::string(first.law->name) +
                       " has " + first.reason,
                   s.surface_place);
}

void require_coefficients(const NamedSpatialLaw& law, const scenario::Scenario& s) {
  if (const auto key = missing_coefficient(*law.info, s)) {
    throw InputError("surface." + *key, "is missing; " + std::string(law.name) + " needs it",
                     s.surface_place);
  }
}

/// As choose_laws does in the plane.
std::vector<Chosen> choose(const scenario::Scenario& s,
                           std::span<const NamedSpatialLaw* const> laws,
                           std::vector<SpatialLeftOut>& left_out) {
  std::vector<Chosen> chosen;
  const std::span<const NamedSpatialLaw* const> named = laws.empty() ? s.space->laws : laws;
  for (const NamedSpatialLaw* law : named) {
    require_coefficients(*law, s);
    chosen.push_back({.law = law, .note = cannot_honour(*law, s.space->surface).value_or("")});
  }
  if (!named.empty()) return chosen;
  for (const NamedSpatialLaw& law : spatial_catalogue()) {
    if (law.is_alias) continue;
    if (const auto key = missing_coefficient(*law.info, s)) {
      left_out.push_back({.law = &law,
                          .reason = "surface." + *key + " is not given",
                          .quiet = *key != "restitution" && *key != "friction"});
    } else if (auto reason = cannot_honour(law, s.space->surface)) {
      left_out.push_back({.law = &law, .reason = std::move(*reason)});
    } else {
      chosen.push_back({.law = &law, .note = ""});
    }
  }
  if (chosen.empty()) fail_without_laws(left_out, s);
  return chosen;
}

SpatialOutcome ask(const NamedSpatialLaw& law, const SpatialProblem& problem,
                   const SpatialOptions& options, const scenario::Scenario& s) {
  try {
    require_answerable(law, problem);
  } catch (const InputError& e) {
    throw placed(e, s);
  }
  return law.solve(problem, options);
}

Distance distance(const NamedSpatialLaw& law, const SpatialOutcome& outcome,
                  const NamedSpatialLaw& other, const SpatialOutcome& reference,
                  const Vec3& approach) {
  Distance d{.from = std::string(other.name), .relative = {}, .same_mode = {}};
  const auto size = [](const Vec3& v) { return std::hypot(v.n, v.t1, v.t2); };
  if (size(approach) > 0.) {
    d.relative = size(outcome.velocity - reference.velocity) / size(approach);
  }
  if (law.info->labels == other.info->labels) {
    d.same_mode = mode_label(law, outcome) == mode_label(other, reference);
  }
  return d;
}

}  // namespace

std::string_view exact_counterpart(std::string_view law) {
  const auto colon = law.find(':');
  const std::string_view base = law.substr(0, colon);
  const std::string_view hypothesis =
      colon == std::string_view::npos ? base : law.substr(colon + 1);
  for (const std::string_view known : {"newton", "poisson", "energetic"}) {
    if (hypothesis == known) return known;
  }
  return base == "sun-baruh" ? "poisson" : "newton";
}

void require_tolerance(double tolerance, std::string_view field) {
  if (!(tolerance >= 1e-14 && tolerance <= 1e-3)) {
    throw InputError(std::string(field), tolerance, "in [1e-14, 1e-3]");
  }
}

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
  const SpatialAtImpact at = at_impact(s.space->system);
  SpatialComparison c;
  c.problem = {.G = at.contact.G,
               .approach = at.contact.approach,
               .surface = s.space->surface,
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
  if (const auto* bodies = std::get_if<SpatialBodies>(&s.space->system)) {
    if (!bodies->first.name.empty()) c.names[0] = bodies->first.name;
    if (bodies->second && !bodies->second->name.empty()) c.names[1] = bodies->second->name;
  }
  c.energy_before = c.kinetic ? kinetic : contact_energy(c.problem);

  const NamedSpatialLaw* reference = nullptr;
  SpatialOutcome expected;
  if (!q.against.empty() && q.against != "exact") {
    reference = &scenario::spatial_law(q.against, "--against");
    require_coefficients(*reference, s);
    expected = ask(*reference, c.problem, q.options, s);
  }
  for (Chosen& chosen : choose(s, q.laws, c.left_out)) {
    const NamedSpatialLaw& law = *chosen.law;
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
      const NamedSpatialLaw& exact = find_spatial_law(exact_counterpart(law.name), "--against");
      require_coefficients(exact, s);
      const SpatialOutcome process = ask(exact, c.problem, q.options, s);
      a.distance = distance(law, a.outcome, exact, process, c.problem.approach);
    }
    c.answers.push_back(std::move(a));
  }
  return c;
}

}  // namespace carom::study
