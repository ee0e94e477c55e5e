// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/soundness.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <carom/study/fit/imbalance.hpp>
#include <carom/study/fit/relations.hpp>
#include <support/measured.hpp>
#include <support/synthetic_impacts.hpp>

namespace carom::study::fit {
namespace {

using test::ellipse_drops;
using test::read_planar_drops;
using test::square_drops;

const MeasuredImpacts& ellipse() {
  static const MeasuredImpacts data = read_planar_drops(ellipse_drops());
  return data;
}

bool says(const std::vector<std::string>& lines, const std::string& what) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

// The defining equations: e is what no impulse produces, so W^T e = 0, and dy - e = M^-1 W P.
TEST(Imbalance, IsOrthogonalToImpulsesInTheMassMetric) {
  const MeasuredImpacts& data = ellipse();
  const std::vector<double> body = data.given_body();
  MeasuredContact contact;
  for (std::size_t i = 0; i < data.impacts.size(); i += 50) {
    data.contact_of(data.impacts[i], body, contact);
    const Imbalance found = imbalance(data, contact, data.impacts[i]);
    const Eigen::Map<const Eigen::Vector3d> e(found.change.data());
    // Balance of angular momentum about the contact, over the radius of gyration.
    const auto& a = data.impacts[i];
    const double k = body[1];
    const double balance =
        k * k * (a.after[2] - a.before[2]) -
        (a.numbers[0] * (a.after[1] - a.before[1]) - a.numbers[1] * (a.after[0] - a.before[0]));
    const double scale = Eigen::Map<const Eigen::Vector3d>(a.after.data()).norm();
    EXPECT_LE((contact.W.transpose() * e).norm(), 1e-13 * scale);
    EXPECT_NEAR(found.of_spin, std::abs(balance) / k, 1e-12 * scale);
  }
}

// Computed independently (NumPy): root mean squares over the rows.
TEST(Soundness, OfTheEllipseIsThatComputedIndependently) {
  const Soundness found = check_soundness(ellipse());
  EXPECT_EQ(found.rows.size(), 1031U);
  EXPECT_NEAR(found.imbalance.rms, 0.10171929423054271, 1e-12);
  EXPECT_NEAR(found.imbalance.rms_of_spin, 0.1912350806718399, 1e-12);
  EXPECT_TRUE(found.mending.empty());
  std::vector<std::string> gains;
  for (const RowSoundness& row : found.rows) {
    EXPECT_TRUE(row.approaches && row.separates);
    if (row.gains_energy) gains.push_back(ellipse().impacts[row.impact].id);
  }
  EXPECT_EQ(gains, std::vector<std::string>{"1655"});
}

// As the data are distributed, x is mirrored.
TEST(Soundness, FindsTheMirroredCoordinate) {
  MeasuredImpacts data = ellipse();
  for (MeasuredImpact& impact : data.impacts) {
    impact.before[0] *= -1.;
    impact.after[0] *= -1.;
  }
  const Soundness found = check_soundness(data);
  EXPECT_NEAR(found.imbalance.rms_of_spin, 1.7016558514619635, 1e-12);
  ASSERT_FALSE(found.mending.empty());
  EXPECT_EQ(found.mending[0].columns, (std::vector<std::string>{"vx before", "vx after"}));
  EXPECT_NEAR(found.mending[0].imbalance.rms_of_spin, 0.1912350806718399, 1e-12);
  // In contact space a contact above the mass centre is the mirror image; so is the spin with r_x.
  std::vector<std::vector<std::string>> others;
  for (std::size_t i = 1; i < found.mending.size(); ++i) others.push_back(found.mending[i].columns);
  EXPECT_EQ(others, (std::vector<std::vector<std::string>>{
                        {"ry_m"}, {"omega before", "omega after", "rx_m"}}));
  // The body is judged with that sign flipped.
  ASSERT_EQ(found.alone.size(), 1U);
  EXPECT_NEAR(found.alone[0].numbers[0].best, 0.01935, 5e-5);
  EXPECT_TRUE(says(words(data, found), "flipping the sign of vx before and vx after lowers"));
}

TEST(Soundness, FindsOneColumnOfTheWrongSign) {
  MeasuredImpacts data = ellipse();
  for (MeasuredImpact& impact : data.impacts) impact.after[2] *= -1.;
  const Soundness found = check_soundness(data);
  ASSERT_FALSE(found.mending.empty());
  EXPECT_EQ(found.mending[0].columns, std::vector<std::string>{"omega after"});
}

// 22.5 mm fits, where a uniform square has 24.5 mm. The mass does not matter: no line about it.
TEST(Soundness, FindsTheRadiusOfGyrationOfTheSquare) {
  test::PlanarDrops drops = square_drops();
  drops.k = 0.0245;
  const MeasuredImpacts data = read_planar_drops(drops);
  const Soundness found = check_soundness(data);
  EXPECT_TRUE(found.mending.empty());
  ASSERT_EQ(found.alone.size(), 1U);
  const BodyChange::Number& k = found.alone[0].numbers[0];
  EXPECT_EQ(data.body[k.number].name, "radius_of_gyration");
  EXPECT_NEAR(k.best, 0.0225, 2. * k.error);
  EXPECT_LT(k.best + 2. * k.error, 0.0245);
  EXPECT_LT(found.alone[0].imbalance.rms, 0.05);
  EXPECT_GT(found.imbalance.rms, 0.07);
}

// Synthetic impacts without noise satisfy the balance exactly; a spin that is off is an outlier.
TEST(Soundness, SeesOneWrongSpin) {
  test::Synthetic s{"poisson", {"restitution", "friction"}, {0.6, 0.2}};
  s.noise = 0.01;
  MeasuredImpacts data = test::synthetic_impacts(s, 1);
  data.impacts[17].after[2] += 40.;
  // Noise alone goes beyond 6 robust deviations in less than one set of a million.
  const Soundness found = check_soundness(data, {.threshold = 6.});
  for (const RowSoundness& row : found.rows) EXPECT_EQ(row.outlier, row.impact == 17) << row.impact;
}

TEST(Soundness, DoesNotDependOnTheNumberOfThreads) {
  const Soundness one = check_soundness(ellipse(), {.threads = 1});
  const Soundness four = check_soundness(ellipse(), {.threads = 4});
  EXPECT_EQ(words(ellipse(), one), words(ellipse(), four));
  EXPECT_EQ(one.alone[0].numbers[0].best, four.alone[0].numbers[0].best);
}

// The barrier tests: a yaw rate that is off by 29 %, and resultants that contradict components.
TEST(Relations, OfTheBarrierTestsContradictInThreeRows) {
  const Relations relations =
      read_relations(std::string(CAROM_SOURCE_DIR) + "/examples/fit/barrier.toml");
  const auto checks = check_relations(relations);
  ASSERT_EQ(checks.size(), 2U);
  const auto contradicting = [](const RelationCheck& check) {
    std::vector<std::string> ids;
    for (const RelatedRow& row : check.rows) {
      if (row.contradicts) ids.push_back(row.id);
    }
    return ids;
  };
  EXPECT_EQ(contradicting(checks[0]), (std::vector<std::string>{"CF10020", "CF10024"}));
  EXPECT_EQ(contradicting(checks[1]), std::vector<std::string>{"CF10023"});
  EXPECT_TRUE(says(words(checks[1]), "29 % less"));
  EXPECT_EQ(checks[1].implied_radii.size(), 12U);
}

TEST(Relations, ComplainWithTheirPlace) {
  const auto error = [](const std::string& text) {
    try {
      (void)parse_relations(text, "barrier.toml");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(error("[fit]\ndata = \"a.csv\"\n[[fit.resultant]]\nof = [\"a\"]\nis = \"b\"\n")
                .find("barrier.toml:4"),
            std::string::npos);
  EXPECT_NE(error("[fit]\ndata = \"a.csv\"\n[[fit.resultant]]\nof = [\"a\", \"c\"]\n").find("is"),
            std::string::npos);
  EXPECT_NE(error("[fit]\ndata = \"a.csv\"\nfoo = 1\n[[fit.resultant]]\nof = [\"a\", \"c\"]\nis = "
                  "\"b\"\n")
                .find("foo"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::study::fit
