// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/rod_ends.hpp>

#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

/// Leaning: between the floor and a wall. Level: on the floor.
bool leans(const RodEnds& rod) { return rod.direction[1] != 0.; }

}  // namespace

PlacedScene scene_of(const RodEnds& rod) {
  require_positive(rod.mass, "mass");
  require_positive(rod.half_length, "half_length");
  require_positive(rod.inertia_factor, "inertia_factor");
  require_finite(rod.velocity[0], "velocity[0]");
  require_finite(rod.velocity[1], "velocity[1]");
  require_finite(rod.spin, "spin");
  const auto along = unit_vector(rod.direction, "direction");
  const bool level = along[1] == 0. && along[0] > 0.;
  if (!level && !(along[1] > 0. && along[0] != 0.)) {
    throw InputError("direction", "must be level, or lean to the right or left");
  }
  const double L = rod.half_length;
  PlanarScene scene;
  scene.bodies.push_back({.mass = rod.mass,
                          .inertia = rod.mass * (rod.inertia_factor * L * L),
                          .shape = shapes::plane::bar(2. * L)});
  scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
  if (!level) {
    const double side = along[0] > 0. ? 1. : -1.;
    scene.ground.push_back(
        {.name = "wall",
         .shape = shapes::plane::half_plane(),
         .pose = {.position = {L * along[0], 0.}, .angle = side * 0.5 * std::numbers::pi}});
  }
  return {.scene = std::move(scene),
          .state = {.q = Eigen::Vector3d(0., L * along[1], std::atan2(along[1], along[0])),
                    .u = Eigen::Vector3d(rod.velocity[0], rod.velocity[1], rod.spin)}};
}

SystemAtImpact at_impact(const RodEnds& rod) {
  PlacedScene s = scene_of(rod);
  SystemAtImpact at = at_impact(PlanarModel(std::move(s.scene)), s.state);
  if (leans(rod)) {
    at.names = {"floor", "wall"};
  } else {
    at.names = {"left", "right"};
  }
  return at;
}

}  // namespace carom
