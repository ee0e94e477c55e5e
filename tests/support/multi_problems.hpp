// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include <carom/impact/contact_problem.hpp>
#include <support/many_contacts.hpp>

/// Random impacts of several contacts.
namespace carom::test {

/// SplitMix64, so that problems are the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  double uniform(double a, double b);
  bool chance(double p) { return uniform(0., 1.) < p; }
  /// Of mean 0 and variance 1, roughly normal.
  double bell();
  std::size_t below(std::size_t n);

 private:
  std::uint64_t state_;
};

/// Contacts of bodies that can all be separated at once. Now and then there are fewer degrees of
/// freedom than components: impulses are then shared arbitrarily.
[[nodiscard]] ContactProblem random_multi_problem(std::uint64_t seed, std::size_t components,
                                                  std::size_t least, std::size_t most);

/// A box that falls flat onto the ground, turning a little: four corners in space.
[[nodiscard]] ContactProblem box_on_four_corners(std::uint64_t seed);

}  // namespace carom::test
