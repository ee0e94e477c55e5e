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

#include <carom/mechanics/linkage_model.hpp>

#include "support/any_scenes.hpp"

/// What any_scenes.hpp has not: sizes from 1 to 30 and masses from 1 to 1000 and more, different
/// materials in a stack at rest, pieces of ground, joints, thin bodies, high speeds, no gravity,
/// drag, moving walls, other units.
namespace carom::test {

/// A scene in the plane that is made body by body.
struct PlaneBuilder {
  PlanarScene scene{};
  std::vector<double> q{};
  std::vector<double> u{};
  double mass = 0.;

  void add(shapes::plane::Shape shape, double m, std::array<double, 3> at,
           std::array<double, 3> velocity = {}) {
    PlanarBody b;
    b.name = "b" + std::to_string(scene.bodies.size());
    b.mass = m;
    b.inertia = m * shapes::plane::uniform(shape).squared_gyration;
    b.shape = std::move(shape);
    mass += m;
    scene.bodies.push_back(std::move(b));
    q.insert(q.end(), at.begin(), at.end());
    u.insert(u.end(), velocity.begin(), velocity.end());
  }
  void add_box(double half) {
    constexpr double right_angle = std::numbers::pi / 2.;
    scene.ground = {line("floor"), line("left", {-half, 0.}, -right_angle),
                    line("right", {half, 0.}, right_angle)};
  }
  [[nodiscard]] RandomMotion made(Random& random) {
    RandomMotion m;
    m.mass = mass;
    m.start.q = Eigen::Map<const Vector>(q.data(), static_cast<Eigen::Index>(q.size()));
    m.start.u = Eigen::Map<const Vector>(u.data(), static_cast<Eigen::Index>(u.size()));
    m.model = std::make_unique<PlanarModel>(std::move(scene));
    choose_stepping(random, m);
    return m;
  }
};

/// The same in space.
struct SpaceBuilder {
  SpatialScene scene{};
  double mass = 0.;

