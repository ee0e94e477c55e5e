// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/mesh.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <variant>

namespace carom::report {
namespace {

namespace solids = shapes::space;
using solids::Index;
using solids::V3;
using std::numbers::pi;

constexpr std::size_t around = 32;        ///< sides of what is round
constexpr std::size_t half_around = 16;   ///< of a sphere, from pole to pole
constexpr std::size_t rounding_arcs = 4;  ///< across a rounded edge
constexpr double thin = 0.01;             ///< half the thickness of what has none

/// Radius and height.
using Profile = std::vector<std::array<double, 2>>;

/// What a profile, from below to above, makes about z. It begins and ends on the axis.
Mesh turned(const Profile& profile) {
  Mesh m;
  std::vector<std::size_t> first;  // point of each ring
  for (const auto& [radius, height] : profile) {
    first.push_back(m.points.size());
    const std::size_t count = radius > 0. ? around : 1;
    for (std::size_t k = 0; k < count; ++k) {
      const double a = 2. * pi * static_cast<double>(k) / around;
      m.points.push_back({radius * std::cos(a), radius * std::sin(a), height});
    }
  }
  for (std::size_t r = 0; r + 1 < profile.size(); ++r) {
    for (std::size_t k = 0; k < around; ++k) {
      const std::size_t next = (k + 1) % around;
      const bool low = profile[r][0] > 0., high = profile[r + 1][0] > 0.;
      std::vector<std::size_t> face{first[r] + (low ? k : 0)};
      if (low) face.push_back(first[r] + next);
      face.push_back(first[r + 1] + (high ? next : 0));
      if (high) face.push_back(first[r + 1] + k);
      if (face.size() > 2) m.faces.push_back(std::move(face));
    }
  }
  return m;
}

/// Appends an arc about (radius, height) from one angle above the horizontal to another.
void arc(Profile& p, double radius, double height, double r, double from, double to,
         std::size_t parts) {
  for (std::size_t k = 0; k <= parts; ++k) {
    const double a = from + (to - from) * static_cast<double>(k) / static_cast<double>(parts);
    const double out = radius + r * std::cos(a);
    p.push_back({out > 1e-9 * r ? out : 0., height + r * std::sin(a)});
  }
}

/// With the half sphere above the equator at another height than that below.
Mesh capped(double radius, double half) {
  Profile p;
  arc(p, 0., -half, radius, -pi / 2., 0., half_around / 2);
  if (!(half > 0.)) p.pop_back();
  arc(p, 0., half, radius, 0., pi / 2., half_around / 2);
  return turned(p);
}

Mesh cylinder(double radius, double half, double rounding = 0.) {
  Profile p{{0., -half}};
  if (rounding > 0.) {
    const double R = radius - rounding, h = half - rounding;
    arc(p, R, -h, rounding, -pi / 2., 0., rounding_arcs);
    arc(p, R, h, rounding, 0., pi / 2., rounding_arcs);
  } else {
    p.push_back({radius, -half});
    p.push_back({radius, half});
  }
  p.push_back({0., half});
  return turned(p);
}

/// A polytope and all within a radius of it: its faces moved outward, cylinders about its edges,
/// and parts of spheres about its vertices.
class RoundedPolytope {
 public:
  RoundedPolytope(const solids::Polytope& core, double radius) : core_(core), radius_(radius) {}

  Mesh make() {
    for (std::size_t f = 0; f < core_.faces.size(); ++f) {
      std::vector<std::size_t> face;
      for (const auto& c : core_.corners(core_.faces[f])) face.push_back(corner(c.vertex, f));
      mesh_.faces.push_back(std::move(face));
    }
    if (radius_ > 0.) {
      for (std::size_t e = 0; e < core_.edges.size(); ++e) around_edge(e);
      for (std::size_t v = 0; v < core_.vertices.size(); ++v) around_vertex(v);
    }
    return std::move(mesh_);
  }

 private:
  std::size_t add(std::size_t vertex, const V3& normal) {
    mesh_.points.push_back(solids::world(core_.vertices[vertex] + radius_ * normal));
    return mesh_.points.size() - 1;
  }

  /// The corner of a moved face.
  std::size_t corner(std::size_t vertex, std::size_t face) {
    const std::size_t of = radius_ > 0. ? face : 0;  // sharp corners are shared
    const auto [at, is_new] = corners_.try_emplace({vertex, of}, 0);
    if (is_new) at->second = add(vertex, core_.faces[face].normal);
    return at->second;
  }

  /// A facet whose outside is along `outward`.
  void facet(std::vector<std::size_t> corners, const V3& outward) {
    const auto at = [&](std::size_t k) { return solids::vector(mesh_.points[corners[k]]); };
    if (dot(cross(at(1) - at(0), at(2) - at(0)), outward) < 0.) {
      std::reverse(corners.begin(), corners.end());
    }
    mesh_.faces.push_back(std::move(corners));
  }

