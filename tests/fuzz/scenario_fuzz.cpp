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
#include <carom/report/comparison/report.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>
#include <carom/study/map/map.hpp>

namespace {

/// Larger systems take too long.
constexpr std::size_t few_contacts = 8;

void try_map(const std::string& text, carom::scenario::MapRequest request) {
  if (!request.x) return;
  request.x->points = 3;
  if (request.y) request.y->points = 3;
  (void)carom::study::compute_map(text, "fuzz.toml", request, {.threads = 1});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto scenario = carom::scenario::parse(text, "fuzz.toml");
    if (scenario.kind().contacts > few_contacts) return 0;
    carom::study::Question question;
    if (scenario.kind().contacts > 1) {
      question.options = scenario.options;
      question.options->most_steps = 1000;
    }
    const auto comparison = carom::study::compare_laws(scenario, question);
    for (const auto& a : comparison.answers) {
      for (const double x : a.outcome.impulse) {
        if (!std::isfinite(x)) std::abort();
      }
      for (const double x : a.outcome.velocity) {
        if (!std::isfinite(x)) std::abort();
      }
      if (!std::isfinite(a.outcome.energy.change)) std::abort();
    }
    (void)carom::report::comparison_table(scenario, comparison, {.colour = true});
    (void)carom::report::comparison_json(scenario, comparison);
    (void)carom::report::comparison_csv(comparison);
    if (scenario.kind().contacts == 1) try_map(text, scenario.map);
  } catch (const carom::InputError& e) {
    const std::string_view text = e.what();
    if (text.empty() || e.where().empty()) std::abort();
  }
  return 0;
}
