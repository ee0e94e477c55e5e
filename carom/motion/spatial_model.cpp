// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/motion/spatial_turning.hpp>

namespace carom::motion {
namespace {

using turning::V3;

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

V3 vec(const World3& a) { return {a[0], a[1], a[2]}; }

// The entries of a state that belong to body i.
V3 position_of(const State& s, std::size_t i) { return s.q.segment<3>(entry(7 * i)); }
V3 velocity_of(const State& s, std::size_t i) { return s.u.segment<3>(entry(6 * i)); }
V3 spin_of(const State& s, std::size_t i) { return s.u.segment<3>(entry(6 * i + 3)); }
turning::Q4 turn_of(const State& s, std::size_t i) { return s.q.segment<4>(entry(7 * i + 3)); }

/// The lowest point of a circle with axis `a` above a plane with normal n.
struct RimPoint {
  V3 direction;      ///< from the circle's centre, unit vector
  V3 rate;           ///< of the direction
  double tilt = 0.;  ///< |n x a|: 0 if the circle lies flat
};

/// Below this the circle counts as flat, and the point as the one along `side`.
constexpr double flat = 1e-9;

// With e = n.a and p = e a - n, of length s: the direction is p/s, and its rate is the
// perpendicular component of the rate of p, over s.
RimPoint lowest(const V3& a, const V3& side, const V3& n, const V3& spin) {
  const double e = n.dot(a);
  const V3 p = e * a - n;
  RimPoint x;
  x.tilt = p.norm();
  if (x.tilt <= flat) {
    x.direction = side;
    x.rate = spin.cross(side);
    return x;
  }
  const V3 turn = spin.cross(a);
  x.direction = p / x.tilt;
  const V3 rate = n.dot(turn) * a + e * turn;
  x.rate = (rate - x.direction.dot(rate) * x.direction) / x.tilt;
  return x;
}

/// The frame of a contact with a moving normal: the shortest rotation from k to the normal, applied
/// to (k, e1, e2): t = e - 2 (e.m) m, with m the unit vector halfway between k and n. It is smooth
/// except at n = -k, a direction without symmetry.
struct MovingFrame {
  V3 axes[3];  ///< n, t1, t2
  V3 rates[3];
};

MovingFrame frame_about(const V3& n, const V3& n_rate) {
  const V3 k{0.48, 0.6, 0.64}, e1{0.8, 0., -0.6}, e2 = k.cross(e1);  // right-handed
  const V3 sum = k + n;
  const double size = sum.norm();
  const V3 m = size > 0. ? V3(sum / size) : e1;
  const V3 m_rate = size > 0. ? V3((n_rate - m.dot(n_rate) * m) / size) : V3(V3::Zero());
  MovingFrame f;
  f.axes[0] = n;
  f.rates[0] = n_rate;
  for (int i = 1; i < 3; ++i) {
    const V3& e = i == 1 ? e1 : e2;
    f.axes[i] = e - 2. * e.dot(m) * m;
    f.rates[i] = -2. * (e.dot(m_rate) * m + e.dot(m) * m_rate);
  }
  return f;
}

/// The time at which c + b t + a t^2/2 first decreases to zero, from c >= 0 up to rounding.
/// Infinity if it does not.
double falling_time(double c, double b, double a) {
  const double inside = b * b - 2. * a * c;
  if (!(inside >= 0.)) return std::numeric_limits<double>::infinity();  // never reaches zero
  const double root = std::sqrt(inside);
  if (b < 0.) return std::max(0., 2. * c / (root - b));
  if (a < 0.) return (b + root) / -a;
  return std::numeric_limits<double>::infinity();
}

}  // namespace

std::string SpatialModel::position_name(std::size_t i) const {
  static constexpr const char* parts[] = {".x", ".y", ".z", ".q_w", ".q_x", ".q_y", ".q_z"};
  return scene_.bodies[i / 7].name + parts[i % 7];
}

std::string SpatialModel::velocity_name(std::size_t i) const {
  static constexpr const char* parts[] = {".v_x", ".v_y", ".v_z", ".w_x", ".w_y", ".w_z"};
  return scene_.bodies[i / 6].name + parts[i % 6];
}

std::string SpatialModel::contact_name(std::size_t i) const { return candidates_[i].name; }

// q' = 1/2 (0, w) q for a spin w in world axes.
void SpatialModel::kinematics(const State& s, Vector& rate) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    rate.segment<3>(entry(7 * i)) = velocity_of(s, i);
    rate.segment<4>(entry(7 * i + 3)) = turning::rate(turn_of(s, i), spin_of(s, i));
  }
}

