// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/compliant_space/watcher.hpp>
#include <carom/laws/impact_units.hpp>

namespace carom {
namespace {

/// Collects the points of a path.
class CompliantSampler final : public CompliantWatcher {
 public:
  explicit CompliantSampler(const SpatialProblem& problem) : units_(ImpactUnits::of(problem)) {
    start_ = units_.into(problem).approach;
    path_.push_back({.impulse = {}, .velocity = problem.approach});
  }
  void reach(const Vec3& impulse, const Vec3& velocity, const Tangent& friction, double normal_work,
             Stage stage, Motion motion) override {
    const bool first = path_.size() == 1;
    if (first || !(impulse.n > last_)) {
      // The same point again, with the friction of what follows.
      SpatialPathPoint& x = path_.back();
      const bool changes = x.stage != stage || x.motion != motion;
      if (!first && changes) path_.push_back(x);
      path_.back().friction = friction;
      path_.back().stage = stage;
      path_.back().motion = motion;
      if (!first && changes) path_.back().ends_phase = false;
      if (!(impulse.n > last_)) return;
    }
    last_ = impulse.n;
    const double work = 0.5 * dot(impulse, start_ + velocity);
    path_.push_back({.impulse = units_.impulse_out_of(impulse),
                     .velocity = units_.velocity_out_of(velocity),
                     .friction = friction,
                     .normal_work = units_.work_out_of(normal_work),
                     .friction_work = units_.work_out_of(work - normal_work),
                     .couple_work = 0.,
                     .stage = stage,
                     .motion = motion,
                     .ends_phase = false});
  }
  void end_phase() override { path_.back().ends_phase = true; }
  [[nodiscard]] std::vector<SpatialPathPoint> take() { return std::move(path_); }

 private:
  const ImpactUnits units_;
  Vec3 start_;
  std::vector<SpatialPathPoint> path_;
  double last_ = 0.;
};

}  // namespace

std::vector<SpatialPathPoint> compliant_path(const SpatialProblem& problem,
                                             const SpatialOptions& options, int samples) {
  CompliantSampler sampler(problem);
  const SpatialOutcome outcome = compliant(problem, options, &sampler, samples);
  std::vector<SpatialPathPoint> path = sampler.take();
  if (outcome.impulse == Vec3{}) return {path.front()};
  path.back().impulse = outcome.impulse;
  path.back().velocity = outcome.velocity;
  path.back().normal_work = outcome.energy.normal;
  path.back().friction_work = outcome.energy.friction;
  return path;
}

}  // namespace carom
