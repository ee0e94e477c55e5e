// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/darboux_keller/path.hpp>

#include <utility>

#include <carom/laws/impact_units.hpp>
#include <carom/laws/process_watcher.hpp>

namespace carom {
namespace {

/// Samples the process between the points reported to it.
class Sampler final : public ProcessWatcher {
 public:
  Sampler(const SpatialProblem& problem, int samples)
      : units_(ImpactUnits::of(problem)), mu_(problem.surface.friction), samples_(samples) {
    state_.velocity = units_.into(problem).approach;
    path_.push_back({.impulse = {}, .velocity = problem.approach});
  }

  void begin(const ImpulseLine& line) override {
    line_ = &line;
    series_ = nullptr;
    turn(line.impulse);
  }
  void begin(const SlipSeries& series) override {
    line_ = nullptr;
    series_ = &series;
    tau_ = 0.;
    turn(against(series.at(0.).slip));
  }

  void advance(double tau, const ProcessState& to) override {
    if (to.impulse.n > state_.impulse.n) {
      begin_stretch(to);
      const int samples = samples_until(tau);
      for (int i = 1; i < samples; ++i) {
        const double share = static_cast<double>(i) / samples;
        const Sample sample = series_ != nullptr ? along_series(tau_ + share * (tau - tau_), to)
                                                 : along_line(share, to);
        // Skip it if rounding puts it before the last point or beyond the end.
        const double p = sample.state.impulse.n;
        if (p > told_ && p < to.impulse.n) add(sample);
      }
      add({.state = to, .friction = friction_at(tau)});
    }
    tau_ = tau;
    state_ = to;
  }

  void end_phase(const ProcessState& state) override {
    state_.velocity = state.velocity;
    path_.back().velocity = units_.velocity_out_of(state.velocity);
    path_.back().ends_phase = true;
  }

  [[nodiscard]] std::vector<SpatialPathPoint> take() { return std::move(path_); }

 private:
  struct Sample {
    ProcessState state;
    Tangent friction;
  };

  /// dP_T/dP_n of slip in this direction.
  [[nodiscard]] Tangent against(const Tangent& slip) const {
    const double s = length(slip);
    return s > 0. ? (-mu_ / s) * slip : Tangent{};
  }

  [[nodiscard]] Tangent friction_at(double tau) const {
    return series_ != nullptr ? against(series_->at(tau).slip) : line_->impulse;
  }

  /// The requested number, or more if the direction of friction changes fast.
  [[nodiscard]] int samples_until(double tau) const {
    constexpr int most_refined = 64;  // times as many samples; decides about the picture only
    int samples = samples_;
    while (series_ != nullptr && samples < most_refined * samples_ && swings(tau, samples)) {
      samples *= 2;
    }
    return samples;
  }

  /// Whether friction changes by more than a twentieth of its magnitude between two of this many
  /// samples.
  [[nodiscard]] bool swings(double tau, int samples) const {
    Tangent last = friction_at(tau_);
    for (int i = 1; i <= samples; ++i) {
      const double share = static_cast<double>(i) / samples;
      const Tangent next = friction_at(tau_ + share * (tau - tau_));
      if (length(next - last) > 0.05 * mu_) return true;
      last = next;
    }
    return false;
  }

  void turn(const Tangent& friction) {
    friction_ = friction;
    turned_ = true;
  }

  /// Adds a point if friction has jumped since the last one.
  void begin_stretch(const ProcessState& to) {
    if (!turned_) return;
    turned_ = false;
    SpatialPathPoint& last = path_.back();
    if (path_.size() == 1) {
      last.friction = friction_;
      last.motion = to.motion;
      return;
    }
    constexpr double visible = 1e-6;
    if (!(length(friction_ - last.friction) >
          visible * (length(friction_) + length(last.friction)))) {
      return;
    }
    SpatialPathPoint again = last;
    again.friction = friction_;
    again.stage = to.stage;
    again.motion = to.motion;
    again.ends_phase = false;
    path_.push_back(again);
  }

  /// On a line everything is linear; works use the mean velocity.
  [[nodiscard]] Sample along_line(double share, const ProcessState& to) const {
    const Vec3 dP = share * (to.impulse - state_.impulse);
    const Vec3 v = state_.velocity + share * (to.velocity - state_.velocity);
    const Vec3 mean = 0.5 * (state_.velocity + v);
    ProcessState s = to;
    s.impulse = state_.impulse + dP;
    s.velocity = v;
    s.normal_work = state_.normal_work + mean.n * dP.n;
    s.friction_work = state_.friction_work + dot(tangential(mean), tangential(dP));
    return {.state = s, .friction = line_->impulse};
  }

  /// On a series, at tau.
  [[nodiscard]] Sample along_series(double tau, const ProcessState& to) const {
    const SlipSeries::Added before = series_->at(tau_);
    const SlipSeries::Added now = series_->at(tau);
    const Tangent dP = now.impulse - before.impulse;
    ProcessState s = to;
    s.impulse = state_.impulse + Vec3{.n = now.p - before.p, .t1 = dP.t1, .t2 = dP.t2};
    s.velocity = {.n = now.v_n, .t1 = now.slip.t1, .t2 = now.slip.t2};
    s.normal_work = state_.normal_work + (now.normal_work - before.normal_work);
    s.friction_work = state_.friction_work + (now.friction_work - before.friction_work);
    return {.state = s, .friction = against(now.slip)};
  }

  void add(const Sample& sample) {
    const ProcessState& s = sample.state;
    path_.push_back({.impulse = units_.impulse_out_of(s.impulse),
                     .velocity = units_.velocity_out_of(s.velocity),
                     .friction = sample.friction,
                     .normal_work = units_.work_out_of(s.normal_work),
                     .friction_work = units_.work_out_of(s.friction_work),
                     .couple_work = 0.,
                     .stage = s.stage,
                     .motion = s.motion,
                     .ends_phase = false});
    told_ = s.impulse.n;
  }

  const ImpactUnits units_;
  const double mu_;
  const int samples_;
  std::vector<SpatialPathPoint> path_;
  const ImpulseLine* line_ = nullptr;
  const SlipSeries* series_ = nullptr;
  double tau_ = 0.;
  ProcessState state_;  ///< last state reported
  double told_ = 0.;    ///< normal impulse of the last point
  Tangent friction_;
  bool turned_ = false;
};

}  // namespace

std::vector<SpatialPathPoint> spatial_path(const SpatialProblem& problem, Hypothesis hypothesis,
                                           const SpatialOptions& options, int samples) {
  Sampler sampler(problem, samples);
  const SpatialOutcome outcome = darboux_keller(problem, hypothesis, options, &sampler);
  std::vector<SpatialPathPoint> path = sampler.take();
  if (outcome.impulse == Vec3{}) return {path.front()};
  path.back().impulse = outcome.impulse;
  path.back().velocity = outcome.velocity;
  return path;
}

}  // namespace carom
