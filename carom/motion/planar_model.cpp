// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/planar_model.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/motion/mechanics.hpp>

namespace carom::motion {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

double dot(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return a[0] * b[0] + a[1] * b[1];
}

/// The first t >= 0 at which c + b t + a t^2/2 decreases through zero. It may start below zero by
/// rounding, down to -sunk.
double falls(double c, double b, double a, double sunk) {
  if (c <= 0. && b <= 0.) {
    if (a > 0.) return c - b * b / (2. * a) < -sunk ? 0. : never;
    return b < 0. || a < 0. ? 0. : never;
  }
  const double root = b * b - 2. * a * c;
  if (a < 0.) {
    const double s = std::sqrt(std::max(0., root));
    return b > 0. ? (b + s) / -a : 2. * c / (s - b);
  }
  if (b >= 0. || root <= 0.) return never;
  return 2. * c / (std::sqrt(root) - b);
}

}  // namespace

PlanarModel::PlanarModel(PlanarScene scene) : scene_(std::move(scene)) {
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const PlanarBody& body = scene_.bodies[b];
    const std::string field = "bodies[" + std::to_string(b) + "]";
    require_positive(body.mass, field + ".mass");
    require_positive(body.inertia, field + ".inertia");
    if (body.corners.empty()) require_positive(body.radius, field + ".radius");
    length_ = std::max(length_, body.radius);
    for (const auto& c : body.corners) length_ = std::max(length_, std::hypot(c[0], c[1]));
  }
  for (std::size_t l = 0; l < scene_.lines.size(); ++l) {
    const double angle = scene_.lines[l].angle;
    require_finite(angle, "lines[" + std::to_string(l) + "].angle");
    const double s = std::sin(angle);
    const double c = std::cos(angle);
    frames_.push_back({.n = {-s, c}, .t = {c, s}});
  }
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const std::size_t points = std::max<std::size_t>(1, scene_.bodies[b].corners.size());
    for (std::size_t k = 0; k < points; ++k) {
      for (std::size_t l = 0; l < scene_.lines.size(); ++l) contacts_.push_back({b, l, true, k});
    }
  }
  for (std::size_t a = 0; a < scene_.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < scene_.bodies.size(); ++b) {
      if (scene_.bodies[a].corners.empty() && scene_.bodies[b].corners.empty()) {
        contacts_.push_back({a, b, false, 0});
      }
    }
  }
  if (scene_.length > 0.) length_ = scene_.length;
  acceleration_ = scene_.acceleration > 0. ? scene_.acceleration
                                           : std::hypot(scene_.gravity[0], scene_.gravity[1]);
  if (!(acceleration_ > 0. && std::isfinite(acceleration_))) acceleration_ = 1.;  // nothing moves
}

std::string PlanarModel::position_name(std::size_t i) const {
  return scene_.bodies[i / 3].name + std::array{".x", ".y", ".angle"}[i % 3];
}
std::string PlanarModel::velocity_name(std::size_t i) const {
  return scene_.bodies[i / 3].name + std::array{".v_x", ".v_y", ".spin"}[i % 3];
}
std::string PlanarModel::contact_name(std::size_t i) const {
  const Candidate& c = contacts_[i];
  const PlanarBody& body = scene_.bodies[c.body];
  const std::string name =
      body.name + "-" + (c.against_line ? scene_.lines[c.other].name : scene_.bodies[c.other].name);
  return body.corners.empty() ? name : name + " " + std::to_string(c.corner + 1);
}

void PlanarModel::kinematics(const State& state, Vector& rate) const { rate = state.u; }

void PlanarModel::dynamics(const State& /*state*/, Matrix& M, Vector& h) const {
  M.setZero();
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const PlanarBody& body = scene_.bodies[b];
    const auto at = ix(3 * b);
    M(at, at) = body.mass;
    M(at + 1, at + 1) = body.mass;
    M(at + 2, at + 2) = body.inertia;
    h(at) = body.mass * scene_.gravity[0];
    h(at + 1) = body.mass * scene_.gravity[1];
    h(at + 2) = 0.;
  }
}

// From the mass centre to the point that may touch a line.
std::array<double, 2> PlanarModel::arm(const Candidate& c, const State& state) const {
  const PlanarBody& body = scene_.bodies[c.body];
  if (body.corners.empty()) {
    const auto& n = frames_[c.other].n;
    return {-body.radius * n[0], -body.radius * n[1]};
  }
  const double angle = state.q(ix(3 * c.body + 2));
  const double s = std::sin(angle);
  const double co = std::cos(angle);
  const auto& corner = body.corners[c.corner];
  return {co * corner[0] - s * corner[1], s * corner[0] + co * corner[1]};
}

double PlanarModel::gap(std::size_t contact, const State& state) const {
  const Candidate& c = contacts_[contact];
  const auto at = ix(3 * c.body);
  if (c.against_line) {
    const auto rho = arm(c, state);
    const auto& p = scene_.lines[c.other].point;
    const std::array<double, 2> x{state.q(at) - p[0], state.q(at + 1) - p[1]};
    return dot(frames_[c.other].n, x) + dot(frames_[c.other].n, rho);
  }
  const auto other = ix(3 * c.other);
  return std::hypot(state.q(at) - state.q(other), state.q(at + 1) - state.q(other + 1)) -
         (scene_.bodies[c.body].radius + scene_.bodies[c.other].radius);
}

