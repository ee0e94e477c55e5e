// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/plane/features.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::shapes::plane {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Gaps within 1e-6 of a length are closed at the start of a run, and runs keep overlaps below
/// 1e-9: what is within it counts as touching.
constexpr double slack_part = 1e-6;
/// Well above rounding and the errors of integration, below the accuracy of 1e-9 of events.
constexpr double coincidence_part = 1e-10;
/// Faces that include more do not lie on each other [rad].
constexpr double most_turn = 0.1;
/// The unit vector at 1 rad, along which no side of an ordinary scene lies.
constexpr Point generic{0.54030230586813972, 0.84147098480789651};

/// One body seen in the axes of another.
struct Seen {
  const Shape* shape;
  Point position;
  Point axis;

  Seen(const Placed& body, const Placed& from)
      : shape(body.shape),
        position(turned_back(from.axis, body.position - from.position)),
        axis(turned_back(from.axis, body.axis)) {}

  [[nodiscard]] Curve<double> curve(std::size_t k) const {
    return {.centre = position + turned(axis, shape->vertices[k]),
            .axis = axis,
            .semi_axes = shape->semi_axes};
  }
};

/// A curve over an edge.
struct Over {
  double height;  ///< above the edge's line, without radii
  double along;   ///< of its nearest point, from the edge's start
};
Over over(const Curve<double>& curve, const Edge& edge) {
  const Support<double> h = support(curve, edge.normal);
  const Point from_start = curve.centre - edge.start;
  return {dot(edge.normal, from_start) - h.height,
          dot(quarter_turn(edge.normal), from_start - h.point)};
}
double margin_of(const Over& o, const Edge& e) {
  if (!std::isfinite(e.length)) return unbounded;
  return std::min(o.along, e.length - o.along);
}

/// The height of a whole body above an edge's line. A half plane reaches below any line.
double least_height(const Seen& body, const Edge& edge) {
  const Shape& shape = *body.shape;
  if (shape.vertices.empty()) return -unbounded;
  if (shape.is_ellipse()) return over(body.curve(0), edge).height;
  const Point n = turned_back(body.axis, edge.normal);
  double least = unbounded;
  for (const Point& v : shape.vertices) least = std::min(least, dot(n, v));
  return dot(edge.normal, body.position - edge.start) + least;
}

/// How high a body is over the lines of another's edges.
struct Heights {
  std::vector<double> over_edge;
  std::size_t highest = 0;  ///< edge of the greatest
  double most = -unbounded;

  void find(const Seen& body, const Shape& other) {
    over_edge.clear();
    most = -unbounded;
    for (const Edge& e : other.edges) {
      const double height = least_height(body, e);
      if (height > most) {
        most = height;
        highest = over_edge.size();
      }
      over_edge.push_back(height);
    }
  }
};

/// Two bodies in each other's axes.
struct Pair {
  Pair(const Placed& first, const Placed& second) : one(first, second), two(second, first) {
    thread_local std::array<Heights, 2> workspace;
    of_one = &workspace[0];
    of_two = &workspace[1];
    of_one->find(one, *second.shape);
    of_two->find(two, *first.shape);
  }
  /// Positive where an edge separates them.
  [[nodiscard]] double separation() const { return std::max(of_one->most, of_two->most); }

  Seen one;         ///< the first, from the second
  Seen two;         ///< the second, from the first
  Heights* of_one;  ///< over edges of the second
  Heights* of_two;
};

/// The edges that meet at a vertex; none at a disc's centre.
struct Adjacent {
  const Edge* before = nullptr;
  const Edge* after = nullptr;
};
Adjacent adjacent(const Shape& shape, std::size_t k) {
  const std::size_t n = shape.edges.size();
  if (n == 0) return {};
  return {&shape.edges[(k + n - 1) % n], &shape.edges[k]};
}

