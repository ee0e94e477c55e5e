// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/darboux_keller/darboux_keller.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/scalar.hpp>
#include <carom/laws/darboux_keller/slip_flow.hpp>
#include <carom/laws/impact_units.hpp>
#include <carom/laws/process_watcher.hpp>

namespace carom {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The process from first contact to separation. Velocities and inverse inertias are in units in
/// which they are of order one.
class Process {
 public:
  Process(const SpatialProblem& problem, const ImpactUnits& units, Hypothesis hypothesis,
          double tolerance, ProcessWatcher* watcher)
      : units_(units),
        watcher_(watcher),
        flow_(problem.G, problem.surface.friction),
        hypothesis_(hypothesis),
        e_(problem.surface.restitution),
        mu_s_(problem.surface.static_friction),
        tolerance_(tolerance),
        target_(-e_ * problem.approach.n),
        scale_(std::abs(problem.approach.n) + length(tangential(problem.approach))),
        velocity_(problem.approach) {}

  [[nodiscard]] SpatialOutcome run();

 private:
  enum class Next : std::uint8_t {
    go_on,  ///< the segment is used up
    end     ///< the impact is over
  };

  Next slip();
  Next follow(const ImpulseLine& line, double limit);
  Next follow(const SlipSeries& series);
  void advance(const ImpulseLine& line, double dp);
  void advance(double tau, const SlipSeries::Added& now);

  void push(const Vec3& dP, double normal_work, double friction_work);
  void begin_restitution();
  void resume_compression();
  void tell_phase();
  [[nodiscard]] ProcessState state() const;

  [[nodiscard]] double restitution_impulse_left() const {
    return positive_part(e_ * impulse_in_compression_ - impulse_in_restitution_);
  }
  [[nodiscard]] double restitution_work_left() const {
    return positive_part(-(e_ * e_) * work_.compression - work_.restitution);
  }
  [[nodiscard]] double to_end(double slope) const;
  [[nodiscard]] Mode mode() const;

  const ImpactUnits units_;
  ProcessWatcher* const watcher_;  ///< may be null
  const SlipFlow flow_;
  const Hypothesis hypothesis_;
  const double e_;
  const double mu_s_;
  const double tolerance_;
  const double target_;  ///< target velocity of `newton`
  const double scale_;   ///< scale of velocities

  Vec3 impulse_;
  Vec3 velocity_;
  StageWork work_;
  double friction_work_ = 0.;
  double impulse_in_compression_ = 0.;
  double impulse_in_restitution_ = 0.;
  Stage stage_ = Stage::compression;
  Motion motion_ = Motion::slip;

  // Position in the current series, and the increments up to there.
  double tau_ = 0.;
  SlipSeries::Added added_;