  SpatialMover& add(shapes::space::Solid solid, double m, World3 at) {
    SpatialMover b;
    b.name = "s" + std::to_string(scene.bodies.size());
    b.solid = std::move(solid);
    b.mass = m;
    b.position = at;
    mass += m;
    scene.bodies.push_back(std::move(b));
    return scene.bodies.back();
  }
  void add_box(double half) {
    scene.ground = {plane("floor"), plane("x-", {1., 0., 0.}, {-half, 0., 0.}),
                    plane("x+", {-1., 0., 0.}, {half, 0., 0.}),
                    plane("y-", {0., 1., 0.}, {0., -half, 0.}),
                    plane("y+", {0., -1., 0.}, {0., half, 0.})};
  }
  [[nodiscard]] RandomMotion made(Random& random) {
    RandomMotion m;
    m.mass = mass;
    auto model = std::make_unique<SpatialModel>(std::move(scene));
    m.start = model->start();
    m.model = std::move(model);
    choose_stepping(random, m);
    return m;
  }
};

/// Each pair its own e and mu.
inline void choose_materials(Random& random, RandomMotion& m) {
  m.surfaces.clear();
  for (std::size_t k = 0; k < m.model->surfaces(); ++k) {
    const double mu = random(0., 1.) < 0.15 ? 0. : random(0., 1.);
    const double e = random(0., 1.) < 0.3 ? 0. : random(0., 1.);
    const double more = random(0., 1.) < 0.7 ? 1. : 1.3;
    m.surfaces.push_back({.restitution = e, .friction = mu, .static_friction = more * mu});
  }
}

/// Discs and boxes of sizes 1:30, so that masses are 1:1000, thrown between walls.
[[nodiscard]] inline RandomMotion different_sizes(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.add_box(0.4);
  double y = 0.15;
  for (std::size_t i = 0; i < count; ++i) {
    const double size = 0.1 * std::pow(1. / 30., random(0., 1.));
    const double m = 100. * size * size;
    y += 1.5 * size;
    const std::array<double, 3> at{random(-0.25, 0.25), y, random(0., 6.)};
    const std::array<double, 3> v{random(-1., 1.), random(-1., 1.), random(-5., 5.)};
    y += 1.5 * size;
    if (random(0., 1.) < 0.5) {
      b.add(shapes::plane::disc(size), m, at, v);
    } else {
      b.add(shapes::plane::box(2. * size, random(1., 2.) * size), m, at, v);
    }
  }
  return b.made(random);
}

/// Boxes one upon the other at rest, light and heavy ones by turns, of different materials.
[[nodiscard]] inline RandomMotion heavy_on_light(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.scene.ground = {line("floor")};
  double y = 0.;
  for (std::size_t i = 0; i < count; ++i) {
    const double height = random(0.03, 0.1);
    const double m = std::pow(10., random(-1.5, 1.5));
    b.add(shapes::plane::box(random(0.2, 0.3), height), m,
          {random(-0.02, 0.02), y + 0.5 * height, 0.});
    y += height;
  }
  RandomMotion m = b.made(random);
  choose_materials(random, m);
  return m;
}

/// Solids that stand upon each other at rest, of different materials and masses.
[[nodiscard]] inline RandomMotion different_solids(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  b.scene.ground = {plane("floor")};
  double z = 0.;
  for (std::size_t i = 0; i < count; ++i) {
    const double height = random(0.05, 0.12);
    const double m = std::pow(10., random(-1.5, 1.5));
    const World3 at{random(-0.01, 0.01), random(-0.01, 0.01), z + 0.5 * height};
    z += height;
    const double kind = random(0., 3.);
    if (kind < 1.) {
      (void)b.add(Cylinder{.radius = random(0.08, 0.12), .length = height}, m, at);
    } else if (kind < 2.) {
      (void)b.add(
          Box{.size = {random(0.15, 0.2), random(0.15, 0.2), height}, .rounding = 0.1 * height}, m,
          at);
    } else {
      (void)b.add(Box{.size = {random(0.15, 0.2), random(0.15, 0.2), height}}, m, at);
    }
  }
  if (random(0., 1.) < 0.5) {
    const double height = 0.1;
    (void)b.add(Cone{.radius = 0.05, .height = height}, 0.3, {0., 0., z + 0.25 * height});
  }
  RandomMotion m = b.made(random);
  choose_materials(random, m);
  return m;
}

/// Shapes that fall through rows of pegs, past boxes, segments and ellipses of the ground.
[[nodiscard]] inline RandomMotion pegs(Random& random, std::size_t count) {
  using namespace shapes::plane;
  PlaneBuilder b;
  b.add_box(0.5);
  for (int row = 0; row < 3; ++row) {
    for (int k = 0; k < 4; ++k) {
      PlanarGround piece;
      piece.name = "p" + std::to_string(4 * row + k);
      const double kind = random(0., 5.);
      if (kind < 1.) {
        piece.shape = disc(0.02);
      } else if (kind < 2.) {
        piece.shape = shapes::plane::box(0.05, 0.03, random(0., 1.) < 0.5 ? 0. : 0.005);
      } else if (kind < 3.) {
        piece.shape = segment({-0.03, 0.}, {0.03, 0.});
      } else if (kind < 4.) {
        piece.shape = ellipse({0.03, 0.015});
      } else {
        piece.shape = capsule(0.05, 0.01);
        piece.belt_speed = random(-1., 1.);
      }
      const double x = -0.36 + 0.24 * k + (row % 2 == 0 ? 0. : 0.1);
      piece.pose = {{x, 0.3 + 0.22 * row}, random(-0.5, 0.5)};
      b.scene.ground.push_back(std::move(piece));
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> columns{-0.28, 0., 0.28};
    b.add(any_shape(random), random(0.2, 1.),
          {columns[i % 3], 1.1 + 0.25 * static_cast<double>(i / 3), random(0., 6.)},
          {random(-0.5, 0.5), random(-2., 0.), random(-5., 5.)});
  }
  return b.made(random);
}

/// Solids that fall on pieces of the ground of all shapes.
[[nodiscard]] inline RandomMotion solid_ground(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  b.add_box(0.4);
  const std::array<Solid, 6> solids{Sphere{0.08},
                                    Box{.size = {0.15, 0.15, 0.08}},
                                    Cylinder{.radius = 0.06, .length = 0.15},
                                    Cone{.radius = 0.1, .height = 0.15},
                                    Capsule{.radius = 0.04, .length = 0.12},
                                    any_polyhedron(random, 0.1)};
  for (int k = 0; k < 4; ++k) {
    SpatialGround piece;
    piece.name = "p" + std::to_string(k);
    piece.solid = solids[static_cast<std::size_t>(random(0., 6.))];
    piece.position = {k % 2 == 0 ? -0.2 : 0.2, k / 2 == 0 ? -0.2 : 0.2, random(0., 0.15)};
    b.scene.ground.push_back(std::move(piece));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double size = random(0.06, 0.1);
    const double kind = random(0., 6.);
    const Solid solid = kind < 1.   ? Solid{Sphere{0.8 * size}}
                        : kind < 2. ? Solid{Box{.size = {size, 1.4 * size, 0.8 * size}}}
                        : kind < 3. ? Solid{Cylinder{.radius = 0.5 * size, .length = 1.2 * size}}
                        : kind < 4. ? Solid{Cone{.radius = 0.6 * size, .height = size}}
                        : kind < 5. ? Solid{Capsule{.radius = 0.4 * size, .length = size}}
                                    : Solid{any_polyhedron(random, 0.8 * size)};
    const World3 at{i % 2 == 0 ? -0.18 : 0.18, i / 2 % 2 == 0 ? -0.18 : 0.18,
                    0.45 + 0.25 * static_cast<double>(i / 4)};
    throw_it(random, b.add(solid, random(0.2, 1.), at), 1., 5.);
  }
  return b.made(random);
}

/// Discs in a triangle, all touching at rest, sometimes between walls.
[[nodiscard]] inline RandomMotion pyramid(Random& random, std::size_t rows) {
  PlaneBuilder b;
  constexpr double r = 0.05;
  const double half = (static_cast<double>(rows) + (random(0., 1.) < 0.5 ? 0. : 2.)) * r;
  b.add_box(half);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k + row < rows; ++k) {
      const auto x = static_cast<double>(2 * k + row + 1) - static_cast<double>(rows);
      b.add(shapes::plane::disc(r), std::pow(10., random(-1., 1.)),
            {x * r, (1. + std::sqrt(3.) * static_cast<double>(row)) * r, 0.});
    }
  }
  return b.made(random);
}

