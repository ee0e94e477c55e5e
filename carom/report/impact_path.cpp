// SPDX-License-Identifier: Apache-2.0
#include <carom/report/impact_path.hpp>

namespace carom::report {
namespace {

using study::Answer;

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

/// The work of a couple that grows with the impulse, which the velocities do not tell of.
void add_couple(std::vector<PathPoint>& path, const PlanarProblem& p, const PlanarOutcome& o) {
  const double gained = p.spin.nr * o.impulse.n + p.spin.tr * o.impulse.t + p.spin.rr * o.couple;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(path.size() - 1);
    path[i].work += o.couple * s * (p.spin.approach + 0.5 * s * gained);
  }
}

/// The springs' own way, which is curved while the slider sticks.
std::vector<PathPoint> springs_path(const PlanarProblem& problem, const PlanarOutcome& o) {
  std::vector<PathPoint> path;
  const int samples = o.slider.size() > SliderStates::capacity ? 4 : points_a_phase;
  for (const CompliantPoint& x : compliant_path(problem, samples)) {
    path.push_back(
        {.impulse = x.impulse, .velocity = x.velocity, .work = x.work, .ends_phase = x.ends_phase});
  }
  return path;
}

}  // namespace

std::vector<PathPoint> path(const PlanarProblem& problem, const Answer& answer) {
  const PlanarOutcome& o = answer.outcome;
  std::vector<PathPoint> path{{.impulse = {}, .velocity = problem.approach}};
  if (o.impulse == Vec2{} && o.couple == 0.) return path;
  if (info(planar_kernel(*answer.law)).labels == Labels::slider) return springs_path(problem, o);
  for (const PlanarPhase& phase : o.phases) go_straight(path, phase.impulse, phase.velocity);
  if (o.phases.empty()) go_straight(path, o.impulse, o.velocity);
  if (o.couple != 0.) add_couple(path, problem, o);
  return path;
}

}  // namespace carom::report
