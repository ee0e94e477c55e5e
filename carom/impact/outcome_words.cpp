// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/outcome_words.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/spatial/coefficients.hpp>

namespace carom {
namespace {

constexpr std::array<std::string_view, 3> axes = {"normal", "tangent 1", "tangent 2"};

bool is_one(const ContactProblem& p, std::size_t components) {
  return p.contacts() == 1 && p.components() == components;
}

template <std::size_t n>
BrachEntry entry(std::string_view key, const std::optional<std::array<double, n>>& values) {
  BrachEntry e{.key = key, .size = n, .whole = true};
  for (std::size_t i = 0; values && i < n; ++i) e.values[i] = (*values)[i];
  return e;
}

BrachEntry entry(std::string_view key, const std::optional<double>& value) {
  return {.key = key, .size = 1, .values = {value}};
}

}  // namespace

std::string_view component_name(std::size_t components, std::size_t component) {
  return components == 2 && component == 1 ? "tangential" : axes[component];
}

std::string_view component_symbol(std::size_t components, std::size_t component) {
  static constexpr std::array<std::string_view, 3> symbols = {"n", "t1", "t2"};
  return components == 2 && component == 1 ? "t" : symbols[component];
}

std::string_view spin_name(std::size_t spin_rows, std::size_t row) {
  return spin_rows == 1 ? std::string_view{} : axes[row];
}

SlipOfContact slip(const ContactProblem& p, const Outcome& o, std::size_t contact) {
  const std::size_t at = contact * p.G.components();
  switch (p.components()) {
    case 1:
      return {};
    case 2:
      return {.before = p.approach[at + 1], .after = o.velocity[at + 1]};
    default: {
      const std::array before{p.approach[at + 1], p.approach[at + 2]};
      const std::array after{o.velocity[at + 1], o.velocity[at + 2]};
      const double along = before[0] * after[0] + before[1] * after[1];
      const double size = std::hypot(after[0], after[1]);
      return {.before = std::hypot(before[0], before[1]), .after = along < 0. ? -size : size};
    }
  }
}

double tangential_impulse(const ContactProblem& p, const Outcome& o, std::size_t contact) {
  const double* P = o.impulse.data() + contact * p.G.components();
  if (p.components() == 1) return 0.;
  return p.components() == 2 ? P[1] : std::hypot(P[1], P[2]);
}

EquivalentRestitution equivalent_restitution(const ContactProblem& p, const Outcome& o,
                                             std::size_t contact) {
  EquivalentRestitution e;
  const std::size_t at = contact * p.G.components();
  const double impulse = o.impulse[at];
  if (!(impulse > 0.)) return e;
  if (p.approach[at] < 0.) e.newton = -o.velocity[at] / p.approach[at];
  if (const auto& w = o.contacts[contact].energy.stages; w && w->compression < 0.) {
    e.energetic = std::sqrt(std::max(0., w->restitution) / -w->compression);
  }
  if (o.phases_left_out > 0) return e;
  double compression = 0.;
  double before = 0.;
  for (const Phase& phase : o.phases) {
    if (phase.contact != contact) continue;
    if (phase.stage == Stage::compression) compression += phase.impulse[0] - before;
    before = phase.impulse[0];
  }
  if (compression > 0.) e.poisson = (impulse - compression) / compression;
  return e;
}

std::optional<double> jamming_friction(const ContactProblem& p) {
  if (!is_one(p, 2)) return std::nullopt;
  const Sym2 G = planar_problem(p).G;
  return G.nn / std::abs(G.nt);
}

std::string_view motion_name(const ContactProblem& p, const Phase& phase) {
  return p.components() > 1 ? name(phase.motion) : std::string_view{};
}

std::size_t compressions(const Outcome& o, std::size_t contact) {
  std::size_t count = 0;
  bool compressing = false;
  for (const Phase& phase : o.phases) {
    if (phase.contact != contact) continue;
    const bool now = phase.stage == Stage::compression;
    if (now && !compressing) ++count;
    compressing = now;
  }
  return count;
}

std::string describe(const ContactProblem& p, const Outcome& o, std::size_t contact) {
  if (o.flags.has(Verdict::no_solution)) return "no solution";
  const Mode mode = o.contacts[contact].mode;
  const SliderStates& slider = o.contacts[contact].slider;
  if (mode == Mode::compliant) {
    if (slider.size() > 1) return "slider in " + std::to_string(slider.size()) + " states";
    return slider.last() == SliderStates::State::stick ? "sticks throughout" : "slips throughout";
  }
  std::string text(describe(mode));
  // In space slip that begins anew need not reverse.
  constexpr std::string_view reverses = "reverses";
  if (p.components() == 3 && text.ends_with(reverses)) {
    text.replace(text.size() - reverses.size(), reverses.size(), "slips again");
  }
  return text;
}

FewOf<PublishedLabel, 3> published_labels(const ContactProblem& p, const Outcome& o) {
  static constexpr std::string_view digits = "0123456";
  FewOf<PublishedLabel, 3> labels;
  if (!is_one(p, 2)) return labels;
  const PlanarOutcome one = planar_outcome(o);
  labels.push_back({.key = "payr_glocker_regime",
                    .text = regime_name(payr_glocker_regime(planar_problem(p), one))});
  if (const auto mode = sun_baruh_mode(one)) {
    labels.push_back({.key = "sun_baruh_mode",
                      .text = digits.substr(static_cast<std::size_t>(*mode), 1),
                      .number = true});
  }
  if (const auto c = shen_townsend_case(one)) {
    labels.push_back({.key = "shen_townsend_case", .text = name(*c)});
  }
  return labels;
}

FewOf<BrachEntry, 6> brach_entries(const ContactProblem& p, const Outcome& o) {
  FewOf<BrachEntry, 6> entries;
  if (is_one(p, 2)) {
    const BrachCoefficients b = brach_coefficients(planar_problem(p), planar_outcome(o));
    entries.push_back(entry("e_n", b.e_n));
    entries.push_back(entry("e_t", b.e_t));
    entries.push_back(entry("impulse_ratio", b.impulse_ratio));
    entries.push_back(entry("critical_impulse_ratio", b.critical_ratio));
    if (b.e_m) entries.push_back(entry("e_m", b.e_m));
  } else if (is_one(p, 3)) {
    const auto b = brach_coefficients(spatial_problem(p), spatial_outcome(o));
    entries.push_back(entry("e_n", b.e_n));
    entries.push_back({.key = "e_t", .size = 2, .values = {b.e_t[0], b.e_t[1]}});
    entries.push_back(entry("impulse_ratio", b.impulse_ratio));
    entries.push_back(entry("moment_ratio", b.moment_ratio));
    entries.push_back(entry("critical_impulse_ratio", b.critical_ratio));
    entries.push_back(
        entry("critical_impulse_ratio_without_rebound", b.critical_ratio_without_rebound));
  }
  return entries;
}

}  // namespace carom
