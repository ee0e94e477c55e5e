// SPDX-License-Identifier: Apache-2.0
// Equations of motion of bodies in space, and their free flight.
#include <carom/mechanics/spatial_model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/mechanics/spatial_turning.hpp>

namespace carom {
namespace {

using Arrow = turning::V3;

constexpr double never = std::numeric_limits<double>::infinity();

Arrow arrow(const World3& a) { return {a[0], a[1], a[2]}; }
Arrow arrow(const shapes::space::V3& a) { return {a.x, a.y, a.z}; }

// The entries of a state that belong to body i.
Arrow place(const State& s, std::size_t i) { return s.q.segment<3>(ix(7 * i)); }
Arrow speed(const State& s, std::size_t i) { return s.u.segment<3>(ix(6 * i)); }
Arrow spin(const State& s, std::size_t i) { return s.u.segment<3>(ix(6 * i + 3)); }
turning::Q4 turn(const State& s, std::size_t i) { return s.q.segment<4>(ix(7 * i + 3)); }

/// The time at which c + b t + a t^2/2 first decreases to zero, from c >= 0 up to rounding: what is
/// below zero and does not rise above it decreases from its highest point on. Infinity if it does
/// not.
double falling_time(double c, double b, double a) {
  const double inside = b * b - 2. * a * c;
  if (!(inside >= 0.) && !(a < 0.)) return never;  // never reaches zero
  const double root = std::sqrt(std::max(0., inside));
  if (b < 0.) return std::max(0., 2. * c / (root - b));
  if (a < 0.) return (b + root) / -a;
  return never;
}

/// The same of bounds, which may overlap: 0.
double bound_time(double c, double b, double a) { return c > 0. ? falling_time(c, b, a) : 0.; }

/// The time after which |d + v t| has decreased to `reach`. Infinity if it does not.
double meeting_time(const Arrow& d, const Arrow& v, double reach) {
  const double b = d.dot(v);
  if (!(b < 0.)) return never;
  const double distance = d.norm();
  const double open = (distance - reach) * (distance + reach);
  const double inside = b * b - v.squaredNorm() * open;
  if (!(inside >= 0.)) return never;
  return std::max(0., open / (std::sqrt(inside) - b));
}

}  // namespace

std::vector<VelocityRange> SpatialModel::blocks() const {
  std::vector<VelocityRange> ranges;
  for (std::size_t i = 0; i < bodies_.size(); ++i) ranges.push_back({.begin = 6 * i, .size = 6});
  return ranges;
}

// q' = 1/2 (0, w) q for a spin w in world axes.
void SpatialModel::kinematics(const State& s, Vector& rate) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    rate.segment<3>(ix(7 * i)) = speed(s, i);
    rate.segment<4>(ix(7 * i + 3)) = turning::rate(turn(s, i), spin(s, i));
  }
}

// Newton's and Euler's equations in world axes: J w' = -w x J w with J = R I R^T.
void SpatialModel::dynamics(const State& s, MassMatrix& M, Vector& h) const {
  step_dynamics(s, M, h);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].round) continue;
    const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> block(M.block(i));
    const Arrow w = spin(s, i);
    h.segment<3>(ix(6 * i + 3)) -= w.cross(Arrow(block.block<3, 3>(3, 3) * w));
  }
}

void SpatialModel::step_dynamics(const State& s, MassMatrix& M, Vector& f) const {
  M.set_zero();
  f.setZero();
  const Arrow g = arrow(scene_.gravity);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const Eigen::Index k = ix(6 * i);
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> block(M.block(i));
    for (Eigen::Index j = 0; j < 3; ++j) block(j, j) = body.mass;
    f.segment<3>(k) = body.mass * g;
    if (body.round) {
      for (Eigen::Index j = 3; j < 6; ++j) block(j, j) = body.across;
    } else {
      const turning::M3 R = turning::matrix(turn(s, i));
      turning::M3 J = R * body.inertia * R.transpose();
      J = 0.5 * (J + J.transpose().eval());
      block.block<3, 3>(3, 3) = J;
    }
    const Drag& drag = scene_.bodies[i].drag;
    if (!drag.any()) continue;
    const Arrow v = speed(s, i), w = spin(s, i);
    f.segment<3>(k) -= drag.of_velocity(v.norm()) * v;
    f.segment<3>(k + 3) -= drag.of_spin(w.norm()) * w;
  }
}

void SpatialModel::displace(State& s, const Vector& u, double dt) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    s.q.segment<3>(ix(7 * i)) += dt * u.segment<3>(ix(6 * i));
    const Arrow angle = dt * u.segment<3>(ix(6 * i + 3));
    const turning::Q4 q = turning::product(turning::exponential(angle), turn(s, i));
    s.q.segment<4>(ix(7 * i + 3)) = q / q.norm();
  }
}

