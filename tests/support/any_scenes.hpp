// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/stepping_scenes.hpp"

/// One scene of any kind for each number: what a user may try first.
namespace carom::test {

/// What differs from bodies of about one size that fall on a floor at rest.
struct Unusual {
  bool sizes = false;        ///< from 1 to 10
  bool rolls = false;        ///< rolling and, in space, drilling friction
  bool floor_moves = false;  ///< up and down by a sine, with about 1 g, or sideways as a belt
};

/// A body size [m]: 0.05 to 0.1, or 0.01 to 0.1.
[[nodiscard]] inline double any_size(Random& random, const Unusual& unusual) {
  return unusual.sizes ? 0.1 * std::pow(0.1, random(0., 1.)) : random(0.05, 0.1);
}

/// How the floor moves: a sine of up to 1.5 g.
[[nodiscard]] inline PrescribedPath any_path(Random& random, bool upwards_along_z) {
  PrescribedPath path;
  path.frequency = random(2., 8.);
  const double w = 2. * std::numbers::pi * path.frequency;
  const double up = random(0.2, 1.5) * 9.81 / (w * w);
  path.amplitude = upwards_along_z ? World3{0., 0., up} : World3{0., up, 0.};
  return path;
}

inline void choose_rolling(Random& random, RandomMotion& m, bool in_space) {
  for (Surface& s : m.surfaces) {
    s.set_rolling_friction(random(0., 0.01), in_space ? random(0., 0.01) : 0.);
  }
}

/// Ellipses, capsules and discs between walls that are as far apart as four of the largest.
[[nodiscard]] inline RandomMotion round_shapes(std::uint64_t seed, std::size_t count,
                                               const Unusual& unusual) {
  using namespace shapes::plane;
  Random random(seed + 8000);
  RandomMotion m;
  PlanarScene scene;
  constexpr double half = 0.4;
  constexpr double right_angle = std::numbers::pi / 2.;
  scene.ground = {line("floor"), line("left", {-half, 0.}, -right_angle),
                  line("right", {half, 0.}, right_angle)};
  if (unusual.floor_moves && random(0., 1.) < 0.5) {
    scene.ground[0].belt_speed = random(-1., 1.);
  } else if (unusual.floor_moves) {
    scene.ground[0].motion = any_path(random, false);
  }
  const auto entries = static_cast<Eigen::Index>(3 * count);
  m.start.q.setZero(entries);
  m.start.u.setZero(entries);
  for (std::size_t i = 0; i < count; ++i) {
    PlanarBody b;
    b.name = "b" + std::to_string(i);
    const double size = any_size(random, unusual);
    const double kind = random(0., 3.);
    b.shape = kind < 1.   ? disc(size)
              : kind < 2. ? capsule(size, 0.5 * size)
                          : ellipse({size, random(0.3, 0.9) * size});
    b.mass = 100. * size * size;
    b.inertia = b.mass * uniform(b.shape).squared_gyration;
    m.mass += b.mass;
    scene.bodies.push_back(std::move(b));
    const auto at = static_cast<Eigen::Index>(3 * i);
    const std::array<double, 3> columns{-0.26, 0., 0.26};
    m.start.q.segment<3>(at) << columns[i % 3] + random(-0.01, 0.01),
        0.3 + 0.26 * static_cast<double>(i / 3) + random(0., 0.01), random(0., 6.);
    m.start.u.segment<3>(at) << random(-1., 1.), random(-1., 1.), random(-5., 5.);
  }
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_stepping(random, m);
  if (unusual.rolls) choose_rolling(random, m, false);
  return m;
}

/// A polyhedron of 5 to 10 corners about its centroid.
[[nodiscard]] inline shapes::space::Polyhedron any_polyhedron(Random& random, double size) {
  shapes::space::Polyhedron p;
  const int count = 6 + static_cast<int>(random(0., 5.));
  for (int k = 0; k < count; ++k) {
    World3 x{};
    double square = 0.;
    for (double& y : x) {
      y = random(-1., 1.);
      square += y * y;
    }
    for (double& y : x) y *= random(0.7, 1.) * size / std::sqrt(square);
    p.vertices.push_back(x);
  }
  return p;
}

/// Polyhedra, cones, cylinders, capsules, round boxes and spheres thrown into a box without a lid.
[[nodiscard]] inline RandomMotion all_solids(std::uint64_t seed, std::size_t count,
                                             const Unusual& unusual) {
  using namespace shapes::space;
  Random random(seed + 9000);
  RandomMotion m;
  constexpr double half = 0.28;
  SpatialScene scene;
  scene.ground = {plane("floor"), plane("x-", {1., 0., 0.}, {-half, 0., 0.}),
                  plane("x+", {-1., 0., 0.}, {half, 0., 0.}),
                  plane("y-", {0., 1., 0.}, {0., -half, 0.}),
                  plane("y+", {0., -1., 0.}, {0., half, 0.})};
  if (unusual.floor_moves && random(0., 1.) < 0.5) {
    scene.ground[0].belt_velocity = {random(-1., 1.), random(-1., 1.), 0.};
  } else if (unusual.floor_moves) {
    scene.ground[0].motion = any_path(random, true);
  }
  for (std::size_t i = 0; i < count; ++i) {
    SpatialMover b;
    b.name = "s" + std::to_string(i);
    const double size = any_size(random, unusual);
    const double kind = random(0., 6.);
    if (kind < 2.) {
      b.solid = any_polyhedron(random, size);
    } else if (kind < 3.) {
      b.solid = Cone{.radius = 0.7 * size, .height = size};
    } else if (kind < 4.) {
      b.solid = Cylinder{.radius = 0.6 * size, .length = size, .rounding = 0.1 * size};
    } else if (kind < 5.) {
      b.solid = Box{.size = {size, random(0.5, 1.) * size, 0.5 * size}, .rounding = 0.05 * size};
    } else {
      b.solid = Sphere{0.9 * size};
    }
    b.mass = 1000. * size * size * size;
    const auto side = [](bool high) { return high ? 0.13 : -0.13; };
    b.position = {side(i % 2 == 1), side(i / 2 % 2 == 1), 0.25 + 0.25 * static_cast<double>(i / 4)};
    throw_it(random, b, 1., 5.);
    m.mass += b.mass;
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_stepping(random, m);
  if (unusual.rolls) choose_rolling(random, m, true);
  return m;
}

inline constexpr std::uint64_t scene_kinds = 16;

/// Of up to 100 bodies: thrown, in wedges, stacked, at rest; e and mu from 0 to 1; laws `poisson`
/// and `energetic` by turns.
[[nodiscard]] inline RandomMotion any_scene(std::uint64_t seed) {
  Random random(seed);
  const bool still = random(0., 1.) < 0.5;
  const auto up_to = [&](double most) {
    return static_cast<std::size_t>(2. * std::pow(most / 2., random(0., 1.)));
  };
  const auto make = [&] {
    switch (seed % scene_kinds) {
      case 0:
        return thrown_discs(seed, up_to(101.));
      case 1:
        return thrown_spheres(seed, up_to(60.));
      case 2:
        return thrown_shapes(seed, up_to(40.), false);
      case 3:
        return thrown_shapes(seed, up_to(40.), true);
      case 4:
        return thrown_solids(seed, up_to(16.), false);
      case 5:
        return thrown_solids(seed, up_to(16.), true);
      case 6:
        return wedged(seed, up_to(12.));
      case 7:
        return brick_wall(seed, up_to(8.), !still);
      case 8:
        return stack_in_space(seed, up_to(10.), !still);
      case 9:
        return resting_stack(up_to(30.));
      case 10:
        return round_shapes(seed, up_to(40.), {});
      case 11:
        return round_shapes(seed, up_to(40.), {.sizes = true});
      case 12:
        return round_shapes(seed, up_to(20.), {.rolls = true, .floor_moves = !still});
      case 13:
        return all_solids(seed, up_to(16.), {});
      case 14:
        return all_solids(seed, up_to(16.), {.sizes = true});
      default:
        return all_solids(seed, up_to(10.), {.rolls = still, .floor_moves = true});
    }
  };
  RandomMotion m = make();
  const bool rests = seed % scene_kinds == 9;
  const std::array<double, 2> couples{m.surfaces[0].rolling_friction(),
                                      m.surfaces[0].drilling_friction()};
  choose_stepping(random, m);
  if (rests) m.surfaces.assign(1, {.restitution = 0.2, .friction = 0.5, .static_friction = 0.5});
  if (couples[0] + couples[1] > 0.) m.surfaces[0].set_rolling_friction(couples[0], couples[1]);
  m.options.method = motion::MotionMethod::automatic;
  m.options.law = find_law(seed / scene_kinds % 2 == 0 ? "poisson" : "energetic");
  m.options.several = &find_law("moreau", "law");
  return m;
}

}  // namespace carom::test
