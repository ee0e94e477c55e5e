// SPDX-License-Identifier: Apache-2.0
// The algebraic laws in space: every case of tests/reference/spatial.json for them, and by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include <carom/impact/brach_system.hpp>
#include <carom/impact/spatial_coefficients.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <support/spatial_cases.hpp>

namespace carom::test {
namespace {

SpatialOutcome solve(const SpatialCase& c) {
  if (c.law == "brach") return brach(c.problem);
  return sun_baruh(c.problem, c.law == "sun-baruh" ? Hypothesis::poisson : Hypothesis::energetic);
}

class SpatialReference : public testing::TestWithParam<SpatialCase> {};

// As tests/reference/README.md says.
TEST_P(SpatialReference, OutcomeIsAsComputedIndependently) {
  const SpatialCase& c = GetParam();
  validate(c.problem, Release::allowed);
  const SpatialOutcome o = solve(c);
  const double v = std::max(largest(c.velocity), largest(c.problem.approach));
  const double P = largest(c.impulse);
  EXPECT_LE(largest(o.velocity - c.velocity), c.tolerance * v);
  EXPECT_LE(largest(o.impulse - c.impulse), c.tolerance * P);
  EXPECT_LE(largest(o.couple - c.couple), c.tolerance * (largest(c.couple) + P));
  std::map<std::string, double> ledger{{"change", o.energy.change}};
  if (o.energy.stages) {
    ledger["normal_compression"] = o.energy.stages->compression;
    ledger["normal_restitution"] = o.energy.stages->restitution;
  }
  for (const auto& [key, value] : c.ledger) {
    ASSERT_TRUE(ledger.contains(key)) << key;
    EXPECT_NEAR(ledger[key], value, c.tolerance * P * v) << key;
  }
  if (!c.mode.empty()) {
    EXPECT_EQ(std::to_string(static_cast<int>(o.mode)), c.mode);
  }
}

TEST_P(SpatialReference, PhasesAreThoseOfTheReference) {
  const SpatialCase& c = GetParam();
  const SpatialOutcome o = solve(c);
  ASSERT_EQ(o.phases.size(), c.phases.size());
  const double v = std::max(largest(c.velocity), largest(c.problem.approach));
  for (std::size_t i = 0; i < c.phases.size(); ++i) {
    const SpatialPhase& phase = o.phases[i];
    const auto& [what, velocity] = c.phases[i];
    EXPECT_EQ(what.starts_with(name(phase.stage)), true) << what;
    EXPECT_EQ(what.ends_with("stick"), phase.motion == Motion::stick) << what;
    EXPECT_LE(largest(phase.velocity - velocity), c.tolerance * v) << what;
  }
}

TEST_P(SpatialReference, CoefficientsAgree) {
  const SpatialCase& c = GetParam();
  if (c.pairs.empty()) return;
  const SpatialOutcome o = solve(c);
  const SpatialBrachCoefficients b = brach_coefficients(c.problem, o);
  const auto expect_pair = [&](const char* key, const std::optional<std::array<double, 2>>& got) {
    ASSERT_TRUE(got.has_value()) << key;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR((*got)[i], *c.pairs.at(key)[i], 1e-10) << key;
  };
  expect_pair("equivalent_mu", b.impulse_ratio);
  expect_pair("critical_mu_at_e_n", b.critical_ratio);
  expect_pair("critical_mu_at_e_n_zero", b.critical_ratio_without_rebound);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& expected = c.pairs.at("equivalent_e_t")[i];
    ASSERT_EQ(b.e_t[i].has_value(), expected.has_value());
    if (expected) {
      EXPECT_NEAR(*b.e_t[i], *expected, 1e-10);
    }
  }
  if (c.slides_throughout && c.id != "brach_fig5_alpha48.746") {  // which lies on the boundary
    EXPECT_EQ(o.mode == Mode::slip, *c.slides_throughout);
  }
  if (c.e_n_max) {
    SpatialProblem p = c.problem;  // at the ratios found
    p.surface.tangential_coefficient.reset();
    p.surface.impulse_ratio = b.impulse_ratio;
    const Intervals e_n = admissible(p, BrachCoefficient::normal);
    ASSERT_EQ(e_n.size(), 1U);
    EXPECT_EQ(e_n[0].low, 0.);
    EXPECT_NEAR(e_n[0].high, *c.e_n_max, 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Spatial, SpatialReference, testing::ValuesIn(spatial_cases()),
                         [](const auto& tested) {
                           std::string name = tested.param.id;
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

// Were the file cut or misread, this would tell.
TEST(SpatialReferenceFile, IsWhole) {
  std::map<std::string, int> count;
  std::set<std::string> ids;
  for (const auto& c : spatial_cases()) {
    ++count[c.law];
    ids.insert(c.id);
  }
  EXPECT_EQ(count["brach"], 24);
  EXPECT_EQ(count["sun-baruh"], 20);
  EXPECT_EQ(count["sun-baruh:energetic"], 6);
  EXPECT_EQ(ids.size(), spatial_cases().size());
}

}  // namespace
}  // namespace carom::test
