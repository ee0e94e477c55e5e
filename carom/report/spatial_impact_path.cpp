// SPDX-License-Identifier: Apache-2.0
#include <carom/report/spatial_impact_path.hpp>

#include <optional>

namespace carom::report {
namespace {

using study::SpatialAnswer;

constexpr int samples = 24;

/// The hypothesis that ends the exact process; nothing for laws of another kind.
std::optional<Hypothesis> hypothesis_of(const Law& law) {
  if (law.name == "newton") return Hypothesis::newton;
  if (law.name == "poisson") return Hypothesis::poisson;
  if (law.name == "energetic") return Hypothesis::energetic;
  return std::nullopt;
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
  for (int i = 1; i <= samples; ++i) {
    const bool end = i == samples;
    const double s = end ? 1. : static_cast<double>(i) / samples;
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

std::vector<SpatialPathPoint> path(const SpatialProblem& problem, const SpatialAnswer& answer) {
  const SpatialOutcome& o = answer.outcome;
  std::vector<SpatialPathPoint> path{{.impulse = {}, .velocity = problem.approach}};
  if (o.impulse == Vec3{} && o.couple == Vec3{}) return path;
  if (const auto hypothesis = hypothesis_of(*answer.law)) {
    SpatialOptions options;  // what was computed exactly is exact with any
    if (o.tolerance > 0.) options.tolerance = o.tolerance;
    return spatial_path(problem, *hypothesis, options, samples);
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
