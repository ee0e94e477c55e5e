// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/features.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/mechanics/shapes/space/search.hpp>

namespace carom::shapes::space {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// How far a normal may point out of the range of an edge and still be listed: the sine of 30
/// degrees.
constexpr double to_spare = 0.5;

/// A polytope in the axes of another one.
struct Seen {
  const Polytope& core;
  Pose pose{};

  Seen(const Placed& X, const Placed& Y) : core(X.shape->core) {
    pose.position = Y.pose.turn.back(X.pose.position - Y.pose.position);
    for (std::size_t k = 0; k < 3; ++k) pose.turn.axes[k] = Y.pose.turn.back(X.pose.turn.axes[k]);
  }
  [[nodiscard]] V3 vertex(std::size_t i) const {
    return pose.position + pose.turn * core.vertices[i];
  }
};

/// Two edges in common axes.
struct EdgePair {
  V3 normal{};  ///< one x two
  double sine = 0.;
  double s = 0.;
  double u = 0.;
  V3 apart{};  ///< from the point on the other to that on the first
};

EdgePair edge_pair(const V3& a, const V3& da, const V3& b, const V3& db) {
  EdgePair e;
  e.normal = cross(da, db);
  e.sine = norm(e.normal);
  if (e.sine <= parallel) return e;
  const auto at = crossing(a - b, da, db, e.normal);
  e.s = at.s;
  e.u = at.u;
  e.apart = (a - b) + (e.s * da - e.u * db);
  return e;
}

bool in_range(double s, double length, double slack) { return s >= -slack && s <= length + slack; }

/// Whether the body of an edge lies on the side of the edge that n points to.
bool supports(const std::array<V3, 2>& into, const V3& n, double spare) {
  return dot(n, into[0]) >= -spare && dot(n, into[1]) >= -spare;
}

/// The least height of the vertices of X over a face of Y. A half space has no vertices.
double height_over(const Seen& X, const Face& face) {
  if (X.core.vertices.empty()) return -infinite;
  double least = infinite;
  const V3 n = X.pose.turn.back(face.normal);
  for (const V3& v : X.core.vertices) least = std::min(least, dot(n, v));
  return least + dot(face.normal, X.pose.position) - face.offset;
}

/// The greatest separation along face normals and products of edges. -infinity: there are none.
double core_separation(const Placed& A, const Placed& B) {
  const Seen a(A, B), b(B, A);
  double best = -infinite;
  for (const Face& f : b.core.faces) best = std::max(best, height_over(a, f));
  for (const Face& f : a.core.faces) best = std::max(best, height_over(b, f));
  for (const Edge& ea : a.core.edges) {
    const V3 da = a.pose.turn * ea.direction, pa = a.vertex(ea.ends[0]);
    const std::array into{a.pose.turn * ea.into[0], a.pose.turn * ea.into[1]};
    for (const Edge& eb : b.core.edges) {
      const V3 n = cross(da, eb.direction);
      const double sine = norm(n);
      if (sine <= parallel) continue;
      const double along = dot(n, pa - b.core.vertices[eb.ends[0]]) / sine;
      // Where both edges support their bodies along n this is the separation of the bodies.
      const double spare = rounding * sine;
      if (supports(into, n, spare) && supports(eb.into, -n, spare)) best = std::max(best, along);
      if (supports(into, -n, spare) && supports(eb.into, n, spare)) best = std::max(best, -along);
    }
  }
  return best;
}

/// The least square of the distance from the vertices of X to the boundary of Y.
double vertex_distance2(const Seen& X, const Polytope& Y, double slack) {
  double best = infinite;
  for (std::size_t i = 0; i < X.core.vertices.size(); ++i) {
    const V3 p = X.vertex(i);
    for (const Face& f : Y.faces) {
      const double h = dot(f.normal, p) - f.offset;
      if (h < -slack || h * h >= best) continue;
      const auto ring = Y.corners(f);
      const bool over = std::all_of(ring.begin(), ring.end(), [&](const Corner& c) {
        return dot(c.inward, p - Y.vertices[c.vertex]) >= 0.;
      });
      if (over) best = h * h;
    }
    for (const Edge& e : Y.edges) {
      const V3 w = p - Y.vertices[e.ends[0]];
      const V3 d = w - std::clamp(dot(w, e.direction), 0., e.length) * e.direction;
      best = std::min(best, dot(d, d));
    }
    if (Y.edges.empty()) {
      for (const V3& q : Y.vertices) best = std::min(best, dot(p - q, p - q));
    }
  }
  return best;
}

/// The distance of cores that are apart.
double core_distance(const Placed& A, const Placed& B, double slack) {
  const Seen a(A, B), b(B, A);
  double best = std::min(vertex_distance2(a, b.core, slack), vertex_distance2(b, a.core, slack));
  for (const Edge& ea : a.core.edges) {
    const V3 da = a.pose.turn * ea.direction, pa = a.vertex(ea.ends[0]);
    for (const Edge& eb : b.core.edges) {
      const EdgePair e = edge_pair(pa, da, b.core.vertices[eb.ends[0]], eb.direction);
      if (e.sine <= parallel || !in_range(e.s, ea.length, 0.) || !in_range(e.u, eb.length, 0.)) {
        continue;
      }
      best = std::min(best, dot(e.apart, e.apart));
    }
  }
  return std::sqrt(best);
}

/// Along a normal that points into the first body, both cores.
double separation_along(const Placed& A, const Placed& B, const V3& n) {
  double low = infinite, high = -infinite;
  const V3 na = A.pose.turn.back(n), nb = B.pose.turn.back(n);
  for (const V3& v : A.shape->core.vertices) low = std::min(low, dot(na, v));
  for (const V3& v : B.shape->core.vertices) high = std::max(high, dot(nb, v));
  return low - high + dot(n, A.pose.position - B.pose.position);
}

/// Whether the line of centres or the normal of a face shows that cores are apart by more than
/// this. It rejects most pairs that do not touch, at less cost than their distance.
bool an_axis_separates(const Placed& A, const Placed& B, double by) {
  const V3 apart = A.pose.position - B.pose.position;
  const double length = norm(apart);
  if (length > 0. && separation_along(A, B, (1. / length) * apart) > by) return true;
  const Seen a(A, B), b(B, A);
  const auto separates = [by](const Seen& x, const Seen& y) {
    return std::any_of(y.core.faces.begin(), y.core.faces.end(),
                       [&](const Face& f) { return height_over(x, f) > by; });
  };
  return separates(a, b) || separates(b, a);
}

/// The vertices of X against faces, edges and vertices of Y.
void collect_vertices(const Placed& PX, const Placed& PY, bool exchanged, double lowest,
                      const Collector& c) {
  const Seen X(PX, PY), back(PY, PX);
  const Polytope& Y = PY.shape->core;
  const double radii = PX.shape->radius + PY.shape->radius;
  const double reach = c.reach + radii;
  const double least = radii > 0. ? 0. : c.slack;  // of what has a normal
  for (std::size_t i = 0; i < X.core.vertices.size(); ++i) {
    const V3 p = X.vertex(i);
    const auto one = static_cast<Index>(i);
    for (std::size_t f = 0; f < Y.faces.size(); ++f) {
      const double h = dot(Y.faces[f].normal, p) - Y.faces[f].offset;
      if (h > reach || h < lowest) continue;
      const auto ring = Y.corners(Y.faces[f]);
      const bool over = std::all_of(ring.begin(), ring.end(), [&](const Corner& k) {
        return dot(k.inward, p - Y.vertices[k.vertex]) >= -c.beyond;
      });
      if (!over) continue;
      c.add({.kind = PairKind::vertex_face, .one = one, .two = static_cast<Index>(f)}, exchanged);
    }
    for (std::size_t j = 0; j < Y.edges.size(); ++j) {
      const Edge& e = Y.edges[j];
      const V3 w = p - Y.vertices[e.ends[0]];
      const double s = dot(w, e.direction);
      const double away = norm(w - s * e.direction);
      if (!in_range(s, e.length, c.beyond) || away > reach || away <= least) continue;
      if (dot(e.into[0], w) > c.beyond || dot(e.into[1], w) > c.beyond) continue;
      c.add({.kind = PairKind::vertex_edge, .one = one, .two = static_cast<Index>(j)}, exchanged);
    }
    if (exchanged) continue;  // once
    // Whether w is the vertex closest to a point, of all that lie on edges there.
    const auto closest = [&](const Polytope& t, std::size_t at, const V3& w) {
      const auto fan = t.edges_at(at);
      return std::all_of(fan.begin(), fan.end(),
                         [&](Index e) { return dot(t.leaving(at, t.edges[e]), w) <= c.beyond; });
    };
    for (std::size_t j = 0; j < Y.vertices.size(); ++j) {
      const V3 w = p - Y.vertices[j];
      const double away = norm(w);
      if (away > reach || away <= least) continue;
      if (!closest(Y, j, w) && !closest(X.core, i, X.pose.turn.back(-w))) continue;
      c.add({.kind = PairKind::vertex_vertex, .one = one, .two = static_cast<Index>(j)}, false);
    }
  }
}

/// The faces of two edges that lie flat on each other: the side bits of `flat_edges`, or 0.
std::uint8_t flat_faces(const Seen& X, const Edge& a, const Polytope& Y, const Edge& b) {
  if (X.core.faces.empty() || Y.faces.empty()) return 0;
  for (int bits = 0; bits < 4; ++bits) {
    const V3 of_x = X.pose.turn * X.core.faces[a.faces[bits & 1]].normal;
    const V3& of_y = Y.faces[b.faces[(bits >> 1) & 1]].normal;
    if (dot(of_x, of_y) < 0. && norm(cross(of_x, of_y)) <= flat_angle) {
      return static_cast<std::uint8_t>(8 | (bits << 1));
    }
  }
  return 0;
}

/// The square of the distance between two edges.
double edges_distance2(const EdgePair& e, const V3& a, const V3& da, double length, const V3& b,
                       const Edge& eb) {
  if (e.sine > parallel && in_range(e.s, length, 0.) && in_range(e.u, eb.length, 0.)) {
    return dot(e.apart, e.apart);
  }
  const auto from = [](const V3& p, const V3& q, const V3& d, double size) {
    const V3 w = p - q;
    const V3 aside = w - std::clamp(dot(w, d), 0., size) * d;
    return dot(aside, aside);
  };
  return std::min({from(a, b, eb.direction, eb.length),
                   from(a + length * da, b, eb.direction, eb.length), from(b, a, da, length),
                   from(b + eb.length * eb.direction, a, da, length)});
}

void collect_edges(const Placed& A, const Placed& B, double lowest, const Collector& c) {
  const Seen a(A, B);
  const Polytope& Y = B.shape->core;
  const double radii = A.shape->radius + B.shape->radius;
  const double reach = c.reach + radii;
  const double farthest = std::max(reach, -lowest);  // of points, which may overlap
  // By how much the bodies may turn against each other in the motion that the list is for.
  const bool wide = c.beyond > c.slack;
  const double turn = wide ? c.beyond / size_of(A, B) : 0.;
  // Between two rods or flat polygons either normal is good, and the present one is the right one.
  const bool flat = a.core.faces.size() <= 2 && Y.faces.size() <= 2 && radii == 0.;
  for (std::size_t i = 0; i < a.core.edges.size(); ++i) {
    const Edge& ea = a.core.edges[i];
    const V3 da = a.pose.turn * ea.direction, pa = a.vertex(ea.ends[0]);
    const std::array into{a.pose.turn * ea.into[0], a.pose.turn * ea.into[1]};
    for (std::size_t j = 0; j < Y.edges.size(); ++j) {
      const Edge& eb = Y.edges[j];
      const EdgePair e = edge_pair(pa, da, Y.vertices[eb.ends[0]], eb.direction);
      FeaturePair pair{
          .kind = PairKind::edge_edge, .one = static_cast<Index>(i), .two = static_cast<Index>(j)};
      if (wide && !flat && e.sine <= parallel + turn) {
        // They may cross anywhere soon, and along either normal.
        if (edges_distance2(e, pa, da, ea.length, Y.vertices[eb.ends[0]], eb) > reach * reach) {
          continue;
        }
        for (pair.side = 0; pair.side < 2; ++pair.side) c.add_anyway(pair);
        pair.side = 0;
      }
      if (e.sine <= parallel) continue;
      // Where the bodies move, the crossing moves by as much over the sine.
      const double beyond = wide ? c.beyond / e.sine : c.slack;
      if (!in_range(e.s, ea.length, beyond) || !in_range(e.u, eb.length, beyond) ||
          dot(e.apart, e.apart) > farthest * farthest) {
        continue;
      }
      if (e.sine < small_angle && radii == 0.) {
        if (const std::uint8_t side = flat_faces(a, ea, Y, eb)) {
          pair.kind = PairKind::flat_edges;
          pair.side = static_cast<std::uint8_t>(side & 6);
          c.add(pair, false);
          if (!wide) continue;
          pair = {.kind = PairKind::edge_edge, .one = pair.one, .two = pair.two};
        }
      }
      if (wide && !flat && e.sine <= parallel + turn) continue;  // listed
      const double gap = dot(e.normal, e.apart) / e.sine;
      const double spare = to_spare * e.sine;
      const bool up = supports(into, e.normal, spare) && supports(eb.into, -e.normal, spare);
      const bool down = supports(into, -e.normal, spare) && supports(eb.into, e.normal, spare);
      if (!up && !down) continue;
      bool flip = !up;
      if (up && down) {
        const V3 n = B.pose.turn * e.normal;
        flip = std::abs(gap) > c.slack && c.allowance.turn == 0.
                   ? gap < 0.
                   : separation_along(A, B, -n) > separation_along(A, B, n) + c.slack * e.sine;
      }
      if ((flip ? -gap : gap) < lowest) continue;
      pair.side = flip ? 1 : 0;
      c.add(pair, false);
    }
  }
}

/// The least gap of pairs that touch: beneath it one body is behind the other.
double lowest_gap(const Placed& A, const Placed& B, const Collector& c) {
  const double separation = core_separation(A, B);
  return (std::isfinite(separation) ? std::min(separation, 0.) : 0.) - c.beyond;
}

/// All pairs of polytopes within reach, coincident ones too, with gaps of cores from `lowest` on.
void collect_cores(const Placed& A, const Placed& B, double lowest, const Collector& c) {
  collect_vertices(A, B, false, lowest, c);
  collect_vertices(B, A, true, lowest, c);
  collect_edges(A, B, lowest, c);
}

/// All pairs within reach, coincident ones too.
void collect(const Placed& A, const Placed& B, const Collector& c) {
  if (is_smooth_pair(*A.shape, *B.shape)) return collect_round(A, B, false, c);
  if (is_smooth_pair(*B.shape, *A.shape)) return collect_round(B, A, true, c);
  if (A.shape->unbounded() || B.shape->unbounded()) {
    collect_vertices(A, B, false, -infinite, c);
    collect_vertices(B, A, true, -infinite, c);
    return;
  }
  collect_cores(A, B, lowest_gap(A, B, c), c);
}

bool same_point(const ContactGeometry<double>& a, const ContactGeometry<double>& b, double slack) {
  return norm(a.arm1 - b.arm1) <= slack && norm(a.arm2 - b.arm2) <= slack;
}

/// The pair with the roles of both bodies decided by where they lie instead of by their order.
FeaturePair oriented(const NearPair& p) {
  constexpr V3 k{0.48, 0.6, 0.64};
  return dot(k, p.geometry.normal) >= 0. ? p.pair : exchange(p.pair);
}

/// Whether p is to be kept instead of q, which touches in the same point.
bool comes_before(const Placed& A, const Placed& B, const NearPair& p, const NearPair& q,
                  double slack) {
  const double along_p = separation_along(A, B, p.geometry.normal);
  const double along_q = separation_along(A, B, q.geometry.normal);
  if (std::abs(along_p - along_q) > slack) return along_p > along_q;
  return oriented(p) < oriented(q);
}

}  // namespace