// Euler's equations in the axes of the body by the implicit midpoint rule, I (w1 - w0) = -dt w x I
// w with w = (w0 + w1)/2: w.(w x I w) = 0 keeps the energy.
void SpatialModel::coast(const State& from, double dt, State& to) const {
  constexpr int most_rounds = 50;  // each gains a factor of dt |w|
  to.u = from.u;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    if (body.round) continue;
    const Arrow start = turning::matrix(turn(from, i)).transpose() * spin(from, i);
    Arrow end = start;
    for (int k = 0; k < most_rounds && dt != 0.; ++k) {
      const Arrow w = 0.5 * (start + end);
      const Arrow next = start - dt * (body.inertia_inverse * w.cross(Arrow(body.inertia * w)));
      const bool settled = (next - end).norm() <= 1e-16 * start.norm();
      end = next;
      if (settled) break;
    }
    to.u.segment<3>(ix(6 * i + 3)) = turning::matrix(turn(to, i)) * end;
  }
}

double SpatialModel::next_jump(double time) const {
  double next = never;
  for (const SpatialGround& piece : scene_.ground) {
    next = std::min(next, piece.motion.next_jump(time));
  }
  return next;
}

double SpatialModel::potential_energy(const State& s) const {
  double V = 0.;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    V -= bodies_[i].mass * arrow(scene_.gravity).dot(place(s, i));
  }
  return V;
}

OtherPower SpatialModel::other_power(const State& s) const { return drag_power(s.u, s.u, s.u); }

OtherPower SpatialModel::step_power(State& middle, const Vector& start, const Vector& end) const {
  return drag_power(middle.u, start, end);
}

OtherPower SpatialModel::drag_power(const Vector& before, const Vector& start,
                                    const Vector& end) const {
  OtherPower power;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Drag& drag = scene_.bodies[i].drag;
    if (!drag.any()) continue;
    const Eigen::Index k = ix(6 * i);
    power.dampers +=
        drag.power(before.segment<3>(k), start.segment<3>(k), end.segment<3>(k),
                   before.segment<3>(k + 3), start.segment<3>(k + 3), end.segment<3>(k + 3));
  }
  return power;
}

void SpatialModel::add_drag(const State& s, double h, MassMatrix& M) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Drag& drag = scene_.bodies[i].drag;
    if (!drag.any()) continue;
    Eigen::Map<Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> block(M.block(i));
    block.diagonal().head<3>().array() += h * drag.of_velocity(speed(s, i).norm());
    block.diagonal().tail<3>().array() += h * drag.of_spin(spin(s, i).norm());
  }
}

void SpatialModel::normalise(State& s) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    auto q = s.q.segment<4>(ix(7 * i + 3));
    const double size = q.norm();
    if (size > 0.) q /= size;
  }
}

// A body with moments (I, I, I_a) rotates about its constant angular momentum L with L/I, and about
// its own axis with (1 - I_a/I) w_a: R(t) = exp(t L/I) R(0) exp(t (1 - I_a/I) w_a axis).
void SpatialModel::fly(const State& from, double dt, State& to) const {
  to = from;
  to.time = from.time + dt;
  const Arrow g = arrow(scene_.gravity);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = bodies_[i];
    const Arrow v = speed(from, i);
    const Arrow w = spin(from, i);
    to.q.segment<3>(ix(7 * i)) += dt * v + (0.5 * dt * dt) * g;
    to.u.segment<3>(ix(6 * i)) += dt * g;
    const turning::Q4 q = turn(from, i);
    if (body.round) {
      to.q.segment<4>(ix(7 * i + 3)) = turning::product(turning::exponential(dt * w), q);
      continue;
    }
    const Arrow axis = turning::matrix(q).col(body.axis);
    const double along = w.dot(axis);
    const double own = (1. - body.along / body.across) * along;
    const Arrow carried = w - own * axis;  // L/I
    const turning::Q4 about_L = turning::exponential(dt * carried);
    const turning::Q4 about_axis = turning::exponential(dt * own * Arrow::Unit(body.axis));
    to.q.segment<4>(ix(7 * i + 3)) = turning::product(about_L, turning::product(q, about_axis));
    to.u.segment<3>(ix(6 * i + 3)) = carried + own * Arrow(turning::matrix(about_L) * axis);
  }
}

std::optional<double> SpatialModel::flight_time(const BodyPair& pair, const State& from,
                                                double longest) const {
  double t = never;
  if (of_spheres(pair)) {
    // Both have the same acceleration: |d + v t|^2 = (R1 + R2)^2.
    t = meeting_time(place(from, pair.first) - place(from, pair.second),
                     speed(from, pair.first) - speed(from, pair.second),
                     bodies_[pair.first].shape.radius + bodies_[pair.second].shape.radius);
  } else if (on_plane(pair) && bodies_[pair.first].centred) {
    const std::size_t g = pair.second - bodies_.size();
    const Arrow n = arrow(ground_[g].axes[0]);
    t = falling_time(plane_gap({.pair = pair}, from),
                     n.dot(speed(from, pair.first) - arrow(scene_.ground[g].motion.velocity)),
                     n.dot(arrow(scene_.gravity)));
  } else {
    return std::nullopt;
  }
  return t <= longest ? t : never;
}

