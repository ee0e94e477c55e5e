// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/cases.hpp>
#include <papers/publications.hpp>

namespace carom::papers {

Computations liu_zhang_zhao_brogliato() {
  using namespace disc_ball;
  return merged(
      {kinematics(), law(), painleve(), inputs(), friction(), velocities(), patterns(), motions()});
}

}  // namespace carom::papers
