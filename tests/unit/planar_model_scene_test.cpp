// SPDX-License-Identifier: Apache-2.0
// Scenes of the planar model: what it lists and refuses, its forces, and free flight.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <support/random_plane_shapes.hpp>

namespace carom {
namespace {

using shapes::plane::Point;
using test::Draw;
using test::Kind;

constexpr double pi = std::numbers::pi;
constexpr double unbounded = std::numeric_limits<double>::infinity();

State random_state(std::size_t bodies, double size, Draw& draw) {
  State s{.q = Vector(ix(3 * bodies)), .u = Vector(ix(3 * bodies))};
  for (auto& q : s.q) q = draw(-size, size);
  for (auto& u : s.u) u = draw(-1., 1.);
  return s;
}

// The order and the names of the columns in files: each corner of each body against each line, then
// each pair of discs.
TEST(PlanarModel, KnownContactsHaveTheirOrderAndNames) {
  using namespace shapes::plane;
  const PlanarModel model(
      {.bodies = {{.name = "ball", .mass = 1., .inertia = 1., .shape = disc(0.2)},
                  {.name = "block", .mass = 2., .inertia = 1., .shape = box(2., 1.)},
                  {.name = "rod", .mass = 1., .inertia = 1., .shape = bar(1.)},
                  {.name = "coin", .mass = 1., .inertia = 1., .shape = disc(0.3)}},
       .ground = {{.name = "floor", .shape = half_plane()},
                  {.name = "wall", .shape = half_plane(), .pose = {{3., 0.}, pi / 2.}}}});
  const std::vector<std::string> names{
      "ball-floor",   "ball-wall",     "block-floor 1", "block-wall 1",  "block-floor 2",
      "block-wall 2", "block-floor 3", "block-wall 3",  "block-floor 4", "block-wall 4",
      "rod-floor 1",  "rod-wall 1",    "rod-floor 2",   "rod-wall 2",    "coin-floor",
      "coin-wall",    "ball-coin"};
  ASSERT_EQ(model.contacts(), names.size());
  EXPECT_EQ(model.position_name(3), "block.x");
  EXPECT_EQ(model.position_name(5), "block.angle");
  EXPECT_EQ(model.velocity_name(9), "coin.v_x");
  EXPECT_EQ(model.velocity_name(11), "coin.spin");
  EXPECT_NEAR(model.length_scale(), std::sqrt(1.25), 1e-15);
  EXPECT_EQ(model.acceleration_scale(), 9.81);
  EXPECT_TRUE(model.flies());
  // Corners counter-clockwise from the lower left one: their gaps at a turned state.
  State s{.q = Vector::Zero(12), .u = Vector::Zero(12)};
  s.q << 0., 4., 0., 0., 2., 0.3, 1., 5., 0.7, -2., 1., 0.;
  const double c = std::cos(0.3), d = std::sin(0.3);
  const std::vector<std::pair<std::size_t, double>> gaps{{0, 3.8},
                                                         {1, 2.8},
                                                         {2, 2. - d - 0.5 * c},
                                                         {4, 2. + d - 0.5 * c},
                                                         {6, 2. + d + 0.5 * c},
                                                         {8, 2. - d + 0.5 * c},
                                                         {9, 3. + c + 0.5 * d},
                                                         {10, 5. - 0.5 * std::sin(0.7)},
                                                         {12, 5. + 0.5 * std::sin(0.7)},
                                                         {16, std::sqrt(13.) - 0.5}};
  for (const auto& [i, gap] : gaps) {
    EXPECT_NEAR(model.gap(model.contact_id(i), s), gap, 1e-14) << names[i];
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ContactId id = model.contact_id(i);
    EXPECT_EQ(model.contact_name(id), names[i]);
    EXPECT_EQ(model.surface_name(i), names[i]);
    EXPECT_EQ(model.surface_of(id), i);
    EXPECT_EQ(model.margin(id, s), unbounded);
    EXPECT_EQ(model.distance(id.pair, s), unbounded);
  }
}

/// Each pair has one surface, or as many as known contacts; names are unique.
void expect_surfaces(const PlanarModel& model) {
  std::set<std::size_t> seen;
  std::set<std::string> names;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    EXPECT_EQ(model.surface_of(model.contact_id(i)), i);
    seen.insert(i);
  }
  std::vector<BodyPair> pairs;
  model.near_pairs({}, unbounded, pairs);
  std::vector<bool> known(pairs.size(), false);
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), model.contact_id(i).pair);
    known[static_cast<std::size_t>(at - pairs.begin())] = true;
  }
  const auto& scene = model.scene();
  const auto name = [&](std::size_t i) {
    const std::size_t n = scene.bodies.size();
    return i < n ? scene.bodies[i].name : scene.ground[i - n].name;
  };
  std::size_t last = 0;
  for (const bool ground : {true, false}) {  // ascending within each
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (known[k] || (pairs[k].second >= scene.bodies.size()) != ground) continue;
      const std::size_t s = model.surface_of({.pair = pairs[k], .features = 7});
      EXPECT_GE(s, std::max(last, model.contacts()));
      last = s;
      EXPECT_TRUE(seen.insert(s).second);
      EXPECT_EQ(model.surface_name(s), name(pairs[k].first) + "-" + name(pairs[k].second));
    }
  }
  EXPECT_EQ(seen.size(), model.surfaces());
  EXPECT_EQ(*seen.rbegin() + 1, model.surfaces());
  for (std::size_t k = 0; k < model.surfaces(); ++k) names.insert(model.surface_name(k));
  EXPECT_EQ(names.size(), model.surfaces());
}