double size_of(const Placed& A, const Placed& B) {
  return std::min(A.shape->bounding_radius, B.shape->bounding_radius);
}

void Collector::add(FeaturePair pair, bool exchanged) const {
  pair.exchanged = exchanged;
  NearPair near{.pair = pair};
  near.geometry = contact_geometry(pair, *first.shape, first.pose, *second.shape, second.pose);
  if (!(near.geometry.gap <= reach)) return;
  near.margin = margin(pair, *first.shape, first.pose, *second.shape, second.pose, allowance);
  out.push_back(near);
}

void Collector::add_anyway(const FeaturePair& pair) const {
  NearPair near{.pair = pair};
  near.geometry = contact_geometry(pair, *first.shape, first.pose, *second.shape, second.pose);
  near.margin = margin(pair, *first.shape, first.pose, *second.shape, second.pose);
  out.push_back(near);
}

namespace {

/// The distance of bounded cores. If it exceeds `within`, a lower bound above `within` [m].
double distance_of_cores(const Placed& A, const Placed& B, double within) {
  const double separation = core_separation(A, B);
  if (separation > within) return separation;
  // Cores that lie in one plane, or have no axes, are apart or just touch.
  const double slack = rounding * size_of(A, B);
  if (separation < -slack && std::isfinite(separation)) return separation;
  const double apart = core_distance(A, B, slack);
  return apart <= slack && std::isfinite(separation) ? separation : apart;
}

}  // namespace

