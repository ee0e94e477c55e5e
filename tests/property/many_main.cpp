// SPDX-License-Identifier: Apache-2.0
// As main.cpp, but 10,000 times: a problem of several contacts costs more than one of one.
#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  ::setenv("RC_PARAMS", "max_success=10000 seed=20251", /*overwrite=*/0);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
