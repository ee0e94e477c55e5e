// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/hull.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>

namespace carom::shapes::space {
namespace {

using Points = std::span<const V3>;
using Ring = std::vector<std::size_t>;  ///< indices of points, counter-clockwise from outside

/// The corners of the convex hull of coplanar points, seen against the normal: Andrew's monotone
/// chain. Points within `slack` of a side are no corners.
Ring polygon(Points p, std::vector<std::size_t> of, const V3& normal, double slack) {
  const V3 u = tangent_of(normal);
  const V3 v = cross(normal, u);
  std::sort(of.begin(), of.end(), [&](std::size_t i, std::size_t j) {
    const double a = dot(u, p[i]), b = dot(u, p[j]);
    return a != b ? a < b : dot(v, p[i]) < dot(v, p[j]);
  });
  // Whether b lies to the right of the line from a to c, by more than the slack.
  const auto bulges = [&](std::size_t a, std::size_t b, std::size_t c) {
    const V3 side = p[c] - p[a];
    return dot(normal, cross(side, p[b] - p[a])) < -slack * norm(side);
  };
  Ring ring;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = ring.size();
    for (const std::size_t i : of) {
      while (ring.size() >= start + 2 && !bulges(ring[ring.size() - 2], ring.back(), i)) {
        ring.pop_back();
      }
      ring.push_back(i);
    }
    ring.pop_back();  // the first of the other chain
    std::reverse(of.begin(), of.end());
  }
  return ring;
}

V3 normal_of(Points p, const Ring& ring) {  // Newell's sum
  V3 sum{};
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) {
    sum = sum + cross(p[ring[k]] - p[ring[0]], p[ring[k + 1]] - p[ring[0]]);
  }
  return unit(sum);
}

/// The plane that touches all points and contains the line through `at` along `e`, next after the
/// plane with normal n: it turns about the line, starting from e x n, until it meets a point.
/// Points are tried from the farthest on, and one nearer counts only if it is above the plane by
/// more than rounding: the farther a point, the better it determines the plane.
V3 next_plane(Points p, const V3& at, const V3& e, const V3& n, double slack) {
  struct Seen {
    double out, down, size;
  };
  const V3 out = cross(e, n);
  std::vector<Seen> seen;
  for (const V3& q : p) {
    const double x = dot(q - at, out);
    const double y = std::max(-dot(q - at, n), 0.);
    seen.push_back({.out = x, .down = y, .size = std::sqrt(x * x + y * y)});
  }
  std::stable_sort(seen.begin(), seen.end(),
                   [](const Seen& a, const Seen& b) { return a.size > b.size; });
  const double error = 0.01 * slack;
  double best_x = -1., best_y = 0.;  // back in the plane before
  for (const Seen& q : seen) {
    if (q.size <= 2. * slack) break;  // on the line
    const bool first = best_x == -1. && q.out > 0.;
    if (!first && !(q.out * best_y - best_x * q.down > error)) continue;
    best_x = q.out / q.size;
    best_y = q.down / q.size;
  }
  return cross(-e, best_x * out - best_y * n);
}

Ring face_along(Points p, const V3& at, const V3& normal, double slack) {
  std::vector<std::size_t> on;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::abs(dot(normal, p[i] - at)) <= slack) on.push_back(i);
  }
  return polygon(p, std::move(on), normal, slack);
}

