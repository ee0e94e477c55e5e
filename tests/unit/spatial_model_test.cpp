// SPDX-License-Identifier: Apache-2.0
// Bodies in space as a model: contacts against differences, against all features, and against
// formulas for known contacts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/mechanics/spatial_turning.hpp>

namespace carom {
namespace {

namespace space = shapes::space;
using space::PairKind;

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Random {
  std::mt19937_64 engine;

  explicit Random(std::uint64_t seed) : engine(seed) {}
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  World3 vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  Mat3 rotation() {
    const auto R = space::rotation_of({in(-1., 1.), in(-1., 1.), in(-1., 1.), in(0.1, 1.)});
    Mat3 m{};
    for (std::size_t k = 0; k < 3; ++k) {
      m[0][k] = R.axes[k].x;
      m[1][k] = R.axes[k].y;
      m[2][k] = R.axes[k].z;
    }
    return m;
  }
};

/// Every kind of solid, with and without rounding.
std::vector<space::Solid> all_solids() {
  return {
      space::Sphere{.radius = 0.4},
      space::Capsule{.radius = 0.2, .length = 0.7},
      space::Box{.size = {0.7, 0.5, 0.9}},
      space::Box{.size = {0.7, 0.5, 0.9}, .rounding = 0.1},
      space::Cylinder{.radius = 0.4, .length = 0.6},
      space::Cylinder{.radius = 0.4, .length = 0.6, .rounding = 0.1},
      space::Disc{.radius = 0.5},
      space::Rod{.length = 1.1},
      space::Cone{.radius = 0.4, .height = 0.8},
      space::Polyhedron{
          .vertices = {{0.5, 0., -0.2}, {-0.3, 0.4, -0.3}, {-0.3, -0.5, -0.2}, {0.1, 0.1, 0.6}}}};
}

bool is_rod(const space::Solid& s) { return std::holds_alternative<space::Rod>(s); }

SpatialMover random_mover(Random& random, const space::Solid& solid) {
  SpatialMover m;
  m.mass = random.in(0.5, 2.);
  m.solid = solid;
  if (!is_rod(solid)) {
    m.offset = random.vector(0.1);
    m.inertia = Mat3{{{0.2, 0.01, 0.}, {0.01, 0.3, 0.02}, {0., 0.02, 0.25}}};
  }
  m.position = random.vector(0.7);
  m.orientation = random.rotation();
  m.velocity = random.vector(2.);
  const World3 w = random.vector(4.);
  m.spin = w;
  if (is_rod(solid)) {
    const World3 axis{m.orientation[0][2], m.orientation[1][2], m.orientation[2][2]};
    m.spin = cross(axis, w);
  }
  return m;
}

/// The state after `dt` at constant u, by turning every body about its spin.
State drifted(const State& s, double dt) {
  State to = s;
  to.time = s.time + dt;
  for (Eigen::Index i = 0; 7 * i < s.q.size(); ++i) {
    to.q.segment<3>(7 * i) += dt * s.u.segment<3>(6 * i);
    const turning::V3 angle = dt * s.u.segment<3>(6 * i + 3);
    to.q.segment<4>(7 * i + 3) =
        turning::product(turning::exponential(angle), turning::Q4(s.q.segment<4>(7 * i + 3)));
  }
  return to;
}

std::vector<BodyPair> every_pair(const SpatialModel& model) {
  std::vector<BodyPair> pairs;
  model.near_pairs({}, infinite, pairs);
  return pairs;
}

/// W^T u from the rows of the ranges.
Eigen::Vector3d product(const ContactMotion& m, const Vector& u) {
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  Eigen::Index row = 0;
  for (const VelocityRange& r : m.ranges) {
    for (std::size_t k = 0; k < r.size; ++k) v += m.W.row(row++).transpose() * u(ix(r.begin + k));
  }
  EXPECT_EQ(row, m.W.rows());
  return v;
}

/// Calls with the contacts of random pairs of all solids, on bodies and on moving ground.
void over_random_lists(
    const std::function<void(const SpatialModel&, const std::vector<NearContact>&, const State&)>&
        check) {
  Random random(7);
  const auto solids = all_solids();
  constexpr std::size_t rounds = 4;
  for (std::size_t i = 0; i < rounds * solids.size(); ++i) {
    const auto& one = solids[i % solids.size()];
    for (std::size_t k = 0; k <= 2 * solids.size(); ++k) {
      SpatialScene scene;
      scene.bodies = {random_mover(random, one)};
      if (k < solids.size()) {
        scene.bodies.push_back(random_mover(random, solids[k]));
      } else {
        SpatialGround piece;
        if (k < 2 * solids.size()) piece.solid = solids[k - solids.size()];
        piece.position = k < 2 * solids.size() ? random.vector(0.5) : World3{0., 0., -1.};
        piece.orientation = random.rotation();
        piece.motion.velocity = random.vector(1.);
        piece.motion.amplitude = random.vector(0.1);
        piece.motion.frequency = 1.5;
        piece.belt_velocity = random.vector(1.);
        scene.ground = {piece};
      }
      const SpatialModel model(scene);
      State s = model.start();
      s.time = 0.3;
      std::vector<NearContact> near;
      model.near_contacts({.first = 0, .second = 1}, s, 0.4, near);
      check(model, near, s);
    }
  }
}

void over_random_contacts(
    const std::function<void(const SpatialModel&, const NearContact&, const State&)>& check) {
  over_random_lists(
      [&](const SpatialModel& model, const std::vector<NearContact>& near, const State& s) {
        for (const NearContact& c : near) check(model, c, s);
      });
}

TEST(SpatialModel, VelocitiesAndBiasesAreThoseOfDifferences) {
  std::size_t checked = 0;
  std::set<PairKind> kinds;
  over_random_contacts([&](const SpatialModel& model, const NearContact& c, const State& s) {
    if (!c.in_range) return;
    const PairKind kind = SpatialModel::unpacked(c.id.features).kind;
    ContactMotion here, before, after, half_before, half_after;
    model.contact(c.id, s, here);
    EXPECT_NEAR(here.gap, c.gap, 1e-13);
    EXPECT_NEAR(model.gap(c.id, s), c.gap, 1e-13);
    // Second differences of h and h/2: the error is of fourth order.
    constexpr double h = 2e-4;
    model.contact(c.id, drifted(s, -h), before);
    model.contact(c.id, drifted(s, h), after);
    model.contact(c.id, drifted(s, -0.5 * h), half_before);
    model.contact(c.id, drifted(s, 0.5 * h), half_after);
    const auto rate = [&](const auto& of) {
      return (4. * (of(half_after) - of(half_before)) / h - (of(after) - of(before)) / (2. * h)) /
             3.;
    };
    const double curved = std::abs(rate([](const ContactMotion& m) { return m.velocity(0); }));
    if (!(curved < 1e3)) return;  // edges that are almost parallel
    const double slope = rate([](const ContactMotion& m) { return m.gap; });
    EXPECT_NEAR(here.velocity(0), slope, 1e-6) << model.contact_name(c.id);
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double expected = rate([&](const ContactMotion& m) { return m.velocity(k); });
      EXPECT_NEAR(here.bias(k), expected, 1e-6 * (1. + std::abs(expected)))
          << model.contact_name(c.id) << " " << k;
    }
    // The velocity is W^T u less that of the support, which does not depend on u.
    const Eigen::Vector3d support = product(here, s.u) - here.velocity;
    State other = s;
    for (Eigen::Index i = 0; i < other.u.size(); ++i) other.u(i) += 0.1 * static_cast<double>(i);
    ContactMotion moved;
    model.contact(c.id, other, moved);
    EXPECT_NEAR((product(moved, other.u) - moved.velocity - support).norm(), 0., 1e-12);
    EXPECT_NEAR((moved.W - here.W).norm(), 0., 1e-14);
    const bool on_ground = here.ranges[1].size == 0;
    if (!on_ground) {
      EXPECT_NEAR(support.norm(), 0., 1e-13);
    }
    kinds.insert(kind);
    ++checked;
  });
  EXPECT_GT(checked, 1000u);
  EXPECT_EQ(kinds.size(), 9u);  // all but flat_edges
}

TEST(SpatialModel, RelativeSpinIsThatOfTheFrame) {
  std::size_t checked = 0;
  over_random_contacts([&](const SpatialModel& model, const NearContact& c, const State& s) {
    if (!c.in_range) return;
    ContactMotion at, spin, before, after;
    model.contact(c.id, s, at);
    model.relative_spin(c.id, s, spin);
    EXPECT_EQ(spin.ranges, at.ranges);
    const Eigen::Vector3d w1 = s.u.segment<3>(3);
    Eigen::Vector3d w = w1;
    if (at.ranges[1].size > 0) w -= s.u.segment<3>(9);
    for (Eigen::Index k = 0; k < 3; ++k) {
      EXPECT_NEAR(spin.velocity(k), at.W.col(k).head<3>().dot(w), 1e-13);
    }
    EXPECT_NEAR((product(spin, s.u) - spin.velocity).norm(), 0., 1e-13);
    constexpr double h = 1e-5;
    model.relative_spin(c.id, drifted(s, -h), before);
    model.relative_spin(c.id, drifted(s, h), after);
    const Eigen::Vector3d rate = (after.velocity - before.velocity) / (2. * h);
    if (!(rate.norm() < 1e3)) return;
    EXPECT_NEAR((rate - spin.bias).norm(), 0., 1e-3 * (1. + rate.norm()))
        << model.contact_name(c.id);
    ++checked;
  });
  EXPECT_GT(checked, 1000u);
}

TEST(SpatialModel, TheAccelerationOfTheGroundCounts) {
  SpatialGround table{.name = "table", .solid = space::Box{.size = {4., 4., 1.}}};
  table.position = {0., 0., -0.5};
  table.motion = {.amplitude = {0.01, 0., 0.05}, .frequency = 3.};
  table.belt_velocity = {0., 0.7, 0.3};
  const SpatialModel model(
      {.bodies = {{.solid = space::Sphere{.radius = 0.2}}}, .ground = {table}});
  State s = model.start();
  s.time = 0.02;
  s.q(2) = 0.25;
  std::vector<NearContact> near;
  model.near_contacts({.first = 0, .second = 1}, s, 0.2, near);
  const double w = 6. * std::numbers::pi, phase = w * s.time;
  for (const NearContact& c : near) {
    if (!c.in_range || SpatialModel::unpacked(c.id.features).kind != PairKind::vertex_face)
      continue;
    ContactMotion m;
    model.contact(c.id, s, m);
    EXPECT_NEAR(m.gap, 0.05 - 0.05 * std::sin(phase), 1e-14);
    EXPECT_NEAR(m.velocity(0), -0.05 * w * std::cos(phase), 1e-13);
    EXPECT_NEAR(m.bias(0), 0.05 * w * w * std::sin(phase), 1e-12);
    // The belt runs along y: its part along the normal does not count.
    const Eigen::Vector3d slip =
        m.velocity(1) * m.W.col(1).head<3>() + m.velocity(2) * m.W.col(2).head<3>();
    EXPECT_NEAR(slip(0), -0.01 * w * std::cos(phase), 1e-13);
    EXPECT_NEAR(slip(1), -0.7, 1e-13);
    return;
  }
  FAIL() << "no contact found";
}

TEST(SpatialModel, DragHasThePowerOfItsForces) {
  Random random(3);
  SpatialMover m = random_mover(random, space::Box{.size = {1., 2., 3.}});
  m.drag = {.linear = 0.3, .quadratic = 0.2, .spin_linear = 0.1, .spin_quadratic = 0.05};
  const SpatialModel with({.bodies = {m}});
  EXPECT_FALSE(with.flies());
  m.drag = {};
  const SpatialModel without({.bodies = {m}});
  const State s = with.start();
  MassMatrix M(with.blocks());
  Vector h(6), h0(6);
  with.dynamics(s, M, h);
  without.dynamics(s, M, h0);
  EXPECT_LT(with.other_power(s).dampers, -0.1);
  EXPECT_NEAR(with.other_power(s).dampers, (h - h0).dot(s.u), 1e-13);
  EXPECT_EQ(with.other_power(s).drives, 0.);
  EXPECT_EQ(without.other_power(s).dampers, 0.);
  const double v = s.u.head<3>().norm();
  EXPECT_NEAR((h - h0).head<3>().norm(), 0.3 * v + 0.2 * v * v, 1e-13);
  m.drag.quadratic = -1.;
  EXPECT_THROW(SpatialModel({.bodies = {m}}), InputError);
}

/// A state with every body moved and turned a little: by at most `way` as `moved` measures it.
State shaken(const SpatialModel& model, const State& s, double way, Random& random) {
  State to = s;
  State still = s;
  for (Eigen::Index i = 0; 7 * i < s.q.size(); ++i) {
    for (Eigen::Index k = 0; k < 3; ++k) {
      still.u(6 * i + k) = random.in(-1., 1.);
      still.u(6 * i + 3 + k) = random.in(-1., 1.);
    }
  }
  double dt = way;
  for (;; dt *= 0.8) {
    to = drifted(still, dt);
    to.time = s.time;
    if (model.moved(s, to) <= way) break;
  }
  to.u = s.u;
  return to;
}

// What touches after a small motion was listed before it.
TEST(SpatialModel, ListsHaveAllThatMayTouchSoon) {
  Random random(11);
  const auto solids = all_solids();
  constexpr double reach = 0.05;
  std::size_t found = 0;
  for (const auto& one : solids) {
    for (const auto& two : solids) {
      SpatialScene scene;
      scene.bodies = {random_mover(random, one), random_mover(random, two)};
      const SpatialModel model(scene);
      State s = model.start();
      const BodyPair pair{.first = 0, .second = 1};
      // Brings them to a distance of about half of the reach along the line of centres.
      const Eigen::Vector3d d = (s.q.segment<3>(7) - s.q.segment<3>(0)).normalized();
      double low = 0., high = 4.;
      const bool centred = model.distance(pair, s) == infinite;
      for (int i = 0; i < 60 && !centred; ++i) {
        const double middle = 0.5 * (low + high);
        s.q.segment<3>(7) = s.q.segment<3>(0) + middle * d;
        (model.distance(pair, s) > 0.5 * reach ? high : low) = middle;
      }
      std::vector<NearContact> list, now;
      model.near_contacts(pair, s, reach, list);
      std::set<ContactId> listed;
      for (const NearContact& c : list) listed.insert(c.id);
      std::vector<BodyPair> pairs;
      model.near_pairs(s, reach, pairs);
      EXPECT_EQ(pairs, std::vector<BodyPair>{pair});
      // Touching after the longest motion, and within half of the reach after half of it.
      for (int trial = 0; trial < 40; ++trial) {
        const bool whole = trial % 2 == 0;
        const State to = shaken(model, s, (whole ? 0.5 : 0.25) * reach, random);
        model.near_contacts(pair, to, whole ? 1e-3 * reach : 0.5 * reach, now);
        for (const NearContact& c : now) {
          if (!c.in_range) continue;
          ++found;
          EXPECT_TRUE(listed.contains(c.id)) << model.contact_name(c.id) << " of "
                                             << space::name(one) << " and " << space::name(two);
        }
      }
    }
  }
  EXPECT_GT(found, 500u);
}

/// Which listed contact touches, if any: with a gap of at most `slack` and in range.
const NearContact* touching(const SpatialModel& model, const std::vector<NearContact>& list,
                            const State& s, double slack) {
  for (const NearContact& c : list) {
    if (model.margin(c.id, s) >= 0. && model.gap(c.id, s) <= slack) return &c;
  }
  return nullptr;
}

/// Whether a crossing may lie beneath a sharp edge and outside of the solid.
bool is_thin(const space::Solid& s) {
  return is_rod(s) || std::holds_alternative<space::Disc>(s) ||
         std::holds_alternative<space::Cone>(s) || std::holds_alternative<space::Polyhedron>(s);
}

/// Follows two bodies, at a distance of half of the reach, on a random short way: no listed contact
/// touches before they do, and one does when they do. Returns whether they did. Of two
/// solids with sharp or no edges a crossing may seem to touch where they do not.
bool expect_touching_with_distance(const SpatialModel& model, const State& s, double reach,
                                   Random& random) {
  const BodyPair pair{.first = 0, .second = 1};
  std::vector<NearContact> list;
  model.near_contacts(pair, s, reach, list);
  const State end = shaken(model, s, 0.5 * reach, random);
  const bool thin =
      is_thin(model.scene().bodies[0].solid) && is_thin(model.scene().bodies[1].solid);
  const auto at = [&](double part) {
    State x = s;
    x.q += part * (end.q - s.q);
    model.normalise(x);
    return x;
  };
  constexpr int steps = 20;
  constexpr double slack = 1e-10;
  for (int i = 0; i <= steps; ++i) {
    double high = static_cast<double>(i) / steps;
    const bool touches = model.distance(pair, at(high)) < -slack;
    if (!touches) {
      if (model.distance(pair, at(high)) < slack) continue;
      if (thin) continue;
      const NearContact* wrong = touching(model, list, at(high), 0.);
      EXPECT_EQ(wrong, nullptr) << model.contact_name(wrong->id) << " has gap "
                                << model.gap(wrong->id, at(high)) << " at a distance of "
                                << model.distance(pair, at(high));
      if (wrong != nullptr) return false;
      continue;
    }
    double low = high - 1. / steps;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (model.distance(pair, at(middle)) < -slack ? high : low) = middle;
    }
    EXPECT_NE(touching(model, list, at(high), 0.), nullptr)
        << space::name(model.scene().bodies[0].solid) << " "
        << space::name(model.scene().bodies[1].solid) << " at " << high;
    return true;
  }
  return false;
}