PlanarScene crowd(std::size_t bodies, std::size_t ground, Draw& draw) {
  PlanarScene scene;
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto kind = static_cast<Kind>(draw.below(3) == 0 ? 0 : draw.below(test::finite_kinds));
    scene.bodies.push_back({.name = "b" + std::to_string(b),
                            .mass = 1.,
                            .inertia = 1.,
                            .shape = random_shape(kind, draw)});
  }
  for (std::size_t g = 0; g < ground; ++g) {
    const auto kind = static_cast<Kind>(draw.below(3) == 0 ? 8 : draw.below(test::kinds));
    scene.ground.push_back({.name = "g" + std::to_string(g),
                            .shape = random_shape(kind, draw),
                            .pose = {draw.point(8.), draw(-pi, pi)}});
  }
  return scene;
}

TEST(PlanarModel, SurfacesAreOneForEachKnownContactThenForEachOtherPair) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const std::size_t bodies = 2 + draw.below(12);
    expect_surfaces(PlanarModel(crowd(bodies, 1 + draw.below(5), draw)));
    if (testing::Test::HasFailure()) return;
  }
  Draw draw(1);
  const PlanarModel many(crowd(60, 20, draw));
  EXPECT_EQ(many.contacts(), 0U);
  expect_surfaces(many);
}

TEST(PlanarModel, ContactsAreListedUpToAThousand) {
  PlanarScene scene;
  scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
  for (std::size_t b = 0; b < 44; ++b) {
    scene.bodies.push_back(
        {.name = "b", .mass = 1., .inertia = 1., .shape = shapes::plane::disc(1.)});
  }
  EXPECT_EQ(PlanarModel(scene).contacts(), 44U + 44U * 43U / 2U);  // 990
  scene.bodies.push_back(scene.bodies[0]);
  EXPECT_EQ(PlanarModel(scene).contacts(), 0U);
}

TEST(PlanarModel, FoundContactsHaveUniqueNames) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Draw draw(seed);
    const PlanarModel model(crowd(2, 1, draw));
    State s = random_state(2, 1., draw);
    std::set<std::string> names;
    std::set<ContactId> ids;
    std::vector<NearContact> near;
    for (const BodyPair pair : {BodyPair{0, 1}, BodyPair{0, 2}, BodyPair{1, 2}}) {
      for (int k = 0; k < 20; ++k) {
        for (auto& q : s.q) q = draw(-2., 2.);
        model.near_contacts(pair, s, 1., near);
        for (const NearContact& n : near) {
          EXPECT_EQ(n.id.pair, pair);
          ids.insert(n.id);
          names.insert(model.contact_name(n.id));
        }
      }
    }
    EXPECT_EQ(names.size(), ids.size());
  }
}

