// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// What an instant with impacts reports, and what is sampled around it.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

using test::g;

/// A bar that gains energy under Newton's hypothesis, and discs that do not, which strike the floor
/// at the same instant. The bar is body number `place`.
struct AtOnce {
  std::vector<PlanarBody> bodies;
  State from;

  AtOnce(std::size_t place, std::size_t discs) {
    const double half = 1.;
    const double angle = 40. * std::numbers::pi / 180.;
    const double height = 1.5;
    const double radius = height - half * std::sin(angle);  // the gap of a disc is that of the bar
    const auto size = static_cast<Eigen::Index>(3 * (discs + 1));
    from.q.setZero(size);
    from.u.setZero(size);
    for (std::size_t i = 0; i <= discs; ++i) {
      const auto k = static_cast<Eigen::Index>(3 * i);
      if (i == place) {
        bodies.push_back({.name = "bar",
                          .mass = 1.,
                          .inertia = half * half / 3.,
                          .shape = shapes::plane::bar(2. * half)});
        from.q.segment<3>(k) << 0., height, angle;
        from.u.segment<3>(k) << 2., -1., 0.;
      } else {
        bodies.push_back({.name = "disc" + std::to_string(i),
                          .mass = 1.,
                          .inertia = 0.5 * radius * radius,
                          .shape = shapes::plane::disc(radius)});
        from.q.segment<3>(k) << 20. * static_cast<double>(i + 1), 2. * radius, 0.;
        from.u.segment<3>(k) << 0., -1., 0.;
      }
    }
  }
};

TEST(MotionInstant, KeepsTheVerdictsOfAllImpactsInAnyOrder) {
  for (const std::size_t discs : {0U, 1U, 2U}) {
    double gained = 0.;
    for (std::size_t place = 0; place <= discs; ++place) {
      const AtOnce scene(place, discs);
      const PlanarModel model({.bodies = scene.bodies, .ground = {test::line("floor")}});
      const std::vector<Surface> surfaces(1, {.restitution = 0.9, .friction = 0.6});
      Options options{.end_time = 0.35, .sample_interval = HUGE_VAL};
      options.law = find_law("newton");
      MotionLog log;
      const Summary s = test::run(model, scene.from, surfaces, options, log);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      ASSERT_GE(log.events.size(), 2U);
      const Event& impact = log.events[1];
      ASSERT_EQ(impact.contacts.size(), discs + 1) << "not at once";
      if (place == 0) gained = impact.energy_change;
      EXPECT_NEAR(impact.energy_change, gained, 1e-12 * std::abs(gained));
      EXPECT_TRUE(impact.flags.has(Verdict::energy_gained)) << discs << ' ' << place;
    }
  }
}

/// Keeps the modes of samples, and how many events came before each.
class OrderLog final : public Recorder {
 public:
  void event(const Event& e) override { events.push_back(e); }
  void sample(const Sample& s) override {
    times.push_back(s.state.time);
    heights.push_back(s.state.q(1));
    touches.push_back(s.contacts[0].touch);
    forces.push_back(s.force[0]);
    events_before.push_back(events.size());
  }
  std::vector<Event> events;
  std::vector<double> times, heights, forces;
  std::vector<Touch> touches;
  std::vector<std::size_t> events_before;
};

// A Zeno point skips a short time. Samples within it come before the event, with the modes before.
TEST(MotionInstant, SamplesWithinASkippedIntervalComeBeforeTheEvent) {
  const PlanarModel model(test::ball_on_floor());
  const std::vector<Surface> surfaces{{.restitution = 0.5, .friction = 0.2}};
  const State from = test::state({0., 1.1, 0.}, {0., 0., 0.});
  const double v0 = std::sqrt(2. * g);
  MotionLog first;
  (void)test::run(model, from, surfaces, {.end_time = 3.}, first);
  double skipped = 0., at = 0.;
  for (const Event& e : first.events) {
    if (e.kind != EventKind::accumulation) continue;
    skipped = e.passed_over;
    at = e.time;
  }
  ASSERT_GT(skipped, 0.);
  EXPECT_NEAR(at, v0 / g * (1. + 2. * 0.5 / 0.5), 1e-9);
  for (const double part : {0.1, 0.5, 0.9}) {
    const double inside = at - part * skipped;
    OrderLog log;
    (void)test::run(model, from, surfaces, {.end_time = 2., .sample_interval = inside}, log);
    ASSERT_EQ(log.times.size(), 3U);  // at the start, inside, and at the end
    EXPECT_EQ(log.times[1], inside);
    EXPECT_EQ(log.touches[1], Touch::open);
    EXPECT_EQ(log.forces[1], 0.);
    EXPECT_NEAR(log.heights[1], 0.1, 1e-9);
    const Event& next = log.events.at(log.events_before[1]);
    EXPECT_EQ(next.kind, EventKind::accumulation);
    EXPECT_LT(inside, next.time);
  }
}

