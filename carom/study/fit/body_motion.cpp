// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/body_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/motion/simulation.hpp>

namespace carom::study::fit {
namespace {

/// Events of one trajectory, if the file has no limit. A toss of a cube has about 300; a run that
/// needs more stops there, so that one trajectory does not hold up all.
constexpr std::size_t usual_events = 20'000;

Point point(const World3& v) { return {v[0], v[1], v[2]}; }

/// The samples at multiples of the interval.
class Poses final : public motion::Recorder {
 public:
  Poses(const Tracking& tracking, std::size_t wanted, const std::atomic<bool>* stop)
      : tracking_(tracking), wanted_(wanted), stop_(stop) {}

  void event(const motion::Event& /*event*/) override {}
  void sample(const motion::Sample& s) override {
    if (all.size() == wanted_) return;
    const auto& q = s.state.q;
    if (!q.allFinite()) return;
    const Turn turn = Turn(q[3], q[4], q[5], q[6]).normalized();
    all.push_back(tracking_.pose({q[0], q[1], q[2]}, turn));
  }
  // What comes after the last sample is not at a multiple of the interval.
  void last(const motion::Sample& /*sample*/) override {}
  bool stop() override { return stop_ != nullptr && stop_->load(); }

  std::vector<TrackedPose> all;

 private:
  const Tracking& tracking_;
  std::size_t wanted_;
  const std::atomic<bool>* stop_;
};

const SpatialMover& only_body(const scenario::MotionScenario& s, const Model& model) {
  const auto* space = dynamic_cast<const SpatialModel*>(&model);
  if (space != nullptr && space->scene().bodies.size() == 1) return space->scene().bodies[0];
  throw InputError("system.type",
                   "must be \"space-assembly\" with one body, whose trajectories are fitted",
                   s.name);
}

void set_law(scenario::MotionScenario& s, const std::string& name) {
  s.options.law = &find_law(name, "--law", in_space);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(Eigen::MatrixXd::Identity(3, 3), 3);
  p.approach.assign(3, 0.);
  for (const Surface& surface : s.surfaces) {
    p.surfaces = {surface};
    const Applies a = applies(*s.options.law, p);
    if (!a.cannot()) continue;
    throw InputError("--law", "'" + name + "' " +
                                  (find_coefficient(a.field) == nullptr
                                       ? std::string(a.why)
                                       : "needs surface." + std::string(a.field)));
  }
}

}  // namespace

BodyMotion::BodyMotion(const scenario::TrajectoryRequest& request, std::span<const double> values,
                       const std::string& law) {
  scenario::Document document(request.text, request.name);
  for (std::size_t i = 0; i < values.size(); ++i) {
    document.number(request.parameters[i].path.text) = values[i];
  }
  scenario_ = scenario::read_motion(document.top(), request.name);
  const SpatialMover& body = only_body(scenario_, *scenario_.model);
  if (!law.empty()) set_law(scenario_, law);
  tracking_.scale = request.length_scale;
  tracking_.tracked = point(body.offset) + point(request.tracked_point);
  tracking_.gravity = point(dynamic_cast<const SpatialModel&>(*scenario_.model).scene().gravity);
}

std::string_view BodyMotion::law() const {
  return scenario_.options.law == nullptr ? "energetic" : scenario_.options.law->name;
}

State BodyMotion::state_of(const FlightState& flight) const {
  State s = scenario_.start;
  s.time = 0.;
  const Point &x = flight.position, &v = flight.velocity, &w = flight.spin;
  const Turn& q = flight.orientation;
  s.q << x[0], x[1], x[2], q.w(), q.x(), q.y(), q.z();
  s.u << v[0], v[1], v[2], w[0], w[1], w[2];
  return s;
}

double BodyMotion::gap(const State& state) const {
  double least = std::numeric_limits<double>::infinity();
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  const Model& model = *scenario_.model;
  model.near_pairs(state, model.length_scale(), pairs);
  for (const BodyPair& pair : pairs) {
    model.near_contacts(pair, state, model.length_scale(), near);
    for (const NearContact& c : near) {
      if (c.in_range) least = std::min(least, c.gap);
    }
  }
  return least;
}

double BodyMotion::gap(const TrackedPose& pose) const {
  return gap(state_of({.position = tracking_.mass_centre(pose), .orientation = pose.orientation}));
}

PredictedMotion BodyMotion::predict(const Trajectory& trajectory, const Window& window,
                                    const std::atomic<bool>* stop) const {
  const FlightState flight = flight_state(trajectory, window.first, window.start, tracking_);
  State start = state_of(flight);
  // A start that overlaps, by the error of measurement, is lifted.
  const double overlap = -gap(start);
  if (overlap > 0. && tracking_.gravity.norm() > 0.) {
    const Point up = -tracking_.gravity.normalized();
    for (Eigen::Index k = 0; k < 3; ++k) start.q[k] += overlap * up[k];
  }
  motion::Options options = scenario_.options;
  options.sample_interval = trajectory.interval;
  // The last sample lies within: ends at a multiple would leave it to rounding.
  options.end_time = (static_cast<double>(window.samples) - 0.5) * trajectory.interval;
  if (options.most_events == 0) options.most_events = usual_events;

  PredictedMotion result;
  Poses poses(tracking_, window.samples, stop);
  try {
    const motion::Progress progress =
        motion::start(*scenario_.model, start, scenario_.surfaces, options);
    const motion::Summary summary =
        motion::simulate(*scenario_.model, scenario_.surfaces, options, progress, poses);
    if (summary.ending == motion::Ending::failed) result.trouble = summary.reason;
    if (summary.ending == motion::Ending::events) {
      result.trouble = "more than " + std::to_string(options.most_events) + " events";
    }
    if (summary.ending == motion::Ending::stopped) result.trouble = "stopped";
  } catch (const InputError& e) {
    result.trouble = e.what();
  }
  result.poses = std::move(poses.all);
  if (result.poses.size() < window.samples) {
    if (result.trouble.empty()) result.trouble = "the motion ended early";
    const TrackedPose last = result.poses.empty()
                                 ? tracking_.pose(flight.position, flight.orientation)
                                 : result.poses.back();
    result.poses.resize(window.samples, last);
  }
  return result;
}

Window whole(const Trajectory& t, std::size_t index, const scenario::TrajectoryRequest& request) {
  return {.trajectory = index,
          .first = t.start + 1 > request.flight ? t.start + 1 - request.flight : 0,
          .start = t.start,
          .samples = t.poses.size() - t.start};
}

MotionError error_of(const PredictedMotion& predicted, const Trajectory& measured,
                     const Window& window) {
  MotionError e;
  for (std::size_t i = 0; i < window.samples; ++i) {
    const TrackedPose& m = measured.poses[window.start + i];
    e.position += (predicted.poses[i].position - m.position).norm();
    e.rotation += angle_between(predicted.poses[i].orientation, m.orientation);
  }
  const auto n = static_cast<double>(window.samples);
  return {.position = e.position / n, .rotation = e.rotation / n};
}

}  // namespace carom::study::fit
