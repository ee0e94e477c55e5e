// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <carom/mechanics/disc_model.hpp>

#include "support/motion_log.hpp"

// The disc's motion after the impact, against runs computed independently
// (tests/reference/motion.json).
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;
using test::ReferenceEvent;
using test::ReferenceRun;

const Disc disc{.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003, .gravity = 9.81};

Options options_of(const ReferenceRun& run) {
  Options o;
  o.end_time = 0.5;
  o.settling = Settling::contact_time;
  if (!run.local_time) {
    o.contact_time = ContactTime::given;
    o.given_contact_time = 4.7531e-4 * std::pow(run.striker_speed, -0.2);
  }
  return o;
}

std::vector<Surface> surfaces_of(const ReferenceRun& run) {
  return std::vector<Surface>(3, {.restitution = 0.9064,
                                  .friction = run.friction,
                                  .static_friction = run.static_friction,
                                  .stiffness = 2.9217e10,
                                  .exponent = 1.5});
}

State start_of(const ReferenceRun& run) {
  State s;
  s.q = Eigen::Vector3d(run.start[0], run.start[1], run.start[2]);
  s.u = Eigen::Vector3d(run.start[3], run.start[4], run.start[5]);
  return s;
}

std::string kind_in_reference(const Event& e) {
  switch (e.kind) {
    case EventKind::impact:
    case EventKind::impact_to_contact:
      return e.contacts.size() > 1 ? "line-impact" : "impact";
    case EventKind::end:
      return "surface-impact";
    default:
      return std::string(name(e.kind));
  }
}

class Reference : public testing::TestWithParam<ReferenceRun> {};

TEST_P(Reference, EventsAndVelocities) {
  const ReferenceRun& run = GetParam();
  const DiscModel model(disc);
  const auto surfaces = surfaces_of(run);
  Options options = options_of(run);
  options.sample_interval = 0.005;
  MotionLog log;
  const Summary summary =
      simulate(model, surfaces, options, start(model, start_of(run), surfaces, options), log);
  ASSERT_EQ(summary.ending, Ending::model) << summary.reason;
  EXPECT_EQ(summary.reason, "surface impact");

  std::size_t impacts = 0;
  ASSERT_EQ(log.events.size(), run.events.size());
  for (std::size_t k = 0; k < run.events.size(); ++k) {
    const Event& got = log.events[k];
    const ReferenceEvent& want = run.events[k];
    EXPECT_EQ(kind_in_reference(got), want.kind) << want.text;
    if (!want.contact.empty()) {
      ASSERT_FALSE(got.contacts.empty()) << want.text;
      EXPECT_EQ(ContactNames(model)[got.contacts[0]], want.contact) << want.text;
    }
    if (!want.from.empty()) {
      EXPECT_EQ(name(got.from.at(0), 2), want.from) << want.text;
      EXPECT_EQ(name(got.to.at(0), 2), want.to) << want.text;
    }
    EXPECT_NEAR(got.time, want.time, impacts > 5 ? 1e-4 : 1e-6) << want.text;
    // The ratio that stick needs, or would have needed, printed to four digits after the point.
    constexpr std::string_view ratio_label = "static ratio F_t/F_n=";
    if (const auto at = want.text.find(ratio_label); at != std::string::npos && impacts <= 5) {
      const double ratio = std::stod(want.text.substr(at + ratio_label.size()));
      EXPECT_NEAR(got.ratio, ratio, 1e-4 * std::max(1., std::abs(ratio))) << want.text;
    }
    if (want.kind == "impact") ++impacts;
    const bool contact_begins = want.text.find("=> contact") != std::string::npos;
    if (want.kind == "impact") {
      EXPECT_EQ(got.kind == EventKind::impact_to_contact, contact_begins) << want.text;
    }
  }
  for (const auto& [time, v1] : run.v1) {
    if (std::isnan(v1)) {
      EXPECT_GT(time, summary.progress.state.time);
      continue;
    }
    const double at = time;
    const auto s = std::min_element(log.samples.begin(), log.samples.end(),
                                    [at](const auto& a, const auto& b) {
                                      return std::abs(a.time - at) < std::abs(b.time - at);
                                    });
    ASSERT_NEAR(s->time, time, 1e-12);
    EXPECT_NEAR(s->u(0) + (s->q(1) - 0.004) * s->u(2), v1, 1e-4) << "at " << time;
  }
  const EnergyAccount& energy = summary.progress.energy;
  EXPECT_NEAR(energy.gap(), 0., 1e-9 * energy.potential_start);
}

