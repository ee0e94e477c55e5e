// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/rocking_block.hpp>

#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_assembly.hpp>

namespace carom {
std::array<double, 2> velocity_about_corner(const RockingBlock& block, double side, double spin) {
  // w x r with r = (-side b, h) from the corner to the mass centre.
  return {-spin * block.half_height, -side * spin * block.half_width};
}

MultiAtImpact at_impact(const RockingBlock& block) {
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
  PlanarAssembly a;
  a.bodies.push_back(
      {.mass = block.mass, .inertia = inertia, .velocity = block.velocity, .spin = block.spin});
  a.contacts.push_back({.name = "left", .point = {-b, -h}});
  a.contacts.push_back({.name = "right", .point = {b, -h}});
  return at_impact(a);
}

}  // namespace carom