  /// Points of the arcs at both ends, from the first face to the second.
  void around_edge(std::size_t e) {
    const solids::Edge& edge = core_.edges[e];
    const V3 from = core_.faces[edge.faces[0]].normal, to = core_.faces[edge.faces[1]].normal;
    const double angle = std::atan2(norm(cross(from, to)), dot(from, to));
    for (std::size_t k = 0; k <= rounding_arcs; ++k) {
      const double share = static_cast<double>(k) / rounding_arcs;
      const V3 normal = unit(std::sin((1. - share) * angle) * from + std::sin(share * angle) * to);
      for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t v = edge.ends[end];
        std::size_t point = 0;
        if (k == 0 || k == rounding_arcs) {
          point = corner(v, edge.faces[k == 0 ? 0 : 1]);
        } else {
          point = add(v, normal);
        }
        arcs_[{v, e}].push_back(point);
      }
    }
    const auto& a = arcs_[{edge.ends[0], e}];
    const auto& b = arcs_[{edge.ends[1], e}];
    for (std::size_t k = 0; k < rounding_arcs; ++k) {
      facet({a[k], a[k + 1], b[k + 1], b[k]}, from + to);
    }
  }

  /// Rings on the sphere about a vertex, from the arcs of the edges that meet in it towards the
  /// middle of the normals there, where one polygon closes them. Triangles that meet in the middle
  /// would lean inwards where the normals almost lie in a plane.
  void around_vertex(std::size_t v) {
    V3 middle{};
    for (const Index e : core_.edges_at(v)) {
      for (const Index f : core_.edges[e].faces) middle = middle + core_.faces[f].normal;
    }
    middle = unit(middle);
    const V3 at = core_.vertices[v];
    std::map<std::size_t, std::vector<std::size_t>> spokes;  // by their point on an arc
    const auto spoke = [&](std::size_t outer) -> const std::vector<std::size_t>& {
      std::vector<std::size_t>& points = spokes[outer];
      if (!points.empty()) return points;
      const V3 end = unit(solids::vector(mesh_.points[outer]) - at);
      for (std::size_t k = 1; k < rounding_arcs; ++k) {
        const double share = static_cast<double>(k) / rounding_arcs;
        points.push_back(add(v, unit((1. - share) * middle + share * end)));
      }
      points.push_back(outer);
      return points;
    };
    std::map<std::size_t, std::size_t> next;  // of the innermost ring
    for (const Index e : core_.edges_at(v)) {
      const auto& arc_points = arcs_[{v, e}];
      for (std::size_t k = 0; k < rounding_arcs; ++k) {
        const auto &a = spoke(arc_points[k]), &b = spoke(arc_points[k + 1]);
        for (std::size_t r = 0; r + 1 < rounding_arcs; ++r) {
          const V3 out = solids::vector(mesh_.points[a[r]]) - at;
          facet({a[r], a[r + 1], b[r + 1], b[r]}, out);
        }
        // Counter-clockwise about the middle.
        const V3 from = solids::vector(mesh_.points[a[0]]) - at;
        const V3 to = solids::vector(mesh_.points[b[0]]) - at;
        const bool left = dot(cross(from, to), middle) > 0.;
        next[left ? a[0] : b[0]] = left ? b[0] : a[0];
      }
    }
    std::vector<std::size_t> cap;
    for (std::size_t k = next.begin()->first; cap.size() < next.size(); k = next[k]) {
      cap.push_back(k);
    }
    mesh_.faces.push_back(std::move(cap));
  }

  const solids::Polytope& core_;
  double radius_;
  Mesh mesh_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> corners_;  ///< by vertex and face
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>>
      arcs_;  ///< by vertex and edge
};

struct MeshOf {
  Mesh operator()(const solids::Sphere& s) const { return capped(s.radius, 0.); }
  Mesh operator()(const solids::Capsule& s) const { return capped(s.radius, 0.5 * s.length); }
  Mesh operator()(const solids::Cylinder& s) const {
    return cylinder(s.radius, 0.5 * s.length, s.rounding);
  }
  Mesh operator()(const solids::Disc& s) const { return cylinder(s.radius, thin * s.radius); }
  Mesh operator()(const solids::Rod& s) const { return cylinder(thin * s.length, 0.5 * s.length); }
  Mesh operator()(const solids::Cone& s) const {
    return turned({{0., -0.25 * s.height}, {s.radius, -0.25 * s.height}, {0., 0.75 * s.height}});
  }
  Mesh operator()(const solids::HalfSpace&) const { return {}; }
  template <class Flat>  // box and polyhedron
  Mesh operator()(const Flat& s) const {
    const solids::Shape shape = solids::shape_of(s);
    return RoundedPolytope(shape.core, shape.radius).make();
  }
};

}  // namespace

Mesh mesh_of(const shapes::space::Solid& solid) { return std::visit(MeshOf{}, solid); }

}  // namespace carom::report