// However slow impacts are, a series of them ends at its Zeno point.
TEST(MotionInstant, SlowSeriesEndAtTheirZenoPoints) {
  PlanarScene scene = test::ball_on_floor();
  const double e = 0.9;
  const double v = 5e-4 * std::sqrt(g * 0.1);  // fewer than eight impacts would bring it to rest
  MotionLog log;
  const PlanarModel model(scene);
  const Summary s =
      test::run(model, test::state({0., 0.1, 0.}, {0., v, 0.}),
                {{.restitution = e, .friction = 0.2}}, {.end_time = 0.02, .tolerance = 1e-12}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  double at = 0.;
  for (const Event& event : log.events) {
    EXPECT_NE(event.kind, EventKind::impact_to_contact) << event.time;
    if (event.kind == EventKind::accumulation) at = event.time;
  }
  EXPECT_NEAR(at, 2. * v / g / (1. - e), 1e-9 * std::sqrt(0.1 / g));
}

// A ball alone on a table that shakes fast strikes slowly and irregularly for ever. No other
// contact disturbs it: its impacts are its motion, and only those slower than 1e-5 sqrt(a L) end.
TEST(MotionInstant, ImpactsOnAShakingTableGoOn) {
  PlanarScene scene = test::ball_on_floor();
  const double speed = 2e-4 * std::sqrt(g * 0.1);  // of the table; its acceleration is 3 g
  const double omega = 3. * g / speed;
  scene.ground[0].motion.amplitude = {0., speed / omega, 0.};
  scene.ground[0].motion.frequency = omega / (2. * std::numbers::pi);
  const PlanarModel model(scene);
  MotionLog log;
  const Summary s = test::run(model, test::state({0., 0.1 + 1e-9, 0.}, {0., 0., 0.}),
                              {{.restitution = 0.5, .friction = 0.2}},
                              {.end_time = 0.01, .sample_interval = HUGE_VAL}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  std::size_t impacts = 0;
  for (const Event& event : log.events) {
    if (event.kind == EventKind::impact) ++impacts;
    if (event.kind != EventKind::impact_to_contact) continue;
    EXPECT_LE(-event.energy_change, 0.5 * 0.5 * 1e-10 * g * model.length_scale()) << event.time;
  }
  EXPECT_GT(impacts, 20U);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-9);
}

// On a floor that moves up a Zeno point still takes energy away: what the floor gives in the
// skipped time is work of drives, and so is its part in the impulse that stops the ball.
TEST(MotionInstant, AccumulationOnAMovingFloorDropsEnergy) {
  PlanarScene scene = test::ball_on_floor();
  scene.ground[0].motion.velocity = {0., 2., 0.};
  const PlanarModel model(scene);
  const State from = test::state({0., 1.1, 0.}, {0., 0., 0.});
  MotionLog log;
  const Summary s = test::run(model, from, {{.restitution = 0.5, .friction = 0.2}},
                              {.end_time = 3., .sample_interval = 0.01}, log);
  bool any = false;
  for (const Event& e : log.events) {
    if (e.kind != EventKind::accumulation) continue;
    any = true;
    EXPECT_LE(e.energy_change, 0.);
  }
  EXPECT_TRUE(any);
  EXPECT_LE(s.progress.energy.dropped, 0.);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8);
}

// Without gravity a compliant ball leaves with e times its speed, and the event has the speed.
TEST(MotionCompliant, BouncesWithoutGravity) {
  for (const double v : {1e-3, 1., 50.}) {
    PlanarScene scene = test::ball_on_floor();
    scene.gravity = {};
    scene.acceleration = v * v / 0.1;
    const PlanarModel model(scene);
    const std::vector<Surface> surfaces{
        {.restitution = 0.7, .friction = 0.2, .stiffness = 1e6, .exponent = 1.5}};
    Options options{.end_time = 1. / v, .sample_interval = HUGE_VAL};
    options.compliant = {true};
    MotionLog log;
    const Summary s =
        test::run(model, test::state({0., 0.2, 0.}, {0., -v, 0.}), surfaces, options, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    ASSERT_EQ(log.events.size(), 4U);
    EXPECT_EQ(log.events[1].kind, EventKind::touch_down);
    EXPECT_NEAR(log.events[1].approach, v, 1e-9 * v);
    EXPECT_NEAR(s.progress.state.u(1), 0.7 * v, 1e-7 * v);
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8 * v * v);
  }
}