double distance(const Placed& A, const Placed& B) {
  if (A.shape->unbounded() && B.shape->unbounded()) return infinite;
  const double radii = A.shape->radius + B.shape->radius;
  if (is_smooth_pair(*A.shape, *B.shape)) return round_distance(A, B) - radii;
  if (is_smooth_pair(*B.shape, *A.shape)) return round_distance(B, A) - radii;
  if (A.shape->unbounded() || B.shape->unbounded()) return core_separation(A, B) - radii;
  return distance_of_cores(A, B, infinite) - radii;
}

namespace {

/// Of pairs that touch in one point the one of least overlap stays.
/// @param apart  points that are closer count as one [m]
/// @param slack  and overlaps that differ by less as equal [m]
void keep_one_a_point(const Placed& A, const Placed& B, double apart, double slack,
                      std::vector<NearPair>& out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto beaten = [&](const NearPair& other) {
      return &other != &out[i] && same_point(other.geometry, out[i].geometry, apart) &&
             comes_before(A, B, other, out[i], slack);
    };
    const auto begin = out.begin();
    const auto next = begin + static_cast<std::ptrdiff_t>(i);
    const bool stays = std::none_of(begin, begin + static_cast<std::ptrdiff_t>(kept), beaten) &&
                       std::none_of(next + 1, out.end(), beaten);
    if (stays) out[kept++] = out[i];
  }
  out.resize(kept);
}