/// Dominoes, of which the first is pushed, or cards that lean on each other.
[[nodiscard]] inline RandomMotion dominoes(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.scene.ground = {line("floor")};
  const double width = random(0.01, 0.02);
  const double height = random(0.06, 0.1);
  const double apart = width + random(0.2, 0.8) * height;
  for (std::size_t i = 0; i < count; ++i) {
    b.add(shapes::plane::box(width, height), random(0.05, 0.2),
          {apart * static_cast<double>(i), 0.5 * height, 0.},
          {i == 0 ? random(0.2, 2.) : 0., 0., 0.});
  }
  return b.made(random);
}

/// Links on hinges and slides above the floor, which their ends strike, or balls on strings that
/// touch.
[[nodiscard]] inline RandomMotion joints(Random& random, std::size_t count) {
  MovingLinkage d;
  RandomMotion m;
  if (random(0., 1.) < 0.4) {
    Cradle c;
    for (std::size_t i = 0; i < count; ++i) {
      c.masses.push_back(std::pow(10., random(-1., 1.)));
      c.angles.push_back(i == 0 ? -random(0.1, 1.) : 0.);
    }
    d = linkage_of(c);
  } else {
    const double l = 0.2;
    for (std::size_t i = 0; i < count; ++i) {
      Link k;
      k.name = "l" + std::to_string(i);
      k.mass = random(0.2, 1.);
      k.inertia = k.mass * l * l / 12.;
      k.mass_centre = {0.5 * l, 0.};
      k.parent = i == 0 ? ground : static_cast<int>(i) - 1;
      k.at = i == 0 ? std::array{0., 0.1 + 0.1 * random(0., 1.)} : std::array{l, 0.};
      k.position = random(0.2, 1.2);
      k.rate = random(-2., 2.);
      d.linkage.links.push_back(k);
      LinkStrike s;
      s.name = "end" + std::to_string(i);
      s.point = {static_cast<int>(i), {l, 0.}};
      s.radius = random(0., 1.) < 0.5 ? 0. : 0.01;
      d.contacts.push_back(s);
    }
    if (random(0., 1.) < 0.5) {
      d.joint_springs.push_back({.link = 0, .stiffness = 5., .rest = 0.5, .damping = 0.05});
    }
  }
  for (const Link& k : d.linkage.links) m.mass += k.mass;
  auto model = std::make_unique<LinkageModel>(std::move(d));
  m.start = model->start();
  m.model = std::move(model);
  choose_stepping(random, m);
  return m;
}