// Newton's and Euler's equations in world axes: J w' = -w x J w with J = R I R^T.
void SpatialModel::dynamics(const State& s, Matrix& M, Vector& h) const {
  M.setZero();
  h.setZero();
  const V3 g = vec(scene_.gravity);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const Eigen::Index k = entry(6 * i);
    for (Eigen::Index j = 0; j < 3; ++j) M(k + j, k + j) = body.mass;
    h.segment<3>(k) = body.mass * g;
    if (body.round) {
      for (Eigen::Index j = 3; j < 6; ++j) M(k + j, k + j) = body.across;
      continue;
    }
    const turning::M3 R = turning::matrix(turn_of(s, i));
    turning::M3 J = R * body.inertia * R.transpose();
    J = 0.5 * (J + J.transpose().eval());
    M.block<3, 3>(k + 3, k + 3) = J;
    const V3 w = spin_of(s, i);
    h.segment<3>(k + 3) = -w.cross(V3(J * w));
  }
}

double SpatialModel::gap(std::size_t contact, const State& s) const {
  const Candidate& c = candidates_[contact];
  if (c.kind == Kind::pair) {
    return (position_of(s, c.first) - position_of(s, c.second)).norm() -
           (bodies_[c.first].reach + bodies_[c.second].reach);
  }
  const Plane& plane = planes_[c.second];
  const V3 n = vec(plane.frame.normal);
  const double height =
      n.dot(position_of(s, c.first)) - (plane.offset + s.time * n.dot(vec(plane.velocity)));
  if (c.kind == Kind::point) {
    if (c.at == std::array<double, 3>{}) return height - c.radius;
    const turning::M3 R = turning::matrix(turn_of(s, c.first));
    return height + n.dot(V3(R * vec(c.at))) - c.radius;
  }
  const V3 a = turning::matrix(turn_of(s, c.first)).col(2);
  const double e = n.dot(a);
  return height + c.height * e - c.radius * (e * a - n).norm();
}

void SpatialModel::contact(std::size_t contact, const State& s, ContactMotion& motion) const {
  const Candidate& c = candidates_[contact];
  motion.gap = gap(contact, s);
  motion.W.setZero();
  if (c.kind == Kind::pair) {
    pair_contact(c, s, motion);
  } else {
    plane_contact(c, s, motion);
  }
}

// v_e = e.(v + w x r); where u' = 0 its rate is e.(w x r').
void SpatialModel::plane_contact(const Candidate& c, const State& s, ContactMotion& motion) const {
  const Plane& plane = planes_[c.second];
  const V3 n = vec(plane.frame.normal);
  const V3 w = spin_of(s, c.first);
  V3 r = -c.radius * n;  // from the mass centre to the contact point, and its rate
  V3 r_rate = V3::Zero();
  if (c.kind == Kind::rim) {
    const turning::M3 R = turning::matrix(turn_of(s, c.first));
    const V3 a = R.col(2);
    const RimPoint x = lowest(a, R.col(0), n, w);
    r = c.height * a + c.radius * x.direction;
    r_rate = c.height * w.cross(a) + c.radius * x.rate;
  } else if (c.at != std::array<double, 3>{}) {
    const V3 arm = turning::matrix(turn_of(s, c.first)) * vec(c.at);
    r += arm;
    r_rate = w.cross(arm);
  }
  const V3 v = velocity_of(s, c.first) + w.cross(r) - vec(plane.velocity);
  const V3 bias = w.cross(r_rate);
  const V3 axes[] = {n, vec(plane.frame.tangent1), vec(plane.frame.tangent2)};
  for (int k = 0; k < 3; ++k) {
    motion.W.col(k).segment<3>(entry(6 * c.first)) = axes[k];
    motion.W.col(k).segment<3>(entry(6 * c.first + 3)) = r.cross(axes[k]);
    motion.velocity(k) = axes[k].dot(v);
    motion.bias(k) = axes[k].dot(bias);
  }
}

