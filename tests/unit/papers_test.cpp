// SPDX-License-Identifier: Apache-2.0
// Every publication recomputed: no difference from what is printed but the known ones.
#include <set>

#include <gtest/gtest.h>

#include <carom/papers/judgement.hpp>

namespace carom::papers {
namespace {

class Papers : public testing::TestWithParam<const Publication*> {};

TEST_P(Papers, EveryDifferenceIsKnown) {
  const Reproduction r = GetParam()->reproduce();
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
