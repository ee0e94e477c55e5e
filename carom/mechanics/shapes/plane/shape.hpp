// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <carom/mechanics/shapes/plane/vector.hpp>

/// Convex shapes of the plane, in body axes with the origin at the mass centre, which may lie
/// anywhere. Lengths [m].
///
/// A shape is a convex core and a radius: all points within `radius` of the core.
///
///     core         radius 0             radius > 0
///     1 point                           disc
///     2 points     bar, segment         capsule
///     n points     box, polygon         the same with rounded corners
///     1 edge       half plane
///
/// The ellipse stands apart: its core is its centre, and it has semi-axes instead of a radius.
///
/// The features of a shape are numbered around its boundary, counter-clockwise: vertex k of the
/// core (with a radius: the arc about it) is 2k, the edge from it to the next is 2k + 1. A bar and
/// a capsule have two edges, one a side. An ellipse is feature 0, the edge of a half plane
/// feature 1.
namespace carom::shapes::plane {

/// Number of a feature of a shape.
using Feature = std::uint32_t;

[[nodiscard]] constexpr bool is_edge(Feature f) { return f % 2 == 1; }

/// A straight side of a core, with the shape on the left of its direction.
struct Edge {
  Point start{};
  Point normal{};  ///< outward unit vector; the direction is a quarter turn from it
  double length = std::numeric_limits<double>::infinity();
};

/// Make one with the functions below, which check it.
struct Shape {
  std::vector<Point> vertices{};  ///< of the core; the centre of a disc or an ellipse
  std::vector<Edge> edges{};      ///< edge k starts at vertex k
  double radius = 0.;
  std::array<double, 2> semi_axes{};  ///< of an ellipse along the body's x and y, else 0
  double smallest_length = 0.;        ///< to which tolerances are relative; half plane: infinity
  double bounding_radius = 0.;        ///< a circle about the origin that contains the shape

  [[nodiscard]] bool is_ellipse() const { return semi_axes[0] > 0.; }
};

// Each throws InputError that names the parameter: "radius", "rounding", "vertices[2]". `centre` is
// the centre of the figure in body axes.

[[nodiscard]] Shape disc(double radius, Point centre = {});

[[nodiscard]] Shape ellipse(std::array<double, 2> semi_axes, Point centre = {});

/// @param length  between the centres of its half discs, along the body's x
[[nodiscard]] Shape capsule(double length, double radius, Point centre = {});

/// A segment without width along the body's x.
[[nodiscard]] Shape bar(double length, Point centre = {});

/// The outer size is length (along x) by width (along y), with or without rounding.
/// @param rounding  radius of the corners, less than half the shorter side
[[nodiscard]] Shape box(double length, double width, double rounding = 0., Point centre = {});

/// A convex polygon with at least 3 vertices, which no three lie on a line. Rounding keeps its
/// sides where they are and replaces its corners by arcs; each side must keep a straight part.
/// Vertices may be listed in either direction; features are numbered counter-clockwise from
/// vertices[0].
[[nodiscard]] Shape polygon(std::span<const Point> vertices, double rounding = 0.);

/// Ground below the body's x axis: its free side is +y, to the left of its direction +x.
[[nodiscard]] Shape half_plane();

/// Ground without width from one point to another. Both sides are free.
[[nodiscard]] Shape segment(Point from, Point to);

/// A body of uniform density; a bar has uniform mass per length.
struct Uniform {
  double area = 0.;              ///< [m^2]
  Point centroid{};              ///< in body axes
  double squared_gyration = 0.;  ///< moment of inertia about the centroid per mass [m^2]
};

/// Its inertia about its mass centre is mass * squared_gyration. A uniform body has its centroid at
/// the origin; for another mass centre the inertia is not that of a uniform body.
/// @pre not a half plane
[[nodiscard]] Uniform uniform(const Shape& shape);

/// The shape moved in body axes, for example by minus the centroid.
[[nodiscard]] Shape moved(Shape shape, Point by);

}  // namespace carom::shapes::plane