TEST(SpatialModel, ListedContactsTouchWhereTheBodiesDo) {
  Random random(21);
  const auto solids = all_solids();
  constexpr double reach = 0.05;
  std::size_t touched = 0;
  for (const auto& one : solids) {
    for (const auto& two : solids) {
      for (int round = 0; round < 6; ++round) {
        SpatialScene scene;
        scene.bodies = {random_mover(random, one), random_mover(random, two)};
        if (round >= 3) {  // with edges and faces parallel
          for (auto& m : scene.bodies) {
            m.orientation = identity3;
            m.offset = {};
            m.spin = {};
          }
        }
        const SpatialModel model(scene);
        State s = model.start();
        const BodyPair pair{.first = 0, .second = 1};
        if (model.distance(pair, s) == infinite) continue;
        Eigen::Vector3d d = (s.q.segment<3>(7) - s.q.segment<3>(0)).normalized();
        if (round == 4) d = {0., 0., 1.};
        if (round == 5) d = {1., 0., 0.};
        double low = 0., high = 4.;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (low + high);
          s.q.segment<3>(7) = s.q.segment<3>(0) + middle * d;
          (model.distance(pair, s) > 0.2 * reach ? high : low) = middle;
        }
        s.q.segment<3>(7) = s.q.segment<3>(0) + high * d;
        for (int trial = 0; trial < 5; ++trial) {
          if (expect_touching_with_distance(model, s, reach, random)) ++touched;
        }
      }
    }
  }
  EXPECT_GT(touched, 100u);
}

