// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/compliant.hpp>

#include <type_traits>

namespace carom {
namespace {

using Slider = SliderStates::State;
using Totals = CompliantTotals<double>;

template <class Observe>
Totals totals(const PlanarProblem& p, const Observe& observe) {
  return compliant_totals(p.G, p.approach, p.surface.restitution, p.surface.friction,
                          p.surface.compliance_ratio, observe);
}

/// Whether there is an impact. Without approach only if slip pulls the contact in.
bool happens(const PlanarProblem& p) {
  const auto& v = p.approach;
  if (v.n != 0.) return v.n < 0.;
  return v.t != 0. && p.G.nn - p.surface.friction * (sign(v.t) * p.G.nt) < 0.;
}

PlanarOutcome nothing(const PlanarProblem& p, Verdict why) {
  PlanarOutcome outcome = unchanged(p.approach, why);
  outcome.energy.stages = StageWork{};
  return outcome;
}

Motion motion_of(Slider s, double approach_slip) {
  if (s == Slider::stick) return Motion::stick;
  const bool reversed = s == Slider::slip_backward ? approach_slip > 0. : approach_slip < 0.;
  return reversed ? Motion::reverse_slip : Motion::slip;
}

}  // namespace

PlanarOutcome compliant(const PlanarProblem& p) {
  if (!happens(p)) return nothing(p, Verdict::no_impulse);
  SliderStates slider;
  const auto observe = [&](const auto&, double, const auto&, Stage, Slider s) { slider.enter(s); };
  const Totals r = totals(p, observe);
  if (r.end != CompliantEnd::separated) {
    return nothing(p,
                   r.end == CompliantEnd::too_many ? Verdict::not_converged : Verdict::no_solution);
  }
  const double normal = r.compression_work + r.restitution_work;
  const EnergyLedger energy{
      .change = normal + r.state.friction_work,
      .normal = normal,
      .friction = r.state.friction_work,
      .stages = StageWork{.compression = r.compression_work, .restitution = r.restitution_work}};
  PlanarOutcome o;
  o.impulse = r.state.impulse;
  o.velocity = r.state.velocity;
  o.energy = energy;
  o.mode = Mode::compliant;
  o.slider = slider;
  o.flags.add_if(r.jams, Verdict::jam);
  o.flags.add_if(r.recompressed, Verdict::recompressed);
  o.flags.add_if(gains_energy(energy), Verdict::energy_gained);
  return o;
}

std::vector<PlanarPhase> compliant_phases(const PlanarProblem& p) {
  std::vector<PlanarPhase> phases;
  compliant_phases(p, phases);
  return phases;
}

void compliant_phases(const PlanarProblem& p, std::vector<PlanarPhase>& phases) {
  phases.clear();
  if (!happens(p)) return;
  Slider last = Slider::stick;
  const auto observe = [&](const auto&, double, const springs::State<double>& x, Stage stage,
                           Slider s) {
    const PlanarPhase phase{.stage = stage,
                            .motion = motion_of(s, p.approach.t),
                            .impulse = x.impulse,
                            .velocity = x.velocity};
    const bool same = !phases.empty() && phases.back().stage == stage && last == s;
    if (same) {
      phases.back() = phase;
    } else {
      phases.push_back(phase);
    }
    last = s;
  };
  const Totals r = totals(p, observe);
  if (r.end != CompliantEnd::separated) return phases.clear();
  // Restitution of zero duration has no phase.
  if (p.surface.restitution > 0. && phases.back().impulse != r.state.impulse) {
    phases.push_back({.stage = Stage::restitution,
                      .motion = phases.back().motion,
                      .impulse = r.state.impulse,
                      .velocity = r.state.velocity});
  }
}

std::vector<CompliantPoint> compliant_path(const PlanarProblem& p, int samples) {
  std::vector<CompliantPoint> path{{.impulse = {}, .velocity = p.approach}};
  if (!happens(p)) return path;
  const auto add = [&](const springs::State<double>& x, bool ends) {
    path.push_back({.impulse = x.impulse,
                    .velocity = x.velocity,
                    .work = x.normal_work + x.friction_work,
                    .ends_phase = ends});
  };
  const auto observe = [&](const auto& stretch, double extent, const springs::State<double>& end,
                           Stage, Slider) {
    for (int i = 1; i < samples; ++i) add(stretch.at(extent * i / samples), false);
    add(end, true);
  };
  const Totals r = totals(p, observe);
  if (r.end != CompliantEnd::separated) {
    path.resize(1);
  } else {
    add(r.state, true);
  }
  return path;
}

}  // namespace carom
