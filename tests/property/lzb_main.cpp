// SPDX-License-Identifier: Apache-2.0
// An impact of several contacts takes up to milliseconds: RapidCheck tries each property 300 times
// from a fixed seed; RC_PARAMS says otherwise.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  ::setenv("RC_PARAMS", "max_success=300 seed=20251", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
