// SPDX-License-Identifier: Apache-2.0
// Every case of tests/reference/planar.json and own/planar-own.json, through the library.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

std::map<std::string, double> ledger_of(const PlanarOutcome& o) {
  std::map<std::string, double> ledger{{"change", o.energy.change},
                                       {"normal", o.energy.normal},
                                       {"friction", o.energy.friction},
                                       {"couple", o.energy.couple}};
  if (o.energy.stages) {
    ledger["normal_compression"] = o.energy.stages->compression;
    ledger["normal_restitution"] = o.energy.stages->restitution;
  }
  return ledger;
}

class Reference : public testing::TestWithParam<ReferenceCase> {};

TEST_P(Reference, OutcomeIsAsComputedIndependently) {
  const ReferenceCase& c = GetParam();
  const Law* law = find_law(c.law);
  ASSERT_NE(law, nullptr);
  validate(c.problem, info(planar_kernel(*law)).release);
  const PlanarOutcome o = solve(planar_kernel(*law), c.problem);
  EXPECT_EQ(compare(c, o.impulse, o.velocity, ledger_of(o)), "");
  const std::string mode = mode_label(info(planar_kernel(*law)), o.mode, o.slider);
  EXPECT_EQ(mode.empty() ? "null" : mode, c.mode);
  EXPECT_NEAR(o.couple, c.couple, c.tolerance * (std::abs(c.couple) + std::abs(o.impulse.n)));
}

// F*, F_c, the case of Shen & Townsend: the extras that an outcome's phases hold.
TEST_P(Reference, ExtrasAgree) {
  const ReferenceCase& c = GetParam();
  const PlanarOutcome o = solve(planar_kernel(*find_law(c.law)), c.problem);
  if (c.extra_text.contains("case")) {
    ASSERT_TRUE(shen_townsend_case(o).has_value());
    EXPECT_EQ(name(*shen_townsend_case(o)), c.extra_text.at("case"));
  }
  for (const char* key : {"F_c", "pn_compression"}) {
    if (!c.extra.contains(key) || o.phases.empty()) continue;
    double p_c = 0.;
    for (const auto& phase : o.phases) {
      if (phase.stage == Stage::compression) p_c = phase.impulse.n;
    }
    EXPECT_NEAR(p_c, c.extra.at(key), 1e-10 * c.extra.at(key));
  }
  if (c.extra.contains("stick_ratio_needed")) {
    // What `conventional` asks: the ratio that ends slip at v_n+ = -e v_n-.
    EXPECT_NEAR(std::abs(*brach_coefficients(c.problem, o).critical_ratio),
                c.extra.at("stick_ratio_needed"), 1e-10);
  }
  if (c.extra.contains("critical_impulse_ratio")) {
    EXPECT_NEAR(*brach_coefficients(c.problem, o).critical_ratio,
                c.extra.at("critical_impulse_ratio"), 1e-10);
  }
  if (c.extra.contains("ratio_post") && o.velocity.n != 0.) {
    EXPECT_NEAR(o.velocity.t / o.velocity.n, c.extra.at("ratio_post"), 1e-10);
  }
}

INSTANTIATE_TEST_SUITE_P(Planar, Reference, testing::ValuesIn(reference_cases()),
                         [](const auto& tested) {
                           std::string name = tested.param.id;
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

// Fails if a file is truncated or misread.
TEST(ReferenceFile, IsWhole) {
  std::map<std::string, int> count;
  std::set<std::string> ids;
  for (const auto& c : reference_cases()) {
    ++count[c.law];
    ids.insert(c.id);
  }
  EXPECT_EQ(count["moreau"], 21);
  EXPECT_EQ(count["poisson"], 33);
  EXPECT_EQ(count["energetic"], 12);
  EXPECT_EQ(count["newton"], 5);
  EXPECT_EQ(count["conventional"] + count["conventional:rebound"], 10);
  EXPECT_EQ(count["compliant"], 9 + 18);
  EXPECT_EQ(count["moreau:poisson"], 16);
  EXPECT_EQ(count["brach"], 16);
  EXPECT_EQ(ids.size(), reference_cases().size());
  EXPECT_EQ(derived_cases().size(), 6U);
}

}  // namespace
}  // namespace carom::test
