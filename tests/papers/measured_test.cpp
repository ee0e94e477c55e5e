// SPDX-License-Identifier: Apache-2.0
// The pages on measured data, from a part of the data: the whole takes about a minute.
#include <cmath>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <papers/engine/judgement.hpp>
#include <papers/engine/reproduce.hpp>
#include <papers/measured/world.hpp>

namespace carom::papers::measured_world {
namespace {

/// Every eighth impact that would be fitted, and ten tosses with a short search. Shared by tests.
std::shared_ptr<World> small_world() {
  static const auto world =
      std::make_shared<World>(Work{}, Sample{.every = 8, .tosses = 10, .search = 4});
  return world;
}

// Names of prose and functions fit together, and everything can be computed and drawn.
TEST(Measured, PagesAndPicturesOfAPartOfTheData) {
  const Reproduction r = reproduce("measured", embedded_files(), of_world(small_world()));
  std::set<std::string> pictures;
  for (const Part& part : r.parts) {
    EXPECT_TRUE(!part.tables.empty() || !part.statements.empty()) << part.id << " compares nothing";
    for (const Table& table : part.tables) {
      EXPECT_FALSE(table.rows.empty()) << part.id << ": " << table.caption;
      for (const auto& row : table.rows) {
        EXPECT_EQ(row.cells.size(), table.columns.size()) << part.id;
        for (const Cell& cell : row.cells) {
          if (!cell.printed.empty() && cell.computed) {
            EXPECT_TRUE(std::isfinite(*cell.computed)) << part.id << ": " << table.caption;
          }
        }
      }
    }
    for (const Picture& picture : part.pictures) {
      EXPECT_TRUE(pictures.insert(picture.name).second) << picture.name << " twice";
      const auto record = nlohmann::json::parse(picture.draw());
      ASSERT_TRUE(record.contains("picture")) << picture.name;
      std::size_t points = 0;
      for (const auto& panel : record["picture"]["panels"]) {
        for (const auto& series : panel["series"]) points += series["x"].size();
      }
      EXPECT_GT(points, 10U) << picture.name;
    }
  }
  EXPECT_EQ(pictures.size(), 9U);
  EXPECT_EQ(r.errata.size(), 7U);
}

// The slip of a row by the formula of data/measured/README.md: v_t = v_x - r_y w.
TEST(Measured, SlipIsTheVelocityAlongTheSurface) {
  const Judged& set = small_world()->set("square");
  const fit::FittedModel& poisson = *set.model("poisson");
  const fit::MeasuredImpact& impact = set.data.impacts[set.ranking.impacts[3]];
  const auto number = [&](const std::string& column) {
    for (std::size_t j = 0; j < set.data.numbers.size(); ++j) {
      if (set.data.numbers[j] == column) return impact.numbers[j];
    }
    return std::nan("");
  };
  const double ry = number("rz_m");
  const double before = impact.before[0] - ry * impact.before[2];
  const double after = impact.after[0] - ry * impact.after[2];
  const std::vector<Slip> slips = slips_of(set, poisson, {3});
  ASSERT_EQ(slips.size(), 1U);
  EXPECT_NEAR(slips[0].before, std::abs(before), 1e-12);
  EXPECT_NEAR(slips[0].measured, std::copysign(1., before) * after, 1e-12);
  EXPECT_GT(slips[0].normal, 0.);
}

TEST(Measured, ClassesTogetherAreAllRows) {
  const Judged& set = small_world()->set("ellipse");
  std::size_t rows = 0;
  double sum = 0.;
  std::set<std::size_t> members;
  for (const fit::ClassDifferences& c : set.classes) {
    rows += c.members.size();
    members.insert(c.members.begin(), c.members.end());
    for (const fit::ModelInClass& m : c.models) {
      if (m.model == set.model("moreau")) {
        sum += m.error * static_cast<double>(c.members.size());
        EXPECT_LE(m.difference.low, m.difference.mean);
        EXPECT_GE(m.difference.high, m.difference.mean);
      }
    }
  }
  EXPECT_EQ(rows, set.ranking.impacts.size());
  EXPECT_EQ(members.size(), rows);
  EXPECT_NEAR(sum / static_cast<double>(rows), set.model("moreau")->validated_error, 1e-12);
}

TEST(Measured, TheMirroredColumnIsFound) {
  const fit::Soundness& s = small_world()->mirrored_ellipse();
  ASSERT_FALSE(s.mending.empty());
  std::string columns;
  for (const std::string& column : s.mending.front().columns) columns += column + " ";
  EXPECT_NE(columns.find("vx"), std::string::npos) << columns;
  EXPECT_LT(s.mending.front().imbalance.rms, 0.2 * s.imbalance.rms);
}

// All rows of the square: what an earlier analysis found of it, within its intervals.
TEST(Measured, TheSquareIsAsQuoted) {
  const auto world = std::make_shared<World>(Work{});
  const Computations c = of_ranking(world);
  std::size_t compared = 0;
  for (const char* table : {"differences", "fits"}) {
    for (const Row& row : printed_rows(std::string("measured/") + table)) {
      if (!row.text("case").starts_with("square")) continue;
      for (const auto& [column, value] : std::get<RowOf>(c.tables.at(table))(row)) {
        const std::string& printed = row.text(column);
        if (printed.empty()) continue;
        Cell cell{.printed = printed};
        if (const auto* word = std::get_if<std::string>(&value.get())) {
          cell.text = *word;
        } else {
          cell.computed = std::get<double>(value.get());
        }
        EXPECT_EQ(judge(cell, {}).agreement, Agreement::equal) << row.place() << " " << column;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 12U);
}

}  // namespace
}  // namespace carom::papers::measured_world
