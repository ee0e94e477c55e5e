// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/disc_model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>

namespace carom {

DiscModel::DiscModel(const Disc& disc) : disc_(disc) {
  require_positive(disc.mass, "disc.mass");
  require_positive(disc.radius, "disc.radius");
  require_positive(disc.half_thickness, "disc.half_thickness");
  require_positive(disc.gravity, "gravity");
  inertia_ =
      disc.mass * (disc.radius * disc.radius / 4. + disc.half_thickness * disc.half_thickness / 3.);
}

std::string DiscModel::position_name(std::size_t i) const {
  return std::array{"disc.y", "disc.z", "disc.theta"}[i];
}
std::string DiscModel::velocity_name(std::size_t i) const {
  return std::array{"disc.v_y", "disc.v_z", "disc.spin"}[i];
}
std::string DiscModel::name_of(std::size_t i) const {
  return std::array{"A", "B", "C", "D", "E"}[i];
}

double DiscModel::side(std::size_t contact) const {
  return disc_.half_thickness * std::array{1., 0., -1., 1., -1.}[contact];
}
double DiscModel::down(std::size_t contact) const {
  return contact < 3 ? disc_.radius : -disc_.radius;
}

void DiscModel::kinematics(const State& state, Vector& rate) const { rate = state.u; }

void DiscModel::dynamics(const State& /*state*/, MassMatrix& M, Vector& h) const {
  M.set_zero();
  M.block(0)[0] = disc_.mass;
  M.block(0)[4] = disc_.mass;
  M.block(0)[8] = inertia_;
  h(0) = 0.;
  h(1) = -disc_.mass * disc_.gravity;
  h(2) = 0.;
}

// delta = z - (h c + r s), with h of the side of the contact [eq. 2.1].
double DiscModel::gap_of(std::size_t contact, const State& state) const {
  const double theta = state.q(2);
  return state.q(1) - (side(contact) * std::cos(theta) + down(contact) * std::sin(theta));
}

// W = (0, 1, h s - r c), N = (1, 0, h c + r s) [eqs 2.3 and 2.7].
void DiscModel::motion_of(std::size_t contact, const State& state, ContactMotion& motion) const {
  const double theta = state.q(2);
  const double s = std::sin(theta);
  const double c = std::cos(theta);
  const double h = side(contact);
  const double r = down(contact);
  const double height = h * c + r * s;
  const double across = h * s - r * c;
  motion.gap = state.q(1) - height;
  motion.ranges = {VelocityRange{0, 3}, {}};
  motion.W.setZero(3, 3);
  motion.W(0, 0) = 0.;
  motion.W(1, 0) = 1.;
  motion.W(2, 0) = across;
  motion.W(0, 1) = 1.;
  motion.W(1, 1) = 0.;
  motion.W(2, 1) = height;
  const double spin = state.u(2);
  motion.velocity = {state.u(1) + across * spin, state.u(0) + height * spin, 0.};
  motion.bias = {height * spin * spin, -across * spin * spin, 0.};
}

double DiscModel::potential_energy(const State& state) const {
  return disc_.mass * disc_.gravity * state.q(1);
}

void DiscModel::fly(const State& from, double dt, State& to) const {
  to.time = from.time + dt;
  to.q(0) = from.q(0) + from.u(0) * dt;
  to.q(1) = from.q(1) + (from.u(1) - 0.5 * disc_.gravity * dt) * dt;
  to.q(2) = from.q(2) + from.u(2) * dt;
  to.u(0) = from.u(0);
  to.u(1) = from.u(1) - disc_.gravity * dt;
  to.u(2) = from.u(2);
}

double DiscModel::flight_step(const State& from) const {
  return std::min(0.2 * std::sqrt(disc_.radius / disc_.gravity),
                  0.3 / std::max(std::abs(from.u(2)), 1e-300));
}

std::optional<double> DiscModel::end_function(const State& state) const {
  if (disc_.lies_down) return std::nullopt;
  return std::min(state.q(2), std::numbers::pi - state.q(2));
}

}  // namespace carom
