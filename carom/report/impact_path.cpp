// SPDX-License-Identifier: Apache-2.0
#include <carom/report/impact_path.hpp>

#include <carom/impact/one_contact.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

constexpr int points_a_phase = 24;

/// Goes on in a straight line to `impulse`, where the velocity is `velocity`. Velocity is linear
/// in impulse, so the work is the mean velocity times the impulse.
void go_straight(std::vector<PathPoint>& path, const Vec2& impulse, const Vec2& velocity) {
  const PathPoint from = path.back();
  for (int i = 1; i <= points_a_phase; ++i) {
    const bool end = i == points_a_phase;
    const double s = end ? 1. : static_cast<double>(i) / points_a_phase;
    const Vec2 v = end ? velocity : from.velocity + s * (velocity - from.velocity);
    path.push_back({.impulse = end ? impulse : from.impulse + s * (impulse - from.impulse),
                    .velocity = v,
                    .work = from.work + 0.5 * s * dot(from.velocity + v, impulse - from.impulse),
                    .ends_phase = end});
  }
}

/// The work of a couple that grows with the impulse, which the velocities do not include.
void add_couple(std::vector<PathPoint>& path, const PlanarProblem& p, const PlanarOutcome& o) {
  const double gained = p.spin.nr * o.impulse.n + p.spin.tr * o.impulse.t + p.spin.rr * o.couple;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(path.size() - 1);
    path[i].work += o.couple * s * (p.spin.approach + 0.5 * s * gained);
  }
}

/// Fewer where the slider changes often.
int samples_of_stick(const SliderStates& slider) {
  constexpr int few = 4;
  return slider.size() > SliderStates::capacity ? few : points_a_phase;
}

/// The springs' own way, which is curved while the slider sticks.
std::vector<PathPoint> springs_path(const PlanarProblem& problem, const PlanarOutcome& o) {
  std::vector<PathPoint> path;
  for (const CompliantPoint& x : compliant_path(problem, samples_of_stick(o.slider))) {
    path.push_back(
        {.impulse = x.impulse, .velocity = x.velocity, .work = x.work, .ends_phase = x.ends_phase});
  }
  return path;
}

/// Goes on in a straight line to the end of a phase, beginning with a point that knows its
/// friction.
void go_straight(std::vector<SpatialPathPoint>& path, const SpatialPhase& phase) {
  const Vec3 dP = phase.impulse - path.back().impulse;
  SpatialPathPoint from = path.back();
  from.stage = phase.stage;
  from.motion = phase.motion;
  from.ends_phase = false;
  if (dP.n != 0.) from.friction = {.t1 = dP.t1 / dP.n, .t2 = dP.t2 / dP.n};
  if (path.size() == 1) path.clear();
  path.push_back(from);
  for (int i = 1; i <= points_a_phase; ++i) {
    const bool end = i == points_a_phase;
    const double s = end ? 1. : static_cast<double>(i) / points_a_phase;
    SpatialPathPoint x = from;
    x.impulse = end ? phase.impulse : from.impulse + s * dP;
    x.velocity = end ? phase.velocity : from.velocity + s * (phase.velocity - from.velocity);
    const Vec3 mean = 0.5 * (from.velocity + x.velocity);
    x.normal_work = from.normal_work + s * mean.n * dP.n;
    x.friction_work = from.friction_work + s * dot(tangential(mean), tangential(dP));
    x.ends_phase = end;
    path.push_back(x);
  }
}

/// The work of a couple that grows with the impulse: M.(spin before) s + what is quadratic in s.
void add_couple(std::vector<SpatialPathPoint>& path, const SpatialProblem& p,
                const SpatialOutcome& o) {
  const double linear = dot(o.couple, p.spin.approach);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(path.size() - 1);
    path[i].couple_work = s * (linear + s * (o.energy.couple - linear));
  }
}

}  // namespace

std::vector<PathPoint> planar_path(const Comparison& c, const Answer& answer) {
  const PlanarProblem problem = planar_problem(c.problem());
  const PlanarOutcome o = planar_outcome(answer.outcome);
  std::vector<PathPoint> path{{.impulse = {}, .velocity = problem.approach}};
  if (o.impulse == Vec2{} && o.couple == 0.) return path;
  if (info_of(c, answer).labels == Labels::slider) return springs_path(problem, o);
  for (const PlanarPhase& phase : o.phases) go_straight(path, phase.impulse, phase.velocity);
  if (o.phases.empty()) go_straight(path, o.impulse, o.velocity);
  if (o.couple != 0.) add_couple(path, problem, o);
  return path;
}

std::vector<SpatialPathPoint> spatial_path(const Comparison& c, const Answer& answer) {
  const SpatialProblem problem = spatial_problem(c.problem());
  const SpatialOutcome o = spatial_outcome(answer.outcome);
  std::vector<SpatialPathPoint> path{{.impulse = {}, .velocity = problem.approach}};
  if (o.impulse == Vec3{} && o.couple == Vec3{}) return path;
  const Law& law = *answering(*answer.law, kind_of(c.problem()));
  if (const auto hypothesis = process_of(law)) {
    SpatialOptions options;  // what was computed exactly is exact with any
    if (o.tolerance > 0.) options.tolerance = o.tolerance;
    return carom::spatial_path(problem, *hypothesis, options, points_a_phase);
  }
  if (info_of(c, answer).labels == Labels::slider) {
    SpatialOptions options;
    if (o.tolerance > 0.) options.tolerance = o.tolerance;
    return compliant_path(problem, options, samples_of_stick(o.slider));
  }
  for (const SpatialPhase& phase : o.phases) go_straight(path, phase);
  if (o.phases.empty()) {
    go_straight(path, {.stage = Stage::compression,
                       .motion = Motion::slip,
                       .impulse = o.impulse,
                       .velocity = o.velocity});
  }
  if (o.couple != Vec3{}) add_couple(path, problem, o);
  return path;
}

}  // namespace carom::report