/// A ball of 1 kg that falls on a spring, as in a drop of 0.5 m.
struct Drop {
  double e = 0.;
  double gravity = 9.81;  ///< [m/s^2]
  double stiffness = 1e6;
  double end_time = 0.5;  ///< [s]
  double v = 3.;          ///< [m/s]

  Summary run(Recorder& log) const {
    PlanarScene scene = test::ball_on_floor(0.1, 1.);
    scene.gravity = {0., -gravity};
    scene.acceleration = 10.;
    const PlanarModel model(scene);
    const std::vector<Surface> surfaces{
        {.restitution = e, .friction = 0.2, .stiffness = stiffness, .exponent = 1.5}};
    Options options{.end_time = end_time, .sample_interval = HUGE_VAL};
    options.compliant = {true};
    return test::run(model, test::state({0., 0.101, 0.}, {0., -v, 0.}), surfaces, options, log);
  }
};

// v_n+ = e v_n- for every e, with the weight and without it.
TEST(MotionCompliant, RestitutionGivenIsTheOneUsed) {
  for (const double e : {0., 0.001, 0.01, 0.05, 0.1, 0.5, 1.}) {
    const Drop without{.e = e, .gravity = 0., .end_time = 0.05};
    MotionLog log;
    const Summary s = without.run(log);
    ASSERT_EQ(s.ending, Ending::time) << e << ' ' << s.reason;
    EXPECT_NEAR(s.progress.state.u(1), e * without.v, 1e-7 * without.v) << e;
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8) << e;
  }
  for (const double e : {0.01, 0.05, 0.1, 0.5, 1.}) {
    const Drop stiff{.e = e, .stiffness = 1e9, .end_time = 0.002};
    MotionLog log;
    const Summary s = stiff.run(log);
    ASSERT_EQ(s.ending, Ending::time) << e << ' ' << s.reason;
    ASSERT_GE(log.events.size(), 3U) << e;
    ASSERT_EQ(log.events[2].kind, EventKind::lift_off) << e;
    const double at_lift = s.progress.state.u(1) + 9.81 * (0.002 - log.events[2].time);
    EXPECT_NEAR(at_lift / log.events[1].approach, e, 1e-7) << e;
  }
}

// A ball comes to rest on the spring instead of sinking into it without end. Each impact leaves
// (1 - e^2) x of its deformation x; impacts that would repeat with the weight alone are ended.
TEST(MotionCompliant, ComesToRestWithoutSinking) {
  const double deepest = std::pow(1.25 * (9. + 2. * 9.81 * 0.001) / 1e6, 0.4);  // of the first one
  for (const double e : {0., 0.01, 0.1, 0.3, 0.7}) {
    MotionLog early;
    MotionLog late;
    const Summary then = Drop{.e = e, .end_time = 4.}.run(early);
    const Summary s = Drop{.e = e, .end_time = 8.}.run(late);
    ASSERT_EQ(s.ending, Ending::time) << e << ' ' << s.reason;
    EXPECT_EQ(s.progress.contacts[0].touch, Touch::stick) << e;
    EXPECT_NEAR(s.progress.state.u(1), 0., 1e-12) << e;
    EXPECT_NEAR(s.progress.state.q(1), then.progress.state.q(1), 1e-12) << e;
    EXPECT_GT(s.progress.state.q(1), 0.1 - 1.3 * deepest) << e;
    EXPECT_LT(s.progress.state.q(1), 0.1) << e;
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-7) << e;
    EXPECT_LT(s.progress.steps, 4000U) << e;
  }
}

// Thrown bodies with one contact or several end their runs, sink no farther than their first
// impacts press them in, and lose no energy that the account does not know.
TEST(MotionCompliant, ThrownBodiesCloseTheirAccounts) {
  const std::array scenes{test::block_on_floor(0.2, 0.1, 2.), test::rod_on_floor(0.3, 1.)};
  std::size_t seed = 0;
  for (const PlanarScene& scene : scenes) {
    const PlanarModel model(scene);
    for (const double e : {0., 0.01, 0.05, 0.2, 0.5, 0.9}) {
      for (const double friction : {0.1, 0.4, 0.8}) {
        const std::vector<Surface> surfaces(model.contacts(), {.restitution = e,
                                                               .friction = friction,
                                                               .static_friction = friction,
                                                               .stiffness = 1e7,
                                                               .exponent = 1.5});
        Options options{.end_time = 1.5, .sample_interval = HUGE_VAL};
        options.compliant.assign(model.contacts(), true);
        const double x = std::fmod(0.618 * static_cast<double>(++seed), 1.);
        test::MotionCounter log;
        const Summary s =
            test::run(model, test::state({0., 0.6, 2. * x - 1.}, {1. - x, 0., 6. * x - 3.}),
                      surfaces, options, log);
        ASSERT_EQ(s.ending, Ending::time) << e << ' ' << friction << ' ' << s.reason;
        EXPECT_NEAR(s.progress.energy.gap(), 0., 2e-8) << e << ' ' << friction;
        for (std::size_t i = 0; i < model.contacts(); ++i) {
          EXPECT_GT(model.gap(model.contact_id(i), s.progress.state), -0.01)
              << e << ' ' << friction;
        }
      }
    }
  }
}

