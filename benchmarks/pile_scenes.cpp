// SPDX-License-Identifier: Apache-2.0
#include "pile_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>

namespace carom::benchmarks {
namespace {

/// Bodies are moved by up to this at random, relative to the radius, and boxes turned [rad].
constexpr double jitter = 0.01;
constexpr double turned = 0.05;
/// Least distance of neighbours in a row, and what rows are farther apart than where they would
/// touch, relative to the radius: so that nothing overlaps.
constexpr double beside = 2.1;
constexpr double beside_boxes = 2.16;
constexpr double above = 0.06;

/// A box about as wide as its pile is high.
double width_of(Kind kind, std::size_t n) {
  const double across =
      kind == Kind::spheres ? std::cbrt(static_cast<double>(n)) : std::sqrt(static_cast<double>(n));
  return beside * pile_radius * across;
}

/// About an axis through the centre [kg m^2].
double inertia_of(Kind kind) {
  // 1/2, (2 r)^2/6 and 2/5 of m r^2.
  const double part = kind == Kind::discs ? 1. / 2. : kind == Kind::boxes ? 2. / 3. : 2. / 5.;
  return part * pile_mass * pile_radius * pile_radius;
}

Drag drag_of(Kind kind, double braking) {
  return {.linear = braking * pile_mass, .spin_linear = braking * inertia_of(kind)};
}

PlanarScene plane_scene(const Pile& pile, double braking) {
  const double quarter = 0.5 * std::acos(-1.);
  PlanarScene scene;
  scene.ground = {{.name = "floor", .shape = shapes::plane::half_plane()},
                  {.name = "left",
                   .shape = shapes::plane::half_plane(),
                   .pose = {.position = {0., 0.}, .angle = -quarter}},
                  {.name = "right",
                   .shape = shapes::plane::half_plane(),
                   .pose = {.position = {pile.width, 0.}, .angle = quarter}}};
  const double r = pile_radius;
  const bool discs = pile.kind == Kind::discs;
  const double inertia = inertia_of(pile.kind);
  for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
    scene.bodies.push_back(
        {.name = "b" + std::to_string(i),
         .mass = pile_mass,
         .inertia = inertia,
         .shape = discs ? shapes::plane::disc(r) : shapes::plane::box(2. * r, 2. * r),
         .drag = drag_of(pile.kind, braking)});
  }
  return scene;
}

SpatialScene space_scene(const Pile& pile, double braking) {
  SpatialScene scene;
  scene.ground = {{.name = "floor"},
                  {.name = "left", .solid = shapes::space::HalfSpace{{1., 0., 0.}}},
                  {.name = "right",
                   .solid = shapes::space::HalfSpace{{-1., 0., 0.}},
                   .position = {pile.width, 0., 0.}},
                  {.name = "front", .solid = shapes::space::HalfSpace{{0., 1., 0.}}},
                  {.name = "back",
                   .solid = shapes::space::HalfSpace{{0., -1., 0.}},
                   .position = {0., pile.width, 0.}}};
  for (std::size_t i = 0; i < pile.bodies.size(); ++i) {
    scene.bodies.push_back({.name = "b" + std::to_string(i),
                            .mass = pile_mass,
                            .solid = shapes::space::Sphere{pile_radius},
                            .drag = drag_of(pile.kind, braking)});
  }
  return scene;
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::discs:
      return "discs";
    case Kind::boxes:
      return "boxes";
    case Kind::spheres:
      return "spheres";
  }
  return "";
}

Pile packed(Kind kind, std::size_t n) {
  Pile pile{.kind = kind, .width = width_of(kind, n)};
  const double r = pile_radius;
  double spacing = (kind == Kind::boxes ? beside_boxes : beside) * r;
  const double room = pile.width - spacing;  // of centres
  const auto across = static_cast<std::size_t>(room / spacing) + 1;
  // Every other row is shifted, by half a spacing if there is room.
  double shift = room - spacing * static_cast<double>(across - 1);
  if (shift > 0.5 * spacing) {
    spacing = room / (static_cast<double>(across) - 0.5);
    shift = 0.5 * spacing;
  }
  const double aside = kind == Kind::spheres ? 2. * shift * shift : shift * shift;
  const double height =
      kind == Kind::boxes ? beside_boxes * r : above * r + std::sqrt(4. * r * r - aside);
  std::minstd_rand random(1);  // NOLINT: the same in every run
  const auto uniform = [&] {
    return 2. * static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max()) - 1.;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = i / across / (kind == Kind::spheres ? across : 1);
    const double first = 0.5 * (pile.width - room) + (row % 2 == 1 ? shift : 0.);
    const auto at = [&](std::size_t k) {
      return first + spacing * static_cast<double>(k) + jitter * r * uniform();
    };
    const double up = 0.5 * beside_boxes * r + height * static_cast<double>(row);
    Placed p;
    if (kind == Kind::spheres) {
      p.position = {at(i % across), at(i / across % across), up + jitter * r * uniform()};
    } else {
      p.position = {at(i % across), up + jitter * r * uniform(), 0.};
    }
    if (kind == Kind::boxes) p.angle = turned * uniform();
    pile.bodies.push_back(p);
  }
  return pile;
}

