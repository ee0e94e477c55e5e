// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <carom/core/error.hpp>
#include <carom/motion/crowd.hpp>

#include "support/any_scenes.hpp"
#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"
#include "support/other_scenes.hpp"
#include "support/random_scenes.hpp"

// Events and steps by turns: every scene ends, and the run says where steps took over.
namespace carom {
namespace {

using namespace motion;

/// Counts stretches of steps, and judges states. Stops at a time.
class Turns final : public test::Judge {
 public:
  explicit Turns(const test::RandomMotion& m) : Judge(m) {}
  void event(const Event& e) override {
    if (e.kind == EventKind::stepping_begins) {
      EXPECT_FALSE(e.note.empty());
      ++begun;
    }
    if (e.kind == EventKind::stepping_ends) ++ended;
    EXPECT_GE(e.time, last_time);
    last_time = e.time;
    Judge::event(e);
  }
  void sample(const Sample& s) override {
    Judge::sample(s);
    stops_ = s.state.time >= stop_at;
  }
  bool stop() override { return stops_; }
  /// Sides of events are judged where the run is by events alone: MotionScenes.
  [[nodiscard]] bool wants_sides() const override { return false; }

  std::size_t begun = 0;
  std::size_t ended = 0;
  double last_time = 0.;
  double stop_at = std::numeric_limits<double>::infinity();

 private:
  bool stops_ = false;
};

/// Runs a scene by turns.
/// @param least  tension that counts, over the weight
/// @return stretches of steps
std::size_t expect_end(test::RandomMotion m, const std::string& what, double least = 1e-8) {
  SCOPED_TRACE(what);
  m.options.method = MotionMethod::automatic;
  m.options.most_events = 0;
  Turns turns(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, turns);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_LE(turns.ended, turns.begun);
  EXPECT_LE(turns.overlap, 0.01);
  EXPECT_LE(turns.tension, least);
  const EnergyAccount& e = s.progress.energy;
  const double turned_over = e.kinetic_start + 0.5 * 9.81 * m.mass;  // a fall by half a metre
  EXPECT_LE(std::abs(e.gap()), 1e-8 * turned_over);
  return turns.begun;
}

TEST(MotionAutomatic, DiscsEnd) {
  std::size_t stretches = 0;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    stretches += expect_end(test::thrown_discs(seed, 12), "discs, seed " + std::to_string(seed));
  }
  EXPECT_GT(stretches, 0U);
}

TEST(MotionAutomatic, ShapesEnd) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    expect_end(test::thrown_shapes(seed, 8, false), "shapes, seed " + std::to_string(seed));
    expect_end(test::thrown_shapes(seed, 8, true), "boxes, seed " + std::to_string(seed));
  }
}

TEST(MotionAutomatic, SolidsEnd) {
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    expect_end(test::thrown_solids(seed, 5, false), "solids, seed " + std::to_string(seed));
    expect_end(test::thrown_spheres(seed, 6), "spheres, seed " + std::to_string(seed));
  }
}

