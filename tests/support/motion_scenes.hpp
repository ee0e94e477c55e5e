// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/simulation.hpp>

/// Scenes of motion that several tests use.
namespace carom::test {

inline constexpr double gravity = 9.81;
inline constexpr double g = gravity;

/// A state from its numbers.
[[nodiscard]] inline State state(std::initializer_list<double> q, std::initializer_list<double> u) {
  State s;
  s.q = Eigen::Map<const Eigen::VectorXd>(q.begin(), static_cast<Eigen::Index>(q.size()));
  s.u = Eigen::Map<const Eigen::VectorXd>(u.begin(), static_cast<Eigen::Index>(u.size()));
  return s;
}

/// A half plane on the right of a line.
[[nodiscard]] inline PlanarGround line(std::string name, shapes::plane::Point through = {},
                                       double angle = 0.) {
  return {.name = std::move(name), .shape = shapes::plane::half_plane(), .pose = {through, angle}};
}

/// A half space.
[[nodiscard]] inline SpatialGround plane(std::string name, World3 normal = {0., 0., 1.},
                                         World3 through = {}) {
  return {.name = std::move(name), .solid = shapes::space::HalfSpace{normal}, .position = through};
}

/// A solid ball's section over a floor.
[[nodiscard]] inline PlanarScene ball_on_floor(double radius = 0.1, double mass = 0.5) {
  return {.bodies = {{.name = "ball",
                      .mass = mass,
                      .inertia = 0.4 * mass * radius * radius,
                      .shape = shapes::plane::disc(radius)}},
          .ground = {line("floor")}};
}

/// A block of half width b and half height h over a floor. Its first two corners are below.
[[nodiscard]] inline PlanarScene block_on_floor(double b, double h, double mass) {
  return {.bodies = {{.name = "block",
                      .mass = mass,
                      .inertia = mass * (b * b + h * h) / 3.,
                      .shape = shapes::plane::box(2. * b, 2. * h)}},
          .ground = {line("floor")}};
}

/// A thin rod of half length l over a floor; at angle 0 it lies along x.
[[nodiscard]] inline PlanarScene rod_on_floor(double l, double mass) {
  return {.bodies = {{.name = "rod",
                      .mass = mass,
                      .inertia = mass * l * l / 3.,
                      .shape = shapes::plane::bar(2. * l)}},
          .ground = {line("floor")}};
}

/// The numbers that decide how a run goes on.
[[nodiscard]] inline std::vector<double> numbers(const motion::Continuation& next) {
  struct Collect {
    std::vector<double>& to;
    void operator()(const char* /*name*/, double x) const { to.push_back(x); }
    void operator()(const char* /*name*/, const std::vector<double>& list) const {
      to.push_back(static_cast<double>(list.size()));
      to.insert(to.end(), list.begin(), list.end());
    }
  };
  std::vector<double> all;
  motion::Continuation::visit(next, Collect{all});
  return all;
}

[[nodiscard]] inline motion::Summary run(const Model& model, const State& from,
                                         const std::vector<Surface>& surfaces,
                                         const motion::Options& options,
                                         motion::Recorder& recorder) {
  return motion::simulate(model, surfaces, options, motion::start(model, from, surfaces, options),
                          recorder);
}

}  // namespace carom::test