/// Discs and boxes without gravity between four walls.
[[nodiscard]] inline RandomMotion billiards(Random& random, std::size_t count) {
  PlaneBuilder b;
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  const double half = 0.06 * static_cast<double>(side) + 0.02;
  b.add_box(half);
  b.scene.ground.push_back(line("top", {0., 2. * half}, std::numbers::pi));
  b.scene.gravity = {0., 0.};
  b.scene.acceleration = random(0., 1.) < 0.5 ? 0. : 9.81;
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> at{
        0.12 * (static_cast<double>(i % side) + 0.5) - 0.06 * static_cast<double>(side),
        0.02 + 0.12 * (static_cast<double>(i / side) + 0.5), random(0., 6.)};
    const std::array<double, 3> v{random(-2., 2.), random(-2., 2.), random(-10., 10.)};
    if (random(0., 1.) < 0.7) {
      b.add(shapes::plane::disc(random(0.03, 0.055)), random(0.2, 1.), at, v);
    } else {
      b.add(shapes::plane::box(0.07, 0.05), random(0.2, 1.), at, v);
    }
  }
  return b.made(random);
}

/// Shapes between walls that go to and fro, on a floor that is a belt, with drag.
[[nodiscard]] inline RandomMotion shaken(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.add_box(0.45);
  PrescribedPath path;
  path.frequency = random(1., 5.);
  path.amplitude = {random(0.01, 0.06), 0., 0.};
  b.scene.ground[1].motion = path;
  b.scene.ground[2].motion = path;
  b.scene.ground[0].belt_speed = random(-1., 1.);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> columns{-0.24, 0., 0.24};
    b.add(any_shape(random), random(0.2, 1.),
          {columns[i % 3], 0.2 + 0.25 * static_cast<double>(i / 3), random(0., 6.)},
          {random(-1., 1.), random(-1., 1.), random(-5., 5.)});
    if (random(0., 1.) < 0.5) {
      b.scene.bodies.back().drag = {.linear = 0.2, .quadratic = 0.05, .spin_linear = 1e-4};
    }
  }
  return b.made(random);
}

/// Bodies at 30 m/s and 200 rad/s, in the plane.
[[nodiscard]] inline RandomMotion fast(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.add_box(0.45);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> columns{-0.24, 0., 0.24};
    b.add(any_shape(random), random(0.2, 1.),
          {columns[i % 3], 0.2 + 0.25 * static_cast<double>(i / 3), random(0., 6.)},
          {random(-30., 30.), random(-30., 0.), random(-200., 200.)});
  }
  return b.made(random);
}

