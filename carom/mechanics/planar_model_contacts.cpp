// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/shapes/plane/contact_motion.hpp>

namespace carom {

namespace {

using shapes::plane::BodyMotion;
using shapes::plane::Edge;
using shapes::plane::Feature;
using shapes::plane::FeaturePair;
using shapes::plane::is_edge;
using shapes::plane::Near;
using shapes::plane::Placed;
using shapes::plane::Shape;
using shapes::plane::Tolerances;

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Up to this number of bodies a loop over all pairs is faster than a grid.
constexpr std::size_t few_bodies = 200;

/// Near a corner of small angle a point touches both sides within slack farther from it than slack.
constexpr double corner_part = 200.;

/// The feature of a half plane.
constexpr Feature half_plane_edge = 1;

FeaturePair features_of(const ContactId& id) {
  return {static_cast<Feature>(id.features >> 32U), static_cast<Feature>(id.features)};
}
std::uint64_t number_of(const FeaturePair& f) { return std::uint64_t{f.first} << 32U | f.second; }

VelocityRange range_of(std::uint32_t body) { return {3 * std::size_t{body}, 3}; }

shapes::plane::Pose pose_of(std::uint32_t body, const State& state) {
  const auto at = ix(3 * std::size_t{body});
  return {.position = {state.q(at), state.q(at + 1)}, .angle = state.q(at + 2)};
}

std::vector<Near>& near_workspace() {
  thread_local std::vector<Near> near;
  return near;
}

/// The least height of a body above the line of an edge of another [m].
double height_above(const Placed& body, const Placed& other, const Edge& edge) {
  const auto n = turned(other.axis, edge.normal);
  const auto from = body.position - other.position - turned(other.axis, edge.start);
  double least = unbounded;
  for (std::size_t k = 0; k < body.shape->vertices.size(); ++k) {
    const auto curve = curve_of(body, k);
    least = std::min(least, dot(n, from + curve.centre) - support(curve, n).height);
  }
  return least - (body.shape->radius + other.shape->radius);
}

/// The nearest point of a vertex or an ellipse to a line below it with normal n, seen from the mass
/// centre along n [m]. Points by value stay in registers.
inline double below(const Shape& shape, std::size_t vertex, shapes::plane::Point axis,
                    shapes::plane::Point n) {
  const auto centre = turned(axis, shape.vertices[vertex]);
  if (!shape.is_ellipse()) return dot(n, centre) - shape.radius;
  const shapes::plane::Curve<double> curve{centre, axis, shape.semi_axes};
  return dot(n, centre) - support(curve, n).height;
}

}  // namespace

PlanarModel::Support PlanarModel::support_at(std::uint32_t i, double time) const {
  const PlanarGround& g = scene_.ground[i - bodies_.size()];
  if (!piece(i).moves) return {};
  const PrescribedPath::At at = g.motion.at(time);
  return {.displacement = {at.displacement[0], at.displacement[1]},
          .velocity = {at.velocity[0], at.velocity[1]},
          .acceleration = {at.acceleration[0], at.acceleration[1]}};
}

Placed PlanarModel::placed(std::uint32_t i, const State& state) const {
  if (!is_ground(i)) return {*bodies_[i].shape, pose_of(i, state)};
  Placed p = piece(i).placed;
  if (piece(i).moves) p.position = p.position + support_at(i, state.time).displacement;
  return p;
}

bool PlanarModel::is_simple(const BodyPair& pair) const {
  if (is_ground(pair.second) && piece(pair.second).is_half_plane) return true;
  return shape(pair.first).edges.empty() && shape(pair.second).edges.empty();
}

// --- gaps

double PlanarModel::gap(const ContactId& id, const State& state) const {
  const auto [a, b] = id.pair;
  if (is_ground(b)) {
    const Piece& plane = piece(b);
    if (plane.is_half_plane) {
      const double centre = height(a, b, state);
      if (bodies_[a].is_centred) return centre - bodies_[a].radius;
      const Point axis = axis_of(pose_of(a, state));
      return centre + below(*bodies_[a].shape, id.features >> 33U, axis, plane.normal);
    }
  } else if (bodies_[a].is_centred && bodies_[b].is_centred) {
    const auto i = ix(3 * std::size_t{a});
    const auto j = ix(3 * std::size_t{b});
    return length(Point{state.q(i) - state.q(j), state.q(i + 1) - state.q(j + 1)}) -
           (bodies_[a].radius + bodies_[b].radius);
  }
  return contact_geometry(placed(a, state), placed(b, state), features_of(id)).gap;
}

// --- motion of a contact

void PlanarModel::contact(const ContactId& id, const State& state, ContactMotion& motion) const {
  const auto [a, b] = id.pair;
  motion.ranges[0] = range_of(a);
  if (is_ground(b)) {
    motion.ranges[1] = {};
    motion.W.resize(3, 3);
    if (piece(b).is_half_plane && !bodies_[a].shape->is_ellipse()) {
      on_half_plane(id, state, motion);
    } else {
      of_features(id, state, motion);
    }
    return;
  }
  motion.ranges[1] = range_of(b);
  motion.W.resize(6, 3);
  if (bodies_[a].is_centred && bodies_[b].is_centred) {
    of_discs(id.pair, state, motion);
  } else {
    of_features(id, state, motion);
  }
}

// The point lies at rho = c - r n from the mass centre; c is the vertex, fixed to the body, and n
// does not turn:
//
//     v = v_c + spin x rho,    dv/dt = -spin^2 c    without acceleration.
void PlanarModel::on_half_plane(const ContactId& id, const State& state,
                                ContactMotion& motion) const {
  const Body& body = bodies_[id.pair.first];
  const Piece& plane = piece(id.pair.second);
  const auto at = ix(3 * std::size_t{id.pair.first});
  const Point n = plane.normal;
  const Point t = -quarter_turn(n);
  const double spin = state.u(at + 2);
  Point v{state.u(at), state.u(at + 1)};
  Point acceleration{};
  Point core{};
  Point x = Point{state.q(at), state.q(at + 1)} - plane.start;
  if (!body.is_centred) {
    const auto axis = axis_of(pose_of(id.pair.first, state));
    core = turned(axis, body.shape->vertices[id.features >> 33U]);
    acceleration = -(spin * spin) * core;
  }
  if (plane.moves) {
    const Support s = support_at(id.pair.second, state.time);
    x = x - s.displacement;
    v = v - s.velocity;
    acceleration = acceleration - s.acceleration;
  }
  const double belt = scene_.ground[id.pair.second - bodies_.size()].belt_speed;
  const double lever_n = cross(core, n);
  const double lever_t = cross(core, t) + body.radius;
  motion.gap = dot(n, x) + dot(n, core) - body.radius;
  motion.W.col(0) << n.x, n.y, lever_n;
  motion.W.col(1) << t.x, t.y, lever_t;
  motion.W.col(2).setZero();
  motion.velocity = {dot(n, v) + lever_n * spin, dot(t, v) + lever_t * spin - belt, 0.};
  motion.bias = {dot(n, acceleration), dot(t, acceleration), 0.};
}

// n from the second disc to the first, t clockwise from it. v_t = t.(v1 - v2) + r1 spin1 + r2
// spin2, and the frame rotates with t.(v1 - v2)/distance.
void PlanarModel::of_discs(const BodyPair& pair, const State& state, ContactMotion& motion) const {
  const auto a = ix(3 * std::size_t{pair.first});
  const auto b = ix(3 * std::size_t{pair.second});
  const Point x{state.q(a) - state.q(b), state.q(a + 1) - state.q(b + 1)};
  const Point v{state.u(a) - state.u(b), state.u(a + 1) - state.u(b + 1)};
  const double distance = length(x);
  // Coincident centres: any direction, which does not turn.
  const bool apart = distance > 0.;
  const double per_distance = apart ? 1. / distance : 0.;
  const Point n = apart ? Point{x.x / distance, x.y / distance} : Point{0., 1.};
  const Point t = -quarter_turn(n);
  const double r1 = bodies_[pair.first].radius;
  const double r2 = bodies_[pair.second].radius;
  motion.gap = distance - (r1 + r2);
  motion.W.col(0) << n.x, n.y, 0., -n.x, -n.y, 0.;
  motion.W.col(1) << t.x, t.y, r1, -t.x, -t.y, r2;
  motion.W.col(2).setZero();
  const double v_n = dot(n, v);
  const double v_t = dot(t, v);
  motion.velocity = {v_n, v_t + r1 * state.u(a + 2) + r2 * state.u(b + 2), 0.};
  motion.bias = {v_t * v_t * per_distance, -v_t * v_n * per_distance, 0.};
}

// The ground has velocities of its own: they are taken with W's rows for it, which are not handed
// out. Its acceleration is not in the bias of the shapes.
void PlanarModel::of_features(const ContactId& id, const State& state,
                              ContactMotion& motion) const {
  const auto [a, b] = id.pair;
  const auto moving = [&](std::uint32_t body) {
    const auto at = ix(3 * std::size_t{body});
    return BodyMotion{.pose = pose_of(body, state),
                      .velocity = {state.u(at), state.u(at + 1)},
                      .spin = state.u(at + 2)};
  };
  BodyMotion second;
  Support s;
  double belt = 0.;
  if (is_ground(b)) {
    const PlanarGround& g = scene_.ground[b - bodies_.size()];
    s = support_at(b, state.time);
    belt = g.belt_speed;
    second = {.pose = {.position = g.pose.position + s.displacement, .angle = g.pose.angle},
              .velocity = s.velocity};
  } else {
    second = moving(b);
  }
  const shapes::plane::ContactMotion m =
      contact_motion(shape(a), moving(a), shape(b), second, features_of(id));
  motion.gap = m.gap;
  for (Eigen::Index j = 0; j < motion.W.rows(); ++j) {
    const auto side = static_cast<std::size_t>(j / 3);
    const auto k = static_cast<std::size_t>(j % 3);
    motion.W(j, 0) = m.normal[side][k];
    motion.W(j, 1) = m.tangent[side][k];
    motion.W(j, 2) = 0.;
  }
  motion.velocity = {m.velocity.n, m.velocity.t - belt, 0.};
  motion.bias = {m.bias.n - dot(m.n, s.acceleration), m.bias.t - dot(m.t, s.acceleration), 0.};
}

void PlanarModel::relative_spin(const ContactId& id, const State& state,
                                ContactMotion& motion) const {
  const auto [a, b] = id.pair;
  const bool ground = is_ground(b);
  motion.ranges = {range_of(a), ground ? VelocityRange{} : range_of(b)};
  motion.W.setZero(ground ? 3 : 6, 3);
  motion.W(2, 0) = 1.;
  motion.velocity = {state.u(ix(3 * std::size_t{a} + 2)), 0., 0.};
  motion.bias.setZero();
  if (ground) return;
  motion.W(5, 0) = -1.;
  motion.velocity(0) -= state.u(ix(3 * std::size_t{b} + 2));
}

// --- range

double PlanarModel::margin(const ContactId& id, const State& state) const {
  if (is_simple(id.pair)) return unbounded;
  const Placed first = placed(id.pair.first, state);
  const Placed second = placed(id.pair.second, state);
  const FeaturePair pair = features_of(id);
  const Tolerances tolerance = tolerances(first, second);
  const double along = handover(first, second, pair).margin;
  const double margin = along + 2. * tolerance.coincidence;
  const bool of_first = is_edge(pair.first);
  if (!of_first && !is_edge(pair.second)) return margin;
  // An edge does not face a body that is farther below its line than the bodies overlap.
  const Placed& body = of_first ? second : first;
  const Placed& other = of_first ? first : second;
  const Edge& edge = other.shape->edges[(of_first ? pair.first : pair.second) / 2];
  const double above = height_above(body, other, edge) + tolerance.slack;
  if (above < 0.) {
    const double facing = above - std::min(0., shapes::plane::distance(first, second));
    if (facing < 0.) return std::min(margin, facing);
  }
  // Close to the end of the edge another pair may stand for the same point where both touch.
  if (along < -tolerance.coincidence || along > corner_part * tolerance.slack) return margin;
  if (contact_geometry(first, second, pair).gap > tolerance.slack) return margin;
  std::vector<Near>& near = near_workspace();
  near_features(first, second, tolerance.slack, near);
  const bool stands = std::any_of(near.begin(), near.end(),
                                  [&](const Near& n) { return n.pair == pair && n.in_range; });
  return stands ? margin : -tolerance.slack;
}

double PlanarModel::distance(const BodyPair& pair, const State& state) const {
  if (is_simple(pair)) return unbounded;
  return shapes::plane::distance(placed(pair.first, state), placed(pair.second, state));
}

PlanarModel::Way PlanarModel::way_of(std::uint32_t i, const State& from, const State& to) const {
  if (is_ground(i)) {
    if (!piece(i).moves) return {};
    return {.shift = support_at(i, to.time).displacement - support_at(i, from.time).displacement};
  }
  const auto at = ix(3 * std::size_t{i});
  const double turn = std::abs(to.q(at + 2) - from.q(at + 2));
  return {.shift = {to.q(at) - from.q(at), to.q(at + 1) - from.q(at + 1)},
          .turning = bodies_[i].is_centred ? 0. : bodies_[i].turning_radius * turn};
}

double PlanarModel::moved(const State& from, const State& to) const {
  double most = 0.;
  const auto all = static_cast<std::uint32_t>(bodies_.size() + ground_.size());
  for (std::uint32_t i = 0; i < all; ++i) {
    const Way way = way_of(i, from, to);
    most = std::max(most, length(way.shift) + way.turning);
  }
  return most;
}

double PlanarModel::moved_apart(const BodyPair& pair, const State& from, const State& to) const {
  const Way a = way_of(pair.first, from, to);
  const Way b = way_of(pair.second, from, to);
  return length(a.shift - b.shift) + a.turning + b.turning;
}

// A body that is thrown up may have come back: its velocities show that it was away.
double PlanarModel::approached(const BodyPair& pair, const State& from, const State& to) const {
  if (is_ground(pair.second) && piece(pair.second).moves) return 2. * moved(from, to);
  double speed = 0.;
  for (const State* s : {&from, &to}) {
    Point v{};
    double turning = 0.;
    for (const std::uint32_t i : {pair.first, pair.second}) {
      if (is_ground(i)) continue;
      const auto u = s->u.segment<3>(ix(3 * std::size_t{i}));
      v = Point{u(0), u(1)} - v;
      if (!bodies_[i].is_centred) turning += bodies_[i].turning_radius * std::abs(u(2));
    }
    speed = std::max(speed, length(v) + turning);
  }
  return std::max(moved_apart(pair, from, to), speed * (to.time - from.time));
}

// --- search

bool PlanarModel::may_reach(std::uint32_t body, const Piece& ground, const Point& displacement,
                            const State& state, double reach) const {
  const auto at = ix(3 * std::size_t{body});
  const Point x = Point{state.q(at), state.q(at + 1)} - displacement;
  const double within = bodies_[body].bounding_radius + reach;
  if (ground.is_half_plane) return dot(ground.normal, x - ground.start) <= within;
  const Point from = turned_back(ground.placed.axis, x - ground.centre);
  const Point beyond{std::max(0., std::abs(from.x) - ground.half_size.x),
                     std::max(0., std::abs(from.y) - ground.half_size.y)};
  return dot(beyond, beyond) <= within * within;
}

void PlanarModel::near_pairs(const State& state, double reach, std::vector<BodyPair>& out) const {
  out.clear();
  const auto n = static_cast<std::uint32_t>(bodies_.size());
  const auto all = static_cast<std::uint32_t>(bodies_.size() + ground_.size());
  if (reach == unbounded) {
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < all; ++b) out.push_back({a, b});
    }
    return;
  }
  const bool few = bodies_.size() <= few_bodies;
  for (std::uint32_t a = 0; few && a < n; ++a) {
    const auto i = ix(3 * std::size_t{a});
    for (std::uint32_t b = a + 1; b < n; ++b) {
      const auto j = ix(3 * std::size_t{b});
      const Point x{state.q(i) - state.q(j), state.q(i + 1) - state.q(j + 1)};
      const double within = bodies_[a].bounding_radius + bodies_[b].bounding_radius + reach;
      if (dot(x, x) <= within * within) out.push_back({a, b});
    }
  }
  if (!few) {
    thread_local std::vector<World3> centres;
    thread_local std::vector<double> radii;
    centres.resize(n);
    radii.resize(n);
    for (std::uint32_t a = 0; a < n; ++a) {
      const auto i = ix(3 * std::size_t{a});
      centres[a] = {state.q(i), state.q(i + 1), 0.};
      radii[a] = bodies_[a].bounding_radius + 0.5 * reach;
    }
    for (const auto& [a, b] : carom::near_pairs(centres, radii)) {
      out.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    }
  }
  for (std::uint32_t g = n; g < all; ++g) {
    const Piece& ground = piece(g);
    const Point displacement = support_at(g, state.time).displacement;
    for (std::uint32_t a = 0; a < n; ++a) {
      if (may_reach(a, ground, displacement, state, reach)) out.push_back({a, g});
    }
  }
  std::sort(out.begin(), out.end());
}

