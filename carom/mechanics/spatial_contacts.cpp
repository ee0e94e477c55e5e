// SPDX-License-Identifier: Apache-2.0
// Contacts of bodies in space: which are near, where they touch and how they move.
#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/spatial_model.hpp>

namespace carom {
namespace {

using shapes::space::BasicPose;
using shapes::space::coincident;
using shapes::space::ContactGeometry;
using shapes::space::flat_tilt;
using shapes::space::NearPair;
using shapes::space::PairKind;
using shapes::space::Pose;
using shapes::space::Rate;
using shapes::space::Rotation;
using shapes::space::V3;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A list with at most this reach, in parts of the length scale, is of what touches. It is ten
/// times what closes a gap at the start of a run.
constexpr double touching = 1e-5;

/// Below this tilt the lowest point of a circle counts as that along the body's x axis.
constexpr double level = 1e-9;

V3 triple(const Vector& a, std::size_t at) {
  const double* p = a.data() + at;
  return {p[0], p[1], p[2]};
}

// The entries of a state that belong to body i.
V3 position_of(const State& s, std::size_t i) { return triple(s.q, 7 * i); }
V3 velocity_of(const State& s, std::size_t i) { return triple(s.u, 6 * i); }
V3 spin_of(const State& s, std::size_t i) { return triple(s.u, 6 * i + 3); }
Rotation<double> turn_of(const State& s, std::size_t i) {
  const double* q = s.q.data() + 7 * i + 3;
  return shapes::space::rotation_of({q[0], q[1], q[2], q[3]});
}
/// The body's z axis alone.
V3 axis_of(const State& s, std::size_t i) {
  const double* q = s.q.data() + 7 * i + 3;
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double k = 2. / (w * w + x * x + y * y + z * z);
  return {k * (x * z + w * y), k * (y * z - w * x), 1. - k * (x * x + y * y)};
}

/// Rows of W for a body: a direction and its lever about the mass centre.
void set_rows(ContactMotion& motion, Eigen::Index row, int k, const V3& e, const V3& lever) {
  double* column = motion.W.data() + ix(static_cast<std::size_t>(k)) * motion.W.rows() + row;
  column[0] = e.x;
  column[1] = e.y;
  column[2] = e.z;
  column[3] = lever.x;
  column[4] = lever.y;
  column[5] = lever.z;
}

/// The lowest point of a circle with axis a above a plane with normal n.
struct RimPoint {
  V3 direction{};  ///< from the circle's centre, unit vector
  V3 rate{};       ///< of the direction
};

// With e = n.a and p = e a - n, of length s: the direction is p/s, and its rate is the
// perpendicular component of the rate of p, over s.
RimPoint lowest(const V3& a, const V3& side, const V3& n, const V3& spin) {
  const double e = dot(n, a);
  const V3 p = e * a - n;
  const double tilt = norm(p);
  if (tilt <= level) return {.direction = side, .rate = cross(spin, side)};
  const V3 turn = cross(spin, a);
  RimPoint x{.direction = (1. / tilt) * p};
  const V3 rate = dot(n, turn) * a + e * turn;
  x.rate = (1. / tilt) * (rate - dot(x.direction, rate) * x.direction);
  return x;
}

/// The frame of two spheres: the shortest rotation from k to the normal, applied to (k, e1, e2):
/// t = e - 2 (e.m) m, with m the unit vector halfway between k and n. It is smooth except at n =
/// -k, a direction without symmetry.
struct MovingFrame {
  V3 axes[3];  ///< n, t1, t2
  V3 rates[3];
};

MovingFrame frame_about(const V3& n, const V3& n_rate) {
  constexpr V3 k{0.48, 0.6, 0.64}, e1{0.8, 0., -0.6};
  constexpr V3 e2 = cross(k, e1);
  const V3 sum = k + n;
  const double size = norm(sum);
  const V3 m = size > 0. ? (1. / size) * sum : e1;
  const V3 m_rate = size > 0. ? (1. / size) * (n_rate - dot(m, n_rate) * m) : V3{};
  MovingFrame f;
  f.axes[0] = n;
  f.rates[0] = n_rate;
  for (int i = 1; i < 3; ++i) {
    const V3& e = i == 1 ? e1 : e2;
    f.axes[i] = e - (2. * dot(e, m)) * m;
    f.rates[i] = -2. * (dot(e, m_rate) * m + dot(e, m) * m_rate);
  }
  return f;
}

/// The line of centres of two spheres.
struct Centres {
  V3 normal{};
  V3 rate{};
};

Centres centres_of(const BodyPair& pair, const State& s) {
  const V3 d = position_of(s, pair.first) - position_of(s, pair.second);
  const double distance = norm(d);
  if (!(distance > 0.)) return {.normal = {0., 0., 1.}};
  const V3 v = velocity_of(s, pair.first) - velocity_of(s, pair.second);
  const V3 n = (1. / distance) * d;
  return {.normal = n, .rate = (1. / distance) * (v - dot(n, v) * n)};
}

shapes::space::Vector<Rate> with_rate(const V3& value, const V3& rate) {
  return {{value.x, rate.x}, {value.y, rate.y}, {value.z, rate.z}};
}

BasicPose<Rate> moving(const Pose& at, const V3& velocity, const V3& spin) {
  BasicPose<Rate> pose;
  pose.position = with_rate(at.position, velocity);
  for (std::size_t k = 0; k < 3; ++k) {
    pose.turn.axes[k] = with_rate(at.turn.axes[k], cross(spin, at.turn.axes[k]));
  }
  return pose;
}

V3 rate_of(const shapes::space::Vector<Rate>& a) { return {a.x.rate, a.y.rate, a.z.rate}; }

std::vector<NearPair>& workspace() {
  thread_local std::vector<NearPair> pairs;
  return pairs;
}

}  // namespace

const SpatialModel::Shape& SpatialModel::shape(std::size_t number) const {
  const std::size_t n = bodies_.size();
  return number < n ? bodies_[number].shape : ground_[number - n].shape;
}

SpatialModel::Support SpatialModel::support(std::size_t g, double time) const {
  const PrescribedPath& path = scene_.ground[g].motion;
  if (path.is_uniform()) {
    const V3 v = shapes::space::vector(path.velocity);
    return {.displacement = time * v, .velocity = v, .acceleration = {}};
  }
  const PrescribedPath::At at = path.at(time);
  return {.displacement = shapes::space::vector(at.displacement),
          .velocity = shapes::space::vector(at.velocity),
          .acceleration = shapes::space::vector(at.acceleration)};
}

// --- half spaces

SpatialModel::PlanePoint SpatialModel::plane_point(const Body& body, const FeaturePair& f) const {
  if (f.kind != PairKind::rim_face) return {.at = body.shape.core.vertices[f.one]};
  const shapes::space::Rim& rim = body.shape.rims[f.one];
  const V3& a = body.shape.axis_point;
  return {.rim = true, .at = {a.x, a.y, rim.height}, .radius = rim.radius};
}

/// The height of a point over the plane.
double SpatialModel::plane_height(const Ground& ground, std::size_t g, const V3& x,
                                  double time) const {
  const V3& n = ground.axes[0];
  const double height = dot(n, x) - ground.offset;
  return moves_ ? height - dot(n, support(g, time).displacement) : height;
}

double SpatialModel::plane_gap(const ContactId& id, const State& s) const {
  const std::size_t b = id.pair.first;
  const std::size_t g = id.pair.second - bodies_.size();
  const Body& body = bodies_[b];
  const V3& n = ground_[g].axes[0];
  const double height = plane_height(ground_[g], g, position_of(s, b), s.time) - body.shape.radius;
  if (body.centred) return height;
  const PlanePoint p = plane_point(body, unpacked(id.features));
  if (!p.rim) return height + dot(n, turn_of(s, b) * p.at);
  if (p.at.x == 0. && p.at.y == 0.) {
    const V3 a = axis_of(s, b);
    const double e = dot(n, a);
    return height + p.at.z * e - p.radius * norm(e * a - n);
  }
  const Rotation<double> R = turn_of(s, b);
  return height + dot(n, R * p.at) - p.radius * norm(dot(n, R.axes[2]) * R.axes[2] - n);
}

// v_e = e.(v + w x r); where u' = 0 its rate is e.(w x r'). The frame does not turn.
void SpatialModel::plane_contact(const ContactId& id, const State& s, ContactMotion& motion) const {
  const std::size_t b = id.pair.first;
  const std::size_t g = id.pair.second - bodies_.size();
  const Body& body = bodies_[b];
  const Ground& ground = ground_[g];
  const V3& n = ground.axes[0];
  const V3 w = spin_of(s, b);
  V3 r = -body.shape.radius * n;  // from the mass centre to the contact point, and its rate
  V3 r_rate{};
  double height = -body.shape.radius;
  if (!body.centred) {
    const PlanePoint p = plane_point(body, unpacked(id.features));
    const Rotation<double> R = turn_of(s, b);
    const V3 arm = R * p.at;
    V3 out{}, out_rate{};
    if (p.rim) {
      const V3& a = R.axes[2];
      const RimPoint x = lowest(a, R.axes[0], n, w);
      out = p.radius * x.direction;
      out_rate = p.radius * x.rate;
      height -= p.radius * norm(dot(n, a) * a - n);
    }
    height += dot(n, arm);
    r = r + arm + out;
    r_rate = cross(w, arm) + out_rate;
  }
  const Support path = moves_ ? support(g, s.time) : Support{};
  motion.gap = dot(n, position_of(s, b)) - ground.offset - dot(n, path.displacement) + height;
  const V3 v = velocity_of(s, b) + cross(w, r) - path.velocity;
  const V3 bias = cross(w, r_rate) - path.acceleration;
  for (int k = 0; k < 3; ++k) {
    const V3& e = ground.axes[static_cast<std::size_t>(k)];
    set_rows(motion, 0, k, e, cross(r, e));
    motion.velocity(k) = k == 0 ? dot(e, v) : dot(e, v - ground.belt);
    motion.bias(k) = dot(e, bias);
  }
}

/// A rim and the points fixed to it take turns: the rim while it is tilted by more than flat_tilt.
void SpatialModel::near_plane(const BodyPair& pair, const State& s, double reach, bool wide,
                              std::vector<NearContact>& out) const {
  const std::size_t b = pair.first;
  const std::size_t g = pair.second - bodies_.size();
  const Body& body = bodies_[b];
  const V3& n = ground_[g].axes[0];
  const double height = plane_height(ground_[g], g, position_of(s, b), s.time);
  if (height - body.shape.bounding_radius > reach) return;
  const double core = height - body.shape.radius;
  if (body.centred) {
    out.push_back({.id = {.pair = pair}, .gap = core});
    return;
  }
  const Rotation<double> R = turn_of(s, b);
  const V3 local = R.back(n);
  const auto& vertices = body.shape.core.vertices;
  const auto add = [&](PairKind kind, std::size_t one, double gap, bool in_range) {
    if (!(gap <= reach)) return;
    const FeaturePair f{.kind = kind, .one = static_cast<shapes::space::Index>(one)};
    out.push_back({.id = {.pair = pair, .features = packed(f)}, .gap = gap, .in_range = in_range});
  };
  const auto point = [&](std::size_t k, bool in_range) {
    add(PairKind::vertex_face, k, core + dot(local, vertices[k]), in_range);
  };
  if (!body.moving_rim) {
    for (std::size_t k = 0; k < vertices.size(); ++k) point(k, true);
    return;
  }
  const V3& a = R.axes[2];
  const double tilt = norm(cross(n, a));
  const double beyond = wide ? reach : 0.;
  const double slack = coincidence(pair);
  std::size_t first = 0;  // point of the rim
  for (std::size_t k = 0; k < body.shape.rims.size(); ++k) {
    const auto& rim = body.shape.rims[k];
    if (rim.radius == 0.) {
      point(vertices.size() - 1, true);
      continue;
    }
    const double inside = (tilt - flat_tilt) * rim.radius;
    if (inside > -beyond) {
      const V3 centre{body.shape.axis_point.x, body.shape.axis_point.y, rim.height};
      const double gap = core + dot(local, centre) - rim.radius * norm(dot(n, a) * a - n);
      add(PairKind::rim_face, k, gap, inside >= -slack);
    }
    const bool has_apex = body.shape.rims.back().radius == 0.;
    const std::size_t points =
        has_apex ? vertices.size() - 1 : vertices.size() / body.shape.rims.size();
    for (std::size_t i = 0; i < points && inside <= beyond; ++i) {
      point(first + i, inside <= slack);
    }
    first += points;
  }
}

// --- spheres about their mass centres

// v_e = e.(v1 - v2 - (R1 w1 + R2 w2) x n), with a frame (n, t1, t2) that follows the centres.
void SpatialModel::sphere_contact(const BodyPair& pair, const State& s,
                                  ContactMotion& motion) const {
  const double R1 = bodies_[pair.first].shape.radius, R2 = bodies_[pair.second].shape.radius;
  const V3 d = position_of(s, pair.first) - position_of(s, pair.second);
  motion.gap = norm(d) - (R1 + R2);
  const auto [n, n_rate] = centres_of(pair, s);
  const V3 v12 = velocity_of(s, pair.first) - velocity_of(s, pair.second);
  const MovingFrame f = frame_about(n, n_rate);
  const V3 rolling = R1 * spin_of(s, pair.first) + R2 * spin_of(s, pair.second);
  const V3 v = v12 - cross(rolling, n);
  const V3 v_rate = -cross(rolling, n_rate);
  for (int k = 0; k < 3; ++k) {
    const V3& e = f.axes[k];
    const V3 lever = cross(n, e);
    set_rows(motion, 0, k, e, -R1 * lever);
    set_rows(motion, 6, k, -e, -R2 * lever);
    motion.velocity(k) = dot(e, v);
    motion.bias(k) = dot(f.rates[k], v) + dot(e, v_rate);
  }
}

// --- any shapes

/// A round solid and a rod, both without rounding: the distance of a line from a circle has no
/// sign, so the polytope takes the place of the round solid.
const SpatialModel::Shape& SpatialModel::shape_against(std::size_t number,
                                                       std::size_t other) const {
  const Shape& mine = shape(number);
  const Shape& others = shape(other);
  const bool sharp = mine.round() && !others.round() && others.core.vertices.size() == 2 &&
                     mine.radius + others.radius == 0.;
  if (!sharp) return mine;
  const std::size_t n = bodies_.size();
  return number < n ? bodies_[number].faceted : ground_[number - n].faceted;
}

shapes::space::Placed SpatialModel::placed(std::size_t number, std::size_t other,
                                           const State& s) const {
  const std::size_t n = bodies_.size();
  shapes::space::Placed p{.shape = &shape_against(number, other)};
  if (number < n) {
    p.pose = {.position = position_of(s, number), .turn = turn_of(s, number)};
    return p;
  }
  p.pose = ground_[number - n].pose;
  if (moves_) p.pose.position = p.pose.position + support(number - n, s.time).displacement;
  return p;
}

double SpatialModel::coincidence(const BodyPair& pair) const {
  return coincident *
         std::min(shape(pair.first).bounding_radius, shape(pair.second).bounding_radius);
}

double SpatialModel::bounds_gap(const BodyPair& pair, const State& s) const {
  const std::size_t n = bodies_.size();
  V3 other{};
  if (pair.second < n) {
    other = position_of(s, pair.second);
  } else {
    other = ground_[pair.second - n].pose.position;
    if (moves_) other = other + support(pair.second - n, s.time).displacement;
  }
  return norm(position_of(s, pair.first) - other) -
         (shape(pair.first).bounding_radius + shape(pair.second).bounding_radius);
}

// With a scalar that carries rates, e.(v1 + w1 x r1 - v2 - w2 x r2) with constant v, w has the rate
// (d/dt W^T) u. The belt b adds -e.b along the tangents, and the ground's acceleration -e.a.
void SpatialModel::shape_contact(const ContactId& id, const State& s, ContactMotion& motion) const {
  const std::size_t i = id.pair.first, j = id.pair.second, n = bodies_.size();
  const auto first = placed(i, j, s), second = placed(j, i, s);
  const bool on_ground = j >= n;
  const V3 v1 = velocity_of(s, i), w1 = spin_of(s, i);
  const Support path = on_ground && moves_ ? support(j - n, s.time) : Support{};
  const V3 v2 = on_ground ? path.velocity : velocity_of(s, j);
  const V3 w2 = on_ground ? V3{} : spin_of(s, j);
  const V3 belt = on_ground ? ground_[j - n].belt : V3{};
  const auto g = contact_geometry(unpacked(id.features), *first.shape, moving(first.pose, v1, w1),
                                  *second.shape, moving(second.pose, v2, w2));
  motion.gap = g.gap.value;
  const V3 r1 = value_of(g.arm1), r2 = value_of(g.arm2);
  const V3 v = v1 + cross(w1, r1) - (v2 + cross(w2, r2));
  const V3 v_rate = cross(w1, rate_of(g.arm1)) - cross(w2, rate_of(g.arm2)) - path.acceleration;
  const std::array axes{&g.normal, &g.tangent1, &g.tangent2};
  for (int k = 0; k < 3; ++k) {
    const V3 e = value_of(*axes[static_cast<std::size_t>(k)]);
    const V3 e_rate = rate_of(*axes[static_cast<std::size_t>(k)]);
    set_rows(motion, 0, k, e, cross(r1, e));
    if (!on_ground) set_rows(motion, 6, k, -e, -cross(r2, e));
    const V3 slip = k == 0 ? v : v - belt;
    motion.velocity(k) = dot(e, slip);
    motion.bias(k) = dot(e_rate, slip) + dot(e, v_rate);
  }
}

// --- the interface

void SpatialModel::set_ranges(const BodyPair& pair, ContactMotion& motion) const {
  const bool two = pair.second < bodies_.size();
  motion.ranges[0] = {.begin = 6 * std::size_t{pair.first}, .size = 6};
  motion.ranges[1] = {};
  if (two) motion.ranges[1] = {.begin = 6 * std::size_t{pair.second}, .size = 6};
  motion.W.resize(two ? 12 : 6, 3);
}

double SpatialModel::gap(const ContactId& id, const State& s) const {
  const BodyPair& pair = id.pair;
  if (on_plane(pair)) return plane_gap(id, s);
  if (of_spheres(pair)) {
    return norm(position_of(s, pair.first) - position_of(s, pair.second)) -
           (bodies_[pair.first].shape.radius + bodies_[pair.second].shape.radius);
  }
  const auto first = placed(pair.first, pair.second, s),
             second = placed(pair.second, pair.first, s);
  return contact_geometry(unpacked(id.features), *first.shape, first.pose, *second.shape,
                          second.pose)
      .gap;
}

void SpatialModel::contact(const ContactId& id, const State& s, ContactMotion& motion) const {
  set_ranges(id.pair, motion);
  if (on_plane(id.pair)) {
    plane_contact(id, s, motion);
  } else if (of_spheres(id.pair)) {
    sphere_contact(id.pair, s, motion);
  } else {
    shape_contact(id, s, motion);
  }
}

// e.(w1 - w2), and its rate where the frame turns.
void SpatialModel::relative_spin(const ContactId& id, const State& s, ContactMotion& motion) const {
  const std::size_t i = id.pair.first, j = id.pair.second, n = bodies_.size();
  set_ranges(id.pair, motion);
  std::array<V3, 3> axes{}, rates{};
  if (on_plane(id.pair)) {
    axes = ground_[j - n].axes;
  } else if (of_spheres(id.pair)) {
    const auto [normal, rate] = centres_of(id.pair, s);
    const MovingFrame f = frame_about(normal, rate);
    for (std::size_t k = 0; k < 3; ++k) {
      axes[k] = f.axes[k];
      rates[k] = f.rates[k];
    }
  } else {
    const auto first = placed(i, j, s), second = placed(j, i, s);
    const V3 v2 = j < n ? velocity_of(s, j) : moves_ ? support(j - n, s.time).velocity : V3{};
    const auto g = contact_geometry(
        unpacked(id.features), *first.shape, moving(first.pose, velocity_of(s, i), spin_of(s, i)),
        *second.shape, moving(second.pose, v2, j < n ? spin_of(s, j) : V3{}));
    axes = {value_of(g.normal), value_of(g.tangent1), value_of(g.tangent2)};
    rates = {rate_of(g.normal), rate_of(g.tangent1), rate_of(g.tangent2)};
  }
  const V3 spin = j < n ? spin_of(s, i) - spin_of(s, j) : spin_of(s, i);
  for (int k = 0; k < 3; ++k) {
    const V3& e = axes[static_cast<std::size_t>(k)];
    set_rows(motion, 0, k, {}, e);
    if (j < n) set_rows(motion, 6, k, {}, -e);
    motion.velocity(k) = dot(e, spin);
    motion.bias(k) = dot(rates[static_cast<std::size_t>(k)], spin);
  }
}

double SpatialModel::margin(const ContactId& id, const State& s) const {
  const BodyPair& pair = id.pair;
  const FeaturePair feature = unpacked(id.features);
  if (on_plane(pair)) {
    const Body& body = bodies_[pair.first];
    if (!body.moving_rim) return infinite;
    const std::size_t k = plane_number(body, feature);
    const double radius = body.shape.rims[k].radius;
    if (radius == 0.) return infinite;
    const V3& n = ground_[pair.second - bodies_.size()].axes[0];
    const double inside = (norm(cross(n, axis_of(s, pair.first))) - flat_tilt) * radius;
    return (feature.kind == PairKind::rim_face ? inside : -inside) + 2. * coincidence(pair);
  }
  if (of_spheres(pair)) return infinite;
  const auto first = placed(pair.first, pair.second, s),
             second = placed(pair.second, pair.first, s);
  return shapes::space::margin(feature, *first.shape, first.pose, *second.shape, second.pose) +
         2. * coincidence(pair);
}

void SpatialModel::near_contacts(const BodyPair& pair, const State& s, double reach,
                                 std::vector<NearContact>& out) const {
  list(pair, s, reach, reach > touching * length_ ? Search::wide : Search::touching, out);
}

void SpatialModel::touching_contacts(const BodyPair& pair, const State& s, double slack,
                                     std::vector<NearContact>& out) const {
  list(pair, s, slack, Search::touching, out);
}

void SpatialModel::overlapping_contacts(const BodyPair& pair, const State& s, double reach,
                                        std::vector<NearContact>& out) const {
  list(pair, s, reach, Search::overlapping, out);
  std::erase_if(out, [&](const NearContact& c) { return !c.in_range || c.gap > reach; });
}

void SpatialModel::list(const BodyPair& pair, const State& s, double reach, Search search,
                        std::vector<NearContact>& out) const {
  out.clear();
  if (on_plane(pair)) return near_plane(pair, s, reach, search == Search::wide, out);
  if (of_spheres(pair)) {
    const FeaturePair centres{.kind = PairKind::vertex_vertex};
    const ContactId id{.pair = pair, .features = packed(centres)};
    const double open = gap(id, s);
    if (open <= reach) out.push_back({.id = id, .gap = open});
    return;
  }
  if (bounds_gap(pair, s) > reach) return;
  const auto first = placed(pair.first, pair.second, s),
             second = placed(pair.second, pair.first, s);
  auto& pairs = workspace();
  switch (search) {
    case Search::touching:
      shapes::space::near_features(first, second, reach, pairs);
      break;
    case Search::wide:
      shapes::space::features_within(first, second, reach, pairs);
      break;
    case Search::overlapping:
      shapes::space::features_in_overlap(first, second, reach, pairs);
      break;
  }
  // Without rounding a corner that touches a corner or an edge touches a face too, or edges cross.
  const bool sharp = first.shape->radius + second.shape->radius == 0.;
  const double slack = coincidence(pair);
  for (const NearPair& p : pairs) {
    if (sharp && (p.pair.kind == PairKind::vertex_edge || p.pair.kind == PairKind::vertex_vertex)) {
      continue;
    }
    out.push_back({.id = {.pair = pair, .features = packed(p.pair)},
                   .gap = p.geometry.gap,
                   .in_range = p.margin >= -slack});
  }
}

double SpatialModel::distance(const BodyPair& pair, const State& s) const {
  if (on_plane(pair) || of_spheres(pair)) return infinite;
  const double bound = bounds_gap(pair, s);
  if (bound > 0.) return bound;
  return shapes::space::distance(placed(pair.first, pair.second, s),
                                 placed(pair.second, pair.first, s));
}

void SpatialModel::near_pairs(const State& s, double reach, std::vector<BodyPair>& out) const {
  // Below this many bodies all pairs are looked at sooner than a grid is made.
  constexpr std::size_t few = 8;
  out.clear();
  const std::size_t n = bodies_.size();
  const bool all = !(reach < infinite);
  const auto add = [&](std::size_t i, std::size_t j) {
    out.push_back(
        {.first = static_cast<std::uint32_t>(i), .second = static_cast<std::uint32_t>(j)});
  };
  if (scene_.bodies_strike && (all || n <= few)) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const double bound =
            reach + bodies_[i].shape.bounding_radius + bodies_[j].shape.bounding_radius;
        if (all || norm(position_of(s, i) - position_of(s, j)) <= bound) add(i, j);
      }
    }
  } else if (scene_.bodies_strike) {
    thread_local std::vector<World3> centres;
    thread_local std::vector<double> radii;
    centres.clear();
    radii.clear();
    for (std::size_t i = 0; i < n; ++i) {
      centres.push_back(shapes::space::world(position_of(s, i)));
      radii.push_back(bodies_[i].shape.bounding_radius + 0.5 * reach);
    }
    for (const auto& [i, j] : carom::near_pairs(centres, radii)) add(i, j);
  }
  for (std::size_t g = 0; g < ground_.size(); ++g) {
    const Ground& ground = ground_[g];
    if (all) {
      for (std::size_t i = 0; i < n; ++i) add(i, n + g);
      continue;
    }
    const V3 by = moves_ ? support(g, s.time).displacement : V3{};
    for (std::size_t i = 0; i < n; ++i) {
      const double bound = reach + bodies_[i].shape.bounding_radius;
      const V3 x = position_of(s, i) - by;
      if (ground.plane) {
        if (dot(ground.axes[0], x) - ground.offset <= bound) add(i, n + g);
        continue;
      }
      const V3 d = x - ground.pose.position;
      if (norm(d) > bound + ground.shape.bounding_radius) continue;
      // The faces of a round solid's polytope lie inside of it.
      const V3 local = ground.pose.turn.back(d);
      const auto& faces = ground.shape.core.faces;
      const bool apart =
          !ground.shape.round() && std::any_of(faces.begin(), faces.end(), [&](const auto& f) {
            return dot(f.normal, local) - f.offset > bound + ground.shape.radius;
          });
      if (!apart) add(i, n + g);
    }
  }
  std::sort(out.begin(), out.end());
}

}  // namespace carom
