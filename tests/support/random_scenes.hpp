// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/simulation.hpp>

#include "support/motion_scenes.hpp"

/// Random scenes of motion, and what every accepted state of them must satisfy.
namespace carom::test {

/// Numbers that are the same everywhere.
class Random {
 public:
  /// @param unused  first numbers, which are alike for neighbouring seeds, are skipped
  explicit Random(std::uint64_t seed, int unused = 8) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {
    for (int i = 0; i < unused; ++i) (void)(*this)(0., 1.);
  }
  double operator()(double low, double high) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return low + (high - low) * static_cast<double>(state_ >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

struct RandomMotion {
  std::unique_ptr<Model> model;
  State start;
  std::vector<Surface> surfaces;
  motion::Options options;
  double mass = 0.;  ///< of all bodies [kg]
};

/// mu from 0 to 1, e from 0 to 0.9, sometimes 0; mu_s = mu or 1.2 mu.
inline void choose_surface(Random& random, RandomMotion& m) {
  const double mu = random(0., 1.) < 0.2 ? 0. : random(0., 1.);
  const double e = random(0., 1.) < 0.25 ? 0. : random(0., 0.9);
  const double more = random(0., 1.) < 0.5 ? 1. : 1.2;
  m.surfaces.assign(1, {.restitution = e, .friction = mu, .static_friction = more * mu});
  m.options = {.method = motion::MotionMethod::events,
               .end_time = 1.5,
               .sample_interval = 0.01,
               .most_events = 50'000};
  m.options.several = &find_law("moreau", "law");
}

/// Discs thrown between two walls, or into a wedge.
[[nodiscard]] inline RandomMotion thrown_discs(std::uint64_t seed, std::size_t count) {
  using namespace motion;
  Random random(seed);
  RandomMotion m;
  PlanarScene scene;
  for (std::size_t i = 0; i < count; ++i) {
    const double radius = random(0.05, 0.1);
    const double mass = random(0.2, 1.);
    m.mass += mass;
    scene.bodies.push_back({.name = "d" + std::to_string(i),
                            .mass = mass,
                            .inertia = 0.5 * mass * radius * radius,
                            .shape = shapes::plane::disc(radius)});
  }
  constexpr double half = 0.225;
  constexpr double right_angle = std::numbers::pi / 2.;
  if (random(0., 3.) < 1.) {
    scene.ground = {line("left", {}, -0.5), line("right", {}, 0.5)};
  } else {
    scene.ground = {line("floor"), line("left", {-half, 0.}, -right_angle),
                    line("right", {half, 0.}, right_angle)};
  }
  m.start.q.setZero(static_cast<Eigen::Index>(3 * count));
  m.start.u = m.start.q;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    m.start.q.segment<3>(at) << (i % 2 == 0 ? -0.11 : 0.11) + random(-0.005, 0.005),
        0.25 + 0.21 * static_cast<double>(i / 2) + random(0., 0.005), 0.;
    m.start.u.segment<3>(at) << random(-1., 1.), random(-1., 1.), random(-5., 5.);
  }
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_surface(random, m);
  return m;
}

/// Discs one upon the other between two walls, all touching: hyperstatic, at rest.
[[nodiscard]] inline RandomMotion resting_stack(std::size_t count) {
  using namespace motion;
  constexpr double radius = 0.05;
  constexpr double right_angle = std::numbers::pi / 2.;
  RandomMotion m;
  PlanarScene scene;
  scene.ground = {line("floor"), line("left", {-radius, 0.}, -right_angle),
                  line("right", {radius, 0.}, right_angle)};
  m.start.q.setZero(static_cast<Eigen::Index>(3 * count));
  m.start.u = m.start.q;
  for (std::size_t i = 0; i < count; ++i) {
    scene.bodies.push_back({.name = "d" + std::to_string(i),
                            .mass = 0.1,
                            .inertia = 0.05 * radius * radius,
                            .shape = shapes::plane::disc(radius)});
    m.start.q(static_cast<Eigen::Index>(3 * i + 1)) = (2. * static_cast<double>(i) + 1.) * radius;
  }
  m.mass = 0.1 * static_cast<double>(count);
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  m.surfaces.assign(1, {.restitution = 0.2, .friction = 0.5});
  for (Surface& s : m.surfaces) s.static_friction = s.friction;
  m.options = {.method = motion::MotionMethod::events, .end_time = 1., .sample_interval = 0.1};
  return m;
}

/// Spheres thrown into a box without a lid.
[[nodiscard]] inline RandomMotion thrown_spheres(std::uint64_t seed, std::size_t count) {
  using namespace motion;
  Random random(seed);
  RandomMotion m;
  constexpr double half = 0.2;
  SpatialScene scene;
  scene.ground = {plane("floor"), plane("x-", {1., 0., 0.}, {-half, 0., 0.}),
                  plane("x+", {-1., 0., 0.}, {half, 0., 0.}),
                  plane("y-", {0., 1., 0.}, {0., -half, 0.}),
                  plane("y+", {0., -1., 0.}, {0., half, 0.})};
  for (std::size_t i = 0; i < count; ++i) {
    const auto near = [&](bool high) { return (high ? 0.1 : -0.1) + random(-0.005, 0.005); };
    SpatialMover b;
    b.name = "s" + std::to_string(i);
    b.solid = shapes::space::Sphere{random(0.05, 0.09)};
    b.mass = random(0.2, 1.);
    b.position[0] = near(i % 2 == 1);
    b.position[1] = near(i / 2 % 2 == 1);
    b.position[2] = 0.15 + 0.2 * static_cast<double>(i / 4) + random(0., 0.005);
    for (double& v : b.velocity) v = random(-1., 1.);
    for (double& w : b.spin) w = random(-5., 5.);
    m.mass += b.mass;
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_surface(random, m);
  return m;
}

/// A box that falls from rest on one of its edges, or is thrown.
[[nodiscard]] inline RandomMotion box(std::uint64_t seed, bool thrown) {
  using namespace motion;
  Random random(seed);
  RandomMotion m;
  SpatialMover b;
  b.name = "box";
  const World3 size{random(0.1, 0.3), random(0.1, 0.3), random(0.1, 0.3)};
  b.solid = shapes::space::Box{.size = size};
  const double azimuth = random(0., 2. * std::numbers::pi);
  const double tip = random(0.05, 1.2);
  const double ca = std::cos(azimuth);
  const double sa = std::sin(azimuth);
  const double ct = std::cos(tip);
  const double st = std::sin(tip);
  b.orientation = {{{ca * ct, -sa, ca * st}, {sa * ct, ca, sa * st}, {-st, 0., ct}}};
  b.position = {0., 0., thrown ? 0.5 : 0.5 * (size[0] * st + size[2] * ct)};
  for (double& v : b.velocity) v = thrown ? random(-1., 1.) : 0.;
  for (double& w : b.spin) w = thrown ? random(-8., 8.) : 0.;
  m.mass = b.mass;
  auto model =
      std::make_unique<SpatialModel>(SpatialScene{.bodies = {b}, .ground = {plane("floor")}});
  m.start = model->start();
  m.model = std::move(model);
  choose_surface(random, m);
  return m;
}

/// A polygon about its mass centre.
[[nodiscard]] inline shapes::plane::Shape any_polygon(Random& random, int count, double size) {
  using namespace shapes::plane;
  std::vector<Point> corners;
  for (int k = 0; k < count; ++k) {
    const double angle = 2. * std::numbers::pi * (k + random(-0.2, 0.2)) / count;
    corners.push_back({size * std::cos(angle), size * std::sin(angle)});
  }
  const Shape made = polygon(corners);
  return moved(made, -uniform(made).centroid);
}

/// A convex shape of the plane about its mass centre: a box, a polygon of 3 to 5 corners, a disc, a
/// capsule or an ellipse; boxes may have round corners.
[[nodiscard]] inline shapes::plane::Shape any_shape(Random& random) {
  using namespace shapes::plane;
  const double size = random(0.05, 0.1);
  const double kind = random(0., 6.);
  if (kind < 1.) return shapes::plane::box(2. * size, random(0.06, 0.16));
  if (kind < 2.) return shapes::plane::box(2. * size, random(0.06, 0.16), 0.01);
  if (kind < 3.) return disc(size);
  if (kind < 4.) return capsule(size, 0.04);
  if (kind < 5.) return ellipse({size, 0.5 * size});
  const int count = 3 + static_cast<int>(random(0., 3.));
  return any_polygon(random, count, size);
}

/// Bodies of all shapes thrown between two walls, or into a wedge.
/// @param boxes  whether all of them are boxes
[[nodiscard]] inline RandomMotion thrown_shapes(std::uint64_t seed, std::size_t count, bool boxes) {
  Random random(seed + (boxes ? 1000 : 2000));
  RandomMotion m;
  PlanarScene scene;
  const auto size = static_cast<Eigen::Index>(3 * count);
  m.start.q.setZero(size);
  m.start.u.setZero(size);
  for (std::size_t i = 0; i < count; ++i) {
    PlanarBody b;
    b.name = "b" + std::to_string(i);
    b.mass = random(0.2, 1.);
    b.shape = boxes ? shapes::plane::box(random(0.1, 0.2), random(0.06, 0.16)) : any_shape(random);
    b.inertia = b.mass * shapes::plane::uniform(b.shape).squared_gyration;
    m.mass += b.mass;
    scene.bodies.push_back(std::move(b));
    const auto at = static_cast<Eigen::Index>(3 * i);
    m.start.q.segment<3>(at) << (i % 2 == 0 ? -0.15 : 0.15) + random(-0.02, 0.02),
        0.25 + 0.25 * static_cast<double>(i / 2) + random(0., 0.02), random(0., 6.);
    m.start.u.segment<3>(at) << random(-1., 1.), random(-1., 1.), random(-5., 5.);
  }
  constexpr double half = 0.35;
  constexpr double right_angle = std::numbers::pi / 2.;
  if (random(0., 3.) < 1.) {
    scene.ground = {line("left", {}, -0.5), line("right", {}, 0.5)};
  } else {
    scene.ground = {line("floor"), line("left", {-half, 0.}, -right_angle),
                    line("right", {half, 0.}, right_angle)};
  }
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_surface(random, m);
  return m;
}

/// Discs and polygons thrown into a wedge of any angles.
[[nodiscard]] inline RandomMotion thrown_into_a_wedge(std::uint64_t seed, std::size_t count) {
  Random random(seed + 50000);
  RandomMotion m;
  PlanarScene scene;
  const auto size = static_cast<Eigen::Index>(3 * count);
  m.start.q.setZero(size);
  m.start.u.setZero(size);
  for (std::size_t i = 0; i < count; ++i) {
    PlanarBody b;
    b.name = "b" + std::to_string(i);
    b.mass = random(0.2, 1.);
    if (random(0., 3.) < 1.5) {
      b.shape = shapes::plane::disc(random(0.05, 0.1));
    } else {
      const int corners = 3 + static_cast<int>(random(0., 4.));
      b.shape = any_polygon(random, corners, random(0.06, 0.1));
    }
    b.inertia = b.mass * shapes::plane::uniform(b.shape).squared_gyration;
    m.mass += b.mass;
    scene.bodies.push_back(std::move(b));
    const auto at = static_cast<Eigen::Index>(3 * i);
    m.start.q.segment<3>(at) << (i % 2 == 0 ? -0.13 : 0.13) + random(-0.02, 0.02),
        0.3 + 0.25 * static_cast<double>(i / 2) + random(0., 0.02), random(0., 6.);
    m.start.u.segment<3>(at) << random(-1., 1.), random(-1., 1.), random(-5., 5.);
  }
  const double left = random(0.3, 0.8);
  scene.ground = {line("left", {}, -left), line("right", {}, random(0.3, 0.8))};
  m.model = std::make_unique<PlanarModel>(std::move(scene));
  choose_surface(random, m);
  return m;
}

/// Any attitude, and velocities and spins up to so much [m/s, rad/s].
inline void throw_it(Random& random, SpatialMover& b, double speed, double spin) {
  std::array<double, 4> turn{};
  double square = 0.;
  for (double& x : turn) {
    x = random(-1., 1.);
    square += x * x;
  }
  for (double& x : turn) x /= std::sqrt(square);
  b.orientation = rotation(turn, "turn");
  for (double& v : b.velocity) v = random(-speed, speed);
  for (double& w : b.spin) w = random(-spin, spin);
}

/// Boxes, cylinders, capsules and spheres thrown into a box without a lid.
[[nodiscard]] inline RandomMotion thrown_solids(std::uint64_t seed, std::size_t count, bool boxes) {
  Random random(seed + (boxes ? 3000 : 4000));
  RandomMotion m;
  constexpr double half = 0.3;
  SpatialScene scene;
  scene.ground = {plane("floor"), plane("x-", {1., 0., 0.}, {-half, 0., 0.}),
                  plane("x+", {-1., 0., 0.}, {half, 0., 0.}),
                  plane("y-", {0., 1., 0.}, {0., -half, 0.}),
                  plane("y+", {0., -1., 0.}, {0., half, 0.})};
  for (std::size_t i = 0; i < count; ++i) {
    using namespace shapes::space;
    SpatialMover b;
    b.name = "s" + std::to_string(i);
    const double kind = boxes ? 0. : random(0., 4.);
    if (kind < 1.) {
      b.solid = Box{.size = {random(0.08, 0.2), random(0.08, 0.2), random(0.08, 0.2)}};
    } else if (kind < 2.) {
      b.solid = Cylinder{.radius = random(0.04, 0.08), .length = random(0.08, 0.16)};
    } else if (kind < 3.) {
      b.solid = Capsule{.radius = random(0.03, 0.06), .length = random(0.05, 0.12)};
    } else {
      b.solid = Sphere{random(0.04, 0.09)};
    }
    b.mass = random(0.2, 1.);
    const auto side = [](bool high) { return high ? 0.13 : -0.13; };
    b.position = {side(i % 2 == 1), side(i / 2 % 2 == 1), 0.25 + 0.28 * static_cast<double>(i / 4)};
    throw_it(random, b, 1., 5.);
    m.mass += b.mass;
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_surface(random, m);
  return m;
}

/// Cylinders thrown into a box without a lid, where they land flat and do not bounce.
[[nodiscard]] inline RandomMotion thrown_cylinders(std::uint64_t seed, std::size_t count) {
  Random random(seed + 900000);
  RandomMotion m;
  constexpr double half = 0.3;
  SpatialScene scene;
  scene.ground = {plane("floor"), plane("x-", {1., 0., 0.}, {-half, 0., 0.}),
                  plane("x+", {-1., 0., 0.}, {half, 0., 0.}),
                  plane("y-", {0., 1., 0.}, {0., -half, 0.}),
                  plane("y+", {0., -1., 0.}, {0., half, 0.})};
  for (std::size_t i = 0; i < count; ++i) {
    SpatialMover b;
    b.name = "s" + std::to_string(i);
    (void)random(0., 1.);
    const double radius = random(0.04, 0.08);
    b.solid = shapes::space::Cylinder{.radius = radius, .length = random(0.08, 0.16)};
    b.mass = random(0.2, 1.);
    const auto side = [](bool high) { return high ? 0.13 : -0.13; };
    b.position = {side(i % 2 == 1), side(i / 2 % 2 == 1), 0.25 + 0.28 * static_cast<double>(i / 4)};
    throw_it(random, b, 1., 5.);
    m.mass += b.mass;
    scene.bodies.push_back(b);
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_surface(random, m);
  m.surfaces[0].restitution = 0.;
  return m;
}

/// A solid of any kind: a sphere, a box, a cylinder, a capsule or a polyhedron.
[[nodiscard]] inline shapes::space::Solid any_solid(Random& random) {
  using namespace shapes::space;
  const double kind = random(0., 5.);
  if (kind < 1.) return Sphere{random(0.04, 0.09)};
  if (kind < 2.) return Box{.size = {random(0.06, 0.18), random(0.06, 0.18), random(0.06, 0.18)}};
  if (kind < 3.) return Cylinder{.radius = random(0.03, 0.07), .length = random(0.06, 0.15)};
  if (kind < 4.) return Capsule{.radius = random(0.02, 0.06), .length = random(0.05, 0.12)};
  Polyhedron p;
  const int corners = 5 + static_cast<int>(random(0., 5.));
  const double size = random(0.05, 0.1);
  for (int k = 0; k < corners; ++k) {
    World3 x{};
    double square = 0.;
    for (double& y : x) {
      y = random(-1., 1.);
      square += y * y;
    }
    for (double& y : x) y *= size * random(0.8, 1.) / std::sqrt(square);
    p.vertices.push_back(x);
  }
  return p;
}

/// One body of any shape, spinning fast, thrown at a slope or into a corner, for two seconds.
[[nodiscard]] inline RandomMotion thrown_body(std::uint64_t seed, bool in_space) {
  Random random(seed + 143000);
  RandomMotion m;
  const double slope = random(0., 1.) < 0.5 ? 0. : random(-0.4, 0.4);
  if (in_space) {
    SpatialScene scene;
    SpatialMover b;
    b.name = "b";
    b.solid = any_solid(random);
    b.mass = random(0.1, 2.);
    m.mass = b.mass;
    scene.ground = {plane("floor", {std::sin(slope), 0., std::cos(slope)})};
    if (random(0., 1.) < 0.5) {
      scene.ground.push_back(plane("wall", {-1., 0., random(0., 0.3)}, {0.4, 0., 0.}));
    }
    b.position = {0., 0., 0.3};
    throw_it(random, b, 1.5, 15.);
    scene.bodies = {b};
    auto model = std::make_unique<SpatialModel>(std::move(scene));
    m.start = model->start();
    m.model = std::move(model);
  } else {
    PlanarScene scene;
    PlanarBody b;
    b.name = "b";
    b.shape = any_shape(random);
    b.mass = random(0.1, 2.);
    b.inertia = b.mass * shapes::plane::uniform(b.shape).squared_gyration;
    m.mass = b.mass;
    scene.bodies = {b};
    scene.ground = {line("floor", {}, slope)};
    if (random(0., 1.) < 0.5) {
      scene.ground.push_back(line("wall", {0.3, 0.}, 1.57 - random(0., 0.5)));
    }
    m.start =
        state({0., 0.35, random(0., 6.28)}, {random(-2., 2.), random(-1., 1.), random(-15., 15.)});
    m.model = std::make_unique<PlanarModel>(std::move(scene));
  }
  choose_surface(random, m);
  m.options.end_time = 2.;
  return m;
}

/// A capsule, or a solid of any kind, that falls on a fixed cylinder, disc or cone over a floor:
/// edges pass over rims, round sides and apexes while something else of the pair touches.
[[nodiscard]] inline RandomMotion thrown_on_post(std::uint64_t seed) {
  using namespace shapes::space;
  Random random(seed + 700000);
  RandomMotion m;
  SpatialScene scene;
  SpatialGround post;
  post.name = "post";
  const double kind = random(0., 4.);
  const double radius = random(0.06, 0.12);
  const double length = random(0.08, 0.16);
  if (kind < 1.) post.solid = Cylinder{.radius = radius, .length = length};
  if (kind >= 1.) post.solid = Cylinder{.radius = radius, .length = length, .rounding = 0.01};
  if (kind >= 2.) post.solid = Cone{.radius = radius, .height = length};
  if (kind >= 3.) post.solid = Disc{radius};
  const double pi = std::numbers::pi;
  const double tilt = random(0., 1.) < 0.4 ? 0. : random(0., 1.) < 0.3 ? 0.5 * pi : random(0., pi);
  const double c = std::cos(tilt);
  const double s = std::sin(tilt);
  post.orientation = {{{1., 0., 0.}, {0., c, -s}, {0., s, c}}};
  post.position = {0., 0., 0.12};
  scene.ground = {plane("floor"), post};
  SpatialMover b;
  b.name = "b";
  b.solid = any_solid(random);
  if (random(0., 1.) < 0.7) {
    b.solid = Capsule{.radius = random(0.03, 0.06), .length = random(0.05, 0.12)};
  }
  b.mass = random(0.2, 1.);
  m.mass = b.mass;
  b.position = {random(-0.05, 0.05), random(-0.05, 0.05), 0.4};
  throw_it(random, b, 0.3, random(0., 1.) < 0.5 ? 1. : 5.);
  scene.bodies = {b};
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  m.start = model->start();
  m.model = std::move(model);
  choose_surface(random, m);
  m.options.end_time = 1.;
  return m;
}

/// How far the samples of a run, and both sides of its events, are from what every state satisfies.
/// Forces are relative to the weight, or to the largest force of the state if that is larger.
class Judge : public motion::Recorder {
 public:
  explicit Judge(const RandomMotion& m)
      : m_(m),
        weight_(9.81 * m.mass),
        noise_(m.options.tolerance * std::sqrt(9.81 * m.model->length_scale())) {}
  void event(const motion::Event&) override {}
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const motion::Sample& s, motion::Side) override { sample(s); }
  void sample(const motion::Sample& s) override {
    using motion::Touch;
    const std::size_t c = m_.model->components();
    back_in_time = std::max(back_in_time, last_time_ - s.state.time);
    last_time_ = s.state.time;
    m_.model->near_pairs(s.state, 0., pairs_);
    for (const BodyPair& pair : pairs_) {
      overlap = std::max(overlap, -m_.model->distance(pair, s.state) / m_.model->length_scale());
    }
    unit_ = weight_;
    for (const double F : s.force) unit_ = std::max(unit_, std::abs(F));
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      overlap = std::max(overlap, -s.gap[i] / m_.model->length_scale());
      const double* F = &s.force[i * c];
      const double* v = &s.velocity[i * c];
      const auto size = [&](const double* x) {
        return c == 3 ? std::hypot(x[1], x[2]) : std::abs(x[1]);
      };
      tension = std::max(tension, -F[0] / unit_);
      const bool open = s.contacts[i].touch == Touch::open;
      if (open) force_at_a_gap = std::max(force_at_a_gap, (std::abs(F[0]) + size(F)) / unit_);
      const Surface& surface = m_.surfaces[0];
      const bool slips = s.contacts[i].touch == Touch::slip;
      const double mu = slips ? surface.friction : surface.static_friction;
      beyond_cone = std::max(beyond_cone, (size(F) - mu * F[0]) / unit_);
      if (!open && !s.couple.empty()) judge_couples(s, i);
      // Slower slip has a direction that errors determine. A normal force of the wrong sign counts
      // as tension.
      if (!slips || size(v) < 10. * noise_ || size(F) < 1e-9 * unit_ || F[0] < 0.) continue;
      const double power = F[1] * v[1] + (c == 3 ? F[2] * v[2] : 0.);
      const double across = c == 3 ? F[1] * v[2] - F[2] * v[1] : 0.;
      const double angle = std::atan2(std::abs(across), -power);
      off_slip = std::max(off_slip, angle / std::max(1e-6, 10. * noise_ / size(v)));
    }
  }
  double overlap = 0.;
  double tension = 0.;
  double force_at_a_gap = 0.;
  double beyond_cone = 0.;
  /// The angle between friction and minus slip, relative to the greater one of 1e-6 rad and ten
  /// times the tolerance of velocities over slip.
  double off_slip = 0.;
  /// Rolling and drilling couples beyond their bounds or, where the contact turns, off them,
  /// relative to the unit of forces times the reference length; and the angle as that of slip.
  double beyond_bound = 0.;
  double off_spin = 0.;
  double back_in_time = 0.;  ///< from one sample or side to the next [s]

 private:
  void judge_couples(const motion::Sample& s, std::size_t i) {
    const bool in_space = m_.model->components() == 3;
    const double l = m_.model->length_scale();
    const Surface& surface = m_.surfaces[0];
    const auto judge = [&](std::size_t first, std::size_t count, double length) {
      const double* const M = &s.couple[3 * i + first];
      const double* const w = &s.spin[3 * i + first];
      const auto size = [count](const double* x) {
        return count == 2 ? std::hypot(x[0], x[1]) : std::abs(x[0]);
      };
      const double F_n = s.force[i * m_.model->components()];
      if (F_n < 0.) return;  // counts as tension
      const double off = size(M) - length * F_n;
      const bool turns = size(w) * l > 10. * noise_;
      beyond_bound = std::max(beyond_bound, (turns ? std::abs(off) : off) / (unit_ * l));
      if (!turns || size(M) < 1e-9 * unit_ * l) return;
      const double power = M[0] * w[0] + (count == 2 ? M[1] * w[1] : 0.);
      const double across = count == 2 ? M[0] * w[1] - M[1] * w[0] : 0.;
      const double angle = std::atan2(std::abs(across), -power);
      off_spin = std::max(off_spin, angle / std::max(1e-6, 10. * noise_ / (size(w) * l)));
    };
    if (!in_space) return judge(0, 1, surface.rolling_friction());
    judge(0, 1, surface.drilling_friction());
    judge(1, 2, surface.rolling_friction());
  }

  const RandomMotion& m_;
  double last_time_ = 0.;
  double weight_;
  double unit_ = 0.;  ///< of forces [N]
  double noise_;      ///< tolerance of velocities [m/s]
  std::vector<BodyPair> pairs_;
};

}  // namespace carom::test
