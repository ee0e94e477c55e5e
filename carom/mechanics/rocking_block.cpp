// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/rocking_block.hpp>

#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/model_at_impact.hpp>

namespace carom {
std::array<double, 2> velocity_about_corner(const RockingBlock& block, double side, double spin) {
  // w x r with r = (-side b, h) from the corner to the mass centre.
  return {-spin * block.half_height, -side * spin * block.half_width};
}

PlacedScene scene_of(const RockingBlock& block) {
  require_positive(block.mass, "mass");
  require_positive(block.half_width, "half_width");
  require_positive(block.half_height, "half_height");
  const double b = block.half_width;
  const double h = block.half_height;
  const double inertia = block.inertia.value_or(block.mass * (b * b + h * h) / 3.);
  require_positive(inertia, "inertia");
  require_finite(block.velocity[0], "velocity[0]");
  require_finite(block.velocity[1], "velocity[1]");
  require_finite(block.spin, "spin");
  PlanarScene scene;
  scene.bodies.push_back(
      {.mass = block.mass, .inertia = inertia, .shape = shapes::plane::box(2. * b, 2. * h)});
  scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
  return {.scene = std::move(scene),
          .state = {.q = Eigen::Vector3d(0., h, 0.),
                    .u = Eigen::Vector3d(block.velocity[0], block.velocity[1], block.spin)}};
}

SystemAtImpact at_impact(const RockingBlock& block) {
  PlacedScene s = scene_of(block);
  SystemAtImpact at = at_impact(PlanarModel(std::move(s.scene)), s.state);
  at.names = {"left", "right"};
  return at;
}

}  // namespace carom
