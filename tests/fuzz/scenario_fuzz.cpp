// SPDX-License-Identifier: Apache-2.0
// Any bytes as a scenario: read, or refused with an InputError; if read, every law answers with
// finite numbers, and its map, made small, is computed or refused.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <carom/core/error.hpp>
#include <carom/report/comparison_report.hpp>
#include <carom/report/spatial_report.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map.hpp>
#include <carom/study/spatial_comparison.hpp>

namespace {

void try_map(const std::string& text, carom::scenario::MapRequest request) {
  if (!request.x) return;
  request.x->points = 3;
  if (request.y) request.y->points = 3;
  (void)carom::study::compute_map(text, "fuzz.toml", request, {.threads = 1});
}

/// Every law on what several contacts make, if they are few.
void try_several(const carom::scenario::Scenario& s) {
  const carom::ContactProblem problem{
      .G = s.multi->contact.G, .approach = s.multi->contact.approach, .surfaces = s.surfaces.each};
  constexpr std::size_t few = 8;
  if (problem.contacts() > few) return;
  for (const carom::Law& law : carom::laws_for(carom::several_contacts)) {
    const auto outcome = law.several(problem, {.most_steps = 1000}, nullptr);
    for (const double x : outcome.velocity) {
      if (!std::isfinite(x)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto scenario = carom::scenario::parse(text, "fuzz.toml");
    if (scenario.multi) {
      try_several(scenario);
      return 0;
    }
    if (scenario.space) {
      const auto comparison = carom::study::compare_spatial_laws(scenario);
      for (const auto& a : comparison.answers) {
        const auto& [n, t1, t2] = a.outcome.impulse + a.outcome.velocity;
        if (!std::isfinite(n + t1 + t2 + a.outcome.energy.change)) std::abort();
      }
      (void)carom::report::spatial_table(scenario, comparison, {.colour = true});
      (void)carom::report::spatial_json(scenario, comparison);
      (void)carom::report::spatial_csv(comparison);
      return 0;
    }
    const auto comparison = carom::study::compare_laws(scenario);
    for (const auto& a : comparison.answers) {
      const auto& [P, v, energy, mode, flags, phases, slider, couple] = a.outcome;
      if (!std::isfinite(P.n + P.t + v.n + v.t + energy.change)) std::abort();
    }
    (void)carom::report::comparison_table(scenario, comparison, {.colour = true});
    (void)carom::report::comparison_json(scenario, comparison);
    (void)carom::report::comparison_csv(comparison);
    try_map(text, scenario.map);
  } catch (const carom::InputError& e) {
    const std::string_view text = e.what();
    if (text.empty() || e.where().empty()) std::abort();
  }
  return 0;
}