// Where the margin is negative a list of what touches has the contact no more, and in range is what
// has a margin.
TEST(SpatialModel, MarginsAgreeWithLists) {
  std::size_t inside = 0, outside = 0;
  over_random_contacts([&](const SpatialModel& model, const NearContact& c, const State& s) {
    const double margin = model.margin(c.id, s);
    EXPECT_FALSE(c.in_range && margin < 0.) << model.contact_name(c.id);
    (margin < 0. ? outside : inside) += 1;
  });
  EXPECT_GT(inside, 1000u);
  EXPECT_GT(outside, 1000u);
}

TEST(SpatialModel, NamesAreUniqueAndIdsComeBack) {
  over_random_lists([&](const SpatialModel& model, const std::vector<NearContact>& all,
                        const State& /*s*/) {
    std::set<std::string> names;
    std::set<ContactId> ids;
    for (const NearContact& each : all) {
      names.insert(model.contact_name(each.id));
      ids.insert(each.id);
      EXPECT_EQ(SpatialModel::packed(SpatialModel::unpacked(each.id.features)), each.id.features);
      EXPECT_LT(model.surface_of(each.id), model.surfaces());
    }
    EXPECT_EQ(names.size(), all.size());
    EXPECT_EQ(ids.size(), all.size());
  });
}

