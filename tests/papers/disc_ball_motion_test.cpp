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

#include <papers/liu-zhang-zhao-brogliato/disc_ball_measured.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_readings.hpp>
#include <papers/liu-zhang-zhao-brogliato/painleve_of_disc.hpp>

#include "support/motion_log.hpp"

namespace carom::papers {
namespace {

nlohmann::json multi_reference() {
  std::ifstream in(CAROM_TEST_DATA "/reference/multi.json");
  return nlohmann::json::parse(in);
}

// --- motion
// ---------------------------------------------------------------------------------------

/// "printed-case8-tc-local" as a run of ours.
DiscRun run_of(const std::string& id) {
  const DiscBallCase& c = disc_ball_case(id[id.find("case") + 4] - '0');
  const StartFrom from = id.rfind("printed", 0) == 0 ? StartFrom::printed : StartFrom::impact;
  const bool local = id.find("tc-local") != std::string::npos;
  return run_disc(c, from, local ? ImpactTime::local : ImpactTime::ball, 0.005);
}

TEST(DiscBallMotion, RunsAreThoseOfTheReference) {
  std::size_t compared = 0;
  for (const test::ReferenceRun& reference : test::reference_runs()) {
    if (!reference.bar) continue;
    const DiscRun run = run_of(reference.id);
    ASSERT_EQ(run.events.size(), reference.events.size()) << reference.id;
    for (std::size_t k = 0; k < run.events.size(); ++k) {
      EXPECT_NEAR(run.events[k].time, reference.events[k].time, 1e-4) << reference.id;
    }
    EXPECT_TRUE(run.lies) << reference.id;
    EXPECT_NEAR(run.story.back().to, reference.events.back().time, 1e-4) << reference.id;
    for (const auto& [time, v1] : reference.v1) {
      if (std::isnan(v1)) continue;
      const auto i = static_cast<std::size_t>(std::lround(time / 0.005));
      ASSERT_LT(i, run.time.size());
      EXPECT_NEAR(run.v1[i], v1, 1e-4) << reference.id << " at " << time;
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(DiscBallMotion, StoriesNameWhatHappens) {
  const auto told = [](int number, StartFrom from, ImpactTime time = ImpactTime::ball) {
    return run_disc(disc_ball_case(number), from, time).told(0.);
  };
  EXPECT_EQ(told(2, StartFrom::impact), "A slip+, A stick, A slip-, A slip+");
  EXPECT_EQ(told(5, StartFrom::printed), "A stick, A slip-, A slip+");
  EXPECT_EQ(told(8, StartFrom::printed, ImpactTime::local),
            "impacts at C, impacts at A, A slip+, A stick, A slip-, A slip+");
  EXPECT_EQ(told(9, StartFrom::printed),
            "impacts at C, C slip+, line impact, impacts at A, A slip-, A stick, A slip-, A slip+");
  EXPECT_EQ(run_disc(disc_ball_case(9), StartFrom::printed).told(),
            "impacts at C, C slip+, line impact, impacts at A, A stick, A slip-, A slip+")
      << "a slip of 0.1 ms is left out";
  const DiscRun eight = run_disc(disc_ball_case(8), StartFrom::printed, ImpactTime::local);
  EXPECT_EQ(eight.story.at(0).impacts, 7U);
  EXPECT_EQ(eight.story.at(1).impacts, 1U) << "one at A, and slip next";
}

TEST(DiscBallMotion, StretchesFollowOneAnotherAndCountImpacts) {
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscRun run = run_disc(c, StartFrom::printed);
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
  const auto variant = variants.at("seq_anti r=0.03755");
  constexpr double tolerance = 2e-5;
  const PatternBoundaries w = pattern_boundaries(0.275, Way::as_written);
  EXPECT_EQ(w.contact_begins, 0.);
  EXPECT_NEAR(w.contact_ends, written.at("vA_eq_gTc").at(0).get<double>(), tolerance);
  EXPECT_NEAR(w.stick_begins, written.at("stick").at(0).get<double>(), tolerance);
  EXPECT_NEAR(w.stick_ends, written.at("stick").at(1).get<double>(), tolerance);
  const PatternBoundaries v = pattern_boundaries(0.275, Way::variant);
  EXPECT_NEAR(v.contact_begins, variant.at("vA_eq_gTc").at(0).get<double>(), tolerance);
  EXPECT_NEAR(v.contact_ends, variant.at("vA_eq_gTc").at(1).get<double>(), tolerance);
  EXPECT_NEAR(v.stick_begins, variant.at("stick").at(0).get<double>(), tolerance);
  EXPECT_NEAR(v.stick_ends, variant.at("stick").at(1).get<double>(), tolerance);
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

TEST(DiscBallReadings, HoldTheModelAsWrittenAndTheVariant) {
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscBallRow written = disc_ball_as_written(system_of(c), surfaces_of(c));
    const DiscBallRow variant = disc_ball_variant(system_of(c), surfaces_of(c));
    DiscBallReading r{.friction = c.friction, .static_friction = c.static_friction};
    EXPECT_NEAR(disc_ball_by(c, r).spin, written.spin, 1e-6 * std::abs(written.spin)) << c.number;
    EXPECT_NEAR(disc_ball_by(c, r).rise, written.rise, 1e-6 * std::abs(written.v2)) << c.number;
    r.ground_waits = true;
    r.at_D = FrictionAtD::along;
    r.radius = variant_radius;
    EXPECT_NEAR(disc_ball_by(c, r).spin, variant.spin, 1e-6 * std::abs(variant.spin)) << c.number;
    EXPECT_NEAR(disc_ball_by(c, r).v1, variant.v1, 1e-6 * std::abs(variant.v2)) << c.number;
  }
}

TEST(DiscBallReadings, TheNearestOfCasesTwoToFourIsTheVariant) {
  for (int n = 2; n <= 4; ++n) {
    const NearestReading nearest = nearest_reading(disc_ball_case(n));
    EXPECT_LT(nearest.off, 1e-3) << n;
    EXPECT_EQ(nearest.reading.radius, variant_radius) << n;
    EXPECT_EQ(nearest.reading.at_D, FrictionAtD::along) << n;
    EXPECT_TRUE(nearest.reading.ground_waits) << n;
    EXPECT_EQ(nearest.tried, 270U);
  }
}

// What the variant's friction at D does in cases 2 to 4: it lifts the disc, and the ground has no
// part.
TEST(DiscBallReadings, TheGroundHasNoPartInTheVariantsCasesTwoToFour) {
  DiscBallReading r{.ground_waits = true, .at_D = FrictionAtD::along, .radius = variant_radius};
  DiscBallReading other = r;
  other.friction = other.static_friction = 0.5;
  other.restitution = 0.;
  for (int n = 2; n <= 5; ++n) {
    const double spin = disc_ball_by(disc_ball_case(n), r).spin;
    const double with_other_ground = disc_ball_by(disc_ball_case(n), other).spin;
    EXPECT_EQ(spin == with_other_ground, n <= 4) << n;
  }
}

TEST(DiscBallInputs, ConstantsAreThoseOfTheReference) {
  const auto constants = multi_reference().at("constants");
  const auto near = [&](double x, const char* name) {
    const double expected = constants.at(name).get<double>();
    EXPECT_NEAR(x, expected, 1e-5 * expected) << name;
  };
  near(hertz_stiffness(contact_modulus(steel_modulus, paper_modulus), ball_radius),
       "k_D_from_table1");
  near(hertz_stiffness(contact_modulus(steel_modulus, steel_modulus), disc_radius),
       "k_A_from_table1");
  near(contact_time_constant(), "k_Tc_from_table1");
  near(easiest_shape().r_over_h, "painleve_r_over_h");
  near(easiest_shape().critical_friction(0.5 * std::numbers::pi), "painleve_mu_min");
  near(DiscShape{disc_radius / half_thickness}.critical_friction(0.5 * std::numbers::pi),
       "painleve_mu_this_disc");
}

TEST(DiscBallInputs, PrintedNumbersAreThoseOfTheReference) {
  for (const auto& c : multi_reference().at("cases")) {
    const auto id = c.at("id").get<std::string>();
    if (id.rfind("disc_ball_case", 0) != 0) continue;
    const DiscBallCase& ours = disc_ball_case(id.back() - '0');
    EXPECT_NEAR(1e3 * ours.height, c.at("paper").at("b_mm").get<double>(), 1e-12) << id;
    EXPECT_EQ(ours.velocity, c.at("paper").at("v_b").get<double>()) << id;
    if (ours.number == 1) continue;
    const auto printed =
        c.at("paper").at("printed_numerical_v1_thetadot_v2").get<std::vector<double>>();
    EXPECT_EQ(ours.printed().v1, printed.at(0)) << id;
    EXPECT_EQ(ours.printed().spin, printed.at(1)) << id;
    EXPECT_EQ(ours.printed().v2, printed.at(2)) << id;
    const auto measured = c.at("paper").at("printed_experimental").get<std::vector<double>>();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(ours.measured[k], measured.at(k)) << id;
  }
}

TEST(DiscBallInputs, MeasuredIntervalsHoldTheirMeansAndFitTheTwoHeights) {
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    std::array<MeasuredInterval, 3> of{};
    for (std::size_t k = 0; k < 3; ++k) {
      of[k] = measured_interval(c, k);
      EXPECT_LT(of[k].from, c.measured[k]) << c.number;
      EXPECT_GT(of[k].to, c.measured[k]) << c.number;
      EXPECT_TRUE(of[k].holds(c.measured[k]));
      EXPECT_FALSE(of[k].holds(of[k].to + 1e-4));
      EXPECT_FALSE(of[k].holds(of[k].from - 1e-4));
    }
    // theta' is (v_1 - v_2)/(h_1 - h_2) of the same trials [eq. 3.1].
    const double height = second_gauge - gauge;
    EXPECT_LT((of[0].from - of[2].to) / height, of[1].to) << c.number;
    EXPECT_GT((of[0].to - of[2].from) / height, of[1].from) << c.number;
  }
  EXPECT_NEAR(measured_interval(disc_ball_case(3), 1).from, -1.5985 - 0.0507, 1e-12);
  EXPECT_EQ(printed_spread(3)[1].down, "0.507") << "as printed";
}

}  // namespace
}  // namespace carom::papers
