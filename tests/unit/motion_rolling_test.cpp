// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_models.hpp"
#include "support/motion_scenes.hpp"

// Rolling and drilling friction against closed forms, as set-valued laws, and in the account.
namespace carom {
namespace {

using namespace motion;
using test::Draw;

using test::g;
constexpr double R = 0.1;  ///< radius [m]
constexpr double mass = 0.5;

Surface rough(double friction, double rolling, double drilling = 0., double restitution = 0.) {
  Surface s{.restitution = restitution, .friction = friction, .static_friction = friction};
  s.set_rolling_friction(rolling, drilling);
  return s;
}

/// Checks the law of couples at every sample and on both sides of every event: within their bounds,
/// and opposite to spin. All relative.
class CoupleLog final : public Recorder {
 public:
  CoupleLog(const Model& model, double rolling, double drilling = 0.)
      : components_(model.components()),
        rolling_(rolling),
        drilling_(drilling),
        slow_(1e-7 * std::sqrt(model.acceleration_scale() / model.length_scale())) {}
  void event(const Event& e) override { events.push_back(e); }
  void sample(const Sample& s) override { look(s); }
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const Sample& s, Side /*side*/) override { look(s); }

  [[nodiscard]] std::vector<EventKind> kinds() const {
    std::vector<EventKind> all;
    for (const Event& e : events) all.push_back(e.kind);
    return all;
  }
  [[nodiscard]] const Event* first(EventKind kind) const {
    const auto at =
        std::find_if(events.begin(), events.end(), [&](const Event& e) { return e.kind == kind; });
    return at == events.end() ? nullptr : &*at;
  }

  std::vector<Event> events;
  double worst = 0.;  ///< relative error of the law
  std::size_t turning = 0;
  std::size_t resting = 0;

 private:
  void look(const Sample& s) {
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      if (s.contacts[i].touch == Touch::open) continue;
      const double F = s.force[i * components_];
      const double* M = &s.couple[3 * i];
      const double* w = &s.spin[3 * i];
      if (components_ == 2) {
        judge({M[0], 0.}, {w[0], 0.}, rolling_ * F);
      } else {
        judge({M[1], M[2]}, {w[1], w[2]}, rolling_ * F);
        judge({M[0], 0.}, {w[0], 0.}, drilling_ * F);
      }
    }
  }
  void judge(std::pair<double, double> M, std::pair<double, double> w, double bound) {
    if (!(bound > 1e-10)) return;  // at forces below 1e-8 N, of some newtons, all is rounding
    const double spin = std::hypot(w.first, w.second);
    if (spin > slow_) {
      ++turning;
      worst = std::max(
          worst, std::hypot(M.first / bound + w.first / spin, M.second / bound + w.second / spin));
    } else {
      ++resting;
      worst = std::max(worst, std::hypot(M.first, M.second) / bound - 1.);
    }
  }

  std::size_t components_;
  double rolling_;
  double drilling_;
  double slow_;  ///< a spin below this has no certain direction [rad/s]
};

/// A disc or a ball's section of that inertia over m R^2 on a floor, rolling with velocity v.
PlanarScene planar_ball(double inertia, double slope = 0.) {
  return {.bodies = {{.name = "ball",
                      .mass = mass,
                      .inertia = inertia * mass * R * R,
                      .shape = shapes::plane::disc(R)}},
          .ground = {test::line("floor")},
          .gravity = {g * std::sin(slope), -g * std::cos(slope)}};
}

SpatialScene spatial_ball(const World3& velocity, const World3& spin, double slope = 0.) {
  SpatialMover ball;
  ball.name = "ball";
  ball.mass = mass;
  ball.solid = shapes::space::Sphere{R};
  ball.position = {0., 0., R};
  ball.velocity = velocity;
  ball.spin = spin;
  return {.bodies = {ball},
          .ground = {test::plane("floor")},
          .gravity = {g * std::sin(slope), 0., -g * std::cos(slope)}};
}

const std::vector<EventKind> stops{EventKind::start, EventKind::roll_to_rest, EventKind::end};

