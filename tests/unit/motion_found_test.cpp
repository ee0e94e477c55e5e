// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <carom/core/error.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Contacts that a run finds between two boxes. A recorder gets them before their first event. A run
// that is stopped and continued gives the same bits as one without a stop.
namespace carom {
namespace {

using namespace motion;

/// Two boxes in the air that strike each other, and fall on the floor.
PlanarScene two_boxes() {
  PlanarScene scene;
  for (const char* name : {"a", "b"}) {
    scene.bodies.push_back({.name = name,
                            .mass = 1.,
                            .inertia = (0.09 + 0.04) / 12.,
                            .shape = shapes::plane::box(0.3, 0.2)});
  }
  scene.ground = {test::line("floor")};
  return scene;
}

State thrown() {
  return test::state({-0.3, 0.9, 0.2, 0.3, 1., -0.4}, {1.5, 0., 1., -1., 0.2, -2.});
}

const std::vector<Surface> surfaces{{.restitution = 0.4, .friction = 0.3}};

Options options() {
  Options o{.end_time = 1.2, .sample_interval = 0.01};
  o.several = &find_law("moreau", "law");
  return o;
}

/// Keeps all events and samples as numbers and names.
class Tape final : public Recorder {
 public:
  explicit Tape(const Model& model) : names_(model) {}
  void contact(std::size_t number, const ContactId& id) override {
    EXPECT_LE(number, names_.size());
    // A run that is continued tells them again, and what was not mentioned may change.
    if (mentioned_.contains(number)) {
      EXPECT_EQ(names_.id(number), id);
    }
    names_.add(number, id);
  }
  void event(const Event& e) override {
    told.push_back(static_cast<double>(e.kind));
    told.push_back(e.time);
    told.push_back(e.energy_change);
    told.insert(told.end(), e.impulse.begin(), e.impulse.end());
    for (const std::size_t i : e.contacts) {
      ASSERT_LT(i, names_.size());
      told.push_back(static_cast<double>(i));
      struck.insert(names_[i]);
      mentioned_.insert(i);
    }
    ++events;
  }
  void sample(const Sample& s) override {
    told.push_back(s.state.time);
    told.insert(told.end(), s.state.q.begin(), s.state.q.end());
    told.insert(told.end(), s.state.u.begin(), s.state.u.end());
    EXPECT_LE(s.contacts.size(), names_.size());
    for (std::size_t i = 0; i < s.contacts.size(); ++i) {
      if (s.contacts[i].touch == Touch::open) continue;
      mentioned_.insert(i);
      told.push_back(static_cast<double>(i));
      told.push_back(s.force[2 * i]);
      told.push_back(s.force[2 * i + 1]);
    }
  }
  void last(const Sample& /*sample*/) override {}
  bool stop() override { return asked++ >= stop_after; }

  std::vector<double> told;
  std::set<std::string> struck;
  std::size_t events = 0;
  std::size_t asked = 0;
  std::size_t stop_after = static_cast<std::size_t>(-1);