void PlanarModel::near_contacts(const BodyPair& pair, const State& state, double reach,
                                std::vector<NearContact>& out) const {
  out.clear();
  const auto [a, b] = pair;
  const auto add = [&](std::uint64_t features, double gap) {
    if (gap <= reach) out.push_back({.id = {.pair = pair, .features = features}, .gap = gap});
  };
  if (is_ground(b) && piece(b).is_half_plane) {
    const double centre = height(a, b, state);
    if (centre - bodies_[a].bounding_radius > reach) return;
    if (bodies_[a].is_centred) {
      add(half_plane_edge, centre - bodies_[a].radius);
      return;
    }
    const Shape& body = *bodies_[a].shape;
    const Point axis = axis_of(pose_of(a, state));
    for (std::size_t k = 0; k < body.vertices.size(); ++k) {
      add(std::uint64_t{2 * k} << 32U | half_plane_edge,
          centre + below(body, k, axis, piece(b).normal));
    }
    return;
  }
  if (is_simple(pair)) {
    add(0, gap({.pair = pair}, state));
    return;
  }
  std::vector<Near>& near = near_workspace();
  const Placed first = placed(a, state);
  const Placed second = placed(b, state);
  // An edge that faces the other body when they touch may be behind it by `slack` more.
  const double slack = tolerances(first, second).slack;
  near_features(first, second, reach > slack ? reach + 2. * slack : reach, near);
  for (const Near& f : near) {
    if (f.gap > reach) continue;
    out.push_back({.id = {.pair = pair, .features = number_of(f.pair)},
                   .gap = f.gap,
                   .in_range = f.in_range});
  }
}

void PlanarModel::overlapping_contacts(const BodyPair& pair, const State& state, double reach,
                                       std::vector<NearContact>& out) const {
  constexpr double alike = 1.;
  if (is_simple(pair)) return near_contacts(pair, state, reach, out);
  out.clear();
  std::vector<Near>& near = near_workspace();
  near_features(placed(pair.first, state), placed(pair.second, state), reach, near, alike);
  for (const Near& f : near) {
    if (!f.in_range || f.gap > reach) continue;
    out.push_back({.id = {.pair = pair, .features = number_of(f.pair)}, .gap = f.gap});
  }
}

}  // namespace carom