/// Two curves along their common normal.
struct Meeting {
  Point n;           ///< from the second to the first, in world axes
  double height;     ///< their separation along it, without radii
  double curvature;  ///< of the separation: the distance by which the nearest point moves a radian
};
Meeting meet(const Placed& first, std::size_t i, const Placed& second, std::size_t j) {
  Curve<double> one = curve_of(first, i);
  Curve<double> two = curve_of(second, j);
  one.centre = (first.position - second.position) + (one.centre - two.centre);
  two.centre = {};
  const Point n = common_normal_of(one, two);
  const Separation<double> s = separation(one, two, n);
  return {n, s.f, s.curvature};
}

/// How far the nearest point of another body lies beyond the edge before a vertex, and beyond the
/// edge after it. Of two vertices these are distances along the edges; with an ellipse, distances
/// for small angles.
struct Beyond {
  double before = unbounded;
  double after = unbounded;

  [[nodiscard]] double least() const { return std::min(before, after); }
};
/// @param outward  the normal, away from the body
Beyond beyond(const Placed& body, std::size_t k, const Point& outward, double curvature) {
  const Adjacent e = adjacent(*body.shape, k);
  if (!e.after) return {};
  const Point n = turned_back(body.axis, outward);
  return {curvature * dot(quarter_turn(e.before->normal), n),
          -curvature * dot(quarter_turn(e.after->normal), n)};
}

/// The edge beside a vertex that the nearest point is about to reach. Both edges of a core of two
/// points lie on one line: of them it is the one on the side of the normal.
Feature edge_towards(const Placed& body, Feature vertex, const Point& outward, const Beyond& b) {
  const Adjacent e = adjacent(*body.shape, vertex / 2);
  const Point n = turned_back(body.axis, outward);
  const bool is_before =
      b.before != b.after ? b.before < b.after : dot(e.before->normal, n) > dot(e.after->normal, n);
  const auto features = static_cast<Feature>(2 * body.shape->edges.size());
  return is_before ? (vertex + features - 1) % features : vertex + 1;
}

// --- distance

/// Is a body wholly beyond one end of a core of two points? Its sides do not tell.
bool is_beyond_end(const Seen& body, const Shape& other) {
  if (other.vertices.size() != 2 || body.shape->vertices.empty()) return false;
  double least = unbounded;
  double most = -unbounded;
  for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
    const double along = over(body.curve(k), other.edges[0]).along;
    least = std::min(least, along);
    most = std::max(most, along);
  }
  return least > other.edges[0].length || most < 0.;
}

/// Least distance of the vertices of one from the boundary of the other. @pre they are apart
double least_distance(const Seen& body, const Shape& other) {
  double least = unbounded;
  for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
    const Curve<double> point = body.curve(k);
    for (const Point& v : other.vertices) least = std::min(least, length(point.centre - v));
    for (const Edge& e : other.edges) {
      const Over o = over(point, e);
      if (margin_of(o, e) >= 0.) least = std::min(least, std::abs(o.height));
    }
  }
  return least;
}

/// Whether the lowest vertex of a body lies over the edge itself over whose line it is highest: its
/// height is then the distance, if it is positive.
bool is_over_highest_edge(const Seen& body, const Shape& other, const Heights& heights) {
  const Edge& edge = other.edges[heights.highest];
  Over lowest{unbounded, 0.};
  for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
    const Over o = over(body.curve(k), edge);
    if (o.height < lowest.height) lowest = o;
  }
  return margin_of(lowest, edge) >= 0.;
}

double distance_of_cores(const Pair& pair) {
  const Shape& first = *pair.one.shape;
  const Shape& second = *pair.two.shape;
  const double by_edges = pair.separation();
  const bool points = first.edges.empty() && second.edges.empty();
  if (!points && by_edges <= 0. && !is_beyond_end(pair.one, second) &&
      !is_beyond_end(pair.two, first)) {
    return by_edges;
  }
  if (by_edges > 0. && (pair.of_one->most >= pair.of_two->most
                            ? is_over_highest_edge(pair.one, second, *pair.of_one)
                            : is_over_highest_edge(pair.two, first, *pair.of_two))) {
    return by_edges;
  }
  return std::min(least_distance(pair.one, second), least_distance(pair.two, first));
}

