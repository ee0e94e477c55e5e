// SPDX-License-Identifier: Apache-2.0
// `carom simulate --threads`.
#include <gtest/gtest.h>

#include <string>

#include <command/process.hpp>

namespace carom::test {
namespace {

// Towers of boxes that are let fall: many islands, which threads share.
const std::string towers = R"([system]
type = "assembly"
floor = true
[[system.bodies]]
name = "box"
shape = "box"
mass = 0.2
length = 0.12
width = 0.1
position = [0, 0.055]
grid = { count = [24, 3], spacing = [1.0, 0.105], jitter = 0.002, jitter_deg = 1 }
[surface]
restitution = 0.3
friction = 0.4
[motion]
method = "stepping"
step = 1e-3
end_time = 0.1
)";

TEST(SimulateThreads, PrintTheSameBytes) {
  const std::string file = write_file("towers.toml", towers);
  const auto printed = [&](const std::string& threads) {
    const Finished f = run_carom("simulate '" + file + "' --json --threads " + threads);
    EXPECT_EQ(f.code, 0) << f.err;
    return f.out;
  };
  const std::string one = printed("1");
  EXPECT_GT(one.size(), 100'000U);
  for (const char* threads : {"0", "2", "8"}) EXPECT_TRUE(printed(threads) == one) << threads;
}

TEST(SimulateThreads, MustBeANumber) {
  const Finished f =
      run_carom("simulate '" + write_file("towers.toml", towers) + "' --threads few");
  EXPECT_EQ(f.code, 2);
  EXPECT_NE(f.err.find("must be a whole number >= 0, got 'few'"), std::string::npos) << f.err;
}

}  // namespace
}  // namespace carom::test
