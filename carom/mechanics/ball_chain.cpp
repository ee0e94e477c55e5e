// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/ball_chain.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {
namespace {

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

void validate(const BallChain& chain) {
  require_positive(chain.radius, "radius");
  const std::size_t n = chain.masses.size();
  const std::size_t least = chain.wall ? 1 : 2;
  if (n < least) {
    throw InputError("masses", "must be of at least " + std::to_string(least) +
                                   (chain.wall ? " ball" : " balls") + ", got " +
                                   std::to_string(n));
  }
  if (chain.velocities.size() != n) {
    throw InputError("velocities", "must be one for each of " + std::to_string(n) + " balls, got " +
                                       std::to_string(chain.velocities.size()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double m = chain.masses[i];
    if (!(m > 0. && std::isfinite(m))) {
      throw InputError(entry("masses", i), m, "a finite number > 0");
    }
    if (!std::isfinite(chain.velocities[i])) {
      throw InputError(entry("velocities", i), chain.velocities[i], "a finite number");
    }
  }
}

}  // namespace

SystemAtImpact at_impact(const BallChain& chain) {
  validate(chain);
  const std::size_t n = chain.masses.size();
  const std::size_t contacts = chain.wall ? n : n - 1;
  std::vector<Eigen::Triplet<double>> mass;
  std::vector<Eigen::Triplet<double>> directions;
  SystemAtImpact c;
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<int>(i);
    mass.emplace_back(at, at, chain.masses[i]);
    c.coordinates.push_back({"v_" + std::to_string(i + 1), "m/s"});
    if (i == contacts) continue;
    directions.emplace_back(at, at, -1.);
    if (i + 1 < n) directions.emplace_back(at + 1, at, 1.);
    c.names.push_back(std::to_string(i + 1) + "-" + (i + 1 < n ? std::to_string(i + 2) : "wall"));
  }
  c.M.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(contacts));
  c.W.setFromTriplets(directions.begin(), directions.end());
  c.u = chain.velocities;
  return reduced(std::move(c), 1);
}

ChainModel::ChainModel(BallChain chain, double gravity)
    : chain_(std::move(chain)), gravity_(gravity) {
  validate(chain_);
  require_finite(gravity, "gravity");
  double speed = 0.;
  for (const double v : chain_.velocities) speed = std::max(speed, std::abs(v));
  acceleration_ = std::max(std::abs(gravity), speed * speed / chain_.radius);
  if (!(acceleration_ > 0.)) acceleration_ = 1.;  // nothing moves
}

State ChainModel::start() const {
  State s{.q = Vector(ix(positions())), .u = Vector(ix(positions()))};
  for (std::size_t i = 0; i < positions(); ++i) {
    s.q(ix(i)) = 2. * chain_.radius * static_cast<double>(i);
    s.u(ix(i)) = chain_.velocities[i];
  }
  return s;
}

double ChainModel::wall() const {
  return chain_.radius * (2. * static_cast<double>(positions()) - 1.);
}

std::string ChainModel::position_name(std::size_t i) const { return "x_" + std::to_string(i + 1); }
std::string ChainModel::velocity_name(std::size_t i) const { return "v_" + std::to_string(i + 1); }

std::vector<VelocityRange> ChainModel::blocks() const {
  std::vector<VelocityRange> all;
  for (std::size_t i = 0; i < positions(); ++i) all.push_back({i, 1});
  return all;
}

void ChainModel::kinematics(const State& state, Vector& rate) const { rate = state.u; }

void ChainModel::dynamics(const State& /*state*/, MassMatrix& M, Vector& h) const {
  for (std::size_t i = 0; i < positions(); ++i) {
    M.block(i)[0] = chain_.masses[i];
    h(ix(i)) = chain_.masses[i] * gravity_;
  }
}

double ChainModel::potential_energy(const State& state) const {
  double V = 0.;
  for (std::size_t i = 0; i < positions(); ++i) V -= chain_.masses[i] * gravity_ * state.q(ix(i));
  return V;
}

std::size_t ChainModel::contacts() const { return chain_.wall ? positions() : positions() - 1; }

std::string ChainModel::name_of(std::size_t i) const {
  return std::to_string(i + 1) + "-" + (on_wall(i) ? "wall" : std::to_string(i + 2));
}

double ChainModel::gap_of(std::size_t i, const State& state) const {
  if (on_wall(i)) return wall() - state.q(ix(i)) - chain_.radius;
  return state.q(ix(i + 1)) - state.q(ix(i)) - 2. * chain_.radius;
}

double ChainModel::closing(std::size_t i, const State& state) const {
  return state.u(ix(i)) - (on_wall(i) ? 0. : state.u(ix(i + 1)));
}

void ChainModel::motion_of(std::size_t i, const State& state, ContactMotion& motion) const {
  motion.gap = gap_of(i, state);
  motion.ranges = {VelocityRange{i, 1}, on_wall(i) ? VelocityRange{} : VelocityRange{i + 1, 1}};
  motion.W.setZero(on_wall(i) ? 1 : 2, 3);
  motion.W(0, 0) = -1.;
  if (!on_wall(i)) motion.W(1, 0) = 1.;
  motion.velocity = {-closing(i, state), 0., 0.};
  motion.bias.setZero();
}

void ChainModel::fly(const State& from, double dt, State& to) const {
  to.time = from.time + dt;
  to.q = from.q + dt * from.u;
  to.u = from.u;
}

std::optional<double> ChainModel::flight_time(const BodyPair& pair, const State& from,
                                              double /*longest*/) const {
  const double speed = closing(pair.first, from);
  if (!(speed > 0.)) return std::numeric_limits<double>::infinity();
  return std::max(gap_of(pair.first, from), 0.) / speed;
}

}  // namespace carom
