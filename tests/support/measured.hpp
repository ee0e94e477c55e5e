// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <carom/study/fit/measured_impacts.hpp>

namespace carom::test {

/// Columns of measured impacts of one free body in the plane.
struct PlanarDrops {
  std::string file;      ///< below data/measured
  std::string up;        ///< the upward coordinate: "vy" or "vz"
  std::string arm;       ///< the column of the contact's height from the mass centre
  double mass = 0.;      ///< [kg]
  double k = 0.;         ///< radius of gyration of the body [m]
  double metric_k = 0.;  ///< that of the metric [m]
};

[[nodiscard]] inline PlanarDrops ellipse_drops() {
  return {"planar_drops_ellipse.csv", "vy", "ry_m", 0.0364, 0.0192, 0.0192};
}
[[nodiscard]] inline PlanarDrops square_drops() {
  return {"planar_drops_square.csv", "vz", "rz_m", 0.0485, 0.0225, 0.0225};
}

/// The body: mass and radius of gyration; the contact at (numbers 0, 1) from its mass centre.
[[nodiscard]] study::fit::MeasuredImpacts free_planar_body(double mass, double k, double metric_k);

/// Rows with flag 0, each a group of its own.
[[nodiscard]] study::fit::MeasuredImpacts read_planar_drops(const PlanarDrops& drops);

}  // namespace carom::test
