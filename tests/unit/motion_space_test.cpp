// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Motion in space: slip turns, and reaches zero along rays.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

using test::g;

/// A homogeneous ball over an inclined plane z = 0, x downhill; its orientation does not matter.
/// With no radius it is a particle.
class Ball final : public ListedModel {
 public:
  Ball(double mass, double radius, double slope) : m_(mass), r_(radius), slope_(slope) {}
  mutable std::size_t rates = 0;  ///< so many were asked for

  [[nodiscard]] std::size_t positions() const override { return 3; }
  [[nodiscard]] std::size_t velocities() const override { return r_ > 0. ? 6 : 3; }
  [[nodiscard]] std::size_t contacts() const override { return 1; }
  [[nodiscard]] std::size_t components() const override { return 3; }
  [[nodiscard]] std::string position_name(std::size_t i) const override {
    return "q" + std::to_string(i);
  }
  [[nodiscard]] std::string velocity_name(std::size_t i) const override {
    return "u" + std::to_string(i);
  }
  [[nodiscard]] std::string name_of(std::size_t /*i*/) const override { return "ball-plane"; }
  [[nodiscard]] std::string_view position_unit(std::size_t /*i*/) const override { return "m"; }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return i < 3 ? "m" : "rad";
  }
  void kinematics(const State& s, Vector& rate) const override {
    rate = s.u.head(3);
    ++rates;
  }
  void dynamics(const State& /*state*/, MassMatrix& M, Vector& h) const override {
    M.set_zero();
    h.setZero();
    const std::size_t n = velocities();
    for (std::size_t j = 0; j < n; ++j) M.block(0)[j * n + j] = j < 3 ? m_ : 0.4 * m_ * r_ * r_;
    h(0) = m_ * g * std::sin(slope_);
    h(2) = -m_ * g * std::cos(slope_);
  }
  [[nodiscard]] double gap_of(std::size_t /*contact*/, const State& s) const override {
    return s.q(2) - r_;
  }
  // n = z, t1 = x, t2 = y; v = v_c + spin x (-r z).
  void motion_of(std::size_t /*contact*/, const State& s, ContactMotion& c) const override {
    c.gap = s.q(2) - r_;
    c.ranges = {VelocityRange{0, velocities()}, {}};
    c.W.setZero(ix(velocities()), 3);
    c.W(2, 0) = 1.;
    c.W(0, 1) = 1.;
    c.W(1, 2) = 1.;
    if (r_ > 0.) {
      c.W(4, 1) = -r_;
      c.W(3, 2) = r_;
    }
    c.velocity = c.W.transpose() * s.u;
    c.bias.setZero();
  }
  [[nodiscard]] double potential_energy(const State& s) const override {
    return m_ * g * (s.q(2) * std::cos(slope_) - s.q(0) * std::sin(slope_));
  }
  [[nodiscard]] double length_scale() const override { return r_ > 0. ? r_ : 0.1; }
  [[nodiscard]] double acceleration_scale() const override { return g; }

 private:
  double m_;
  double r_;
  double slope_;
};

// Slip of a ball on a level plane does not turn: v_slip/(7/2 mu g), then it rolls.
TEST(MotionSpace, BallRolls) {
  const double r = 0.1;
  const double mu = 0.2;
  const Ball model(0.5, r, 0.);
  const std::vector<Surface> surfaces{{.friction = mu}};
  MotionLog log;
  const Summary s = test::run(model, test::state({0., 0., r}, {1., -0.4, 0., 3., -12., 7.}),
                              surfaces, {.end_time = 1.}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_EQ(log.events.size(), 3U);
  const double slip = std::hypot(1. + 12. * r, -0.4 + 3. * r);
  EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
  EXPECT_NEAR(log.events[1].time, slip / (3.5 * mu * g), 1e-12);
  EXPECT_NEAR(s.progress.state.u(5), 7., 1e-14);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-12);
}