bool are_apart(const Placed& A, const Placed& B, double reach) {
  const double bound = A.shape->bounding_radius + B.shape->bounding_radius + reach;
  return norm(A.pose.position - B.pose.position) > bound;
}

}  // namespace

void near_features(const Placed& A, const Placed& B, double reach, std::vector<NearPair>& out) {
  out.clear();
  if (are_apart(A, B, reach)) return;
  const double slack = coincident * size_of(A, B);
  collect(A, B,
          {.first = A, .second = B, .reach = reach, .slack = slack, .beyond = slack, .out = out});
  if (A.shape->unbounded() || B.shape->unbounded()) return;
  keep_one_a_point(A, B, slack, slack, out);
}

namespace {

/// Pairs with a normal of their own are those that near_features lists: it is one of least overlap,
/// to the tolerances. Others stay if their normal is that of the least overlap but for a small
/// turn.
void keep_alike(const Placed& A, const Placed& B, double least, bool overlap, double slack,
                double turn, std::vector<NearPair>& out) {
  const NearPair* best = nullptr;
  double most = -infinite;
  for (const NearPair& p : out) {
    const double along = separation_along(A, B, p.geometry.normal);
    if (p.margin < -slack || !(along > most)) continue;
    best = &p;
    most = along;
  }
  if (best == nullptr) return;
  const V3 normal = best->geometry.normal;
  std::erase_if(out, [&](const NearPair& p) {
    const V3& n = p.geometry.normal;
    if (norm(n - normal) <= turn) return false;
    const double own = margin(p.pair, *A.shape, A.pose, *B.shape, B.pose, {.sunk = -least});
    return own < -slack || separation_along(A, B, n) < (overlap ? least : -infinite);
  });
}

}  // namespace