// All pairs within reach, ascending, by loops and by the grid.
TEST(PlanarModel, NearPairsAreComplete) {
  std::size_t found = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const bool by_grid = seed % 10 == 0;
    const std::size_t bodies = by_grid ? 250 : 2 + draw.below(30);
    const PlanarScene scene = crowd(bodies, 6, draw);
    const PlanarModel model(scene);
    const State s = random_state(bodies, by_grid ? 25. : 8., draw);
    const double reach = draw(0., 1.);
    std::vector<BodyPair> near;
    model.near_pairs(s, reach, near);
    EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
    EXPECT_EQ(std::adjacent_find(near.begin(), near.end()), near.end());
    const auto placed = [&](std::size_t i) {
      if (i >= bodies) {
        return shapes::plane::Placed(scene.ground[i - bodies].shape, scene.ground[i - bodies].pose);
      }
      const auto at = ix(3 * i);
      return shapes::plane::Placed(scene.bodies[i].shape, {{s.q(at), s.q(at + 1)}, s.q(at + 2)});
    };
    EXPECT_LT(near.size(), 100U * bodies);  // few others, of at most 280 each
    for (std::uint32_t a = 0; a < bodies; ++a) {
      for (auto b = a + 1; b < bodies + scene.ground.size(); ++b) {
        if (shapes::plane::distance(placed(a), placed(b)) > reach) continue;
        ++found;
        EXPECT_TRUE(std::binary_search(near.begin(), near.end(), BodyPair{a, b})) << a << " " << b;
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(found, 1000U);
}

TEST(PlanarModel, DragTakesItsPower) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Draw draw(seed);
    PlanarScene scene = crowd(3, 0, draw);
    const PlanarModel free(scene);
    for (PlanarBody& b : scene.bodies)
      b.drag = {draw(0., 1.), draw(0., 1.), draw(0., 1.), draw(0., 1.)};
    const PlanarModel model(scene);
    EXPECT_TRUE(free.flies());
    EXPECT_FALSE(model.flies());
    const State s = random_state(3, 1., draw);
    MassMatrix M(model.blocks());
    Vector h(9);
    Vector without(9);
    free.dynamics(s, M, without);
    model.dynamics(s, M, h);
    EXPECT_NEAR((h - without).dot(s.u), model.other_power(s).dampers, 1e-14);
    EXPECT_LT(model.other_power(s).dampers, 0.);
    EXPECT_EQ(free.other_power(s).dampers, 0.);
    EXPECT_EQ(model.other_power(s).drives, 0.);
  }
  PlanarScene one;
  one.gravity = {0., 0.};
  one.bodies.push_back(
      {.name = "b",
       .mass = 2.,
       .inertia = 3.,
       .shape = shapes::plane::disc(1.),
       .drag = {.linear = 1., .quadratic = 2., .spin_linear = 3., .spin_quadratic = 4.}});
  const PlanarModel model(one);
  State s{.q = Vector::Zero(3), .u = Vector::Zero(3)};
  s.u << 3., 4., -2.;
  MassMatrix M(model.blocks());
  Vector h(3);
  model.dynamics(s, M, h);
  EXPECT_EQ(h, Eigen::Vector3d(-33., -44., 22.));
  EXPECT_EQ(std::vector<double>(M.block(0), M.block(0) + 9),
            (std::vector<double>{2., 0., 0., 0., 2., 0., 0., 0., 3.}));
}

// --- free flight