TEST(SpatialModel, FoundContactsHaveReadableNames) {
  SpatialScene scene;
  scene.bodies = {
      {.name = "die", .solid = space::Box{}, .position = {0., 0., 1.}},
      {.name = "ball", .solid = space::Sphere{.radius = 0.5}, .position = {0., 0., 2.}}};
  scene.ground = {{.name = "floor"}, {.name = "step", .solid = space::Box{.size = {3., 3., 1.}}}};
  const SpatialModel model(scene);
  const State s = model.start();
  const auto names = [&](std::uint32_t i, std::uint32_t j) {
    std::vector<NearContact> list;
    model.near_contacts({.first = i, .second = j}, s, 1e-9, list);
    std::vector<std::string> all;
    for (const NearContact& c : list) all.push_back(model.contact_name(c.id));
    return all;
  };
  const auto on_step = names(0, 3);
  ASSERT_EQ(on_step.size(), 4u);
  EXPECT_EQ(on_step[0].rfind("die-step corner 1 on face ", 0), 0u) << on_step[0];
  const auto ball = names(0, 1);
  ASSERT_EQ(ball.size(), 1u);
  EXPECT_EQ(ball[0].rfind("die-ball face ", 0), 0u) << ball[0];
  // Known ones first: die-floor 1 to 8 and ball-floor. Then die-ball, die-step, ball-step.
  ASSERT_EQ(model.contacts(), 9u);
  ASSERT_EQ(model.surfaces(), 12u);
  EXPECT_EQ(model.surface_name(7), "die-floor 8");
  EXPECT_EQ(model.surface_name(8), "ball-floor");
  EXPECT_EQ(model.surface_name(9), "die-ball");
  EXPECT_EQ(model.surface_name(10), "die-step");
  EXPECT_EQ(model.surface_name(11), "ball-step");
}