void features_in_overlap(const Placed& A, const Placed& B, double reach,
                         std::vector<NearPair>& out) {
  constexpr double alike = 1e-6;       // of the size
  constexpr double alike_part = 0.25;  // of the overlap
  constexpr double most_turn = 0.1;    // rad
  out.clear();
  if (are_apart(A, B, reach)) return;
  const double size = size_of(A, B);
  const double slack = coincident * size;
  if (A.shape->unbounded() || B.shape->unbounded() || is_smooth_pair(*A.shape, *B.shape) ||
      is_smooth_pair(*B.shape, *A.shape)) {
    return near_features(A, B, reach, out);
  }
  const double radii = A.shape->radius + B.shape->radius;
  if (an_axis_separates(A, B, reach + radii)) return;
  const double d = distance_of_cores(A, B, reach + radii);
  if (d - radii > reach) return;
  const double depth = std::max(0., -d);
  // Faces that lie on each other are not parallel between steps, and turn as far as corners move.
  const double turn = std::min(most_turn, flat_angle + (reach + depth) / size);
  const double least = -(1. + alike_part) * depth - alike * size;
  collect_cores(A, B, least,
                {.first = A,
                 .second = B,
                 .reach = reach,
                 .slack = slack,
                 .beyond = slack,
                 .out = out,
                 .allowance = {.turn = turn, .sunk = -least}});
  keep_alike(A, B, least, depth > slack, slack, turn, out);
  keep_one_a_point(A, B, std::max(slack, depth), slack, out);
}

