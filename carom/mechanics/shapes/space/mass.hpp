// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/core/spatial.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>

/// Centroid and inertia of uniform solids.
namespace carom::shapes::space {

/// Of a uniform solid.
struct MassMoments {
  double volume = 0.;  ///< [m^3]; 0: a disc or a rod
  V3 centroid{};       ///< from the solid's own origin [m]
  Mat3 spread{};       ///< mean of (x - c)(x - c)^T [m^2]
};

/// A polyhedron, by the integrals over tetrahedra.
[[nodiscard]] MassMoments mass_of(const Polytope& polyhedron);

/// Exact, rounding of boxes and cylinders included. A polyhedron counts with sharp edges: its
/// rounding is not subtracted. Throws InputError for a half space, and as shape_of does.
[[nodiscard]] MassMoments mass_of(const Solid& solid, const std::string& prefix = "");

/// About the centroid, in body axes [kg m^2]. Zero about the axis of a rod.
[[nodiscard]] Mat3 inertia_of(const MassMoments& moments, double mass);

/// The same of a uniform solid, by the short formulas where there is no rounding.
[[nodiscard]] Mat3 inertia_of(const Solid& solid, double mass);

}  // namespace carom::shapes::space
