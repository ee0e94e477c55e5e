// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/flight_start.hpp>

#include <cmath>

namespace carom::study::fit {
namespace {

/// Straight lines through values at times, by least squares: values at time 0 and slopes. One
/// sample: without slopes.
class Lines {
 public:
  void add(double time, const Point& value) {
    n_ += 1.;
    t_ += time;
    tt_ += time * time;
    y_ += value;
    ty_ += time * value;
  }
  [[nodiscard]] Point slope() const {
    const double spread = n_ * tt_ - t_ * t_;
    if (!(spread > 0.)) return Point::Zero();
    return (n_ * ty_ - t_ * y_) / spread;
  }
  [[nodiscard]] Point at_zero() const { return (y_ - t_ * slope()) / n_; }

 private:
  double n_ = 0., t_ = 0., tt_ = 0.;
  Point y_ = Point::Zero(), ty_ = Point::Zero();
};

/// Rotations are linearised about the last estimate; each repetition squares what is left.
constexpr int repetitions = 4;

}  // namespace

FlightState flight_state(const Trajectory& trajectory, std::size_t first, std::size_t last,
                         const Tracking& tracking) {
  const TrackedPose& end = trajectory.poses[last];
  const double now = trajectory.time[last];
  FlightState s{.position = tracking.mass_centre(end), .orientation = end.orientation};
  if (last - first < 2 && !trajectory.velocity.empty()) {
    s.spin = s.orientation * trajectory.spin_body[last];
    const Point arm = s.orientation * tracking.tracked;
    s.velocity = trajectory.velocity[last] / tracking.scale - s.spin.cross(arm);
    return s;
  }
  // x = x0 + v t + g t^2/2
  Lines path;
  const auto without_gravity = [&](std::size_t i) -> Point {
    const double t = trajectory.time[i] - now;
    return tracking.mass_centre(trajectory.poses[i]) - (0.5 * t * t) * tracking.gravity;
  };
  for (std::size_t i = first; i <= last; ++i)
    path.add(trajectory.time[i] - now, without_gravity(i));
  s.position = path.at_zero();
  s.velocity = path.slope();
  double squares = 0.;
  for (std::size_t i = first; i <= last; ++i) {
    const double t = trajectory.time[i] - now;
    squares += (without_gravity(i) - s.position - t * s.velocity).squaredNorm();
  }
  s.misfit = std::sqrt(squares / static_cast<double>(last - first + 1));
  // R = exp(spin t) R0
  if (last > first) {
    const Turn between = end.orientation * trajectory.poses[last - 1].orientation.conjugate();
    s.spin = rotation_vector(between) / (now - trajectory.time[last - 1]);
  }
  for (int k = 0; k < repetitions; ++k) {
    Lines rest;
    for (std::size_t i = first; i <= last; ++i) {
      const double t = trajectory.time[i] - now;
      const Turn predicted = turn_by(t * s.spin) * s.orientation;
      rest.add(t, rotation_vector(trajectory.poses[i].orientation * predicted.conjugate()));
    }
    s.orientation = turn_by(rest.at_zero()) * s.orientation;
    s.spin += rest.slope();
  }
  s.orientation.normalize();
  return s;
}

}  // namespace carom::study::fit
