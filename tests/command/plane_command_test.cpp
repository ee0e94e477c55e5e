// SPDX-License-Identifier: Apache-2.0
// `carom simulate` of bodies in the plane: shapes, pieces of the ground, belts, pictures.
#include <gtest/gtest.h>

#include <filesystem>

#include <command/process.hpp>

namespace carom::test {
namespace {

namespace fs = std::filesystem;

// The belt of an example takes the box with it after v/(mu g) = 0.254842 s.
TEST(PlaneCommand, DrawsABoxOnABelt) {
  const fs::path picture = fs::path(write_file("marker", "")).parent_path() / "belt.svg";
  fs::remove(picture);
  const Finished f = run_carom("simulate motion/belt --plot '" + picture.string() + "'");
  ASSERT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("0.254842 s  box-belt corner 1 on side 2: slip- -> stick"),
            std::string::npos)
      << f.out;
  // Over the edge: its lower side touches where its corner touched.
  EXPECT_NE(f.out.find("box-belt corner 2 on side 2: stick -> open, box-belt side 1 under corner "
                       "2: open -> stick\n"),
            std::string::npos)
      << f.out;
  EXPECT_EQ(f.err.find("pass through"), std::string::npos) << f.err;
  EXPECT_NE(read_file(picture.string()).find("<svg"), std::string::npos);
  const std::string record = read_file(picture.string() + ".json");
  // The capsule by its ends, and the box with round corners.
  EXPECT_NE(
      record.find(R"({"name":"belt","outlines":[{"corners":[[-0.3,0],[0.3,0]],"radius":0.04}],)"
                  R"("position":[0.3,0.4],"angle":0,"belt_speed":1})"),
      std::string::npos);
  EXPECT_NE(record.find(R"({"name":"box","outlines":[{"corners":[[-0.048,)"), std::string::npos);
  EXPECT_NE(record.find(R"(]],"radius":0.002}])"), std::string::npos);
}

TEST(PlaneCommand, RefusesWithThePlaceAndWhatIsAllowed) {
  const std::string file = write_file("p.toml", R"([system]
type = "assembly"
floor = true
floor_motion = { amplitude = [0, 0.01] }
[[system.bodies]]
mass = 1
shape = "capsul"
position = [0, 1]
[motion]
end_time = 1
)");
  const Finished f = run_carom("simulate '" + file + "'");
  EXPECT_EQ(f.code, 2);
  EXPECT_NE(f.err.find("p.toml:4:16: system.floor_motion.frequency: is missing; give a number"),
            std::string::npos)
      << f.err;
}

}  // namespace
}  // namespace carom::test
