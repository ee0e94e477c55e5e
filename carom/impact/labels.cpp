// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/labels.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/couple.hpp>
#include <carom/impact/critical_ratio.hpp>

namespace carom {
namespace {

/// Normal impulse at the end of compression, or nothing for a law without stages.
std::optional<double> compression_impulse(std::span<const PlanarPhase> phases) {
  std::optional<double> p;
  for (const PlanarPhase& phase : phases) {
    if (phase.stage == Stage::compression) p = phase.impulse.n;
  }
  return p;
}

bool is_process_mode(Mode m) { return m <= Mode::no_slip_slides; }

}  // namespace

EquivalentRestitution equivalent_restitution(const PlanarProblem& problem, const PlanarOutcome& o) {
  return equivalent_restitution(problem, o, {o.phases.begin(), o.phases.size()});
}

EquivalentRestitution equivalent_restitution(const PlanarProblem& problem, const PlanarOutcome& o,
                                             std::span<const PlanarPhase> phases) {
  EquivalentRestitution e;
  if (o.impulse.n <= 0.) return e;
  if (problem.approach.n < 0.) e.newton = -o.velocity.n / problem.approach.n;
  const auto p_c = compression_impulse(phases);
  if (p_c && *p_c > 0.) e.poisson = (o.impulse.n - *p_c) / *p_c;
  if (const auto& w = o.energy.stages; w && w->compression < 0.) {
    e.energetic = std::sqrt(std::fmax(w->restitution, 0.) / -w->compression);
  }
  return e;
}

BrachCoefficients brach_coefficients(const PlanarProblem& problem, const PlanarOutcome& o) {
  BrachCoefficients b;
  const auto& [G, v, surface, spin] = problem;
  if (!(o.impulse.n > 0.)) return b;
  b.impulse_ratio = o.impulse.t / o.impulse.n;
  if (v.t != 0.) b.e_t = -o.velocity.t / v.t;
  if (!(v.n < 0.)) return b;
  b.e_n = -o.velocity.n / v.n;
  // The couple is -c (omega_r + g.P), c = (1 + e_m)/G_rr. These are G and v with the couple
  // eliminated.
  double c = 0.;
  if (o.couple != 0.) {
    const double turned = spin.approach + spin.nr * o.impulse.n + spin.tr * o.impulse.t;
    c = -o.couple / turned;
    b.e_m = std::clamp(c * spin.rr - 1., -1., 1.);  // removes rounding errors
  }
  const auto [H, free] = eliminate_couple(G, v, spin, c);
  const auto critical = critical_ratio(H, {.n = free.n - o.velocity.n, .t = free.t});
  if (critical.exists) b.critical_ratio = critical.ratio;
  return b;
}

std::vector<double> partial_impulse_ratios(std::span<const PlanarPhase> phases) {
  std::vector<double> ratios;
  Vec2 before;
  for (const PlanarPhase& phase : phases) {
    const Vec2 P = phase.impulse - before;
    ratios.push_back(P.n > 0. ? P.t / P.n : 0.);
    before = phase.impulse;
  }
  return ratios;
}

std::optional<ShenTownsendCase> shen_townsend_case(const PlanarOutcome& o) {
  switch (o.mode) {
    case Mode::slides:
    case Mode::stops_in_restitution_sticks:
    case Mode::stops_in_restitution_slips:
      return ShenTownsendCase::iii;
    case Mode::stops_in_compression_sticks:
    case Mode::stops_in_compression_slips: {
      // Slip and compression end together if compression is one phase of slip.
      const bool together = o.phases.size() == 1 || o.phases[1].stage == Stage::restitution;
      return together ? ShenTownsendCase::ii : ShenTownsendCase::i;
    }
    case Mode::no_slip_sticks:
    case Mode::no_slip_slides:
      return ShenTownsendCase::i;
    default:
      return std::nullopt;
  }
}

std::optional<int> sun_baruh_mode(const PlanarOutcome& o) {
  if (!is_process_mode(o.mode)) return std::nullopt;
  return static_cast<int>(o.mode);
}

Mode payr_glocker_regime(const PlanarProblem& problem, const PlanarOutcome& o) {
  if (!(o.impulse.n > 0.)) return Mode::no_impulse;
  if (o.mode == Mode::backward_slip || o.mode == Mode::stick || o.mode == Mode::forward_slip) {
    return o.mode;
  }
  // Without friction both bounds are zero, and the remaining slip decides, as in moreau.
  const auto by_slip = [](double first, double second) {
    const double slip = first != 0. ? first : second;
    return slip < 0. ? Mode::backward_slip : Mode::forward_slip;
  };
  if (!(problem.surface.friction > 0.)) return by_slip(o.velocity.t, problem.approach.t);
  if (!is_process_mode(o.mode)) {  // other laws: by the impulse
    const double limit = problem.surface.friction * o.impulse.n;
    const bool inside = std::abs(o.impulse.t) < limit * (1. - rounding);
    if (inside) return Mode::stick;
    return o.impulse.t > 0. ? Mode::backward_slip : Mode::forward_slip;
  }
  // A process that slips in one direction throughout has P_t = -+mu P_n. Any other stays inside the
  // cone.
  const bool one_way = o.mode == Mode::slides || o.mode == Mode::no_slip_slides;
  return one_way ? by_slip(problem.approach.t, o.velocity.t) : Mode::stick;
}

std::string slider_text(const SliderStates& states) {
  std::string text;
  for (std::size_t i = 0; i < std::min(states.size(), SliderStates::capacity); ++i) {
    if (i > 0) text += '/';
    switch (states[i]) {
      case SliderStates::State::stick:
        text += "stick";
        break;
      case SliderStates::State::slip_forward:
        text += "slip+";
        break;
      case SliderStates::State::slip_backward:
        text += "slip-";
        break;
      case SliderStates::State::slip:
        text += "slip";
        break;
    }
  }
  if (states.size() > SliderStates::capacity) {
    text += "/... (" + std::to_string(states.size()) + " states)";
  }
  return text;
}

std::string_view name(ShenTownsendCase c) {
  switch (c) {
    case ShenTownsendCase::i:
      return "i";
    case ShenTownsendCase::ii:
      return "ii";
    case ShenTownsendCase::iii:
      return "iii";
  }
  return "";
}

std::string_view regime_name(Mode regime) {
  switch (regime) {
    case Mode::backward_slip:
      return "backward-slip";
    case Mode::stick:
      return "stick";
    case Mode::forward_slip:
      return "forward-slip";
    default:
      return "no-impulse";
  }
}

}  // namespace carom