// Each surface is that of its own contact or pair, in ascending order.
TEST(SpatialModel, SurfacesOfPairsFollowTheKnownContacts) {
  for (const bool strike : {true, false}) {
    for (const std::size_t count : {4u, 60u}) {  // 60 spheres have 1770 pairs: none is known
      SpatialScene scene;
      scene.bodies_strike = strike;
      for (std::size_t i = 0; i < count; ++i) {
        SpatialMover m{.name = "b" + std::to_string(i), .solid = space::Sphere{}};
        if (i % 3 == 1 && count < 10) m.solid = space::Box{};
        scene.bodies.push_back(m);
      }
      scene.ground = {{.name = "step", .solid = space::Box{}},
                      {.name = "floor"},
                      {.name = "wall", .solid = space::HalfSpace{.normal = {1., 0., 0.}}},
                      {.name = "post", .solid = space::Rod{}}};
      const SpatialModel model(scene);
      std::vector<std::string> expected;
      for (std::size_t i = 0; i < model.contacts(); ++i) {
        EXPECT_EQ(model.surface_of(model.contact_id(i)), i);
        expected.push_back(model.contact_name(model.contact_id(i)));
      }
      EXPECT_EQ(model.contacts() == 0, count > 10 && strike);
      const auto pairs = every_pair(model);
      for (const BodyPair& pair : pairs) {
        const bool has = std::any_of(pairs.begin(), pairs.end(), [&](const BodyPair&) {
          for (std::size_t i = 0; i < model.contacts(); ++i) {
            if (model.contact_id(i).pair == pair) return true;
          }
          return false;
        });
        if (has) continue;
        EXPECT_EQ(model.surface_of({.pair = pair}), expected.size());
        const auto name = [&](std::size_t k) {
          return k < count ? scene.bodies[k].name : scene.ground[k - count].name;
        };
        expected.push_back(name(pair.first) + "-" + name(pair.second));
      }
      ASSERT_EQ(model.surfaces(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_EQ(model.surface_name(k), expected[k]);
      }
    }
  }
}

// --- planes and spheres

SpatialScene scene_on_planes(Random& random) {
  SpatialScene scene;
  const auto add = [&](const char* name, const space::Solid& solid, std::size_t rim_points = 0) {
    SpatialMover m = random_mover(random, solid);
    m.name = name;
    m.offset = {};
    m.inertia.reset();
    m.rim_points = rim_points;
    scene.bodies.push_back(m);
  };
  const auto add_plane = [&](const char* name, const World3& normal, const World3& through,
                             const World3& velocity) {
    SpatialGround piece{.name = name, .solid = space::HalfSpace{.normal = normal}};
    piece.position = through;
    piece.motion.velocity = velocity;
    scene.ground.push_back(piece);
  };
  add("ball", space::Sphere{.radius = 0.3});
  add("die", space::Box{.size = {1., 1., 0.7}});
  add("can", space::Cylinder{.radius = 0.3, .length = 0.8});
  add("pill", space::Capsule{.radius = 0.3, .length = 0.8});
  add("stick", space::Rod{.length = 0.9});
  add("coin", space::Disc{.radius = 0.6});
  add("cog", space::Disc{.radius = 0.6}, 5);
  add("drum", space::Cylinder{.radius = 0.3, .length = 0.8}, 7);
  add("bead", space::Sphere{.radius = 0.2});
  add_plane("floor", {0., 0., 2.}, {0., 0., -1.}, {});
  const World3 normal = random.vector(1.);
  const World3 through = random.vector(1.);
  add_plane("wall", normal, through, random.vector(1.));
  return scene;
}

// The order and the names of the columns in files: each half space, each body, each of its points;
// then each pair of spheres.
TEST(SpatialModel, KnownContactsHaveTheirOrderAndNames) {
  Random random(5);
  const SpatialModel model(scene_on_planes(random));
  const std::vector<std::pair<const char*, int>> points{{"ball", 1}, {"die", 8},   {"can", 2},
                                                        {"pill", 2}, {"stick", 2}, {"coin", 1},
                                                        {"cog", 5},  {"drum", 14}, {"bead", 1}};
  std::vector<std::string> names;
  for (const char* plane : {"floor", "wall"}) {
    for (const auto& [body, count] : points) {
      for (int k = 1; k <= count; ++k) {
        const std::string name = std::string(body) + "-" + plane;
        names.push_back(count == 1 ? name : name + " " + std::to_string(k));
      }
    }
  }
  names.emplace_back("ball-bead");
  ASSERT_EQ(model.contacts(), names.size());
  EXPECT_TRUE(model.flies());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ContactId id = model.contact_id(i);
    EXPECT_EQ(model.contact_name(id), names[i]);
    EXPECT_EQ(model.surface_of(id), i);
    EXPECT_EQ(model.surface_name(i), names[i]);
  }
}