// (1 + k) v^2/2 = d g s/R with k = I/(m R^2): 3 v^2 R/(4 d g) for a uniform disc, 7 v^2 R/(10 d g)
// for a ball. It stops after (1 + k) v R/(d g).
TEST(MotionRolling, DiscInThePlaneStops) {
  for (const double k : {0.5, 0.4}) {
    for (const double v : {0.7, -1.3}) {
      const double d = 0.004;
      const PlanarModel model(planar_ball(k));
      const std::vector<Surface> surfaces{rough(0.3, d)};
      CoupleLog log(model, d);
      const Summary s = test::run(model, test::state({0., R, 0.}, {v, 0., -v / R}), surfaces,
                                  {.end_time = 60., .tolerance = 1e-12}, log);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      ASSERT_EQ(log.kinds(), stops);
      const double length = (1. + k) * v * std::abs(v) * R / (2. * d * g);
      EXPECT_NEAR(s.progress.state.q(0), length, 1e-9 * std::abs(length));
      EXPECT_NEAR(log.events[1].time, (1. + k) * std::abs(v) * R / (d * g), 1e-9);
      EXPECT_EQ(s.progress.state.u.norm(), 0.);
      EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9 * mass * v * v);
      EXPECT_NEAR(s.progress.energy.friction[0], -0.5 * (1. + k) * mass * v * v,
                  1e-9 * mass * v * v);
      EXPECT_LT(log.worst, 1e-8);
      EXPECT_GT(log.turning, 0U);
    }
  }
}

