// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/routh.hpp>

namespace carom {
namespace {

using Totals = RouthTotals<double>;

/// State of the process at normal impulse p, on the first or the second segment.
PlanarPhase first_segment(const PlanarProblem& problem, const Totals& r, Stage stage, double p,
                          double v_n) {
  const double slip_rate = problem.G.nt + r.first_ratio * problem.G.tt;
  return {.stage = stage,
          .motion = Motion::slip,
          .impulse = {.n = p, .t = r.first_ratio * p},
          .velocity = {.n = v_n, .t = problem.approach.t + slip_rate * p}};
}

PlanarPhase second_segment(const Totals& r, Stage stage, Motion motion, double p, double v_n) {
  const double rest = p - r.p_stop;
  return {.stage = stage,
          .motion = motion,
          .impulse = {.n = p, .t = r.first_ratio * r.p_stop + r.second_ratio * rest},
          .velocity = {.n = v_n, .t = r.second_slip_rate * rest}};
}

PlanarPhase stop_of_slip(const Totals& r, Stage stage) {
  return {.stage = stage,
          .motion = Motion::slip,
          .impulse = {.n = r.p_stop, .t = r.first_ratio * r.p_stop},
          .velocity = {.n = r.v_stop, .t = 0.}};
}

Mode mode_of(const Totals& r, bool slips) {
  if (!slips) return r.sticks ? Mode::no_slip_sticks : Mode::no_slip_slides;
  if (!r.stops) return Mode::slides;
  if (r.stops_in_compression) {
    return r.sticks ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
  }
  return r.sticks ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
}

PlanarPhases tell_phases(const PlanarProblem& problem, const Totals& r, bool slips) {
  const Motion afterwards = r.sticks ? Motion::stick : slips ? Motion::reverse_slip : Motion::slip;
  const double p_end = r.impulse.n;
  PlanarPhases phases;
  if (r.stops_in_compression && r.stops) {
    if (slips) phases.push_back(stop_of_slip(r, Stage::compression));
    if (r.p_compression > r.p_stop) {
      phases.push_back(second_segment(r, Stage::compression, afterwards, r.p_compression, 0.));
    }
  } else {
    phases.push_back(first_segment(problem, r, Stage::compression, r.p_compression, 0.));
    if (r.stops) phases.push_back(stop_of_slip(r, Stage::restitution));
  }
  // The last phase may have zero length: e = 0, or a contact that locks.
  const bool ended = !phases.empty() && !(p_end > phases[phases.size() - 1].impulse.n);
  if (ended) return phases;
  PlanarPhase last{.stage = Stage::restitution,
                   .motion = r.stops ? afterwards : Motion::slip,
                   .impulse = r.impulse,
                   .velocity = r.velocity};
  phases.push_back(last);
  return phases;
}

Totals totals(const PlanarProblem& p, Hypothesis hypothesis) {
  const double e = p.surface.restitution;
  const double mu = p.surface.friction;
  const double mu_s = p.surface.static_friction;
  switch (hypothesis) {
    case Hypothesis::newton:
      return routh_totals<Hypothesis::newton>(p.G, p.approach, e, mu, mu_s);
    case Hypothesis::poisson:
      return routh_totals<Hypothesis::poisson>(p.G, p.approach, e, mu, mu_s);
    case Hypothesis::energetic:
      break;
  }
  return routh_totals<Hypothesis::energetic>(p.G, p.approach, e, mu, mu_s);
}

/// A process law has stages even if there is no impact.
PlanarOutcome nothing(const Vec2& approach, Verdict why) {
  PlanarOutcome outcome = unchanged(approach, why);
  outcome.energy.stages = StageWork{};
  return outcome;
}

PlanarOutcome with_phases(const PlanarProblem& problem, const Totals& r) {
  const bool slips = problem.approach.t != 0.;
  const double normal = r.compression_work + r.restitution_work;
  const EnergyLedger energy{
      .change = normal + r.friction_work,
      .normal = normal,
      .friction = r.friction_work,
      .stages = StageWork{.compression = r.compression_work, .restitution = r.restitution_work}};
  Verdicts flags;
  flags.add_if(r.jams, Verdict::jam);
  flags.add_if(r.unreachable, Verdict::target_unreachable);
  flags.add_if(gains_energy(energy), Verdict::energy_gained);
  return {.impulse = r.impulse,
          .velocity = r.velocity,
          .energy = energy,
          .mode = mode_of(r, slips),
          .flags = flags,
          .phases = tell_phases(problem, r, slips)};
}

}  // namespace

PlanarOutcome routh(const PlanarProblem& problem, Hypothesis hypothesis) {
  if (problem.approach.n > 0.) return nothing(problem.approach, Verdict::no_impulse);
  const Totals r = totals(problem, hypothesis);
  if (!r.impact) return nothing(problem.approach, Verdict::no_impulse);
  if (r.unsolvable) return nothing(problem.approach, Verdict::no_solution);
  return with_phases(problem, r);
}

}  // namespace carom