// In closed form between spheres and planes or other spheres; the gap is zero then and not before.
TEST(SpatialModel, FlightTimesAreWhereGapsClose) {
  Random random(6);
  std::size_t closed = 0, hits = 0;
  for (int scene = 0; scene < 50; ++scene) {
    const SpatialModel model(scene_on_planes(random));
    const State s = model.start();
    State to;
    for (std::size_t i = 0; i < model.contacts(); ++i) {
      const ContactId id = model.contact_id(i);
      if (!(model.gap(id, s) > 0.)) continue;
      const auto t = model.flight_time(id.pair, s, 2.);
      // Bounds hold: nothing touches before.
      const double free = t ? std::min(*t, 2.) : std::min(model.free_time(id.pair, s), 2.);
      for (const double part : {0.3, 0.7, 1.}) {
        model.fly(s, part * free, to);
        EXPECT_GE(model.gap(id, to), -1e-13) << model.contact_name(id);
      }
      if (!t) continue;
      ++closed;
      if (*t == infinite) continue;
      ++hits;
      model.fly(s, *t, to);
      EXPECT_NEAR(model.gap(id, to), 0., 1e-13) << model.contact_name(id);
    }
  }
  EXPECT_GT(closed, 100u);
  EXPECT_GT(hits, 20u);
}

// In flight no body comes nearer to another, or to a piece of the ground, than the bounds say.
TEST(SpatialModel, FreeTimesHoldForAllPairs) {
  Random random(8);
  std::size_t finite = 0;
  for (int scene = 0; scene < 40; ++scene) {
    SpatialScene both = scene_on_planes(random);
    for (auto& m : both.bodies) m.position = random.vector(4.);
    for (const auto& solid : all_solids()) {
      SpatialGround piece{.solid = solid};
      piece.position = random.vector(4.);
      piece.orientation = random.rotation();
      piece.motion.velocity = random.vector(1.);
      both.ground.push_back(piece);
    }
    const SpatialModel model(both);
    ASSERT_TRUE(model.flies());
    const State s = model.start();
    State to;
    for (const BodyPair& pair : every_pair(model)) {
      const double t = model.free_time(pair, s);
      if (!(t > 0.) || model.distance(pair, s) == infinite) continue;
      for (const double part : {0.3, 0.9, 0.999}) {
        model.fly(s, part * std::min(t, 5.), to);
        EXPECT_GE(model.distance(pair, to), 0.) << pair.first << " " << pair.second;
      }
      finite += t < infinite ? 1 : 0;
    }
  }
  EXPECT_GT(finite, 100u);
}