// A disc that flies against a half plane in uniform motion touches at that time and not before.
TEST(PlanarModel, FlightTimesAreThoseOfTheFirstTouch) {
  std::size_t touched = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    PlanarScene scene;
    for (const char* name : {"a", "b"}) {
      scene.bodies.push_back(
          {.name = name, .mass = 1., .inertia = 1., .shape = shapes::plane::disc(draw(0.1, 0.5))});
    }
    const Point v = draw.point(1.);
    scene.ground.push_back({.name = "wall",
                            .shape = shapes::plane::half_plane(),
                            .pose = {draw.point(1.), draw(-pi, pi)},
                            .motion = {.velocity = {v.x, v.y, 0.}}});
    const PlanarModel model(scene);
    EXPECT_TRUE(model.flies());
    State s = random_state(2, 3., draw);
    s.time = draw(-1., 1.);
    State to = s;
    for (const BodyPair pair : {BodyPair{0, 1}, BodyPair{0, 2}, BodyPair{1, 2}}) {
      const ContactId id{.pair = pair, .features = pair.second == 2 ? 1U : 0U};
      if (model.gap(id, s) < 0.) continue;
      const auto time = model.flight_time(pair, s, unbounded);
      ASSERT_TRUE(time.has_value());
      // Bounding circles are the discs themselves.
      EXPECT_NEAR(std::min(*time, 1e3), std::min(model.free_time(pair, s), 1e3), 1e-9);
      const double end = std::min(*time, 10.);
      for (int k = 0; k <= 50; ++k) {
        model.fly(s, end * k / 50., to);
        EXPECT_GE(model.gap(id, to), -1e-12);
      }
      if (end < 10.) {
        ++touched;
        EXPECT_NEAR(model.gap(id, to), 0., 1e-11);
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(touched, 500U);
}

TEST(PlanarModel, NothingTouchesWithinTheFreeTime) {
  std::size_t free = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    PlanarScene scene = crowd(2, 2, draw);
    for (PlanarGround& g : scene.ground) {
      const Point v = draw.point(1.);
      g.motion.velocity = {v.x, v.y, 0.};
    }
    const PlanarModel model(scene);
    const State s = random_state(2, 8., draw);
    State to = s;
    std::vector<BodyPair> pairs;
    std::vector<NearContact> near;
    model.flying_pairs(pairs);
    EXPECT_EQ(pairs.size(), 5U);
    for (const BodyPair& pair : pairs) {
      const double end = std::min(model.free_time(pair, s), 5.);
      if (end > 0.) ++free;
      for (int k = 0; end > 0. && k < 50; ++k) {
        model.fly(s, end * k / 50., to);
        model.near_contacts(pair, to, 0., near);
        EXPECT_TRUE(near.empty()) << pair.first << " " << pair.second << " " << k;
      }
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(free, 1000U);
}

TEST(PlanarModel, OnlyUniformGroundIsFlownOver) {
  PlanarScene scene;
  scene.bodies.push_back(
      {.name = "b", .mass = 1., .inertia = 1., .shape = shapes::plane::disc(1.)});
  scene.ground.push_back({.name = "g", .shape = shapes::plane::half_plane()});
  scene.ground[0].motion.velocity = {1., 0., 0.};
  EXPECT_TRUE(PlanarModel(scene).flies());
  EXPECT_EQ(PlanarModel(scene).next_jump(0.), unbounded);
  scene.ground[0].motion.amplitude = {0., 1., 0.};
  scene.ground[0].motion.frequency = 1.;
  EXPECT_FALSE(PlanarModel(scene).flies());
  scene.ground[0].motion = {.times = {0., 2.}, .positions = {{}, {1., 0., 0.}}};
  EXPECT_FALSE(PlanarModel(scene).flies());
  EXPECT_EQ(PlanarModel(scene).next_jump(0.), 2.);
}

// --- prescribed paths

TEST(PrescribedPath, RatesAreDerivatives) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const auto vector = [&] { return World3{draw(-1., 1.), draw(-1., 1.), draw(-1., 1.)}; };
    PrescribedPath path{.velocity = vector(),
                        .amplitude = vector(),
                        .frequency = draw(0.1, 1.),
                        .phase = draw(-pi, pi)};
    if (seed % 2 == 0) {
      for (double t = -1.; t < 1.; t += draw(0.2, 0.5)) {
        path.times.push_back(t);
        path.positions.push_back(vector());
        if (seed % 4 == 0) path.velocities.push_back(vector());
      }
    }
    prepare(path, "motion");
    EXPECT_TRUE(path.moves());
    EXPECT_FALSE(path.is_uniform());
    constexpr double h = 1e-4;
    const double time = draw(-1.5, 1.5);
    if (path.next_jump(time - 2. * h) > time + 2. * h) {
      for (std::size_t j = 0; j < 3; ++j) {
        const auto x = [&](double dt) { return path.at(time + dt).displacement[j]; };
        const auto v = [&](double dt) { return path.at(time + dt).velocity[j]; };
        // Central differences: h^2/6 of the third derivative, (2 pi)^3, and (2 pi)^4.
        EXPECT_NEAR((x(h) - x(-h)) / (2. * h), v(0.), 3e-6);
        EXPECT_NEAR((v(h) - v(-h)) / (2. * h), path.at(time).acceleration[j], 2e-5);
      }
    }
    // Position and velocity have no jumps.
    for (const double t : path.times) {
      const auto before = path.at(std::nextafter(t, -10.));
      const auto after = path.at(t);
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(before.displacement[j], after.displacement[j], 1e-14);
        EXPECT_NEAR(before.velocity[j], after.velocity[j], 1e-12);
      }
      EXPECT_EQ(path.next_jump(std::nextafter(t, -10.)), t);
      EXPECT_GT(path.next_jump(t), t);
    }
    if (testing::Test::HasFailure()) return;
  }
}