/// The same in space.
[[nodiscard]] inline RandomMotion fast_solids(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  b.add_box(0.35);
  for (std::size_t i = 0; i < count; ++i) {
    const double size = random(0.05, 0.1);
    const double kind = random(0., 3.);
    const Solid solid = kind < 1.   ? Solid{Sphere{size}}
                        : kind < 2. ? Solid{Box{.size = {2. * size, size, size}}}
                                    : Solid{any_polyhedron(random, size)};
    const World3 at{i % 2 == 0 ? -0.15 : 0.15, i / 2 % 2 == 0 ? -0.15 : 0.15,
                    0.2 + 0.3 * static_cast<double>(i / 4)};
    throw_it(random, b.add(solid, random(0.2, 1.), at), 20., 100.);
  }
  return b.made(random);
}

/// Bars without width, in the plane.
[[nodiscard]] inline RandomMotion bars(Random& random, std::size_t count) {
  PlaneBuilder b;
  b.add_box(0.35);
  for (std::size_t i = 0; i < count; ++i) {
    const std::array<double, 3> at{random(-0.1, 0.1), 0.2 + 0.25 * static_cast<double>(i),
                                   random(0., 6.)};
    const std::array<double, 3> v{random(-1., 1.), random(-1., 1.), random(-5., 5.)};
    const double length = random(0.1, 0.2);
    b.add(random(0., 1.) < 0.7 ? shapes::plane::bar(length) : shapes::plane::disc(0.3 * length),
          random(0.2, 1.), at, v);
  }
  return b.made(random);
}

/// Rods and discs without thickness, with other solids, in space.
[[nodiscard]] inline RandomMotion thin_solids(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  b.add_box(0.3);
  for (std::size_t i = 0; i < count; ++i) {
    const double size = random(0.06, 0.1);
    const double kind = random(0., 4.);
    const Solid solid = kind < 1.   ? Solid{Rod{2. * size}}
                        : kind < 2. ? Solid{Disc{size}}
                        : kind < 3. ? Solid{Sphere{0.8 * size}}
                                    : Solid{Box{.size = {2. * size, size, 0.2 * size}}};
    const World3 at{i % 2 == 0 ? -0.13 : 0.13, i / 2 % 2 == 0 ? -0.13 : 0.13,
                    0.25 + 0.28 * static_cast<double>(i / 4)};
    SpatialMover& s = b.add(solid, random(0.2, 1.), at);
    throw_it(random, s, 1., kind < 1. ? 0. : 5.);
  }
  return b.made(random);
}

/// Spheres with rolling and drilling friction and drag on slopes that meet.
[[nodiscard]] inline RandomMotion rolling_spheres(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  const double tilt = random(0.1, 0.8);
  b.scene.ground = {plane("x-", {std::sin(tilt), 0., std::cos(tilt)}),
                    plane("x+", {-std::sin(tilt), 0., std::cos(tilt)}),
                    plane("y-", {0., std::sin(tilt), std::cos(tilt)}),
                    plane("y+", {0., -std::sin(tilt), std::cos(tilt)})};
  double z = 0.3 / std::cos(tilt);
  for (std::size_t i = 0; i < count; ++i) {
    const double r = 0.1 * std::pow(0.1, random(0., 1.));
    z += r;
    SpatialMover& s =
        b.add(Sphere{r}, 1000. * r * r * r, {random(-.02, .02), random(-.02, .02), z});
    z += 1.1 * r;
    for (double& v : s.velocity) v = random(-0.5, 0.5);
    for (double& w : s.spin) w = random(-20., 20.);
    if (random(0., 1.) < 0.3) s.drag = {.linear = 0.01, .spin_quadratic = 1e-7};
  }
  RandomMotion m = b.made(random);
  choose_rolling(random, m, true);
  return m;
}

