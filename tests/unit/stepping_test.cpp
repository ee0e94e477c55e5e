// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "support/motion_log.hpp"
#include "support/stepping_scenes.hpp"

// Random scenes under time-stepping. Each of them must end, and each of its steps must satisfy
// Coulomb's law, lose energy and leave little overlap; the account closes by identity.
namespace carom {
namespace {

using namespace motion;

constexpr double most_unaccounted = 1e-10;  ///< of the energy turned over
constexpr double most_gained = 1e-9;        ///< in a step, of the energy turned over
constexpr double most_risen = 1e-3;         ///< above any earlier energy: corrections of positions
constexpr double most_overlap = 0.01;       ///< of the smaller body
constexpr double most_off = 1e-6;           ///< of forces and velocities, relative

/// What of a scene is judged.
struct Judged {
  bool friction = true;  ///< Coulomb's law
  double residual = Options{}.residual;
};

void expect_sound(const test::RandomMotion& m, const std::string& what, Judged judged = {}) {
  SCOPED_TRACE(what);
  test::StepJudge judge(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  const auto expect = [](const test::StepJudge::Worst& worst, double most, const char* of) {
    EXPECT_LE(worst.value, most) << of << " at t = " << worst.time << " s: " << worst.where;
  };
  expect(judge.unaccounted, most_unaccounted, "account");
  expect(judge.gained, most_gained, "energy gained");
  expect(judge.risen, most_risen, "energy risen");
  EXPECT_EQ(judge.said_to_gain, 0U);
  expect(judge.laws.tension, 0., "tension");
  expect(judge.overlap, most_overlap, "overlap");
  if (judged.friction) expect(judge.laws.friction, most_off, "friction");
}

/// Scenes made by make(seed) with mu_s = mu, for seeds 0, 1, 2, ...: `usual` in a short run,
/// CAROM_SCENES in a long one.
template <class Make>
void expect_all(const char* what, std::size_t usual, const Make& make, Judged judged = {}) {
  const char* more = std::getenv("CAROM_SCENES");
  const std::size_t count = more != nullptr ? std::stoul(more) : usual;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    test::RandomMotion m = make(seed);
    test::Random random(7 * seed + 13);
    test::choose_stepping(random, m, 0.8);
    for (Surface& s : m.surfaces) s.static_friction = s.friction;
    m.options.residual = judged.residual;
    expect_sound(m, what + (", seed " + std::to_string(seed)), judged);
  }
}

/// Where few bodies are jammed, what the residual leaves of velocities may exceed 1e-6 of g h.
const Judged jammed{.friction = false};

TEST(Stepping, Discs) {
  for (const std::size_t count : {2U, 5U, 20U}) {
    expect_all(
        "discs", count < 20 ? 6 : 2,
        [&](std::uint64_t seed) { return test::thrown_discs(seed, count); }, jammed);
  }
}

// With a smaller residual they obey Coulomb's law more closely.
TEST(Stepping, DiscsWithASmallResidual) {
  for (const std::size_t count : {2U, 5U}) {
    expect_all("discs", 6, [&](std::uint64_t seed) { return test::thrown_discs(seed, count); },
               {.residual = 1e-10});
  }
}

TEST(Stepping, AllShapesOfThePlane) {
  for (const std::size_t count : {3U, 10U}) {
    expect_all("shapes", 4,
               [&](std::uint64_t seed) { return test::thrown_shapes(seed, count, false); });
  }
}

TEST(Stepping, BoxesOfThePlane) {
  expect_all("boxes", 5, [](std::uint64_t seed) { return test::thrown_shapes(seed, 6, true); });
}

TEST(Stepping, AHundredShapes) {
  expect_all("shapes", 1, [](std::uint64_t seed) { return test::thrown_shapes(seed, 100, false); });
}

TEST(Stepping, Wedges) {
  expect_all(
      "wedge", 10, [](std::uint64_t seed) { return test::wedged(seed, 2); }, jammed);
}

/// The largest impulse of a contact in a step, relative to what bodies have in motion or fall by in
/// a step.
class Pressed final : public Recorder {
 public:
  explicit Pressed(const test::RandomMotion& m) : m_(m), h_(default_step(*m.model)) {}
  void contact(std::size_t /*number*/, const ContactId& /*id*/) override {}
  void event(const Event& /*event*/) override {}
  void sample(const Sample& s) override {
    const double speed = s.state.u.lpNorm<Eigen::Infinity>();
    const double unit = m_.mass * (m_.model->acceleration_scale() * h_ + std::max(speed, speed_));
    speed_ = speed;
    for (std::size_t i = 0; i < s.force.size(); i += m_.model->components()) {
      most = std::max(most, s.force[i] * h_ / unit);
    }
  }
  double most = 0.;

