// SPDX-License-Identifier: Apache-2.0
// RapidCheck tries each property 20,000 times from a fixed seed; RC_PARAMS says otherwise, as
// ./test --long does.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  ::setenv("RC_PARAMS", "max_success=20000 seed=20251", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