// The greatest separation along a normal of an edge or of a vertex.
double distance_of_ellipse(const Placed& ellipse, const Placed& other, const Heights& heights) {
  double most = heights.most;
  for (std::size_t k = 0; k < other.shape->vertices.size(); ++k) {
    const Meeting m = meet(ellipse, 0, other, k);
    if (m.height > most && beyond(other, k, m.n, m.curvature).least() >= 0.) most = m.height;
  }
  return most;
}

double distance(const Placed& first, const Placed& second, const Pair& pair) {
  const bool e1 = first.shape->is_ellipse();
  const bool e2 = second.shape->is_ellipse();
  if (e1 && e2) return contact_geometry(first, second, {0, 0}).gap;
  const double cores = e1   ? distance_of_ellipse(first, second, *pair.of_one)
                       : e2 ? distance_of_ellipse(second, first, *pair.of_two)
                            : distance_of_cores(pair);
  return cores - (first.shape->radius + second.shape->radius);
}

// --- pairs in reach

/// What decides whether a pair is listed and in range.
struct Limits {
  double reach;
  double floor;  ///< least height of a body over an edge that faces it
  Tolerances tolerance;
  /// Edges face the other body, too, if their normals differ by at most `turn` [rad] from the one
  /// of least overlap, which points into the first body.
  Point normal{};
  double turn = -1.;
};

/// The normal of the edge over whose line the other body is highest, into the first body.
Point normal_of_least_overlap(const Placed& first, const Placed& second, const Pair& pair) {
  if (pair.separation() == -unbounded) return {};
  const bool of_second = pair.of_one->most >= pair.of_two->most;
  const Placed& body = of_second ? second : first;
  const Heights& heights = of_second ? *pair.of_one : *pair.of_two;
  const Point n = turned(body.axis, body.shape->edges[heights.highest].normal);
  return of_second ? n : -n;
}

/// Vertices or the ellipse of `body` on the edges of `other`.
void list_on_edges(const Placed& body, const Placed& other, const Seen& seen,
                   const Heights& heights, bool exchange, const Limits& limits,
                   std::vector<Near>& out) {
  const double radii = body.shape->radius + other.shape->radius;
  const std::size_t n = other.shape->edges.size();
  for (std::size_t e = 0; e < n; ++e) {
    const Edge& edge = other.shape->edges[e];
    const double height = heights.over_edge[e] - radii;
    const Point normal = turned(other.axis, edge.normal);
    const bool alike = length((exchange ? -normal : normal) - limits.normal) <= limits.turn;
    const bool faces = alike || height >= limits.floor;
    if (!faces && height - limits.floor < -limits.reach) continue;
    for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
      const Over o = over(seen.curve(k), edge);
      const double margin = margin_of(o, edge);
      if (o.height - radii > limits.reach ||
          margin < -limits.reach - limits.tolerance.coincidence) {
        continue;
      }
      const FeaturePair pair{static_cast<Feature>(2 * k), static_cast<Feature>(2 * e + 1)};
      const std::size_t end = o.along <= edge.length - o.along ? e : (e + 1) % n;
      out.push_back({.pair = exchange ? exchanged(pair) : pair,
                     .gap = o.height - radii,
                     .margin = margin,
                     .in_range = faces && margin >= -limits.tolerance.coincidence,
                     .corner = static_cast<Feature>(2 * end),
                     .height = height});
    }
  }
}