/// A block over a floor, at a height and with a normal velocity.
Summary block_at(double gap, double velocity, MotionLog& log, double end_time = 0.01) {
  const PlanarModel model(test::block_on_floor(0.2, 0.1, 2.));
  const std::vector<Surface> surfaces(4, {.restitution = 0.5, .friction = 0.3});
  return test::run(model, test::state({0.3, 0.1 + gap, 0.}, {0.1, velocity, 0.}), surfaces,
                   {.end_time = end_time, .sample_interval = HUGE_VAL}, log);
}

// Positions with few digits: a gap up to 1e-6 of the body's size is closed where the body rests.
TEST(MotionStart, ClosesSmallGapsOfBodiesAtRest) {
  for (const double gap : {-2e-7, -4.9e-10, -1e-11, 1e-11, 3e-9, 2e-7}) {
    MotionLog log;
    const Summary s = block_at(gap, 0., log);
    ASSERT_EQ(s.ending, Ending::time) << gap << ' ' << s.reason;
    ASSERT_EQ(log.events.size(), 2U) << gap;  // start and end: no impacts
    EXPECT_EQ(log.events[0].contacts.size(), 2U) << gap;
    EXPECT_NE(log.events[0].note.find("small gaps at 2 contacts closed"), std::string::npos)
        << log.events[0].note;
    EXPECT_NEAR(s.progress.state.q(1), 0.1, 1e-15) << gap;
    EXPECT_NEAR(s.progress.state.q(2), 0., 1e-15) << gap;  // the least displacement does not turn
    EXPECT_NEAR(s.progress.energy.potential_start, 2. * 9.81 * 0.1, 1e-14) << gap;
  }
  MotionLog exact;
  (void)block_at(0., 0., exact);
  EXPECT_TRUE(exact.events[0].note.empty()) << exact.events[0].note;
}

// One that moves towards the floor, or away from it, or is farther away is left alone.
TEST(MotionStart, LeavesOtherSmallGaps) {
  for (const double velocity : {-1., -0.01, 0.01, 1.}) {
    MotionLog log;
    (void)block_at(1e-7, velocity, log);
    EXPECT_TRUE(log.events[0].note.empty()) << log.events[0].note;
    EXPECT_TRUE(log.events[0].contacts.empty()) << velocity;
  }
  MotionLog log;
  (void)block_at(1e-6, 0., log);
  EXPECT_TRUE(log.events[0].note.empty()) << log.events[0].note;
}

TEST(MotionStart, RefusesLargerOverlapsWithTheLimit) {
  MotionLog log;
  try {
    (void)block_at(-1e-6, 0., log);
    FAIL() << "not refused";
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "block-floor 1.gap");
    const std::string problem(e.problem());
    EXPECT_NE(problem.find("the bodies overlap by 1"), std::string::npos) << problem;
    EXPECT_NE(problem.find("up to 2.236"), std::string::npos) << problem;
  }
}

// More contacts than freedoms: a block on a floor and against a wall.
TEST(MotionStart, ClosesHyperstaticGaps) {
  const double b = 0.2, h = 0.1, off = 1e-8;
  const PlanarModel model(
      {.bodies = {{.name = "block",
                   .mass = 2.,
                   .inertia = 0.03,
                   .shape = shapes::plane::box(2. * b, 2. * h)}},
       .ground = {test::line("floor"), test::line("wall", {1., 0.}, 0.5 * std::numbers::pi)}});
  const std::vector<Surface> surfaces(model.contacts(), {.restitution = 0.5, .friction = 0.3});
  // The wall's side is to the left of its direction.
  const State from = test::state({1. - b + off, h - 2. * off, off}, {0., 0., 0.});
  const Progress p = start(model, from, surfaces, {.end_time = 1.});
  std::size_t closed = 0;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    const double gap = model.gap(model.contact_id(i), p.state);
    EXPECT_GT(gap, -1e-15) << ContactNames(model)[i];
    closed += gap < 1e-13 ? 1U : 0U;
  }
  EXPECT_EQ(closed, 4U);
  EXPECT_NEAR(p.state.q(0), 1. - b, 1e-15);
  EXPECT_NEAR(p.state.q(1), h, 1e-15);
  EXPECT_NEAR(p.state.q(2), 0., 1e-15);
}

