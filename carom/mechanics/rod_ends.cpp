// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/rod_ends.hpp>

#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_assembly.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
MultiAtImpact at_impact(const RodEnds& rod) {
  require_positive(rod.mass, "mass");
  require_positive(rod.half_length, "half_length");
  require_positive(rod.inertia_factor, "inertia_factor");
  require_finite(rod.velocity[0], "velocity[0]");
  require_finite(rod.velocity[1], "velocity[1]");
  require_finite(rod.spin, "spin");
  const auto along = unit_vector(rod.direction, "direction");
  const std::array<double, 2> upper{rod.half_length * along[0], rod.half_length * along[1]};
  const std::array<double, 2> lower{-upper[0], -upper[1]};
  PlanarAssembly a;
  a.bodies.push_back(
      {.mass = rod.mass,
       .inertia = rod.mass * (rod.inertia_factor * rod.half_length * rod.half_length),
       .velocity = rod.velocity,
       .spin = rod.spin});
  if (along[1] == 0. && along[0] > 0.) {
    a.contacts.push_back({.name = "left", .point = lower});
    a.contacts.push_back({.name = "right", .point = upper});
  } else if (along[1] > 0. && along[0] != 0.) {
    const double away = along[0] > 0. ? -1. : 1.;
    a.contacts.push_back({.name = "floor", .point = lower});
    a.contacts.push_back({.name = "wall", .point = upper, .normal = {away, 0.}});
  } else {
    throw InputError("direction", "must be level, or lean to the right or left");
  }
  return at_impact(a);
}

}  // namespace carom