 private:
  const test::RandomMotion& m_;
  double h_ = 0.;      ///< a step [s]
  double speed_ = 0.;  ///< largest after the last one [m/s]
};

// Where contacts of a jam are not solved by some of their laws, what was tried has impulses of any
// size, and others would keep them: forces in balance a million times those that loads cause.
TEST(Stepping, JamsArePressedByLoadsAlone) {
  const auto expect = [](test::RandomMotion m, const std::string& what) {
    m.options.method = MotionMethod::stepping;
    m.options.end_time = 0.7;
    m.options.sample_interval = 0.;  // every step
    Pressed pressed(m);
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, pressed);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_LT(pressed.most, 10.) << what;
  };
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    expect(test::wedged(seed, 4), "wedge, seed " + std::to_string(seed));
  }
  for (const std::uint64_t seed : {10U, 14U}) {
    expect(test::thrown_discs(seed, 15), "discs, seed " + std::to_string(seed));
  }
}

TEST(Stepping, HyperstaticStacks) {
  for (const std::size_t count : {1U, 4U, 10U}) {
    expect_all("discs between walls", 2,
               [&](std::uint64_t /*seed*/) { return test::resting_stack(count); });
  }
  expect_all("bricks", 2, [](std::uint64_t seed) { return test::brick_wall(seed, 5, false); });
  expect_all("falling bricks", 2,
             [](std::uint64_t seed) { return test::brick_wall(seed, 3, true); });
  expect_all("stack in space", 2,
             [](std::uint64_t seed) { return test::stack_in_space(seed, 4, false); });
}

TEST(Stepping, ABoxInSpace) {
  expect_all("on an edge", 15, [](std::uint64_t seed) { return test::box(seed, false); });
  expect_all("thrown", 15, [](std::uint64_t seed) { return test::box(seed, true); });
}

TEST(Stepping, Spheres) {
  expect_all("spheres", 6, [](std::uint64_t seed) { return test::thrown_spheres(seed, 3); });
}

TEST(Stepping, AllSolids) {
  expect_all("boxes", 5, [](std::uint64_t seed) { return test::thrown_solids(seed, 3, true); });
  expect_all("solids", 5, [](std::uint64_t seed) { return test::thrown_solids(seed, 3, false); });
}

// Boxes that rock on each other: between steps their faces almost lie flat, and all corners of the
// common polygon are contacts. With one at a time they sank in, by 7e-5 of their size up to 0.2 s
// and by 1e-2 up to 0.75 s. What a step may leave is 1e-6.
TEST(Stepping, AStruckStackInSpaceDoesNotSinkIn) {
  test::RandomMotion m = test::stack_in_space(18, 8, true);
  m.options.end_time = 0.2;
  test::StepJudge judge(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_LE(judge.overlap.value, 1e-5) << judge.overlap.time << " " << judge.overlap.where;
}

// Bodies with three different moments that tumble freely: nothing but rounding is unaccounted for.
TEST(Stepping, TheAccountOfTumblingBoxesClosesByIdentity) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::RandomMotion m = test::box(seed, true);
    m.start.q(2) = 10.;
    m.start.u.tail<3>() *= 4.;  // up to 55 rad/s
    m.options = {.method = MotionMethod::stepping, .end_time = 1.};
    test::StepJudge judge(m);
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_GT(judge.steps, 1000U);
    EXPECT_LE(judge.unaccounted.value, 1e-12) << seed;
  }
}

// Without friction and restitution 1 nothing is lost at all.
TEST(Stepping, ElasticDiscsKeepTheirEnergy) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    test::RandomMotion m = test::thrown_discs(seed, 2);
    m.surfaces.assign(1, {.restitution = 1.});
    m.options = {.method = MotionMethod::stepping, .end_time = 0.3};
    test::MotionCounter quiet;
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, quiet);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const EnergyAccount& e = s.progress.energy;
    double lost = 0.;
    for (const double w : e.impacts) lost += w;
    for (const double w : e.friction) lost += w;
    EXPECT_GE(s.progress.impacts, 2U) << seed;
    EXPECT_NEAR(lost, 0., 1e-9 * (e.kinetic_start + 9.81 * m.mass)) << seed;
  }
}

/// Works of all contacts on both sides of impacts, and what their events say.
class WorksOfSides final : public Recorder {
 public:
  void event(const Event& e) override { change_ += e.energy_change; }
  void sample(const Sample& /*sample*/) override {}
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const Sample& s, Side side) override {
    double works = 0.;
    for (const double w : s.energy.impacts) works += w;
    for (const double w : s.energy.friction) works += w;
    if (side == Side::before) {
      before_ = works;
      change_ = 0.;
    } else if (change_ != 0.) {
      EXPECT_NEAR(works - before_, change_, 1e-12);
      ++impacts;
    }
  }
  std::size_t impacts = 0;

 private:
  double before_ = 0.;
  double change_ = 0.;
};

// What is reported before an impact does not know its work.
TEST(Stepping, WorksChangeAtImpacts) {
  test::RandomMotion m = test::thrown_discs(0, 1);
  m.surfaces.assign(1, {.restitution = 0.5, .friction = 0.2});
  m.options = {.method = MotionMethod::stepping, .end_time = 0.6};
  WorksOfSides sides;
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, sides);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_GE(sides.impacts, 2U);
}

}  // namespace
}  // namespace carom