/// Runs a scene, and judges every state: it ends, bodies do not overlap by a hundredth of their
/// size, contacts of steps do not gain energy, the account closes, and every accepted state
/// satisfies the laws of contact. What a step leaves of these is the residual of its contacts,
/// relative to the largest impulse of an island, and here to the largest speed of a body.
/// @param accounts  whether the account closes by identity: not with joints
/// @param may_jam  whether supports may draw a body in between them, where no finite force exists
void expect_lawful(test::RandomMotion m, const std::string& what, bool accounts = true,
                   bool may_jam = false) {
  constexpr double most_off = 1e-6;
  SCOPED_TRACE(what);
  m.options.most_events = 0;
  m.options.sample_interval = 0.;  // every step
  test::StepJudge judge(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
  if (!may_jam || s.failure != Failure::no_forces) {
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
  }
  const auto expect = [](const test::StepJudge::Worst& worst, double most, const char* of) {
    EXPECT_LE(worst.value, most) << of << " at t = " << worst.time << " s: " << worst.where;
  };
  expect(judge.overlap, 0.01, "overlap");
  expect(judge.gained, 1e-9, "energy gained by contacts in a step");
  if (accounts) expect(judge.unaccounted, 1e-8, "account");
  expect(judge.laws.tension, 1e-6, "tension");
  expect(judge.laws.friction, most_off, "friction");
  expect(judge.laws.couples, most_off, "couples");
  expect(judge.laws.separating, most_off, "force at a contact that opens");
}

// Contacts that are lost where features hand over, or that almost lie flat; a step that gained
// energy; impulses of a jam whose work did not fit their velocities; rolling couples that gained
// energy; several events at one instant; jams in which slip that was reversed gained energy, or
// velocities that the solver left; slip and spins that turn while an event is handled, because a
// contact that approaches with a speed of rounding closes: found among random scenes.
TEST(MotionAutomatic, ScenesThatOnceFailed) {
  for (const std::uint64_t seed : {45U, 82U, 118U, 387U, 412U, 496U, 545U, 646U, 892U, 951U}) {
    expect_lawful(test::any_scene(seed), "scene " + std::to_string(seed));
  }
}

// Spins that stop together, of which one is held by the others, but for 1e-10 of its speed: what
// stops then must not open contacts.
TEST(MotionAutomatic, SpinsThatStopTogether) {
  test::RandomMotion m = test::any_scene(175);
  m.options.end_time = 0.47;
  expect_lawful(std::move(m), "scene 175");
}

// CAROM_SCENES and CAROM_FIRST_SCENE choose how many, and from which on.
template <class Expect>
void for_scenes(std::uint64_t usual, std::uint64_t from, const Expect& expect) {
  const auto number = [](const char* name, std::uint64_t other) {
    const char* const given = std::getenv(name);
    return given == nullptr ? other : std::strtoull(given, nullptr, 10);
  };
  const std::uint64_t scenes = number("CAROM_SCENES", usual);
  const std::uint64_t first = number("CAROM_FIRST_SCENE", from);
  for (std::uint64_t seed = first; seed < first + scenes; ++seed) {
    const std::clock_t start = std::clock();
    expect(seed);
    if (scenes <= usual) continue;
    std::printf("scene %llu: %.2f s\n", static_cast<unsigned long long>(seed),
                static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}

TEST(MotionAutomatic, RandomScenesEnd) {
  for_scenes(test::scene_kinds, 0, [](std::uint64_t seed) {
    expect_lawful(test::any_scene(seed), "scene " + std::to_string(seed));
  });
}

// Without the largest ones, in a short run.
TEST(MotionAutomatic, OtherScenesEnd) {
  for_scenes(test::other_kinds - 1, test::other_kinds, [](std::uint64_t seed) {
    const test::OtherKind kind = test::other_kind(seed);
    expect_lawful(test::other_scene(seed), "other scene " + std::to_string(seed), kind.accounts,
                  kind.may_jam);
  });
}

// A belt draws a disc into the gap between itself and a piece of the ground, with more friction
// than the gap is steep: no finite force holds it, whatever the step.
TEST(MotionAutomatic, EndsWhereNoFiniteForceExists) {
  test::Random random(1);
  test::PlaneBuilder b;
  for (const double x : {-0.1, 0.1}) {
    b.scene.ground.push_back({.name = x < 0. ? "left" : "belt",
                              .shape = shapes::plane::disc(0.02),
                              .pose = {{x, 0.}, 0.},
                              .belt_speed = x < 0. ? 0. : -0.5});
  }
  b.add(shapes::plane::disc(0.09), 1., {0., 0.11, 0.});
  test::RandomMotion m = b.made(random);
  m.options.method = MotionMethod::automatic;
  for (const double mu : {0.1, 1.}) {
    m.surfaces.assign(1, {.restitution = 0., .friction = mu, .static_friction = mu});
    test::MotionCounter quiet;
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, quiet);
    if (mu < 0.5) {
      EXPECT_EQ(s.ending, Ending::time) << s.reason;
      continue;
    }
    EXPECT_EQ(s.failure, Failure::no_forces) << s.reason;
    EXPECT_NE(s.reason.find("no finite forces"), std::string::npos) << s.reason;
    EXPECT_NE(s.reason.find("b0-"), std::string::npos) << s.reason;
  }
}

// Events of a few bodies may take longer than steps. Those of many bodies, with features of which
// any may touch, may not, unless they are few.
TEST(MotionAutomatic, EventsAreLeftWhereTheyCostMore) {
  const double h = 1e-3;
  const auto is_behind = [h](const Load& load, double events_in_step) {
    Crowd crowd{.time = h};
    for (int k = 1; k <= 10'000; ++k) {
      if (crowd.add(load, k * h / events_in_step, true)) return true;
    }
    return false;
  };
  const Load ball{.bodies = 1., .pairs = 1., .listed = 1., .touching = 1., .cubes = 8.};
  EXPECT_FALSE(is_behind(ball, 10.));
  EXPECT_TRUE(is_behind(ball, 100.));
  const Load boxes{.bodies = 30., .pairs = 70., .listed = 1000., .touching = 3., .cubes = 100.};
  EXPECT_FALSE(is_behind(boxes, 0.05));
  EXPECT_TRUE(is_behind(boxes, 0.2));
  Load shared = ball;  // as a body between two others
  shared.cubes = 27'000.;
  EXPECT_FALSE(is_behind(shared, 1.));
  shared.shared = true;
  EXPECT_TRUE(is_behind(shared, 1.));
}

TEST(MotionAutomatic, ManySolidsAreSteppedThrough) {
  test::RandomMotion m = test::thrown_solids(1, 20, true);
  m.options.method = MotionMethod::automatic;
  m.options.most_events = 0;
  m.options.end_time = 0.5;
  test::MotionCounter quiet;
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, quiet);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  const double by_steps = s.progress.next.step_counts[0];
  EXPECT_LT(static_cast<double>(s.progress.steps) - by_steps, 0.1 * by_steps);
}

// Where events suffice, nothing else is done.
TEST(MotionAutomatic, IsEventsWhereTheseSuffice) {
  test::RandomMotion m = test::thrown_discs(3, 3);
  m.options.method = MotionMethod::events;
  test::MotionCounter quiet;
  const Summary events = test::run(*m.model, m.start, m.surfaces, m.options, quiet);
  m.options.method = MotionMethod::automatic;
  const Summary automatic = test::run(*m.model, m.start, m.surfaces, m.options, quiet);
  EXPECT_EQ(events.progress.state.q, automatic.progress.state.q);
  EXPECT_EQ(events.progress.events, automatic.progress.events);
}

// A run in pieces, cut within stretches of steps and between them, gives the same bits.
TEST(MotionAutomatic, ContinuesToTheSameBits) {
  test::RandomMotion m = test::thrown_discs(0, 10);
  m.options.method = MotionMethod::automatic;
  m.options.most_events = 0;
  Turns whole(m);
  const Summary once = test::run(*m.model, m.start, m.surfaces, m.options, whole);
  ASSERT_GT(whole.begun, 0U);
  for (const double length : {0.1, 0.05, 0.02}) {
    Progress p = start(*m.model, m.start, m.surfaces, m.options);
    Summary s;
    for (double stop = length;; stop += length) {
      Turns piece(m);
      piece.stop_at = stop;
      s = simulate(*m.model, m.surfaces, m.options, p, piece);
      if (s.ending != Ending::stopped) break;
      p = s.progress;
    }
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_EQ(once.progress.state.q, s.progress.state.q) << length;
    EXPECT_EQ(once.progress.state.u, s.progress.state.u) << length;
    EXPECT_EQ(once.progress.events, s.progress.events) << length;
  }
}

// A law that steps do not know keeps the run with events, and the message says why.
TEST(MotionAutomatic, KeepsALawThatIsAskedFor) {
  test::RandomMotion m = test::thrown_discs(0, 12);
  m.options.method = MotionMethod::stepping;
  m.options.several = &find_law("lzb", "law");
  m.options.keeps_several = true;
  EXPECT_THROW((void)start(*m.model, m.start, m.surfaces, m.options), InputError);
  m.options.method = MotionMethod::automatic;
  m.options.most_events = 300;
  Turns turns(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, turns);
  EXPECT_EQ(turns.begun, 0U);
  if (s.ending == Ending::failed) {
    EXPECT_NE(s.reason.find("lzb"), std::string::npos) << s.reason;
  }
}

// Discs at rest whose contacts make one large island: steps from the start, without trying events.
TEST(MotionAutomatic, ManyContactsAtRestStayWithSteps) {
  test::RandomMotion m = test::resting_stack(30);
  m.options.method = MotionMethod::automatic;
  m.options.end_time = 0.2;
  Turns turns(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, turns);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_EQ(turns.ended, 0U);
  EXPECT_EQ(s.progress.events, 1U);  // the start
  EXPECT_GT(s.progress.steps, 100U);
  EXPECT_LE((s.progress.state.q - m.start.q).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace carom
