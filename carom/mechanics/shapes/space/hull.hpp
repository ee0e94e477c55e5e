// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <carom/mechanics/shapes/space/vector.hpp>

/// Convex polytopes of any dimension: a point, a segment, a flat polygon or a polyhedron.
namespace carom::shapes::space {

using Index = std::uint16_t;

/// A straight edge. Its faces lie to its left and right, seen from outside; a segment has none.
struct Edge {
  std::array<Index, 2> ends{};
  V3 direction{};  ///< unit vector from the first end to the second
  double length = 0.;
  std::array<Index, 2> faces{};
  std::array<V3, 2> into{};  ///< unit vector across the edge into each face, in its plane
};

/// A face with the corners `ring[begin .. end)` counter-clockwise, seen from outside. A face
/// without corners is unbounded: a half space.
struct Face {
  V3 normal{};         ///< outward
  V3 tangent{};        ///< a unit vector in the face: see contact.hpp
  double offset = 0.;  ///< normal.x of its points
  Index begin = 0;
  Index end = 0;
};

/// One corner of a face and the side that starts there.
struct Corner {
  Index vertex = 0;
  Index edge = 0;
  V3 inward{};  ///< unit vector across that side, into the face
};

/// A flat polygon has two faces, back to back.
struct Polytope {
  std::vector<V3> vertices{};
  std::vector<Edge> edges{};
  std::vector<Face> faces{};
  std::vector<Corner> ring{};
  std::vector<Index> fans{};                      ///< the edges at each vertex, vertex by vertex
  std::vector<std::array<Index, 2>> fan_range{};  ///< of each vertex in `fans`

  [[nodiscard]] std::span<const Corner> corners(const Face& f) const {
    return std::span(ring).subspan(f.begin, static_cast<std::size_t>(f.end - f.begin));
  }
  [[nodiscard]] std::span<const Index> edges_at(std::size_t vertex) const {
    const auto [begin, end] = fan_range[vertex];
    return std::span(fans).subspan(begin, static_cast<std::size_t>(end - begin));
  }
  /// The unit vector from a vertex along one of its edges.
  [[nodiscard]] V3 leaving(std::size_t vertex, const Edge& e) const {
    return e.ends[0] == vertex ? e.direction : -e.direction;
  }
};

/// Points nearer to a plane than this, in parts of the size of the whole, lie in it: given
/// coordinates have about ten digits.
inline constexpr double coplanar = 1e-9;

/// The convex hull of points: vertices in the order given, without those that are inside, on an
/// edge or in a face. Coplanar faces are one face. By gift wrapping [Chand, Kapur 1970], from face
/// to face over each edge. Throws InputError under `field` for a point that is not finite, for
/// none, and where the points lie so close to each other that the faces do not close.
[[nodiscard]] Polytope hull_of(std::span<const V3> points, const std::string& field);

/// The points farther than `depth` inside every face of a polyhedron: the core that `depth` rounds
/// to the same outer size. Faces that the others cut off vanish. Throws InputError under `field` if
/// the depth reaches the centroid, for more than 256 faces, and for some polyhedra with faces that
/// include less than 0.05 rad, whose core has slivers.
[[nodiscard]] Polytope inset(const Polytope& whole, double depth, const std::string& field);

/// A half space n.x <= 0: one face without corners.
[[nodiscard]] Polytope half_space(const V3& normal);

/// Tangent1 of contact_frame.hpp for a unit normal.
[[nodiscard]] V3 tangent_of(const V3& normal);

}  // namespace carom::shapes::space