std::unique_ptr<Model> model_of(const Pile& pile, double braking) {
  if (pile.kind == Kind::spheres) {
    return std::make_unique<SpatialModel>(space_scene(pile, braking));
  }
  return std::make_unique<PlanarModel>(plane_scene(pile, braking));
}

State state_of(Kind kind, const std::vector<Placed>& bodies) {
  State s;
  const bool space = kind == Kind::spheres;
  const Eigen::Index positions = space ? 7 : 3;
  const Eigen::Index velocities = space ? 6 : 3;
  s.q.resize(positions * ix(bodies.size()));
  s.u.resize(velocities * ix(bodies.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Placed& p = bodies[i];
    const auto& [x, y, z] = p.position;
    const auto& [vx, vy, vz] = p.velocity;
    if (space) {
      s.q.segment(positions * ix(i), positions) << x, y, z, p.orientation[0], p.orientation[1],
          p.orientation[2], p.orientation[3];
      s.u.segment(velocities * ix(i), velocities) << vx, vy, vz, p.spin[0], p.spin[1], p.spin[2];
    } else {
      s.q.segment(positions * ix(i), positions) << x, y, p.angle;
      s.u.segment(velocities * ix(i), velocities) << vx, vy, p.spin[2];
    }
  }
  return s;
}

void read_state(Kind kind, const State& s, std::vector<Placed>& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Placed& p = bodies[i];
    if (kind == Kind::spheres) {
      const auto q = s.q.segment<7>(7 * ix(i));
      const auto u = s.u.segment<6>(6 * ix(i));
      p.position = {q(0), q(1), q(2)};
      p.orientation = {q(3), q(4), q(5), q(6)};
      p.velocity = {u(0), u(1), u(2)};
      p.spin = {u(3), u(4), u(5)};
    } else {
      const auto q = s.q.segment<3>(3 * ix(i));
      const auto u = s.u.segment<3>(3 * ix(i));
      p.position = {q(0), q(1), 0.};
      p.angle = q(2);
      p.velocity = {u(0), u(1), 0.};
      p.spin = {0., 0., u(2)};
    }
  }
}

double kinetic_energy(Kind kind, const std::vector<Placed>& bodies) {
  double twice = 0.;
  for (const Placed& p : bodies) {
    for (const double v : p.velocity) twice += pile_mass * v * v;
    for (const double w : p.spin) twice += inertia_of(kind) * w * w;
  }
  return 0.5 * twice;
}

double energy_of(Kind kind, const std::vector<Placed>& bodies) {
  double energy = kinetic_energy(kind, bodies);
  for (const Placed& p : bodies) {
    energy += pile_mass * gravity * p.position[kind == Kind::spheres ? 2 : 1];
  }
  return energy;
}

double overlap_of(const Model& model, const State& state) {
  std::vector<BodyPair> pairs;
  std::vector<NearContact> near;
  model.near_pairs(state, 0., pairs);
  double deepest = 0.;
  for (const BodyPair& pair : pairs) {
    const double distance = model.distance(pair, state);
    if (std::isfinite(distance)) {
      deepest = std::max(deepest, -distance);
      continue;
    }
    model.near_contacts(pair, state, 0., near);
    for (const NearContact& c : near) deepest = std::max(deepest, -c.gap);
  }
  return deepest / pile_radius;
}

double unrest(const Pile& pile) {
  return kinetic_energy(pile.kind, pile.bodies) /
         (static_cast<double>(pile.bodies.size()) * pile_mass * gravity * pile_radius);
}

}  // namespace carom::benchmarks