// --- rims

TEST(SpatialModel, AFlatRimIsCarriedByItsPoints) {
  SpatialScene scene;
  scene.bodies = {{.name = "can", .solid = space::Cylinder{.radius = 0.5, .length = 1.}}};
  scene.bodies[0].position = {0., 0., 0.5};
  scene.ground = {{.name = "floor"}};
  const SpatialModel model(scene);
  ASSERT_EQ(model.contacts(), 2u);
  const BodyPair pair{.first = 0, .second = 1};
  State s = model.start();
  std::vector<NearContact> list;
  model.near_contacts(pair, s, 1e-9, list);
  ASSERT_EQ(list.size(), 8u);
  EXPECT_EQ(model.contact_name(list[2].id), "can-floor rim 1 point 3");
  EXPECT_EQ(model.contact_name(model.contact_id(1)), "can-floor 2");
  EXPECT_LT(model.margin(model.contact_id(0), s), 0.);
  for (const NearContact& c : list) {
    EXPECT_TRUE(c.in_range);
    EXPECT_GT(model.margin(c.id, s), 0.);
    EXPECT_EQ(model.surface_of(c.id), 0u);
  }
  // Tilted by a hair it stands on the rim.
  const double tilt = 1e-6;
  s.q.segment<4>(3) << std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0., 0.;
  for (const NearContact& c : list) EXPECT_LT(model.margin(c.id, s), 0.);
  EXPECT_GT(model.margin(model.contact_id(0), s), 0.);
  model.near_contacts(pair, s, 1e-6, list);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].id, model.contact_id(0));
  EXPECT_NEAR(list[0].gap, -0.5 * tilt, 1e-12);
  // With a wide reach both are listed, so that neither is missed.
  model.near_contacts(pair, s, 0.1, list);
  EXPECT_EQ(list.size(), 9u);
}

TEST(SpatialModel, ConesStandOnRimAndApex) {
  SpatialScene scene;
  scene.bodies = {{.name = "hat", .solid = space::Cone{.radius = 0.3, .height = 0.8}}};
  scene.bodies[0].orientation = {{{1., 0., 0.}, {0., 0., -1.}, {0., 1., 0.}}};
  scene.ground = {{.name = "floor"}};
  const SpatialModel model(scene);
  ASSERT_EQ(model.contacts(), 2u);
  const State s = model.start();
  EXPECT_EQ(model.contact_name(model.contact_id(0)), "hat-floor 1");
  EXPECT_EQ(model.contact_name(model.contact_id(1)), "hat-floor 2");
  EXPECT_NEAR(model.gap(model.contact_id(0), s), -0.3, 1e-15);
  EXPECT_NEAR(model.gap(model.contact_id(1), s), 0., 1e-15);
  EXPECT_EQ(model.margin(model.contact_id(1), s), infinite);
}

// --- pairs near each other

TEST(SpatialModel, NearPairsMissNone) {
  Random random(12);
  const auto solids = all_solids();
  std::size_t near_count = 0;
  for (const std::size_t count : {5u, 30u}) {
    SpatialScene scene;
    for (std::size_t i = 0; i < count; ++i) {
      scene.bodies.push_back(random_mover(random, solids[i % solids.size()]));
      scene.bodies.back().position = random.vector(3.);
    }
    for (const auto& solid : solids) {
      SpatialGround piece{.solid = solid};
      piece.position = random.vector(3.);
      piece.orientation = random.rotation();
      piece.motion.amplitude = random.vector(1.);
      piece.motion.frequency = 1.;
      scene.ground.push_back(piece);
    }
    scene.ground.push_back({.position = {0., 0., -2.5}});
    const SpatialModel model(scene);
    State s = model.start();
    s.time = 0.6;
    const auto all = every_pair(model);
    EXPECT_EQ(all.size(), count * (count - 1) / 2 + count * scene.ground.size());
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    for (const double reach : {0., 0.3}) {
      std::vector<BodyPair> near;
      model.near_pairs(s, reach, near);
      EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
      EXPECT_LT(near.size(), all.size());
      std::vector<NearContact> list;
      for (const BodyPair& pair : all) {
        model.near_contacts(pair, s, reach, list);
        const bool touches = !list.empty();
        near_count += touches ? 1 : 0;
        if (touches) {
          EXPECT_TRUE(std::binary_search(near.begin(), near.end(), pair))
              << pair.first << " " << pair.second;
        }
      }
    }
  }
  EXPECT_GT(near_count, 20u);
}