/// Pairs of vertices, or of a vertex and an ellipse, or of two ellipses.
void list_curves(const Placed& first, const Placed& second, const Limits& limits,
                 std::vector<Near>& out) {
  const double radii = first.shape->radius + second.shape->radius;
  // Along an ellipse the nearest point may move much farther than the bodies.
  const bool is_distance = !first.shape->is_ellipse() && !second.shape->is_ellipse();
  if (radii == 0. && is_distance) return;
  for (std::size_t i = 0; i < first.shape->vertices.size(); ++i) {
    for (std::size_t j = 0; j < second.shape->vertices.size(); ++j) {
      const Meeting m = meet(first, i, second, j);
      const double margin = std::min(beyond(second, j, m.n, m.curvature).least(),
                                     beyond(first, i, -m.n, m.curvature).least());
      const bool far_out = is_distance && margin < -limits.reach;
      if (m.height - radii > limits.reach || far_out) continue;
      out.push_back({.pair = {static_cast<Feature>(2 * i), static_cast<Feature>(2 * j)},
                     .gap = m.height - radii,
                     .margin = margin,
                     .in_range = margin > limits.tolerance.coincidence});
    }
  }
}

// --- one point, one pair

/// The edge of a pair that has one.
struct EdgeOf {
  double length;
  Point normal;  ///< outward, in world axes

  /// The order of those with equal gaps.
  [[nodiscard]] bool is_after(const EdgeOf& other) const {
    return length != other.length ? length < other.length
                                  : dot(generic, normal) < dot(generic, other.normal);
  }
};
EdgeOf edge_of(const Near& near, const Placed& first, const Placed& second) {
  const bool of_first = is_edge(near.pair.first);
  const Placed& body = of_first ? first : second;
  const Edge& e = body.shape->edges[(of_first ? near.pair.first : near.pair.second) / 2];
  return {e.length, turned(body.axis, e.normal)};
}

/// The vertices of a pair at a corner: that on the edge, and the edge's nearer end.
FeaturePair corners(const Near& n) {
  return is_edge(n.pair.first) ? FeaturePair{n.corner, n.pair.second}
                               : FeaturePair{n.pair.first, n.corner};
}

/// How far from a corner, per depth, a point may lie that is inside both of its edges by that
/// depth: (1 + cos)/sin of an acute angle, with its sine down to 0.01.
double corner_extent(const Near& near, const Placed& first, const Placed& second) {
  constexpr double least_sine = 0.01;
  const Shape& shape = is_edge(near.pair.first) ? *first.shape : *second.shape;
  const Adjacent e = adjacent(shape, near.corner / 2);
  const double cosine = -dot(e.before->normal, e.after->normal);
  if (cosine <= 0.) return 1.;
  return (1. + cosine) / std::max(least_sine, cross(e.before->normal, e.after->normal));
}

/// Pairs that lose are out of range. They stay in a list of what may touch when something moves.
void keep_one_a_point(const Placed& first, const Placed& second, const Limits& limits,
                      std::vector<Near>& out) {
  const Tolerances& tolerance = limits.tolerance;
  const double depth = std::max(tolerance.slack, -limits.floor);
  const auto contends = [&](const Near& n) {
    return n.in_range && is_edge(n.pair.first) != is_edge(n.pair.second) &&
           std::isfinite(n.margin) && n.margin <= depth * corner_extent(n, first, second);
  };
  thread_local std::vector<std::size_t> lost;  // a lost rival still beats others
  lost.clear();
  for (Near& mine : out) {
    if (!contends(mine)) continue;
    const EdgeOf edge = edge_of(mine, first, second);
    const auto is_rival = [&](const Near& n) {
      if (!contends(n) || corners(n) != corners(mine)) return false;
      const bool on_each_other =
          length(edge_of(n, first, second).normal + edge.normal) <= slack_part;
      return !on_each_other || std::max(n.margin, mine.margin) <= tolerance.coincidence;
    };
    double greatest = mine.height;
    for (const Near& n : out) {
      if (is_rival(n)) greatest = std::max(greatest, n.height);
    }
    const double equal = greatest - tolerance.coincidence;
    bool kept = mine.height >= equal;
    for (const Near& n : out) {
      if (is_rival(n) && n.height >= equal && edge.is_after(edge_of(n, first, second)))
        kept = false;
    }
    if (!kept) lost.push_back(static_cast<std::size_t>(&mine - out.data()));
  }
  for (const std::size_t k : lost) out[k].in_range = false;
  if (limits.reach > tolerance.slack) return;
  for (auto k = lost.rbegin(); k != lost.rend(); ++k) {
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(*k));
  }
}

}  // namespace