/// A plate on balls, on which others fall: far from each other in size, hyperstatic.
[[nodiscard]] inline RandomMotion plates(Random& random, std::size_t count) {
  using namespace shapes::space;
  SpaceBuilder b;
  b.scene.ground = {plane("floor")};
  double z = 0.;
  for (std::size_t i = 0; i < count; ++i) {
    const double r = random(0.01, 0.03);
    for (int k = 0; k < 4; ++k) {
      const World3 at{k % 2 == 0 ? -0.15 : 0.15, k / 2 == 0 ? -0.15 : 0.15, z + r};
      if (random(0., 1.) < 0.8) {
        (void)b.add(Sphere{r}, 100. * r, at);
      } else {
        (void)b.add(Cylinder{.radius = r, .length = 2. * r}, 100. * r, at);
      }
    }
    z += 2. * r;
    (void)b.add(Box{.size = {0.4, 0.4, 0.02}}, random(0.1, 10.), {0., 0., z + 0.01});
    z += 0.02;
  }
  SpatialMover& s = b.add(Sphere{0.05}, random(0.1, 10.), {0.02, 0.01, z + 0.1});
  s.velocity = {random(-1., 1.), 0., random(-2., 0.)};
  return b.made(random);
}

/// A block of boxes that touch, struck by a heavy one.
[[nodiscard]] inline RandomMotion struck_block(Random& random, std::size_t side) {
  PlaneBuilder b;
  b.scene.ground = {line("floor")};
  constexpr double size = 0.1;
  for (std::size_t i = 0; i < side * side; ++i) {
    b.add(shapes::plane::box(size, size), random(0.2, 1.),
          {size * static_cast<double>(i % side), size * (static_cast<double>(i / side) + 0.5), 0.});
  }
  b.add(shapes::plane::box(size, 0.5 * size), std::pow(10., random(-1., 2.)),
        {-3. * size, random(0.05, 0.05 + size * static_cast<double>(side)), random(-0.3, 0.3)},
        {random(1., 10.), random(-1., 1.), random(-3., 3.)});
  RandomMotion m = b.made(random);
  if (random(0., 1.) < 0.5) choose_materials(random, m);
  return m;
}

inline constexpr std::uint64_t other_kinds = 18;

struct OtherKind {
  bool accounts = true;  ///< whether the account of steps closes by identity: not by joints
  bool may_jam = false;  ///< whether belts may draw a body in, where no finite force exists
};
[[nodiscard]] inline OtherKind other_kind(std::uint64_t seed) {
  const std::uint64_t kind = seed % other_kinds;
  return {.accounts = kind != 7, .may_jam = kind == 3};
}

[[nodiscard]] inline RandomMotion other_scene(std::uint64_t seed) {
  Random random(seed + 20'000);
  const auto up_to = [&](double most) {
    return static_cast<std::size_t>(2. * std::pow(most / 2., random(0., 1.)));
  };
  const auto make = [&] {
    switch (seed % other_kinds) {
      case 0:
        return different_sizes(random, up_to(40.));
      case 1:
        return heavy_on_light(random, up_to(15.));
      case 2:
        return different_solids(random, up_to(8.));
      case 3:
        return pegs(random, up_to(20.));
      case 4:
        return solid_ground(random, up_to(14.));
      case 5:
        return pyramid(random, up_to(9.));
      case 6:
        return dominoes(random, up_to(20.));
      case 7:
        return joints(random, up_to(7.));
      case 8:
        return billiards(random, up_to(60.));
      case 9:
        return shaken(random, up_to(20.));
      case 10:
        return fast(random, up_to(20.));
      case 11:
        return fast_solids(random, up_to(12.));
      case 12:
        return bars(random, up_to(12.));
      case 13:
        return thin_solids(random, up_to(12.));
      case 14:
        return rolling_spheres(random, up_to(20.));
      case 15:
        return plates(random, up_to(5.));
      case 16:
        return struck_block(random, up_to(6.));
      default:
        return different_sizes(random, 100);
    }
  };
  RandomMotion m = make();
  m.options.method = motion::MotionMethod::automatic;
  m.options.several = &find_law("moreau", "law");
  return m;
}

}  // namespace carom::test