// A particle thrown across a rough slope turns downhill as it stops. With k = mu/tan(slope) and w
// = tan(psi/2), psi its direction from downhill: v = C w^k/sin psi, and it stops after
// C/(2 g sin(slope)) (w^(k-1)/(k-1) + w^(k+1)/(k+1)).
TEST(MotionSpace, ParticleStopsOnASlope) {
  const double slope = 0.3;
  for (const double mu : {0.4, 0.5, 0.8}) {
    for (const double psi : {1e-7, 0.5, 1.5, 2.5, 3.1}) {
      const double v0 = 0.8;
      const Ball model(0.5, 0., slope);
      const std::vector<Surface> surfaces{{.friction = mu}};
      MotionLog log;
      const Summary s =
          test::run(model, test::state({0., 0., 0.}, {v0 * std::cos(psi), v0 * std::sin(psi), 0.}),
                    surfaces, {.end_time = 5., .tolerance = 1e-11}, log);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      const double k = mu / std::tan(slope);
      const double w = std::tan(psi / 2.);
      const double C = v0 * std::sin(psi) / std::pow(w, k);
      const double time = C / (2. * g * std::sin(slope)) *
                          (std::pow(w, k - 1.) / (k - 1.) + std::pow(w, k + 1.) / (k + 1.));
      ASSERT_EQ(log.events.size(), 3U) << mu << ' ' << psi;
      EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
      EXPECT_NEAR(log.events[1].time, time, 1e-9 * time) << mu << ' ' << psi;
      EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9) << mu << ' ' << psi;
    }
  }
}