/// The faces of points that are not coplanar, each found over an edge of one before. None: points
/// and planes are so close to each other, for this slack, that the faces do not close.
std::optional<std::vector<Ring>> wrapped(Points p, double slack) {
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < p.size(); ++i) {
    if (p[i].x < p[lowest].x) lowest = i;
  }
  // A plane that touches in one point, turned until it touches in two, then until in three.
  const V3 at = p[lowest];
  const V3 first = next_plane(p, at, {0., 1., 0.}, {-1., 0., 0.}, slack);
  std::size_t other = lowest;
  double farthest = slack;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double size = norm(p[i] - at);
    if (std::abs(dot(first, p[i] - at)) <= slack && size > farthest) {
      other = i;
      farthest = size;
    }
  }
  if (other == lowest) return std::nullopt;
  std::vector<Ring> faces{
      face_along(p, at, next_plane(p, at, unit(p[other] - at), first, slack), slack)};
  std::set<std::pair<std::size_t, std::size_t>> sides;
  const std::size_t most = 2 * p.size();  // faces of a polyhedron: at most 2 V - 4
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Ring ring = faces[f];
    if (ring.size() < 3 || faces.size() > most) return std::nullopt;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      if (!sides.emplace(ring[k], ring[(k + 1) % ring.size()]).second) return std::nullopt;
    }
    const V3 n = normal_of(p, ring);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const std::size_t i = ring[k], j = ring[(k + 1) % ring.size()];
      const auto has_side = [&](const Ring& r) {
        for (std::size_t m = 0; m < r.size(); ++m) {
          if (r[m] == j && r[(m + 1) % r.size()] == i) return true;
        }
        return false;
      };
      if (std::any_of(faces.begin(), faces.end(), has_side)) continue;
      const V3 beyond = next_plane(p, p[i], unit(p[j] - p[i]), n, slack);
      faces.push_back(face_along(p, p[i], beyond, slack));
      if (!has_side(faces.back())) return std::nullopt;
    }
  }
  std::set<std::size_t> corners;
  for (const auto& side : sides) corners.insert(side.first);
  if (corners.size() + faces.size() != sides.size() / 2 + 2) return std::nullopt;  // Euler
  return faces;
}

void join_fans(Polytope& t) {
  for (std::size_t v = 0; v < t.vertices.size(); ++v) {
    const auto begin = static_cast<Index>(t.fans.size());
    for (std::size_t e = 0; e < t.edges.size(); ++e) {
      const auto& ends = t.edges[e].ends;
      if (ends[0] == v || ends[1] == v) t.fans.push_back(static_cast<Index>(e));
    }
    t.fan_range.push_back({begin, static_cast<Index>(t.fans.size())});
  }
}

Polytope assembled(Points p, const std::vector<Ring>& faces) {
  Polytope t;
  constexpr Index none = std::numeric_limits<Index>::max();
  std::vector<Index> name(p.size(), none);
  for (const Ring& ring : faces) {
    for (const std::size_t i : ring) name[i] = 0;
  }
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (name[i] == none) continue;
    name[i] = static_cast<Index>(t.vertices.size());
    t.vertices.push_back(p[i]);
  }
  std::map<std::pair<Index, Index>, Index> sides;
  for (const Ring& ring : faces) {
    Face face;
    face.normal = normal_of(p, ring);
    face.tangent = tangent_of(face.normal);
    face.begin = static_cast<Index>(t.ring.size());
    const auto f = static_cast<Index>(t.faces.size());
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Index i = name[ring[k]], j = name[ring[(k + 1) % ring.size()]];
      const V3 along = t.vertices[j] - t.vertices[i];
      const V3 inward = cross(face.normal, unit(along));
      face.offset += dot(face.normal, t.vertices[i]) / static_cast<double>(ring.size());
      const auto known = sides.find({j, i});
      const bool left = known == sides.end();
      const auto e = left ? static_cast<Index>(t.edges.size()) : known->second;
      if (left) {
        sides.emplace(std::pair{i, j}, e);
        t.edges.push_back({.ends = {i, j}, .direction = unit(along), .length = norm(along)});
      }
      t.edges[e].faces[left ? 0 : 1] = f;
      t.edges[e].into[left ? 0 : 1] = inward;
      t.ring.push_back({.vertex = i, .edge = e, .inward = inward});
    }
    face.end = static_cast<Index>(t.ring.size());
    t.faces.push_back(face);
  }
  join_fans(t);
  return t;
}

}  // namespace

V3 tangent_of(const V3& normal) { return vector(frame_of(world(normal)).tangent1); }

Polytope half_space(const V3& normal) {
  Polytope t;
  t.faces.push_back({.normal = normal, .tangent = tangent_of(normal)});
  return t;
}