// v_e = e.(v1 - v2 - (R1 w1 + R2 w2) x n), with a frame (n, t1, t2) that follows the centres.
void SpatialModel::pair_contact(const Candidate& c, const State& s, ContactMotion& motion) const {
  const double R1 = bodies_[c.first].reach, R2 = bodies_[c.second].reach;
  const V3 d = position_of(s, c.first) - position_of(s, c.second);
  const V3 v12 = velocity_of(s, c.first) - velocity_of(s, c.second);
  const double distance = d.norm();
  const bool apart = distance > 0.;
  const V3 n = apart ? V3(d / distance) : V3(0., 0., 1.);
  const V3 n_rate = apart ? V3((v12 - n.dot(v12) * n) / distance) : V3(V3::Zero());
  const MovingFrame f = frame_about(n, n_rate);
  const V3 rolling = R1 * spin_of(s, c.first) + R2 * spin_of(s, c.second);
  const V3 v = v12 - rolling.cross(n);
  const V3 v_rate = -rolling.cross(n_rate);
  for (int k = 0; k < 3; ++k) {
    const V3& e = f.axes[k];
    const V3 lever = n.cross(e);
    auto column = motion.W.col(k);
    column.segment<3>(entry(6 * c.first)) = e;
    column.segment<3>(entry(6 * c.first + 3)) = -R1 * lever;
    column.segment<3>(entry(6 * c.second)) = -e;
    column.segment<3>(entry(6 * c.second + 3)) = -R2 * lever;
    motion.velocity(k) = e.dot(v);
    motion.bias(k) = f.rates[k].dot(v) + e.dot(v_rate);
  }
}

double SpatialModel::potential_energy(const State& s) const {
  double V = 0.;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    V -= bodies_[i].mass * vec(scene_.gravity).dot(position_of(s, i));
  }
  return V;
}

void SpatialModel::normalise(State& s) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    auto turn = s.q.segment<4>(entry(7 * i + 3));
    const double size = turn.norm();
    if (size > 0.) turn /= size;
  }
}

// A body with moments (I, I, I_a) rotates about its constant angular momentum L with L/I, and about
// its own axis with (1 - I_a/I) w_a: R(t) = exp(t L/I) R(0) exp(t (1 - I_a/I) w_a axis).
void SpatialModel::fly(const State& from, double dt, State& to) const {
  to = from;
  to.time = from.time + dt;
  const V3 g = vec(scene_.gravity);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const V3 v = velocity_of(from, i);
    const V3 w = spin_of(from, i);
    to.q.segment<3>(entry(7 * i)) += dt * v + (0.5 * dt * dt) * g;
    to.u.segment<3>(entry(6 * i)) += dt * g;
    const turning::Q4 turn = turn_of(from, i);
    if (body.round) {
      to.q.segment<4>(entry(7 * i + 3)) = turning::product(turning::exponential(dt * w), turn);
      continue;
    }
    const V3 axis = turning::matrix(turn).col(body.axis);
    const double along = w.dot(axis);
    const double own = (1. - body.along / body.across) * along;
    const V3 carried = w - own * axis;  // L/I
    const turning::Q4 about_L = turning::exponential(dt * carried);
    const turning::Q4 about_axis = turning::exponential(dt * own * V3::Unit(body.axis));
    to.q.segment<4>(entry(7 * i + 3)) =
        turning::product(about_L, turning::product(turn, about_axis));
    to.u.segment<3>(entry(6 * i + 3)) = carried + own * V3(turning::matrix(about_L) * axis);
  }
}

std::optional<double> SpatialModel::flight_time(std::size_t contact, const State& from,
                                                double longest) const {
  const Candidate& c = candidates_[contact];
  double t = std::numeric_limits<double>::infinity();
  if (c.kind == Kind::pair) {
    // Both have the same acceleration: |d + v t|^2 = (R1 + R2)^2.
    const V3 d = position_of(from, c.first) - position_of(from, c.second);
    const V3 v = velocity_of(from, c.first) - velocity_of(from, c.second);
    const double reach = bodies_[c.first].reach + bodies_[c.second].reach;
    const double distance = d.norm();
    const double b = d.dot(v);
    if (b < 0.) {
      const double open = (distance - reach) * (distance + reach);
      const double inside = b * b - v.squaredNorm() * open;
      if (inside >= 0.) t = std::max(0., open / (std::sqrt(inside) - b));
    }
  } else if (c.kind == Kind::point && c.at == std::array<double, 3>{}) {
    const V3 n = vec(planes_[c.second].frame.normal);
    t = falling_time(gap(contact, from),
                     n.dot(velocity_of(from, c.first) - vec(planes_[c.second].velocity)),
                     n.dot(vec(scene_.gravity)));
  } else {
    return std::nullopt;
  }
  return t <= longest ? t : std::numeric_limits<double>::infinity();
}

double SpatialModel::flight_step(const State& from) const {
  constexpr double part = 0.25;  // of a radian, or of the time to fall by its own length
  const double g = vec(scene_.gravity).norm();
  double step = g > 0. ? part * std::sqrt(length_ / g) : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double spin = spin_of(from, i).norm();
    if (spin > 0.) step = std::min(step, part / spin);
  }
  return step;
}

}  // namespace carom::motion
