// SPDX-License-Identifier: Apache-2.0
// The disc after the impact, and where its modes change: what the publication's parts are made of,
// against runs and boundaries computed independently (tests/reference/motion.json, multi.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>

#include <nlohmann/json.hpp>

#include <papers/liu-zhang-zhao-brogliato/motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

#include "support/motion_log.hpp"

namespace carom::papers::disc_ball {
namespace {

nlohmann::json multi_reference() {
  std::ifstream in(CAROM_TEST_DATA "/reference/multi.json");
  return nlohmann::json::parse(in);
}

// --- motion
// ---------------------------------------------------------------------------------------

/// "printed-case8-tc-local" as a run of ours.
DiscRun named_run(const std::string& id) {
  const From from = id.starts_with("printed") ? From::table_4 : From::impact;
  const bool own = id.find("tc-local") != std::string::npos;
  return run_disc(id[id.find("case") + 4] - '0', from, own ? Duration::own : Duration::ball, 0.005);
}

TEST(DiscBallMotion, RunsAreThoseOfTheReference) {
  std::size_t compared = 0;
  for (const test::ReferenceRun& reference : test::reference_runs()) {
    if (!reference.bar) continue;
    const DiscRun run = named_run(reference.id);
    ASSERT_EQ(run.events.size(), reference.events.size()) << reference.id;
    for (std::size_t k = 0; k < run.events.size(); ++k) {
      EXPECT_NEAR(run.events[k].time, reference.events[k].time, 1e-4) << reference.id;
    }
    EXPECT_TRUE(run.lies) << reference.id;
    EXPECT_NEAR(run.story.back().to, reference.events.back().time, 1e-4) << reference.id;
    for (const auto& [time, v1] : reference.v1) {
      if (std::isnan(v1)) continue;
      const auto i = static_cast<std::size_t>(std::lround(time / 0.005));
      ASSERT_LT(i, run.samples.size());
      EXPECT_NEAR(run.samples[i].v1, v1, 1e-4) << reference.id << " at " << time;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(DiscBallMotion, StoriesNameWhatHappens) {
  const auto course = [](int number, From from, Duration duration = Duration::ball) {
    return run_of(number, from, duration).course(0.);
  };
  EXPECT_EQ(course(2, From::impact), "A slip+, A stick, A slip-, A slip+");
  EXPECT_EQ(course(5, From::table_4), "A stick, A slip-, A slip+");
  EXPECT_EQ(course(8, From::table_4, Duration::own),
            "impacts at C, impacts at A, A slip+, A stick, A slip-, A slip+");
  EXPECT_EQ(course(9, From::table_4),
            "impacts at C, C slip+, line impact, impacts at A, A slip-, A stick, A slip-, A slip+");
  EXPECT_EQ(run_of(9, From::table_4).course(),
            "impacts at C, C slip+, line impact, impacts at A, A stick, A slip-, A slip+")
      << "a slip of 0.1 ms is left out";
  const DiscRun& eight = run_of(8, From::table_4, Duration::own);
  EXPECT_EQ(eight.story.at(0).impacts, 7U);
  EXPECT_EQ(eight.story.at(1).impacts, 1U) << "one at A, and slip next";
}

TEST(DiscBallMotion, StretchesFollowOneAnotherAndCountImpacts) {
  for (const Case& c : cases()) {
    const DiscRun& run = run_of(c.number, From::table_4);
    EXPECT_EQ(run.story.front().from, 0.);
    std::size_t impacts = 0, expected = 0;
    for (std::size_t k = 0; k < run.story.size(); ++k) {
      impacts += run.story[k].impacts;
      if (k > 0) {
        EXPECT_EQ(run.story[k].from, run.story[k - 1].to) << c.number << " " << k;
      }
    }
    for (const motion::Event& e : run.events) {
      const bool impact =
          e.kind == motion::EventKind::impact || e.kind == motion::EventKind::impact_to_contact;
      if (impact && e.contacts.size() == 1) ++expected;
    }
    EXPECT_EQ(impacts, expected) << c.number;
  }
}

// --- patterns
// -------------------------------------------------------------------------------------

TEST(DiscBallPatterns, BoundariesAreThoseOfTheReference) {
  const auto variants = multi_reference().at("table5_variants");
  const auto written = variants.at("sim_phys r=0.0375");
  const auto other = variants.at("seq_anti r=0.03755");
  constexpr double tolerance = 2e-5;
  const auto w = boundaries(0.275, {});
  EXPECT_EQ(w[0], 0.);
  EXPECT_NEAR(w[3], written.at("vA_eq_gTc").at(0).get<double>(), tolerance);
  EXPECT_NEAR(w[1], written.at("stick").at(0).get<double>(), tolerance);
  EXPECT_NEAR(w[2], written.at("stick").at(1).get<double>(), tolerance);
  const auto v = boundaries(0.275, variant());
  EXPECT_NEAR(v[0], other.at("vA_eq_gTc").at(0).get<double>(), tolerance);
  EXPECT_NEAR(v[3], other.at("vA_eq_gTc").at(1).get<double>(), tolerance);
  EXPECT_NEAR(v[1], other.at("stick").at(0).get<double>(), tolerance);
  EXPECT_NEAR(v[2], other.at("stick").at(1).get<double>(), tolerance);
}

TEST(DiscBallPatterns, ModesByWhatThePointsDo) {
  const auto mode = [](std::array<double, 3> normal, double slip, double spin) {
    return pattern_of({.normal = normal, .slip = slip, .spin = spin}).mode;
  };
  EXPECT_EQ(mode({3., 2., 1.5}, 0.5, 0.2), "I");
  EXPECT_EQ(mode({0., 0., 0.}, 0.5, 0.), "II");
  EXPECT_EQ(mode({1.5, 2., 2.5}, 0.5, -0.2), "III");
  EXPECT_EQ(mode({0.5, 2., 2.5}, 0.5, -0.2), "IV");
  EXPECT_EQ(mode({0.5, 2., 2.5}, 0., -0.2), "V");
  EXPECT_EQ(mode({0.5, 2., 2.5}, -0.5, -0.2), "VI");
  EXPECT_EQ(mode({3., 2., 0.5}, 0.5, 0.2), "-") << "C stays: the paper has no such mode";
}

TEST(DiscBallPatterns, BoundaryIsFoundFromEitherSide) {
  const auto below = [](double x) { return x < 0.3; };
  EXPECT_NEAR(boundary(0., 1., below), 0.3, 1e-7);
  EXPECT_NEAR(boundary(1., 0., below), 0.3, 1e-7);
}

// --- readings, inputs, Painlevé
// -------------------------------------------------------------------

TEST(DiscBallReadings, WithoutChoicesAreTheWholeImpactAtOnce) {
  for (const Case& c : cases()) {
    const Velocities read = velocities_by({}, c);
    const Velocities written = velocities_of(course_of(c).after);
    EXPECT_NEAR(read.spin, written.spin, 1e-6 * std::abs(written.spin)) << c.number;
    EXPECT_NEAR(read.rise, written.rise, 1e-6 * std::abs(written.v2)) << c.number;
  }
}

TEST(DiscBallReadings, TheNearestOfCasesTwoToFourIsTheVariant) {
  for (int n = 2; n <= 4; ++n) {
    const Nearest nearest = nearest_reading(case_of(n));
    EXPECT_LT(nearest.off, 1e-3) << n;
    EXPECT_EQ(nearest.reading.radius, variant().radius) << n;
    EXPECT_TRUE(nearest.reading.drives) << n;
    EXPECT_TRUE(nearest.reading.ground_waits) << n;
    EXPECT_EQ(nearest.tried, 270U);
  }
}

// What the variant's friction at D does in cases 2 to 4: it lifts the disc, and the ground has no
// part.
TEST(DiscBallReadings, TheGroundHasNoPartInTheVariantsCasesTwoToFour) {
  for (const Case& c : cases().first(4)) {
    Case other = c;
    for (std::size_t i = 0; i < 3; ++i) {
      other.surfaces[i].friction = other.surfaces[i].static_friction = 0.5;
      other.surfaces[i].restitution = 0.;
    }
    const bool same = velocities_by(variant(), c).spin == velocities_by(variant(), other).spin;
    EXPECT_EQ(same, c.number <= 4) << c.number;
  }
}

TEST(DiscBallInputs, ConstantsAreThoseOfTheReference) {
  const auto constants = multi_reference().at("constants");
  const auto near = [&](double x, const char* name) {
    const double expected = constants.at(name).get<double>();
    EXPECT_NEAR(x, expected, 1e-5 * expected) << name;
  };
  constexpr double upright = 0.5 * std::numbers::pi;
  near(hertz_stiffness(modulus_at_D(), ball().radius), "k_D_from_table1");
  near(hertz_stiffness(modulus_on_ground(), disc().radius), "k_A_from_table1");
  near(time_constant(), "k_Tc_from_table1");
  near(easiest_shape(), "painleve_r_over_h");
  near(critical_friction(easiest_shape(), upright), "painleve_mu_min");
  near(critical_friction(disc().radius / disc().half_thickness, upright), "painleve_mu_this_disc");
}

TEST(DiscBallInputs, PrintedNumbersAreThoseOfTheReference) {
  const auto reference = multi_reference();
  for (const auto& c : reference.at("cases")) {
    const auto id = c.at("id").get<std::string>();
    if (id.rfind("disc_ball_case", 0) != 0) continue;
    const Case& ours = case_of(id.back() - '0');
    EXPECT_NEAR(1e3 * ours.height, c.at("paper").at("b_mm").get<double>(), 1e-12) << id;
    EXPECT_EQ(ours.velocity, c.at("paper").at("v_b").get<double>()) << id;
    if (ours.number == 1) continue;
    const auto printed =
        c.at("paper").at("printed_numerical_v1_thetadot_v2").get<std::vector<double>>();
    EXPECT_EQ(ours.numerical.v1, printed.at(0)) << id;
    EXPECT_EQ(ours.numerical.spin, printed.at(1)) << id;
    EXPECT_EQ(ours.numerical.v2, printed.at(2)) << id;
    const auto measured = c.at("paper").at("printed_experimental").get<std::vector<double>>();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(ours.measured[k], measured.at(k)) << id;
  }
}

TEST(DiscBallInputs, MeasuredIntervalsHoldTheirMeansAndFitTheTwoHeights) {
  for (const Case& c : cases()) {
    std::array<double, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      from[k] = c.measured[k] - c.down[k];
      to[k] = c.measured[k] + c.up[k];
      EXPECT_LT(from[k], c.measured[k]) << c.number;
      EXPECT_GT(to[k], c.measured[k]) << c.number;
      EXPECT_TRUE(c.was_measured(k, c.measured[k]));
      EXPECT_FALSE(c.was_measured(k, to[k] + 1e-4));
      EXPECT_FALSE(c.was_measured(k, from[k] - 1e-4));
    }
    // theta' is (v_1 - v_2)/(h_1 - h_2) of the same trials [eq. 3.1].
    const double height = second_gauge - gauge;
    EXPECT_LT((from[0] - to[2]) / height, to[1]) << c.number;
    EXPECT_GT((to[0] - from[2]) / height, from[1]) << c.number;
  }
  EXPECT_NEAR(case_of(3).down[1], 0.0507, 1e-12);
  EXPECT_EQ(rows("spreads")[4].text("down"), "0.507") << "as printed";
}

}  // namespace
}  // namespace carom::papers::disc_ball
