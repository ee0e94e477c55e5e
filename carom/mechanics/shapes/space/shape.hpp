// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/shapes/space/hull.hpp>

/// Shapes in space. Lengths [m]. A shape is a convex core and a radius about it: a sphere has one
/// point, a rod or a capsule two, a box or a polyhedron its (inset) hull, and a half space one
/// unbounded face. Cylinder, disc and cone have a profile too, which turns about their axis.
namespace carom::shapes::space {

struct Sphere {
  double radius = 1.;
};

/// A cylinder with half spheres at its ends, along z.
struct Capsule {
  double radius = 1.;
  double length = 1.;  ///< of the cylinder between the half spheres
};

struct Box {
  World3 size{1., 1., 1.};  ///< along x, y, z, outer
  double rounding = 0.;     ///< radius of its edges and corners, below half of every size
};

/// Along z.
struct Cylinder {
  double radius = 1.;
  double length = 1.;
  double rounding = 0.;  ///< of its rims, below the radius and half the length
};

/// Without thickness, across z.
struct Disc {
  double radius = 1.;
};

/// A segment along z.
struct Rod {
  double length = 1.;
};

/// Along z, with its centroid at the origin: the base at -height/4, the apex at 3 height/4.
struct Cone {
  double radius = 1.;
  double height = 1.;
};

/// The convex hull of points.
struct Polyhedron {
  std::vector<World3> vertices{};
  double rounding = 0.;  ///< of its edges and corners; the faces stay where they are
};

/// All points with normal.x <= 0.
struct HalfSpace {
  World3 normal{0., 0., 1.};  ///< of any length
};

using Solid = std::variant<Sphere, Capsule, Box, Cylinder, Disc, Rod, Cone, Polyhedron, HalfSpace>;

struct ShapeOptions {
  World3 offset{};  ///< from the mass centre to the solid's own origin, in body axes [m]
  /// Points fixed to each rim of a cylinder, disc or cone: at least 3. They carry a flat face, and
  /// they are the corners of the polytope that stands for the solid against everything but half
  /// spaces, spheres and capsules.
  std::size_t rim_points = 8;
};

/// A corner of the profile of a round solid: a circle about the axis, or a point on it.
struct Rim {
  double radius = 0.;
  double height = 0.;  ///< along the body's z, from the mass centre
};

/// A part of the profile between two corners: a side, a flat end or a mantle.
struct Band {
  Index from = 0;
  Index to = 0;
  double out = 0.;  ///< its normal: `out` away from the axis and `up` along it
  double up = 0.;
};

/// A shape in body axes, ready for use.
struct Shape {
  Polytope core{};
  double radius = 0.;           ///< about the core
  double bounding_radius = 0.;  ///< of a sphere about the mass centre; infinite: a half space
  double smallest_length = 0.;  ///< the least of its extents; infinite: a half space
  std::vector<Rim> rims{};      ///< of a round solid: corners of its profile
  std::vector<Band> bands{};
  V3 axis_point{};  ///< of a round solid: a point of its axis at height 0, which is along z

  [[nodiscard]] bool unbounded() const { return core.vertices.empty(); }
  [[nodiscard]] bool round() const { return !rims.empty(); }
};

/// "sphere", "half-space", ...
[[nodiscard]] std::string_view name(const Solid& solid);

/// Throws InputError with the field's name after `prefix`: "radius", "vertices[2][0]", "rounding".
[[nodiscard]] Shape shape_of(const Solid& solid, const ShapeOptions& options = {},
                             const std::string& prefix = "");

}  // namespace carom::shapes::space
