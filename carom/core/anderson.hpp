// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carom {

/// Acceleration of a fixed-point iteration x = g(x) [Anderson 1965; Walker & Ni 2011, type II]: the
/// next x is the combination of the last values of g whose residuals g(x) - x add up to the least,
/// with weights of sum one.
class Anderson {
 public:
  /// Values of g that are combined.
  static constexpr std::size_t most = 6;

  void clear() { count_ = 0; }
  /// @param x  becomes the next point
  /// @param g  its image
  void next(std::span<double> x, std::span<const double> g);

 private:
  std::size_t count_ = 0;  ///< points since `clear`
  std::vector<double> last_g_;
  std::vector<double> last_f_;
  std::vector<double> dg_;  ///< differences of g, one after the other, in turn
  std::vector<double> df_;  ///< and of residuals
};

}  // namespace carom