// Slip that turns as it falls may not fall too far in one step. Slow slip asks for steps that are
// far shorter than the first one that is tried: they are chosen, not found by halving.
TEST(MotionSpace, StepsFollowSlipThatFalls) {
  constexpr double most = 40.;  // rates of a step; 42 to 47 with halving
  for (const double v0 : {1e-6, 1e-5, 1e-4}) {
    const Ball model(0.5, 0., 0.3);
    MotionLog log;
    const Summary s = test::run(model, test::state({0., 0., 0.}, {0., v0, 0.}), {{.friction = 0.5}},
                                {.end_time = 0.1}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const auto steps = static_cast<double>(s.progress.steps);
    EXPECT_LT(static_cast<double>(model.rates), most * steps) << v0 << ", steps " << steps;
  }
}

// Impacts in space accumulate like those in the plane; what slips on goes on slipping.
TEST(MotionSpace, BallBouncesAndRolls) {
  const double r = 0.1;
  const Ball model(0.5, r, 0.1);
  const std::vector<Surface> surfaces{{.restitution = 0.6, .friction = 0.15}};
  MotionLog log;
  const Summary s = test::run(model, test::state({0., 0., 0.5}, {1., 2., 0., 3., -40., 7.}),
                              surfaces, {.end_time = 3.}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_EQ(s.progress.contacts[0].touch, Touch::stick);
  // Rolling: 5/7 of the slope's acceleration.
  const double before = s.progress.state.u(0);
  MotionLog more;
  const Summary later = simulate(model, surfaces, {.end_time = 4.}, s.progress, more);
  EXPECT_NEAR(later.progress.state.u(0) - before, 5. / 7. * g * std::sin(0.1), 1e-9);
  EXPECT_NEAR(later.progress.energy.gap(), 0., 1e-8);
}

// Four corners carry a box in many ways. Where it spins and slides, friction depends on the choice.
TEST(MotionSpace, TheLogSaysWhereTheDistributionOfForcesDecides) {
  struct Case {
    World3 velocity, spin, offset;
    bool depends;
  };
  for (const Case& c :
       {Case{{}, {}, {}, false}, Case{{1., 0.4, 0.}, {}, {}, false},
        Case{{1., 0.4, 0.}, {}, {0.03, 0.02, 0.}, false}, Case{{}, {0., 0., 5.}, {}, false},
        Case{{1., 0.2, 0.}, {0., 0., 5.}, {}, true},
        Case{{}, {0., 0., 5.}, {0.03, 0.02, 0.}, true}}) {
    const SpatialModel model({.bodies = {{.name = "box",
                                          .solid = shapes::space::Box{{0.2, 0.3, 0.1}},
                                          .offset = c.offset,
                                          .position = {0., 0., 0.05},
                                          .velocity = c.velocity,
                                          .spin = c.spin}},
                              .ground = {test::plane("floor")}});
    test::MotionLog log;
    const std::vector<Surface> surfaces{{.friction = 0.3, .static_friction = 0.3}};
    const Summary s = test::run(model, model.start(), surfaces, {.end_time = 1.}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const auto says = [](const Event& e) {
      return e.note.find("distributed") != std::string::npos;
    };
    EXPECT_EQ(says(log.events.front()), c.depends) << log.events.front().note;
    EXPECT_FALSE(says(log.events.back()));
    EXPECT_EQ(std::any_of(log.events.begin(), log.events.end(), says), c.depends);
  }
}

// A box that spins about the middle of its corners, on a slope: all distributions give the same
// motion until it begins to slide. The next event says since when not, once, wherever the run was
// interrupted.
TEST(MotionSpace, TheNextEventSaysSinceWhenTheDistributionOfForcesDecides) {
  const SpatialModel model({.bodies = {{.name = "box",
                                        .solid = shapes::space::Box{{0.2, 0.3, 0.1}},
                                        .position = {0., 0., 0.05},
                                        .spin = {0., 0., 5.}}},
                            .ground = {test::plane("floor")},
                            .gravity = {g * std::sin(0.1), 0., -g * std::cos(0.1)}});
  const std::vector<Surface> surfaces{{.friction = 0.3, .static_friction = 0.3}};
  const auto says = [](const test::MotionLog& log) {
    return std::count_if(log.events.begin(), log.events.end(), [](const Event& e) {
      return e.note.find("from 0 s on the motion depended on how forces are distributed") !=
             std::string::npos;
    });
  };
  test::MotionLog log;
  const Summary s = test::run(model, model.start(), surfaces, {.end_time = 1.}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_EQ(log.events.size(), 3U);
  EXPECT_EQ(log.events[0].note, "");
  EXPECT_EQ(says(log), 1);
  EXPECT_NE(log.events[1].note, "");
  EXPECT_EQ(log.events[2].note, "");
  // It sticks after the second event.
  const double half = 0.5 * log.events[1].time;
  test::MotionLog first, second;
  const Summary part = test::run(model, model.start(), surfaces, {.end_time = half}, first);
  EXPECT_EQ(says(first), 1);  // at the end of this part
  (void)simulate(model, surfaces, {.end_time = 1.}, part.progress, second);
  EXPECT_EQ(second.events[0].note, log.events[1].note);
}

// Infinitely many impacts that are passed over end in such motion, too.
TEST(MotionSpace, TheEndOfImpactsSaysThatTheDistributionOfForcesDecides) {
  const SpatialModel model({.bodies = {{.name = "box",
                                        .solid = shapes::space::Box{{0.4, 0.2, 0.1}},
                                        .position = {0., 0., 0.15},
                                        .velocity = {0.8, 0.1, 0.},
                                        .spin = {0., 0., 5.}}},
                            .ground = {test::plane("floor")}});
  test::MotionLog log;
  Options options{.end_time = 0.4};
  options.several = &find_law("moreau", "law");
  (void)test::run(model, model.start(), {{.restitution = 0.3, .friction = 0.2}}, options, log);
  const auto passed = std::find_if(log.events.begin(), log.events.end(), [](const Event& e) {
    return e.kind == EventKind::accumulation;
  });
  ASSERT_NE(passed, log.events.end());
  EXPECT_NE(passed->note.find("distributed"), std::string::npos) << passed->note;
}

}  // namespace
}  // namespace carom
