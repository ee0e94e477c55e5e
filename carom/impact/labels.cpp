// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/labels.hpp>

#include <cmath>
#include <utility>

namespace carom {
namespace {

/// Normal impulse at the end of compression, or nothing for a law without stages.
std::optional<double> compression_impulse(const PlanarOutcome& o) {
  std::optional<double> p;
  for (const PlanarPhase& phase : o.phases) {
    if (phase.stage == Stage::compression) p = phase.impulse.n;
  }
  return p;
}

bool is_process_mode(Mode m) { return m <= Mode::no_slip_slides; }

}  // namespace

EquivalentRestitution equivalent_restitution(const PlanarProblem& problem, const PlanarOutcome& o) {
  EquivalentRestitution e;
  if (o.impulse.n <= 0.) return e;
  if (problem.approach.n < 0.) e.newton = -o.velocity.n / problem.approach.n;
  const auto p_c = compression_impulse(o);
  if (p_c && *p_c > 0.) e.poisson = (o.impulse.n - *p_c) / *p_c;
  if (const auto& w = o.energy.stages; w && w->compression < 0.) {
    e.energetic = std::sqrt(std::fmax(w->restitution, 0.) / -w->compression);
  }
  return e;
}

std::optional<ShenTownsendCase> shen_townsend_case(const PlanarOutcome& o) {
  switch (o.mode) {
    case Mode::slides:
    case Mode::stops_in_restitution_sticks:
    case Mode::stops_in_restitution_slips:
      return ShenTownsendCase::iii;
    case Mode::stops_in_compression_sticks:
    case Mode::stops_in_compression_slips: {
      // Slip and compression end together where compression is one phase, of slip.
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
  if (!is_process_mode(o.mode)) return o.mode;
  // A process that slips one way throughout has P_t = -+mu P_n; any other stays inside. Without
  // friction both bounds are zero and the slip that is left decides, as in moreau with eps_T = 0.
  const bool one_way = o.mode == Mode::slides || o.mode == Mode::no_slip_slides;
  if (problem.surface.friction > 0. && !one_way) return Mode::stick;
  const auto [first, last] = std::pair(problem.approach.t, o.velocity.t);
  const double slip =
      problem.surface.friction > 0. ? (first != 0. ? first : last) : (last != 0. ? last : first);
  return slip < 0. ? Mode::backward_slip : Mode::forward_slip;
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