Polytope hull_of(std::span<const V3> points, const std::string& field) {
  if (points.empty()) throw InputError(field, "must have at least one point, got none");
  constexpr std::size_t most = 10000;  // edges and corners are counted with 16 bits
  if (points.size() > most) throw InputError(field, "must have at most 10000 points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    require_finite(world(points[i]), field + "[" + std::to_string(i) + "]");
  }
  const V3 at = points[0];
  // The point farthest by some measure.
  const auto farthest = [&](const auto& measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (measure(points[i]) > measure(points[best])) best = i;
    }
    return best;
  };
  const std::size_t a = farthest([&](const V3& q) { return norm(q - at); });
  const double size = norm(points[a] - at);
  const double slack = coplanar * size;
  std::vector<V3> p;  // each once
  for (const V3& q : points) {
    const auto same = [&](const V3& r) { return norm(q - r) <= slack; };
    if (std::none_of(p.begin(), p.end(), same)) p.push_back(q);
  }
  Polytope t;
  if (p.size() == 1) {
    t.vertices = p;
    join_fans(t);
    return t;
  }
  const V3 line = unit(points[a] - at);
  const auto aside = [&](const V3& q) { return norm(cross(line, q - at)); };
  const std::size_t b = farthest(aside);
  if (aside(points[b]) <= slack) {
    const auto along = [&](const V3& q, const V3& r) { return dot(line, q) < dot(line, r); };
    const auto [low, high] = std::minmax_element(p.begin(), p.end(), along);
    const V3 whole = *high - *low;
    t.vertices = {*low, *high};
    t.edges.push_back({.ends = {0, 1}, .direction = unit(whole), .length = norm(whole)});
    join_fans(t);
    return t;
  }
  const V3 normal = unit(cross(line, points[b] - at));
  const auto above = [&](const V3& q) { return std::abs(dot(normal, q - at)); };
  if (above(points[farthest(above)]) > slack) {
    // A point may be as far from a plane as the slack itself: another slack then decides.
    for (const double finer : {1., 1e-2, 1e-4}) {
      if (const auto faces = wrapped(p, finer * slack)) return assembled(p, *faces);
    }
    throw InputError(field, "must not have points that almost coincide");
  }
  Ring ring = face_along(p, at, normal, slack);
  Ring back(ring.rbegin(), ring.rend());
  return assembled(p, {std::move(ring), std::move(back)});
}

// Every vertex lies in three planes at least and beyond none.
Polytope inset(const Polytope& whole, double depth, const std::string& field) {
  const V3 centre = mass_of(whole).centroid;
  double least = std::numeric_limits<double>::infinity(), size = 0.;
  for (const Face& f : whole.faces) least = std::min(least, f.offset - dot(f.normal, centre));
  for (const V3& v : whole.vertices) size = std::max(size, norm(v - centre));
  if (!(depth < (1. - coplanar) * least)) {
    throw InputError(field, "must be below " + shortest(least) +
                                ", the distance from the centroid to the nearest face, got " +
                                shortest(depth));
  }
  const std::size_t count = whole.faces.size();
  constexpr std::size_t most = 256;  // three million triples, a tenth of a second
  if (count > most) throw InputError(field, "must be 0 for more than 256 faces");
  std::vector<V3> points;
  for (std::size_t i = 0; i < count; ++i) {
    const V3& a = whole.faces[i].normal;
    for (std::size_t j = i + 1; j < count; ++j) {
      const V3& b = whole.faces[j].normal;
      for (std::size_t k = j + 1; k < count; ++k) {
        const V3& c = whole.faces[k].normal;
        const double volume = dot(a, cross(b, c));
        if (std::abs(volume) <= coplanar) continue;  // along one line, or nowhere
        const auto height = [&](std::size_t f) {
          return whole.faces[f].offset - depth - dot(whole.faces[f].normal, centre);
        };
        const V3 p = centre + (1. / volume) * (height(i) * cross(b, c) + height(j) * cross(c, a) +
                                               height(k) * cross(a, b));
        const double error = 8. * epsilon * size / std::abs(volume);  // of the point
        const bool inside = std::all_of(whole.faces.begin(), whole.faces.end(), [&](const Face& f) {
          return dot(f.normal, p) <= f.offset - depth + error;
        });
        if (inside) points.push_back(p);
      }
    }
  }
  return hull_of(points, field);
}

}  // namespace carom::shapes::space