TEST(SpatialModel, MovedBoundsEveryPoint) {
  Random random(13);
  const SpatialModel model({.bodies = {random_mover(random, space::Box{})}});
  State s = model.start();
  const auto& shape = model.shape(0);
  const auto corner = [&](const State& at, const space::V3& v) {
    const auto R = space::rotation_of({at.q(3), at.q(4), at.q(5), at.q(6)});
    return space::V3{at.q(0), at.q(1), at.q(2)} + R * v;
  };
  for (const double dt : {1e-3, 0.1, 0.4, 2.}) {
    State to = drifted(s, dt);
    if (dt > 1.) to.q.tail<4>() *= -1.;  // the same rotation
    const double bound = model.moved(s, to);
    double most = 0.;
    for (const auto& v : shape.core.vertices) {
      most = std::max(most, norm(corner(to, v) - corner(s, v)));
    }
    EXPECT_LE(most, bound);
    EXPECT_TRUE(dt > 0.01 || bound <= 3. * most);
  }
  SpatialGround table;
  table.motion.velocity = {0., 0., 2.};
  const SpatialModel moving({.bodies = {{.solid = space::Sphere{}}}, .ground = {table}});
  State a = moving.start(), b = a;
  b.time = 0.5;
  EXPECT_EQ(moving.moved(a, b), 1.);
  EXPECT_EQ(moving.moved_apart({.first = 0, .second = 1}, a, b), 1.);
}

// What two bodies move together does not count, nor do equal velocities.
TEST(SpatialModel, MovedApartIsRelative) {
  SpatialMover left{.solid = space::Box{}};
  SpatialMover right{.solid = space::Box{}, .position = {2., 0., 0.}};
  left.velocity = right.velocity = {0., 0., -10.};
  left.spin = {0., 0.1, 0.};
  const SpatialModel model({.bodies = {left, right}});
  const BodyPair pair{.first = 0, .second = 1};
  const State s = model.start();
  State to = drifted(s, 1.);
  const double turning = 0.1 * model.shape(0).bounding_radius;
  EXPECT_GE(model.moved(s, to), 10.);
  EXPECT_NEAR(model.moved_apart(pair, s, to), turning, 0.01 * turning);
  EXPECT_NEAR(model.approached(pair, s, to), turning, 0.01 * turning);
  to.q(7) -= 0.5;
  EXPECT_NEAR(model.moved_apart(pair, s, to), 0.5 + turning, 0.01 * turning);
}

// --- input

std::string message_of(const SpatialScene& scene) {
  try {
    const SpatialModel model(scene);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(SpatialModel, WrongInputIsRefusedByName) {
  const SpatialScene good{.bodies = {{.solid = space::Box{}}}, .ground = {SpatialGround{}}};
  EXPECT_EQ(message_of(good), "");
  const auto with = [&](const std::function<void(SpatialScene&)>& change) {
    SpatialScene scene = good;
    change(scene);
    return message_of(scene);
  };
  const auto expect = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(with([](auto& s) { s.bodies.clear(); }), "bodies: must have at least one body, got none");
  expect(with([](auto& s) { s.bodies[0].mass = 0.; }), "bodies[0].mass");
  expect(with([](auto& s) {
           s.bodies[0].solid = space::Box{.size = {1., -1., 1.}};
         }),
         "bodies[0].size: must be a finite number > 0, got -1");
  expect(with([](auto& s) { s.bodies[0].solid = space::HalfSpace{}; }), "bodies[0].solid");
  expect(with([](auto& s) { s.bodies[0].solid = space::Cone{.radius = -1.}; }), "bodies[0].radius");
  expect(with([](auto& s) { s.bodies[0].rim_points = 5; }), "bodies[0].rim_points: is for");
  expect(with([](auto& s) {
           s.bodies[0].solid = space::Disc{};
           s.bodies[0].rim_points = 2;
         }),
         "bodies[0].rim_points: must be 0 or at least 3, got 2");
  expect(with([](auto& s) { s.bodies[0].orientation[0][0] = 2.; }),
         "bodies[0].orientation: must be a rotation");
  expect(with([](auto& s) { s.bodies[0].inertia = Mat3{}; }),
         "bodies[0].inertia: must be > 0 about every axis");
  expect(with([](auto& s) {
           s.bodies[0].inertia = Mat3{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 3.}}};
         }),
         "bodies[0].inertia: no body has a principal moment above the sum of the others");
  expect(with([](auto& s) {
           s.bodies[0].solid = space::Rod{};
           s.bodies[0].spin = {0., 0., 1.};
         }),
         "bodies[0].spin: must be across a rod");
  expect(with([](auto& s) { s.bodies[0].drag.spin_linear = -1.; }), "bodies[0].drag.spin_linear");
  expect(with([](auto& s) {
           s.ground[0].solid = space::HalfSpace{.normal = {0., 0., 0.}};
         }),
         "ground[0].normal: must not be zero");
  expect(with([](auto& s) { s.ground[0].position[1] = infinite; }), "ground[0].position[1]");
  expect(with([](auto& s) { s.ground[0].motion.times = {0., 0.}; }), "ground[0].motion.times[1]");
}

}  // namespace
}  // namespace carom