// --- what is refused

template <class Change>
std::string refused(const Change& change) {
  PlanarScene scene;
  scene.bodies.push_back(
      {.name = "b", .mass = 1., .inertia = 1., .shape = shapes::plane::disc(1.)});
  scene.ground.push_back({.name = "g", .shape = shapes::plane::half_plane()});
  change(scene);
  try {
    const PlanarModel model(scene);
  } catch (const InputError& e) {
    return e.field();
  }
  return "";
}

TEST(PlanarModel, RefusesByName) {
  using Scene = PlanarScene&;
  const double nan = std::nan("");
  EXPECT_EQ(refused([](Scene) {}), "");
  EXPECT_EQ(refused([](Scene s) { s.bodies[0].mass = 0.; }), "bodies[0].mass");
  EXPECT_EQ(refused([](Scene s) { s.bodies[0].inertia = -1.; }), "bodies[0].inertia");
  EXPECT_EQ(refused([](Scene s) { s.bodies[0].shape = shapes::plane::half_plane(); }),
            "bodies[0].shape");
  EXPECT_EQ(refused([](Scene s) { s.bodies[0].shape = {}; }), "bodies[0].shape");
  EXPECT_EQ(refused([](Scene s) { s.bodies[0].drag.linear = -1.; }), "bodies[0].drag.linear");
  EXPECT_EQ(refused([&](Scene s) { s.bodies[0].drag.spin_quadratic = nan; }),
            "bodies[0].drag.spin_quadratic");
  EXPECT_EQ(refused([](Scene s) { s.ground[0].shape = {}; }), "ground[0].shape");
  EXPECT_EQ(refused([&](Scene s) { s.ground[0].pose.angle = nan; }), "ground[0].pose.angle");
  EXPECT_EQ(refused([&](Scene s) { s.ground[0].belt_speed = nan; }), "ground[0].belt_speed");
  EXPECT_EQ(refused([](Scene s) { s.ground[0].motion.velocity[2] = 1.; }),
            "ground[0].motion.velocity[2]");
  EXPECT_EQ(refused([](Scene s) {
              s.ground[0].motion.times = {0., 0.};
            }),
            "ground[0].motion.times[1]");
  EXPECT_EQ(refused([&](Scene s) { s.gravity[1] = nan; }), "gravity[1]");
}

}  // namespace
}  // namespace carom