void PlanarModel::contact(std::size_t contact, const State& state, ContactMotion& motion) const {
  const Candidate& c = contacts_[contact];
  motion.W.setZero();
  motion.gap = gap(contact, state);
  if (c.against_line) {
    contact_with_line(c, state, motion);
  } else {
    contact_of_discs(c, state, motion);
  }
}

// v = v_c + spin x rho. A point fixed to the body has the bias -spin^2 rho, the lowest point of a
// disc none.
void PlanarModel::contact_with_line(const Candidate& c, const State& state,
                                    ContactMotion& motion) const {
  const auto at = ix(3 * c.body);
  const auto rho = arm(c, state);
  const std::array<double, 2> turn{-rho[1], rho[0]};
  const Frame& f = frames_[c.other];
  const double spin = state.u(at + 2);
  const bool corner = !scene_.bodies[c.body].corners.empty();
  motion.velocity.setZero();
  motion.bias.setZero();
  Eigen::Index j = 0;
  for (const auto* d : {&f.n, &f.t}) {
    motion.W(at, j) = (*d)[0];
    motion.W(at + 1, j) = (*d)[1];
    motion.W(at + 2, j) = corner ? dot(*d, turn) : (j == 0 ? 0. : scene_.bodies[c.body].radius);
    motion.velocity(j) =
        (*d)[0] * state.u(at) + (*d)[1] * state.u(at + 1) + motion.W(at + 2, j) * spin;
    if (corner) motion.bias(j) = -spin * spin * dot(*d, rho);
    ++j;
  }
}

// n from the second disc to the first, t clockwise from it. v_t = t.(v1 - v2) + r1 spin1 + r2
// spin2, and the frame rotates with t.(v1 - v2)/distance.
void PlanarModel::contact_of_discs(const Candidate& c, const State& state,
                                   ContactMotion& motion) const {
  const auto a = ix(3 * c.body);
  const auto b = ix(3 * c.other);
  const std::array<double, 2> x{state.q(a) - state.q(b), state.q(a + 1) - state.q(b + 1)};
  const std::array<double, 2> v{state.u(a) - state.u(b), state.u(a + 1) - state.u(b + 1)};
  const double distance = std::max(std::hypot(x[0], x[1]), 1e-300);
  const std::array<double, 2> n{x[0] / distance, x[1] / distance};
  const std::array<double, 2> t{n[1], -n[0]};
  for (Eigen::Index j = 0; j < 2; ++j) {
    const auto& d = j == 0 ? n : t;
    motion.W(a, j) = d[0];
    motion.W(a + 1, j) = d[1];
    motion.W(b, j) = -d[0];
    motion.W(b + 1, j) = -d[1];
  }
  const double r1 = scene_.bodies[c.body].radius;
  const double r2 = scene_.bodies[c.other].radius;
  motion.W(a + 2, 1) = r1;
  motion.W(b + 2, 1) = r2;
  const double v_n = dot(n, v);
  const double v_t = dot(t, v);
  motion.velocity = {v_n, v_t + r1 * state.u(a + 2) + r2 * state.u(b + 2), 0.};
  motion.bias = {v_t * v_t / distance, -v_t * v_n / distance, 0.};
}

double PlanarModel::potential_energy(const State& state) const {
  double energy = 0.;
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    energy -= scene_.bodies[b].mass *
              (scene_.gravity[0] * state.q(ix(3 * b)) + scene_.gravity[1] * state.q(ix(3 * b + 1)));
  }
  return energy;
}

void PlanarModel::fly(const State& from, double dt, State& to) const {
  to.time = from.time + dt;
  for (std::size_t k = 0; k < 3 * scene_.bodies.size(); ++k) {
    const auto j = ix(k);
    const double a = k % 3 < 2 ? scene_.gravity[k % 3] : 0.;
    to.q(j) = from.q(j) + (from.u(j) + 0.5 * a * dt) * dt;
    to.u(j) = from.u(j) + a * dt;
  }
}

std::optional<double> PlanarModel::flight_time(std::size_t contact, const State& from,
                                               double /*longest*/) const {
  const Candidate& c = contacts_[contact];
  const auto a = ix(3 * c.body);
  if (c.against_line) {
    if (!scene_.bodies[c.body].corners.empty()) return std::nullopt;
    const auto& n = frames_[c.other].n;
    const double v = n[0] * from.u(a) + n[1] * from.u(a + 1);
    return falls(gap(contact, from), v, dot(n, scene_.gravity), 1e-13 * length_);
  }
  // Both have the same acceleration: |x + v t| = R.
  const auto b = ix(3 * c.other);
  const std::array<double, 2> x{from.q(a) - from.q(b), from.q(a + 1) - from.q(b + 1)};
  const std::array<double, 2> v{from.u(a) - from.u(b), from.u(a + 1) - from.u(b + 1)};
  const double distance = std::hypot(x[0], x[1]);
  const double reach = scene_.bodies[c.body].radius + scene_.bodies[c.other].radius;
  return falls((distance - reach) * (distance + reach), 2. * dot(x, v), 2. * dot(v, v),
               1e-13 * length_ * reach);
}

double PlanarModel::flight_step(const State& from) const {
  double step = 0.5 * std::sqrt(length_ / acceleration_);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    if (scene_.bodies[b].corners.empty()) continue;
    step = std::min(step, 0.5 / std::max(std::abs(from.u(ix(3 * b + 2))), 1e-300));
  }
  return step;
}

}  // namespace carom::motion