Tolerances tolerances(const Placed& first, const Placed& second) {
  const double size = std::min(first.shape->smallest_length, second.shape->smallest_length);
  return {.slack = slack_part * size,
          .coincidence = std::max(coincidence_part * size,
                                  rounding * length(first.position - second.position))};
}

double distance(const Placed& first, const Placed& second) {
  return distance(first, second, Pair(first, second));
}

void near_features(const Placed& first, const Placed& second, double reach, std::vector<Near>& out,
                   double alike) {
  out.clear();
  if (length(first.position - second.position) - first.shape->bounding_radius -
          second.shape->bounding_radius >
      reach) {
    return;
  }
  const Tolerances tolerance = tolerances(first, second);
  const Pair pair(first, second);
  if (pair.separation() - (first.shape->radius + second.shape->radius) > reach) return;
  const double d = distance(first, second, pair);
  if (d > reach) return;
  Limits limits{
      .reach = reach,
      .floor = d > tolerance.slack ? 0. : (1. + alike) * std::min(d, 0.) - tolerance.slack,
      .tolerance = tolerance};
  if (alike > 0.) {
    const double size = std::min(first.shape->smallest_length, second.shape->smallest_length);
    limits.normal = normal_of_least_overlap(first, second, pair);
    limits.turn = std::min(most_turn, (reach + std::max(0., -d)) / size);
  }
  list_on_edges(first, second, pair.one, *pair.of_one, false, limits, out);
  list_on_edges(second, first, pair.two, *pair.of_two, true, limits, out);
  list_curves(first, second, limits, out);
  keep_one_a_point(first, second, limits, out);
}

Handover handover(const Placed& first, const Placed& second, const FeaturePair& pair) {
  if (is_edge(pair.first)) {
    Handover h = handover(second, first, exchanged(pair));
    for (FeaturePair& p : h.next) p = exchanged(p);
    return h;
  }
  const Shape& shape = *second.shape;
  if (is_edge(pair.second)) {
    const std::size_t n = shape.edges.size();
    const std::size_t e = pair.second / 2;
    const Over o = over(Seen(first, second).curve(pair.first / 2), shape.edges[e]);
    Handover h{.margin = margin_of(o, shape.edges[e])};
    if (h.margin == unbounded) return h;
    const bool at_start = o.along <= shape.edges[e].length - o.along;
    const auto end = static_cast<Feature>(2 * (at_start ? e : (e + 1) % n));
    const bool sharp = first.shape->radius + shape.radius == 0. && !first.shape->is_ellipse();
    if (!sharp) h.next[h.count++] = {pair.first, end};
    // Leaving at the start, against the edge's direction, the body lies on the other side of its
    // vertex: along the edge before it. Both go counter-clockwise, so they run against each other.
    const std::size_t m = first.shape->edges.size();
    const std::size_t k = pair.first / 2;
    if (m > 0) {
      const std::size_t follows = at_start ? (k + m - 1) % m : k;
      h.next[h.count++] = {static_cast<Feature>(2 * follows + 1), end};
    }
    return h;
  }
  // Edges of the second beside its vertex, then those of the first.
  const Meeting m = meet(first, pair.first / 2, second, pair.second / 2);
  const Beyond ends = beyond(second, pair.second / 2, m.n, m.curvature);
  const Beyond own = beyond(first, pair.first / 2, -m.n, m.curvature);
  Handover h{.margin = std::min(ends.least(), own.least())};
  if (h.margin == unbounded) return h;
  h.count = 1;
  if (ends.least() <= own.least()) {
    h.next[0] = {pair.first, edge_towards(second, pair.second, m.n, ends)};
  } else {
    h.next[0] = {edge_towards(first, pair.first, -m.n, own), pair.second};
  }
  return h;
}

}  // namespace carom::shapes::plane