  bool slips_ = false;  ///< there is initial slip
  bool stops_ = false;  ///< slip has stopped
  bool sticks_ = false;
  Stage stage_of_stop_ = Stage::compression;
  bool exact_ = true;
  double told_ = 0.;  ///< impulse at the end of the last reported phase
  Verdicts flags_;
  SpatialPhases phases_;
};

ProcessState Process::state() const {
  return {.impulse = impulse_,
          .velocity = velocity_,
          .normal_work = work_.compression + work_.restitution,
          .friction_work = friction_work_,
          .stage = stage_,
          .motion = motion_};
}

void Process::tell_phase() {
  if (!(impulse_.n > told_)) return;  // zero length
  phases_.push_back({.stage = stage_,
                     .motion = motion_,
                     .impulse = units_.impulse_out_of(impulse_),
                     .velocity = units_.velocity_out_of(velocity_)});
  told_ = impulse_.n;
  if (watcher_ != nullptr) watcher_->end_phase(state());
}

void Process::begin_restitution() {
  velocity_.n = 0.;
  tell_phase();
  stage_ = Stage::restitution;
}

void Process::resume_compression() {
  velocity_.n = 0.;
  tell_phase();
  stage_ = Stage::compression;
  flags_.add(Verdict::recompressed);
}

/// Normal impulse from here to the end by the hypothesis, if dv_n/dp stays constant.
double Process::to_end(double slope) const {
  const double v = velocity_.n;
  if (e_ == 0.) return 0.;
  switch (hypothesis_) {
    case Hypothesis::newton:  // v_n+ = -e v_n-
      if (v >= target_) return 0.;
      return slope > 0. ? (target_ - v) / slope : infinite;
    case Hypothesis::poisson:  // P_r = e P_c
      return restitution_impulse_left();
    case Hypothesis::energetic:
      break;
  }
  // W_r = -e^2 W_c: v p + slope p^2/2 = remaining work.
  const double left = restitution_work_left();
  if (!(left > 0.)) return 0.;
  const double square = v * v + 2. * slope * left;
  if (square < 0.) return infinite;
  const double sum = v + std::sqrt(square);
  return sum > 0. ? 2. * left / sum : infinite;
}

void Process::push(const Vec3& dP, double normal_work, double friction_work) {
  friction_work_ += friction_work;
  const bool compression = stage_ == Stage::compression;
  (compression ? work_.compression : work_.restitution) += normal_work;
  (compression ? impulse_in_compression_ : impulse_in_restitution_) += dP.n;
  // An increment that is below rounding of the normal impulse makes no phase, and must not change
  // other components either.
  if (impulse_.n + dP.n > impulse_.n) impulse_ = impulse_ + dP;
}

void Process::advance(const ImpulseLine& line, double dp) {
  const Vec3 dP{.n = dp, .t1 = line.impulse.t1 * dp, .t2 = line.impulse.t2 * dp};
  const Vec3 after = velocity_ + dp * line.velocity;
  const Vec3 mean = 0.5 * (velocity_ + after);
  push(dP, mean.n * dp, mean.t1 * dP.t1 + mean.t2 * dP.t2);
  velocity_ = after;
  if (watcher_ != nullptr) watcher_->advance(0., state());
}

/// Follows a line for at most `limit` of normal impulse, through all events on it.
Process::Next Process::follow(const ImpulseLine& line, double limit) {
  if (watcher_ != nullptr) watcher_->begin(line);
  const double slope = line.velocity.n;
  double left = limit;
  for (;;) {
    if (stage_ == Stage::compression) {
      flags_.add_if(slope < 0. && !flags_.has(Verdict::recompressed), Verdict::jam);
      const double closing = slope > 0. ? -velocity_.n / slope : infinite;
      if (left < infinite && std::abs(closing - left) <= rounding * left) {  // both at once
        advance(line, left);
        velocity_.n = 0.;
        return Next::go_on;
      }
      if (closing > left) {
        advance(line, left);
        return Next::go_on;
      }
      if (closing == infinite) {
        // Locked: is the contact compressed, up to the accuracy of the path so far?
        if (!(slope == 0. && -velocity_.n <= std::max(rounding, tolerance_) * scale_)) {
          flags_.add(Verdict::no_solution);
          return Next::end;
        }
      } else {
        advance(line, closing);
        left -= closing;
      }
      begin_restitution();
    } else {
      const double ending = to_end(slope);
      const double falling = slope < 0. ? velocity_.n / -slope : infinite;
      const double event = std::min(ending, falling);
      if (event > left) {
        advance(line, left);
        return Next::go_on;
      }
      if (event == infinite) {
        flags_.add(Verdict::target_unreachable);
        return Next::end;
      }
      advance(line, event);
      if (ending <= falling) {
        if (hypothesis_ == Hypothesis::newton) velocity_.n = std::max(target_, velocity_.n);
        velocity_.n = positive_part(velocity_.n);
        return Next::end;
      }
      left -= event;
      resume_compression();
    }
  }
}

void Process::advance(double tau, const SlipSeries::Added& now) {
  push({.n = now.p - added_.p,
        .t1 = now.impulse.t1 - added_.impulse.t1,
        .t2 = now.impulse.t2 - added_.impulse.t2},
       now.normal_work - added_.normal_work, now.friction_work - added_.friction_work);
  velocity_ = {.n = now.v_n, .t1 = now.slip.t1, .t2 = now.slip.t2};
  added_ = now;
  tau_ = tau;
  if (watcher_ != nullptr) watcher_->advance(tau, state());
}

/// Follows one step of the flow, through all events in it.
Process::Next Process::follow(const SlipSeries& series) {
  if (watcher_ != nullptr) watcher_->begin(series);
  tau_ = 0.;
  added_ = {};
  SlipSeries::Stretches stretches;
  if (flow_.may_fall()) {
    stretches = series.monotone(flow_);
  } else {
    stretches.end[0] = series.length();
    stretches.size = 1;
  }
  double v_begin = velocity_.n;
  for (std::size_t i = 0; i < stretches.size; ++i) {
    const double end = stretches.end[i];
    const SlipSeries::Added at_end = series.at(end);
    const bool rises = at_end.v_n > v_begin;
    v_begin = at_end.v_n;
    if (stage_ == Stage::compression) {
      flags_.add_if(!rises && !flags_.has(Verdict::recompressed), Verdict::jam);
      if (!(rises && at_end.v_n >= 0.)) {
        advance(end, at_end);
        continue;
      }
      const double closed = series.where_v_n(0., tau_, end);
      advance(closed, series.at(closed));
      begin_restitution();
      if (e_ == 0.) return Next::end;
      // The work starts from zero here, and its square root follows. If the target is small, start
      // a new step whose error is relative to the work itself.
      if (hypothesis_ == Hypothesis::energetic && e_ < 0.5) return Next::go_on;
    }
    // Restitution: to its end, to the point where v_n has fallen to zero, or to the end of the
    // segment.
    const bool falls = !rises && at_end.v_n < 0.;
    const double last = falls ? series.where_v_n(0., tau_, end) : end;
    const SlipSeries::Added at_last = falls ? series.at(last) : at_end;
    bool ends = false;
    double ending = last;
    switch (hypothesis_) {
      case Hypothesis::newton:
        ends = rises && at_last.v_n >= target_;
        if (ends) ending = series.where_v_n(target_, tau_, last);
        break;
      case Hypothesis::poisson: {
        const double p = added_.p + restitution_impulse_left();
        ends = at_last.p >= p;
        if (ends) ending = series.where_p(p, tau_, last);
        break;
      }
      case Hypothesis::energetic: {
        const double work = added_.normal_work + restitution_work_left();
        ends = at_last.normal_work >= work;
        if (ends) ending = series.where_normal_work(work, tau_, last);
        break;
      }
    }
    if (ends) {
      advance(ending, series.at(ending));
      if (hypothesis_ == Hypothesis::newton) velocity_.n = target_;
      velocity_.n = positive_part(velocity_.n);
      return Next::end;
    }
    advance(last, at_last);
    if (!falls) continue;
    resume_compression();
    advance(end, at_end);
  }
  return Next::go_on;
}

/// From the approach to the stop of slip, or to the end of the impact.
Process::Next Process::slip() {
  // The part of the tolerance that each step, and the straight segment to the stop, may use. These
  // errors hardly accumulate, because neighbouring slip paths converge.
  constexpr double share = 1. / 16.;
  const double step_error = std::max(tolerance_ * share, epsilon);
  const double allowed = tolerance_ * share * scale_;
  constexpr double faint = 1e-200;
  constexpr int budget = 1000;
  for (int step = 0; step < budget; ++step) {
    const Tangent u = tangential(velocity_);
    const double s = length(u);
    const Tangent e = (1. / s) * u;
    const StraightSlip straight = flow_.straight_on(e, allowed / s);
    const bool reached = s * straight.missed <= allowed;
    if (reached || flow_.mu() == 0.) {
      exact_ = exact_ && (straight.missed == 0. || !reached);
      const bool stops = reached && straight.growth < -SlipFlow::ray_tolerance * flow_.rate();
      const Tangent along = reached ? straight.direction : e;
      const double limit = stops ? s / -straight.growth : infinite;
      if (follow(flow_.slip_line(along), limit) == Next::end) return Next::end;
      velocity_.t1 = velocity_.t2 = 0.;
      return Next::go_on;
    }
    exact_ = false;
    // Slip may become tiny long before its direction is constant. Rescale it, so that it does not
    // underflow; its magnitude does not matter here.
    if (s < faint * scale_) {
      velocity_.t1 = faint * scale_ * e.t1;
      velocity_.t2 = faint * scale_ * e.t2;
    }
    if (follow(SlipSeries(flow_, velocity_.n, tangential(velocity_), step_error)) == Next::end)
      return Next::end;
  }
  if (length(tangential(velocity_)) <= 2. * faint * scale_) {
    // Slip is tiny and changes its direction so slowly that no ray was found: two rays are about to
    // merge. Treat it as stopped.
    velocity_.t1 = velocity_.t2 = 0.;
    return Next::go_on;
  }
  flags_.add(Verdict::not_converged);
  return Next::end;
}

Mode Process::mode() const {
  if (!slips_) return sticks_ ? Mode::no_slip_sticks : Mode::no_slip_slides;
  if (!stops_) return Mode::slides;
  if (stage_of_stop_ == Stage::compression) {
    return sticks_ ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
  }
  return sticks_ ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
}

SpatialOutcome Process::run() {
  slips_ = length(tangential(velocity_)) > flow_.least_slip(velocity_.n);
  if (!slips_) velocity_.t1 = velocity_.t2 = 0.;
  const Next next = slips_ ? slip() : Next::go_on;
  if (next == Next::go_on) {
    stops_ = slips_;
    stage_of_stop_ = stage_;
    tell_phase();
    const AfterSlip after = flow_.after_slip(mu_s_);
    sticks_ = after.sticks;
    motion_ = sticks_ ? Motion::stick : Motion::slip;
    (void)follow(after.line, infinite);  // to the end of the impact, for whichever reason
  }
  tell_phase();

  SpatialOutcome outcome;
  outcome.impulse = impulse_;
  outcome.velocity = velocity_;
  outcome.mode = mode();
  outcome.flags = flags_;
  outcome.tolerance = exact_ ? 0. : tolerance_;
  outcome.phases = phases_;
  const double normal = work_.compression + work_.restitution;
  account_for_process(work_, friction_work_, normal + friction_work_, outcome);
  return outcome;
}

/// Without approach there is an impact only if slip pulls the contact in.
bool jams_from_rest(const SpatialProblem& p) {
  const Tangent u = tangential(p.approach);
  const double s = length(u);
  if (!(s > 0.)) return false;
  return SlipFlow(p.G, p.surface.friction).slip_line((1. / s) * u).velocity.n < 0.;
}

}  // namespace

SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                              const SpatialOptions& options) {
  return darboux_keller(problem, hypothesis, options, nullptr);
}

SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                              const SpatialOptions& options, ProcessWatcher* watcher) {
  const Vec3& v = problem.approach;
  if (v.n > 0.) return process_without_impact(v, Verdict::no_impulse);
  const ImpactUnits units = ImpactUnits::of(problem);
  const SpatialProblem scaled = units.into(problem);
  if (v.n == 0. && !jams_from_rest(scaled)) return process_without_impact(v, Verdict::no_impulse);
  SpatialOutcome outcome = Process(scaled, units, hypothesis, options.tolerance, watcher).run();
  if (outcome.flags.has(Verdict::no_solution))
    return process_without_impact(v, Verdict::no_solution);
  units.out_of(outcome);
  return outcome;
}

}  // namespace carom