// Where the disc may lie down, its last impact is resolved, and it comes to rest on its face.
TEST(MotionDisc, ComesDown) {
  const ReferenceRun& run = test::reference_runs().front();
  Disc lies = disc;
  lies.lies_down = true;
  const DiscModel model(lies);
  const std::vector<Surface> surfaces(5, surfaces_of(run).front());
  Options options = options_of(run);
  options.end_time = 3.;
  options.several = &find_law("moreau", "law");
  MotionLog log;
  const Summary s =
      simulate(model, surfaces, options, start(model, start_of(run), surfaces, options), log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  // Up to the surface impact as before; that one is of A and D.
  ASSERT_GT(log.events.size(), run.events.size());
  const Event& last = log.events[run.events.size() - 1];
  EXPECT_EQ(last.kind, EventKind::impact);
  EXPECT_NEAR(last.time, run.events.back().time, 1e-6);
  EXPECT_EQ(last.contacts, (std::vector<std::size_t>{0, 3}));
  EXPECT_LT(last.energy_change, 0.);
  EXPECT_NEAR(s.progress.state.q(1), disc.half_thickness, 1e-9);
  EXPECT_NEAR(s.progress.state.q(2), 0., 1e-9);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8 * s.progress.energy.potential_start);
}

// Nothing depends on units: other lengths, masses and times, the same story.
TEST(MotionDisc, UnitsDoNotMatter) {
  for (const ReferenceRun& run : test::reference_runs()) {
    if (run.id != "printed-case9-tc-paper") continue;
    const auto run_in_units = [&](double length, double mass, double time) {
      const DiscModel model({.mass = disc.mass * mass,
                             .radius = disc.radius * length,
                             .half_thickness = disc.half_thickness * length,
                             .gravity = disc.gravity * length / (time * time)});
      auto surfaces = surfaces_of(run);
      for (Surface& s : surfaces) {
        s.stiffness *= mass * length / (time * time) / std::pow(length, 1.5);
      }
      Options options = options_of(run);
      options.end_time *= time;
      options.given_contact_time *= time;
      State from = start_of(run);
      from.q.head<2>() *= length;
      from.u.head<2>() *= length / time;
      from.u(2) /= time;
      MotionLog log;
      (void)simulate(model, surfaces, options, start(model, from, surfaces, options), log);
      std::vector<std::pair<double, EventKind>> story;
      for (const Event& e : log.events) story.emplace_back(e.time / time, e.kind);
      return story;
    };
    const auto as_it_is = run_in_units(1., 1., 1.);
    ASSERT_EQ(as_it_is.size(), run.events.size());
    for (const auto& [length, mass, time] :
         {std::array{1e9, 1., 1.}, {1., 1e-9, 1.}, {1., 1., 1e9}, {1e-6, 1e7, 1e-5}}) {
      const auto other = run_in_units(length, mass, time);
      ASSERT_EQ(other.size(), as_it_is.size());
      for (std::size_t k = 0; k < other.size(); ++k) {
        EXPECT_EQ(other[k].second, as_it_is[k].second);
        EXPECT_NEAR(other[k].first, as_it_is[k].first, 1e-9);
      }
    }
  }
}

std::vector<ReferenceRun> bar() {
  std::vector<ReferenceRun> runs;
  for (const ReferenceRun& r : test::reference_runs()) {
    if (r.bar) runs.push_back(r);
  }
  return runs;
}

std::string test_name(const testing::TestParamInfo<ReferenceRun>& info) {
  std::string s = info.param.id;
  std::replace(s.begin(), s.end(), '-', '_');
  return s;
}

INSTANTIATE_TEST_SUITE_P(MotionDisc, Reference, testing::ValuesIn(bar()), test_name);

}  // namespace
}  // namespace carom