 private:
  ContactNames names_;
  std::set<std::size_t> mentioned_;
};

void expect_same(const Progress& a, const Progress& b) {
  EXPECT_EQ(a.state.time, b.state.time);
  EXPECT_TRUE(a.state.q == b.state.q);
  EXPECT_TRUE(a.state.u == b.state.u);
  EXPECT_EQ(a.found, b.found);
  EXPECT_EQ(a.contacts, b.contacts);
  EXPECT_EQ(test::numbers(a.next), test::numbers(b.next));
  EXPECT_EQ(a.energy.impacts, b.energy.impacts);
  EXPECT_EQ(a.energy.friction, b.energy.friction);
  EXPECT_EQ(a.energy.dropped, b.energy.dropped);
  EXPECT_EQ(a.events, b.events);
}

class MotionFound : public testing::Test {
 public:
  MotionFound() : model(two_boxes()), whole(model) {
    summary = test::run(model, thrown(), surfaces, options(), whole);
  }
  PlanarModel model;
  Tape whole;
  Summary summary;
};

TEST_F(MotionFound, BoxesStrikeEachOther) {
  ASSERT_EQ(summary.ending, Ending::time) << summary.reason;
  EXPECT_FALSE(summary.progress.found.empty());
  EXPECT_TRUE(std::any_of(whole.struck.begin(), whole.struck.end(),
                          [](const std::string& n) { return n.rfind("a-b ", 0) == 0; }));
  EXPECT_GT(whole.events, 15U);
  EXPECT_EQ(summary.progress.contacts.size(), model.contacts() + summary.progress.found.size());
  EXPECT_NEAR(summary.progress.energy.gap(), 0., 1e-8 * 2. * test::gravity);
}

// Twelve boxes in space that fall together while one rests: contacts are listed as far as the boxes
// of a pair may approach each other in a step, not as far as they fall.
TEST(MotionLists, WhatFallsTogetherListsLittle) {
  SpatialScene scene;
  scene.ground = {test::plane("floor")};
  scene.bodies.push_back(
      {.name = "rests", .solid = shapes::space::Box{}, .position = {9., 0., 0.5}});
  for (int i = 0; i < 12; ++i) {
    scene.bodies.push_back({.name = "b" + std::to_string(i),
                            .solid = shapes::space::Box{.size = {1., 0.8, 0.6}},
                            .position = {1.5 * (i % 3), 1.5 * (i / 3), 20.},
                            .velocity = {0., 0., -5.},
                            .spin = {0.3, -0.2, 0.1 * i}});
  }
  const SpatialModel model(scene);
  test::MotionCounter quiet;
  const Options options{.method = MotionMethod::events, .end_time = 1.};
  const Summary s = test::run(model, model.start(), {{}}, options, quiet);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_LT(s.progress.found.size(), 1000U);
}

// The axis of an upright capsule is within a box: no contact is in range, but the bodies overlap.
TEST(MotionLists, OverlapWithoutContactsIsRefused) {
  using namespace shapes::space;
  SpatialScene scene;
  scene.ground = {test::plane("floor")};
  scene.bodies = {{.name = "a", .solid = Capsule{0.005, 0.3}, .position = {0., 0., 1.}},
                  {.name = "b", .solid = Box{{0.01, 0.3, 0.01}}, .position = {0.004, 0., 1.}}};
  const SpatialModel model(scene);
  for (const auto method :
       {MotionMethod::events, MotionMethod::stepping, MotionMethod::automatic}) {
    try {
      (void)start(model, model.start(), {{}}, {.method = method, .end_time = 1.});
      ADD_FAILURE() << "not refused";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("a-b.gap: the bodies overlap by 0.006"),
                std::string::npos)
          << e.what();
    }
  }
}

TEST_F(MotionFound, EventByEvent) {
  Options o = options();
  Progress progress = start(model, thrown(), surfaces, o);
  Tape tape(model);
  Summary s;
  for (std::size_t most = 1; most < 1000; ++most) {
    o.most_events = most;
    s = simulate(model, surfaces, o, progress, tape);
    progress = s.progress;
    if (s.ending != Ending::events) break;
  }
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_EQ(tape.told, whole.told);
  expect_same(progress, summary.progress);
  EXPECT_EQ(progress.steps, summary.progress.steps);
}

// From one event on, for every event.
TEST_F(MotionFound, FromEveryEvent) {
  for (std::size_t most = 1; most < whole.events; ++most) {
    SCOPED_TRACE(most);
    Options o = options();
    Tape tape(model);
    o.most_events = most;
    const Summary first = simulate(model, surfaces, o, start(model, thrown(), surfaces, o), tape);
    ASSERT_EQ(first.ending, Ending::events);
    const Summary s = simulate(model, surfaces, options(), first.progress, tape);
    EXPECT_EQ(tape.told, whole.told);
    expect_same(s.progress, summary.progress);
    if (HasFailure()) return;
  }
}

// Stopped wherever the run asks: between steps, between samples.
TEST_F(MotionFound, StepByStep) {
  const Options o = options();
  Progress progress = start(model, thrown(), surfaces, o);
  Tape tape(model);
  Summary s;
  int pieces = 0;
  for (; pieces < 10000; ++pieces) {
    tape.asked = 0;
    tape.stop_after = 1;
    s = simulate(model, surfaces, o, progress, tape);
    progress = s.progress;
    if (s.ending != Ending::stopped) break;
  }
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_GT(pieces, 100);
  EXPECT_EQ(tape.told, whole.told);
  expect_same(progress, summary.progress);
}

// Ends within steps and flights.
TEST_F(MotionFound, TimeByTime) {
  for (const int count : {2, 7, 40, 333}) {
    SCOPED_TRACE(count);
    Options o = options();
    Progress progress = start(model, thrown(), surfaces, o);
    Tape tape(model);
    for (int k = 1; k <= count; ++k) {
      o.end_time = k == count ? 1.2 : 1.2 * k / count;
      const Summary s = simulate(model, surfaces, o, progress, tape);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      progress = s.progress;
    }
    expect_same(progress, summary.progress);
  }
}

}  // namespace
}  // namespace carom
