// SPDX-License-Identifier: Apache-2.0
// Every publication recomputed: no difference from what is printed but the known ones.
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <papers/engine/judgement.hpp>

namespace carom::papers {
namespace {

class Papers : public testing::TestWithParam<const Publication*> {};

TEST_P(Papers, EveryDifferenceIsKnown) {
  const Reproduction r = GetParam()->reproduce({});
  for (const std::string& fault : faults(r)) ADD_FAILURE() << fault;
  const Tally t = tally(r);
  EXPECT_GT(t.equal, t.unexplained) << "more than nothing is compared";
  std::set<std::string> names;
  for (const Part& part : r.parts) {
    EXPECT_TRUE(!part.tables.empty() || !part.statements.empty()) << part.id << " compares nothing";
    for (const Table& table : part.tables) {
      for (const auto& row : table.rows) {
        EXPECT_EQ(row.cells.size(), table.columns.size()) << part.id;
      }
    }
    for (const Picture& picture : part.pictures) {
      EXPECT_TRUE(names.insert(picture.name).second) << picture.name << " twice";
      EXPECT_EQ(picture.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                std::string::npos)
          << picture.name;
      EXPECT_FALSE(picture.caption.empty()) << picture.name;
    }
  }
  std::set<std::string> ids;
  for (const Erratum& e : r.errata) {
    EXPECT_TRUE(ids.insert(e.id).second) << e.id << " twice";
    EXPECT_FALSE(e.shown.empty()) << e.id;
  }
}

/// "Table 4, row 3, column 2" of every number that is known to differ from what is printed.
std::map<std::string, double> known_differences(const Publication& p) {
  std::map<std::string, double> found;
  const Reproduction r = p.reproduce({});
  for (const Part& part : r.parts) {
    for (std::size_t t = 0; t < part.tables.size(); ++t) {
      for (std::size_t i = 0; i < part.tables[t].rows.size(); ++i) {
        const auto& cells = part.tables[t].rows[i].cells;
        for (std::size_t j = 0; j < cells.size(); ++j) {
          if (cells[j].known.empty() || !cells[j].computed) continue;
          const std::string place = std::string(p.name) + ", " + part.id + ", table " +
                                    std::to_string(t + 1) + ", row " + std::to_string(i + 1) +
                                    ", column " + std::to_string(j + 1);
          found[place] = *cells[j].computed;
        }
      }
    }
  }
  return found;
}

// What differs, and is known to, must differ as it did: else it could drift to anything. To six of
// the nine digits that the list keeps. Where a difference is meant to change, so is the list.
TEST_P(Papers, KnownDifferencesStayWhatTheyAre) {
  std::ifstream file(CAROM_TEST_DATA "/reference/own/papers-known.txt");
  std::map<std::string, double> listed;
  for (std::string line; std::getline(file, line);) {
    const auto at = line.rfind(": ");
    if (line.starts_with(std::string(GetParam()->name) + ", ")) {
      listed[line.substr(0, at)] = std::stod(line.substr(at + 2));
    }
  }
  const auto found = known_differences(*GetParam());
  EXPECT_EQ(found.size(), listed.size());
  for (const auto& [place, value] : found) {
    ASSERT_TRUE(listed.contains(place)) << place << ": " << value;
    EXPECT_NEAR(value, listed[place], 1e-6 * std::abs(listed[place]) + 1e-12) << place;
  }
}

std::vector<const Publication*> all() {
  std::vector<const Publication*> list;
  for (const Publication& p : publications()) list.push_back(&p);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Papers, testing::ValuesIn(all()), [](const auto& tested) {
  std::string name(tested.param->name);
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
});

}  // namespace
}  // namespace carom::papers