TEST(MotionRolling, SphereStops) {
  const double d = 0.003, vx = 0.6, vy = -0.8;
  const SpatialModel model(spatial_ball({vx, vy, 0.}, {-vy / R, vx / R, 0.}));
  const std::vector<Surface> surfaces{rough(0.3, d)};
  CoupleLog log(model, d);
  const Summary s =
      test::run(model, model.start(), surfaces, {.end_time = 20., .tolerance = 1e-12}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_EQ(log.kinds(), stops);
  const double length = 7. * (vx * vx + vy * vy) * R / (10. * d * g);
  EXPECT_NEAR(s.progress.state.q(0), length * vx, 1e-9 * length);
  EXPECT_NEAR(s.progress.state.q(1), length * vy, 1e-9 * length);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
  EXPECT_NEAR(s.progress.energy.friction[0], -0.7 * mass, 1e-9);
  EXPECT_LT(log.worst, 1e-8);
}

// 0.4 m R^2 w' = -d_d m g.
TEST(MotionRolling, TopIsStoppedByDrillingFriction) {
  const double d = 0.002;
  for (const double spin : {30., -12.}) {
    const SpatialModel model(spatial_ball({}, {0., 0., spin}));
    const std::vector<Surface> surfaces{rough(0.3, 0., d)};
    CoupleLog log(model, 0., d);
    const Summary s =
        test::run(model, model.start(), surfaces, {.end_time = 10., .tolerance = 1e-12}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    ASSERT_EQ(log.kinds(),
              (std::vector{EventKind::start, EventKind::drill_to_rest, EventKind::end}));
    EXPECT_NEAR(log.events[1].time, 0.4 * R * R * std::abs(spin) / (d * g), 1e-9);
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
    EXPECT_LT(log.worst, 1e-8);
    EXPECT_GT(log.resting, 0U);
  }
}

// It stays while tan(slope) < d/R. Beyond, it rolls with the acceleration
// g (sin(slope) - d/R cos(slope))/(1 + k).
TEST(MotionRolling, RestsOnASlopeUpToTheRollingAngle) {
  const double d = 0.01, T = 2.;
  for (const double part : {0.5, 0.999, 1.001, 1.7}) {
    const double slope = std::atan(part * d / R);
    const double a = std::max(0., g * (std::sin(slope) - d / R * std::cos(slope)) / 1.4);
    const std::vector<Surface> surfaces{rough(0.5, d)};
    const Options options{.end_time = T, .tolerance = 1e-12};
    const PlanarModel plane(planar_ball(0.4, slope));
    CoupleLog planar(plane, d);
    const Summary p =
        test::run(plane, test::state({0., R, 0.}, {0., 0., 0.}), surfaces, options, planar);
    ASSERT_EQ(p.ending, Ending::time) << p.reason;
    EXPECT_NEAR(p.progress.state.q(0), 0.5 * a * T * T, 1e-9) << part;
    EXPECT_LT(planar.worst, 1e-8);
    const SpatialModel space(spatial_ball({}, {}, slope));
    CoupleLog spatial(space, d);
    const Summary s = test::run(space, space.start(), surfaces, options, spatial);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_NEAR(s.progress.state.q(0), 0.5 * a * T * T, 1e-9) << part;
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
    EXPECT_LT(spatial.worst, 1e-8);
  }
}

// Up a slope it rolls until it stops; where the slope is steep it rolls back at once.
TEST(MotionRolling, RollsUpAndBack) {
  const double d = 0.01, v = -1.;
  for (const double slope : {0.05, 0.2}) {
    const bool back = std::tan(slope) > d / R;
    const double up = g * (std::sin(slope) + d / R * std::cos(slope)) / 1.4;
    const double down = back ? g * (std::sin(slope) - d / R * std::cos(slope)) / 1.4 : 0.;
    const double T = 3.;
    const double t = -v / up;
    const double x = v * t / 2. + 0.5 * down * (T - t) * (T - t);
    const std::vector<Surface> surfaces{rough(0.5, d)};
    const Options options{.end_time = T, .tolerance = 1e-12};
    const EventKind kind = back ? EventKind::roll_to_roll : EventKind::roll_to_rest;
    const PlanarModel plane(planar_ball(0.4, slope));
    CoupleLog planar(plane, d);
    const Summary p =
        test::run(plane, test::state({0., R, 0.}, {v, 0., -v / R}), surfaces, options, planar);
    ASSERT_EQ(p.ending, Ending::time) << p.reason;
    ASSERT_EQ(planar.kinds(), (std::vector{EventKind::start, kind, EventKind::end}));
    EXPECT_NEAR(planar.events[1].time, t, 1e-9);
    EXPECT_NEAR(p.progress.state.q(0), x, 1e-9);
    const SpatialModel space(spatial_ball({v, 0., 0.}, {0., v / R, 0.}, slope));
    CoupleLog spatial(space, d);
    const Summary s = test::run(space, space.start(), surfaces, options, spatial);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    ASSERT_EQ(spatial.kinds(), (std::vector{EventKind::start, kind, EventKind::end}));
    EXPECT_NEAR(spatial.events[1].time, t, 1e-9);
    EXPECT_NEAR(s.progress.state.q(0), x, 1e-9);
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
  }
}

// Thrown without spin it slides: v' = -mu g, w' = -(mu R - d) g/(k R^2). It rolls from
// v + R w = 0 on, and stops.
TEST(MotionRolling, SlidesThenRollsThenStops) {
  const double d = 0.005, mu = 0.2, v = 1.2, k = 0.4;
  const double t1 = v / (g * (mu + (mu - d / R) / k));
  const double v1 = v - mu * g * t1;
  const double t2 = t1 + (1. + k) * v1 * R / (d * g);
  const double x = (v + v1) / 2. * t1 + v1 / 2. * (t2 - t1);
  const std::vector<Surface> surfaces{rough(mu, d)};
  const Options options{.end_time = 10., .tolerance = 1e-12};
  const PlanarModel plane(planar_ball(k));
  CoupleLog planar(plane, d);
  const Summary p =
      test::run(plane, test::state({0., R, 0.}, {v, 0., 0.}), surfaces, options, planar);
  const SpatialModel space(spatial_ball({v, 0., 0.}, {}));
  CoupleLog spatial(space, d);
  const Summary s = test::run(space, space.start(), surfaces, options, spatial);
  const std::vector expected{EventKind::start, EventKind::slip_to_stick, EventKind::roll_to_rest,
                             EventKind::end};
  ASSERT_EQ(planar.kinds(), expected) << p.reason;
  ASSERT_EQ(spatial.kinds(), expected) << s.reason;
  for (const CoupleLog* log : {&planar, &spatial}) {
    EXPECT_NEAR(log->events[1].time, t1, 1e-9);
    EXPECT_NEAR(log->events[2].time, t2, 1e-9);
    EXPECT_LT(log->worst, 1e-8);
  }
  EXPECT_NEAR(p.progress.state.q(0), x, 1e-9);
  EXPECT_NEAR(s.progress.state.q(0), x, 1e-9);
  EXPECT_NEAR(p.progress.energy.gap(), 0., 1e-9);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
}

// Where d > mu R, friction cannot make it roll: it slides to rest.
TEST(MotionRolling, SlidesWithoutRolling) {
  const double mu = 0.1, v = 0.9;
  const double d = 1.5 * mu * R;
  const PlanarModel model(planar_ball(0.4));
  const std::vector<Surface> surfaces{rough(mu, d)};
  CoupleLog log(model, d);
  const Summary s = test::run(model, test::state({0., R, 0.}, {v, 0., 0.}), surfaces,
                              {.end_time = 3., .tolerance = 1e-12}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_NEAR(s.progress.state.q(0), v * v / (2. * mu * g), 1e-9);
  EXPECT_NEAR(s.progress.state.q(2), 0., 1e-15);
  EXPECT_LT(log.worst, 1e-8);
}

// With drilling, rolling and sliding at once the path is curved. The account closes, couples obey
// their law, and the error follows the tolerance.
TEST(MotionRolling, BallWithEnglishComesToRest) {
  const double d = 0.004, drill = 0.001;
  const std::vector<Surface> surfaces{rough(0.25, d, drill)};
  const SpatialModel model(spatial_ball({1., 0.3, 0.}, {4., -25., 40.}));
  std::vector<World3> ends;
  for (const double tolerance : {1e-9, 1e-12}) {
    CoupleLog log(model, d, drill);
    const Summary s =
        test::run(model, model.start(), surfaces, {.end_time = 20., .tolerance = tolerance}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_NE(log.first(EventKind::slip_to_stick), nullptr);
    EXPECT_NE(log.first(EventKind::roll_to_rest), nullptr);
    EXPECT_NE(log.first(EventKind::drill_to_rest), nullptr);
    EXPECT_LT(s.progress.state.u.norm(), 1e-13);
    EXPECT_LT(log.worst, 1e-8);
    const EnergyAccount& e = s.progress.energy;
    EXPECT_NEAR(e.gap(), 0., (tolerance < 1e-10 ? 1e-10 : 1e-8) * e.kinetic_start);
    ends.push_back({s.progress.state.q(0), s.progress.state.q(1), 0.});
  }
  EXPECT_NEAR(ends[0][0], ends[1][0], 1e-7);
  EXPECT_NEAR(ends[0][1], ends[1][1], 1e-7);
}

// A ball thrown across a slope rolls on a curved path with the direction of its couple, until it
// stops: its spin turns as it vanishes. With rolling alone the equations are those of a particle
// with friction d/R on the slope and inertia 7/5 m [MotionSpace.ParticleStopsOnASlope].
TEST(MotionRolling, TurnsDownhillAsItStops) {
  const double slope = 0.03;
  const double d = 0.005;
  for (const double psi : {0.5, 1.5, 2.5}) {
    const double v0 = 0.8;
    const double vx = v0 * std::cos(psi), vy = v0 * std::sin(psi);
    const SpatialModel model(spatial_ball({vx, vy, 0.}, {-vy / R, vx / R, 0.}, slope));
    const std::vector<Surface> surfaces{rough(0.5, d)};
    CoupleLog log(model, d);
    const Summary s =
        test::run(model, model.start(), surfaces, {.end_time = 20., .tolerance = 1e-12}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const double k = d / R / std::tan(slope);
    const double w = std::tan(psi / 2.);
    const double C = v0 * std::sin(psi) / std::pow(w, k);
    const double time = 1.4 * C / (2. * g * std::sin(slope)) *
                        (std::pow(w, k - 1.) / (k - 1.) + std::pow(w, k + 1.) / (k + 1.));
    ASSERT_EQ(log.kinds(), stops) << psi;
    EXPECT_NEAR(log.events[1].time, time, 1e-9 * time) << psi;
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9) << psi;
    EXPECT_LT(log.worst, 1e-8);
  }
}

/// Everything a run says, as numbers.
std::vector<double> numbers_of(const Progress& p) {
  std::vector<double> all = test::numbers(p.next);
  all.insert(all.end(), p.state.q.begin(), p.state.q.end());
  all.insert(all.end(), p.state.u.begin(), p.state.u.end());
  all.push_back(p.energy.gap());
  return all;
}

// In pieces of single steps it takes the same steps, to the same bits.
TEST(MotionRolling, GoesOnToTheSameBits) {
  const auto check = [](const Model& model, const State& from,
                        const std::vector<Surface>& surfaces) {
    const Options options{.end_time = 8.};
    test::MotionLog whole;
    const Summary once = test::run(model, from, surfaces, options, whole);
    ASSERT_EQ(once.ending, Ending::time) << once.reason;
    Progress progress = start(model, from, surfaces, options);
    test::MotionLog log;
    Summary s;
    for (int piece = 0; piece < 10000; ++piece) {
      log.asked = 0;
      log.stop_after = 1;
      s = simulate(model, surfaces, options, progress, log);
      progress = s.progress;
      if (s.ending != Ending::stopped) break;
    }
    ASSERT_EQ(s.ending, Ending::time);
    EXPECT_EQ(numbers_of(progress), numbers_of(once.progress));
    ASSERT_EQ(log.samples.size(), whole.samples.size());
    for (std::size_t k = 0; k < log.samples.size(); ++k) {
      EXPECT_TRUE(log.samples[k].u == whole.samples[k].u) << k;
    }
  };
  const SpatialModel space(spatial_ball({1., 0.3, 0.}, {4., -25., 40.}, 0.02));
  check(space, space.start(), {rough(0.25, 0.004, 0.001)});
  const PlanarModel plane(planar_ball(0.4, 0.02));
  check(plane, test::state({0., 0.4, 0.}, {1., 0., 30.}), {rough(0.25, 0.004, 0., 0.5)});
}

// A box on four corners has 24 unknowns for its 6 freedoms. At rest nothing changes.
TEST(MotionRolling, BoxOnFourCornersRests) {
  SpatialMover box;
  box.name = "box";
  box.mass = 2.;
  box.solid = shapes::space::Box{.size = {0.4, 0.3, 0.2}};
  box.position = {0., 0., 0.1};
  const double slope = 0.2;
  const SpatialModel model({.bodies = {box},
                            .ground = {test::plane("floor")},
                            .gravity = {g * std::sin(slope), 0., -g * std::cos(slope)}});
  const std::vector<Surface> surfaces{rough(0.4, 0.01, 0.01)};
  CoupleLog log(model, 0.01, 0.01);
  const Summary s = test::run(model, model.start(), surfaces, {.end_time = 2.}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_EQ(log.events.size(), 2U);
  EXPECT_LT((s.progress.state.q - model.start().q).norm(), 1e-12);
  EXPECT_LT(log.worst, 1e-8);
  EXPECT_GT(log.resting, 0U);
}

// A box that slides on four corners does not turn; its couples share what they may.
TEST(MotionRolling, BoxOnFourCornersSlides) {
  SpatialMover box;
  box.name = "box";
  box.mass = 2.;
  box.solid = shapes::space::Box{.size = {0.4, 0.3, 0.1}};
  box.position = {0., 0., 0.05};
  box.velocity = {1., 0., 0.};
  const SpatialModel model({.bodies = {box}, .ground = {test::plane("floor")}});
  const double mu = 0.3;
  const std::vector<Surface> surfaces{rough(mu, 0.01, 0.01)};
  CoupleLog log(model, 0.01, 0.01);
  const Summary s =
      test::run(model, model.start(), surfaces, {.end_time = 1., .tolerance = 1e-12}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_NEAR(s.progress.state.q(0), 1. / (2. * mu * g), 1e-9);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8);
  EXPECT_LT(log.worst, 1e-8);
}

// The corner of a block on which it tips has a couple, too: h w' of the tipping is slowed. At rest
// on one corner the couple m g d balances the block up to that distance of its centre.
TEST(MotionRolling, BlockBalancesOnACorner) {
  const double b = 0.1, h = 0.2, d = 0.01;
  const PlanarModel model(test::block_on_floor(b, h, 1.));
  const std::vector<Surface> surfaces{rough(0.8, d)};
  for (const double aside : {0.5, 0.95, 1.05}) {
    // Corner 1 at the origin, the centre at x = aside d.
    const double r = std::hypot(b, h);
    const double x = aside * d;
    const double y = std::sqrt(r * r - x * x);
    const double angle = std::atan2(b, h) - std::asin(x / r);  // from upright to there
    for (const double sign : {1., -1.}) {
      CoupleLog log(model, d);
      const Summary s = test::run(model, test::state({sign * x, y, sign * angle}, {0., 0., 0.}),
                                  surfaces, {.end_time = 0.5}, log);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      if (aside < 1.) {
        EXPECT_LT(s.progress.state.u.norm(), 1e-14) << aside;
        EXPECT_GT(log.resting, 0U);
      } else {
        EXPECT_GT(s.progress.state.u.norm(), 0.01) << aside;
        EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8);
      }
      EXPECT_LT(log.worst, 1e-8);
    }
  }
}

// Balls that strike the floor, each other and two walls: whatever happens, couples obey their law,
// and the account closes.
TEST(MotionRolling, RandomScenesObeyTheLaw) {
  std::size_t ended = 0, rested = 0;
  constexpr std::uint64_t seeds = 24;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Draw draw(seed);
    const double d = draw.uniform(0.001, 0.03), drill = draw.uniform(0.001, 0.02);
    const bool in_space = seed % 2 == 0;
    std::unique_ptr<Model> model;
    State from;
    if (in_space) {
      SpatialScene scene;
      scene.ground = {test::plane("floor"), test::plane("left", {1., 0., 1.}, {-0.4, 0., 0.}),
                      test::plane("right", {-1., 0., 1.}, {0.4, 0., 0.})};
      for (int k = 0; k < 2; ++k) {
        SpatialMover ball;
        ball.name = "b" + std::to_string(k);
        ball.mass = draw.uniform(0.2, 1.);
        ball.solid = shapes::space::Sphere{0.1};
        ball.position = {0.25 * (k - 0.5), 0., draw.uniform(0.11, 0.3)};
        ball.velocity = draw.vector(1.);
        ball.spin = draw.vector(10.);
        scene.bodies.push_back(ball);
      }
      auto made = std::make_unique<SpatialModel>(scene);
      from = made->start();
      model = std::move(made);
    } else {
      PlanarScene scene;
      scene.ground = {test::line("floor"), test::line("left", {-0.4, 0.}, -0.8),
                      test::line("right", {0.4, 0.}, 0.8)};
      from.q.resize(6);
      from.u.resize(6);
      for (int k = 0; k < 2; ++k) {
        const double m = draw.uniform(0.2, 1.);
        scene.bodies.push_back({.name = "b" + std::to_string(k),
                                .mass = m,
                                .inertia = 0.5 * m * 0.01,
                                .shape = shapes::plane::disc(0.1)});
        from.q.segment(3 * k, 3) << 0.25 * (k - 0.5), draw.uniform(0.11, 0.3), 0.;
        from.u.segment(3 * k, 3) << draw.uniform(-1., 1.), draw.uniform(-1., 1.),
            draw.uniform(-10., 10.);
      }
      model = std::make_unique<PlanarModel>(scene);
    }
    const double mu = draw.uniform(0.1, 0.6), restitution = draw.uniform(0., 0.7);
    const std::vector<Surface> surfaces{rough(mu, d, drill, restitution)};
    CoupleLog log(*model, d, drill);
    const Summary s =
        test::run(*model, from, surfaces, {.method = MotionMethod::events, .end_time = 3.}, log);
    const EnergyAccount& e = s.progress.energy;
    EXPECT_NEAR(e.gap(), 0., 1e-8 * (e.kinetic_start + std::abs(e.potential_start))) << seed;
    EXPECT_LT(log.worst, 1e-8) << seed;
    if (s.ending == Ending::time)
      ++ended;
    else
      ADD_FAILURE() << seed << ": " << s.reason;
    if (s.progress.state.u.norm() < 1e-9) ++rested;
  }
  EXPECT_EQ(ended, seeds);
  RecordProperty("rested", static_cast<int>(rested));
}

// A model that knows no spins refuses lengths.
TEST(MotionRolling, RefusesModelsWithoutSpins) {
  const DiscModel model({.mass = 1., .radius = 0.1, .half_thickness = 0.02});
  const std::vector<Surface> surfaces{rough(0.2, 0.01)};
  State s;
  s.q = Vector::Zero(static_cast<Eigen::Index>(model.positions()));
  s.u = Vector::Zero(static_cast<Eigen::Index>(model.velocities()));
  EXPECT_THROW(static_cast<void>(start(model, s, surfaces, {.end_time = 1.})), InputError);
}

}  // namespace
}  // namespace carom