// A disc in a slot that is too narrow for it cannot be moved out of both walls.
TEST(MotionStart, RefusesWhatCannotBeClosed) {
  const double r = 0.1, narrow = 1e-8;
  const auto scene = [&](double width) {
    return PlanarScene{
        .bodies = {{.name = "disc", .mass = 1., .inertia = 0.005, .shape = shapes::plane::disc(r)}},
        .ground = {test::line("left", {}, -0.5 * std::numbers::pi),
                   test::line("right", {width, 0.}, 0.5 * std::numbers::pi)}};
  };
  const std::vector<Surface> surfaces(2, {.restitution = 0.5, .friction = 0.3});
  const State from = test::state({r, 0., 0.}, {0., 0., 0.});
  const PlanarModel tight(scene(2. * r - narrow));
  EXPECT_THROW((void)start(tight, from, surfaces, {}), InputError);
  const PlanarModel wide(scene(2. * r + narrow));
  const Progress p = start(wide, from, surfaces, {});
  const double left = wide.gap(wide.contact_id(0), p.state);
  const double right = wide.gap(wide.contact_id(1), p.state);
  EXPECT_NEAR(left, right, 1e-15);  // half of the room on each side
}

/// A block that lands flat on two corners.
Summary flat_landing(const Options& options, Recorder& log) {
  const PlanarModel model(test::block_on_floor(0.2, 0.1, 2.));
  const std::vector<Surface> surfaces(
      4, {.restitution = 0.5, .friction = 0.3, .stiffness = 1e8, .exponent = 1.5});
  return test::run(model, test::state({0., 0.3, 0.}, {0.4, 0., 0.}), surfaces, options, log);
}

// Where lzb does not end within its steps moreau answers; the event and the summary say so.
TEST(MotionLaws, ReportAChangeOfLaw) {
  Options options{.end_time = 0.3, .sample_interval = HUGE_VAL};
  MotionLog usual;
  EXPECT_EQ(flat_landing(options, usual).progress.other_law, 0U);
  options.several_options.most_steps = 1;
  MotionLog log;
  const Summary s = flat_landing(options, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  std::size_t changes = 0;
  for (const Event& e : log.events) {
    if (e.note.empty()) continue;
    EXPECT_EQ(e.note, "lzb has no outcome (not-converged after 1 steps): moreau instead");
    EXPECT_EQ(e.contacts.size(), 2U);
    ++changes;
  }
  EXPECT_GE(changes, 1U);
  EXPECT_EQ(s.progress.other_law, changes);
}

SolveOptions seen;  ///< by the law below

// The options of a law reach it, at one contact and at several.
TEST(MotionLaws, GetTheirOptions) {
  const Law* energetic = find_law("energetic");
  const Law one{
      .name = "one",
      .info = energetic->info,
      .solve = [](const Law&, const ContactProblem& p, const SolveOptions& o, Outcome& outcome) {
        seen = o;
        solve(*find_law("energetic"), p, o, outcome);
      }};
  const Law several{
      .name = "several",
      .info = find_law("moreau")->info,
      .solve = [](const Law&, const ContactProblem& p, const SolveOptions& o, Outcome& outcome) {
        seen = o;
        solve(*find_law("moreau"), p, o, outcome);
      }};
  Options options{.end_time = 0.3, .sample_interval = HUGE_VAL};
  options.law = &one;
  options.law_options.tolerance = 1e-5;
  options.several = &several;
  options.several_options.tolerance = 1e-7;
  options.several_options.most_steps = 77;
  MotionLog log;
  seen = {};
  (void)flat_landing(options, log);
  EXPECT_EQ(seen.tolerance, 1e-7);
  EXPECT_EQ(seen.most_steps, 77U);
  const PlanarModel ball(test::ball_on_floor());
  (void)test::run(ball, test::state({0., 0.2, 0.}, {0., 0., 0.}),
                  {{.restitution = 0.5, .friction = 0.3}}, options, log);
  EXPECT_EQ(seen.tolerance, 1e-5);
}

}  // namespace
}  // namespace carom
