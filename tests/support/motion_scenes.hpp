// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include <carom/mechanics/planar_model.hpp>
#include <carom/motion/simulation.hpp>

/// Scenes of motion that several tests use.
namespace carom::test {

inline constexpr double gravity = 9.81;

/// A state from its numbers.
[[nodiscard]] inline State state(std::initializer_list<double> q,
                                         std::initializer_list<double> u) {
  State s;
  s.q = Eigen::Map<const Eigen::VectorXd>(q.begin(), static_cast<Eigen::Index>(q.size()));
  s.u = Eigen::Map<const Eigen::VectorXd>(u.begin(), static_cast<Eigen::Index>(u.size()));
  return s;
}

/// A solid ball's section over a floor.
[[nodiscard]] inline PlanarScene ball_on_floor(double radius = 0.1, double mass = 0.5) {
  return {.bodies = {{.name = "ball",
                      .mass = mass,
                      .inertia = 0.4 * mass * radius * radius,
                      .radius = radius}},
          .lines = {{.name = "floor"}}};
}

/// A block of half width b and half height h over a floor. Its first two corners are below.
[[nodiscard]] inline PlanarScene block_on_floor(double b, double h, double mass) {
  return {.bodies = {{.name = "block",
                      .mass = mass,
                      .inertia = mass * (b * b + h * h) / 3.,
                      .corners = {{-b, -h}, {b, -h}, {b, h}, {-b, h}}}},
          .lines = {{.name = "floor"}}};
}

/// A thin rod of half length l over a floor; at angle 0 it lies along x.
[[nodiscard]] inline PlanarScene rod_on_floor(double l, double mass) {
  return {.bodies = {{.name = "rod",
                      .mass = mass,
                      .inertia = mass * l * l / 3.,
                      .corners = {{-l, 0.}, {l, 0.}}}},
          .lines = {{.name = "floor"}}};
}

[[nodiscard]] inline motion::Summary run(const Model& model, const State& from,
                                         const std::vector<Surface>& surfaces,
                                         const motion::Options& options,
                                         motion::Recorder& recorder) {
  return motion::simulate(model, surfaces, options, motion::start(model, from, surfaces, options),
                          recorder);
}

}  // namespace carom::test
