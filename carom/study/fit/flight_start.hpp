// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <carom/study/fit/measured_motion.hpp>

/// The state of a body in free flight, from its measured poses.
namespace carom::study::fit {

/// What turns measured positions into those of the mass centre x:
/// measured = scale (x + R tracked), R the orientation.
struct Tracking {
  double scale = 1.;              ///< measured lengths over true ones
  Point tracked = Point::Zero();  ///< from the mass centre, in body axes [m]
  Point gravity{0., 0., -9.81};   ///< [m/s^2]

  [[nodiscard]] Point mass_centre(const TrackedPose& pose) const {
    return pose.position / scale - pose.orientation * tracked;
  }
  [[nodiscard]] TrackedPose pose(const Point& mass_centre, const Turn& orientation) const {
    return {.position = scale * (mass_centre + orientation * tracked), .orientation = orientation};
  }
};

struct FlightState {
  Point position = Point::Zero();  ///< of the mass centre [m]
  Turn orientation = Turn::Identity();
  Point velocity = Point::Zero();  ///< [m/s]
  Point spin = Point::Zero();      ///< in world axes [rad/s]
  double misfit = 0.;              ///< root mean square of the distances from the parabola [m]
};

/// The state at sample `last`, from the samples `first` to `last` in free flight: the mass centre
/// follows a parabola under gravity and the body turns at a constant spin, by least squares over
/// the samples. The spin of free flight is constant where all moments of inertia are the same; it
/// changes by about (1 - I_1/I_2) spin^2 t where they are not.
///
/// With fewer than three samples the measured velocities at `last` are used, where the data have
/// them; with one sample and none, the body starts from rest.
[[nodiscard]] FlightState flight_state(const Trajectory& trajectory, std::size_t first,
                                       std::size_t last, const Tracking& tracking);

}  // namespace carom::study::fit