void features_within(const Placed& A, const Placed& B, double reach, std::vector<NearPair>& out) {
  out.clear();
  const double slack = coincident * size_of(A, B);
  collect(A, B,
          {.first = A,
           .second = B,
           .reach = reach,
           .slack = slack,
           .beyond = std::max(reach, slack),
           .out = out});
}

void successors(const FeaturePair& pair, const Placed& A, const Placed& B, double slack,
                std::vector<NearPair>& out) {
  out.clear();
  const auto here = contact_geometry(pair, *A.shape, A.pose, *B.shape, B.pose);
  collect(A, B,
          {.first = A,
           .second = B,
           .reach = here.gap + slack,
           .slack = slack,
           .beyond = slack,
           .out = out});
  const auto drop = [&](const auto& condition) {
    out.erase(std::remove_if(out.begin(), out.end(), condition), out.end());
  };
  if (pair.kind == PairKind::rim_face) return;  // all points of the rims
  drop([&](const NearPair& p) {
    return p.pair == pair || !same_point(p.geometry, here, 4. * slack);
  });
  const bool bounded = !A.shape->unbounded() && !B.shape->unbounded();
  double best = -infinite;
  for (const NearPair& p : out) {
    if (bounded) best = std::max(best, separation_along(A, B, p.geometry.normal));
  }
  drop([&](const NearPair& p) {
    return bounded && separation_along(A, B, p.geometry.normal) < best - 4. * slack;
  });
  const auto in_face = [](const NearPair& p) { return p.pair.kind == PairKind::vertex_face; };
  const auto valid = [](const NearPair& p) { return p.margin >= 0.; };
  if (std::any_of(out.begin(), out.end(), valid))
    drop([&](const NearPair& p) { return !valid(p); });
  if (std::any_of(out.begin(), out.end(), in_face)) {
    drop([&](const NearPair& p) { return !in_face(p); });
  }
}

}  // namespace carom::shapes::space