// Bodies fall alike, so that their bounding spheres meet as they would without gravity. From the
// ground a body is apart as long as a plane separates them: a face of the ground, or the plane
// across the line of centres.
double SpatialModel::free_time(const BodyPair& pair, const State& from) const {
  const double radius = bodies_[pair.first].shape.bounding_radius;
  const Arrow x = place(from, pair.first);
  if (pair.second < bodies_.size()) {
    const double reach = radius + bodies_[pair.second].shape.bounding_radius;
    const Arrow d = x - place(from, pair.second);
    if (!(d.norm() > reach)) return 0.;
    return meeting_time(d, speed(from, pair.first) - speed(from, pair.second), reach);
  }
  const std::size_t k = pair.second - bodies_.size();
  const Ground& ground = ground_[k];
  const Support path = support(k, from.time);
  const Arrow v = speed(from, pair.first) - arrow(path.velocity);
  const Arrow g = arrow(scene_.gravity);
  const auto until = [&](const Arrow& n, double height) {
    return bound_time(height - radius, n.dot(v), n.dot(g));
  };
  if (ground.plane) {
    const Arrow n = arrow(ground.axes[0]);
    return until(n, n.dot(x - arrow(path.displacement)) - ground.offset);
  }
  const Arrow d = x - arrow(ground.pose.position) - arrow(path.displacement);
  const double distance = d.norm();
  double longest = 0.;
  if (distance > 0.) longest = until(d / distance, distance - ground.shape.bounding_radius);
  if (ground.shape.round()) return longest;
  for (const auto& f : ground.shape.core.faces) {
    const Arrow n = arrow(ground.pose.turn * f.normal);
    longest = std::max(longest, until(n, n.dot(d) - f.offset - ground.shape.radius));
  }
  return longest;
}

double SpatialModel::flight_step(const State& from) const {
  constexpr double part = 0.25;  // of a radian, or of the time to fall by its own length
  const double g = arrow(scene_.gravity).norm();
  double step = g > 0. ? part * std::sqrt(length_ / g) : never;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double rate = spin(from, i).norm();
    if (rate > 0.) step = std::min(step, part / rate);
  }
  return step;
}

// A point at distance R from the mass centre moves by at most 2 R sin(angle/2), which is at most
// 2 R |q - q0|, since |q - q0| = 2 sin(angle/4) for the nearer sign of q.
SpatialModel::Way SpatialModel::way_of(std::size_t i, const State& from, const State& to) const {
  if (i >= bodies_.size()) {
    const std::size_t g = i - bodies_.size();
    if (!moves_) return {};
    return {.shift = support(g, to.time).displacement - support(g, from.time).displacement};
  }
  Way way{.shift = position_of(to, i) - position_of(from, i)};
  if (bodies_[i].centred) return way;
  const auto a = from.q.segment<4>(ix(7 * i + 3)), b = to.q.segment<4>(ix(7 * i + 3));
  const double turn2 = std::min((b - a).squaredNorm(), (b + a).squaredNorm());
  way.turning = 2. * bodies_[i].shape.bounding_radius * std::sqrt(turn2);
  return way;
}

double SpatialModel::moved(const State& from, const State& to) const {
  double most = 0.;
  const std::size_t all = bodies_.size() + (moves_ ? ground_.size() : 0);
  for (std::size_t i = 0; i < all; ++i) {
    const Way way = way_of(i, from, to);
    most = std::max(most, norm(way.shift) + way.turning);
  }
  return most;
}

double SpatialModel::moved_apart(const BodyPair& pair, const State& from, const State& to) const {
  const Way a = way_of(pair.first, from, to);
  const Way b = way_of(pair.second, from, to);
  return norm(a.shift - b.shift) + a.turning + b.turning;
}

// A body that is thrown up may have come back: its velocities show that it was away.
double SpatialModel::approached(const BodyPair& pair, const State& from, const State& to) const {
  if (moves_ && pair.second >= bodies_.size()) return 2. * moved(from, to);
  double speed = 0.;
  for (const State* s : {&from, &to}) {
    shapes::space::V3 v{};
    double turning = 0.;
    for (const std::size_t i : {std::size_t{pair.first}, std::size_t{pair.second}}) {
      if (i >= bodies_.size()) continue;
      const auto u = s->u.segment<6>(ix(6 * i));
      v = shapes::space::V3{u(0), u(1), u(2)} - v;
      if (!bodies_[i].centred) turning += bodies_[i].shape.bounding_radius * u.tail<3>().norm();
    }
    speed = std::max(speed, norm(v) + turning);
  }
  return std::max(moved_apart(pair, from, to), speed * (to.time - from.time));
}

}  // namespace carom
