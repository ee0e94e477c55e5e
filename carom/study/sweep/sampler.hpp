// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/scenario/sweep_request.hpp>

/// The points of a sweep.
namespace carom::study {

/// Columns of numbers: one for each axis, or for each result.
using Columns = std::vector<std::vector<double>>;

/// Computes the points of a sweep from their numbers, in any order.
class Sampler {
 public:
  /// The second of two independent sets of points, which Sobol' indices need, has coordinates of
  /// its own.
  enum class Set : std::uint8_t { first, second };

  /// @param request  with method and samples set
  explicit Sampler(const scenario::SweepRequest& request);

  /// How many points there are.
  [[nodiscard]] std::size_t points() const { return points_; }
  /// How many axes vary: those that are fixed are not counted.
  [[nodiscard]] std::size_t axes() const { return axes_.size(); }

  /// The values of the axes at points [first, first + count), axis by axis.
  /// @pre inputs has a column for each axis, of at least `count` entries
  void fill(std::size_t first, std::size_t count, Set set, Columns& inputs) const;

 private:
  void fill_grid(std::size_t first, std::size_t count, Columns& inputs) const;
  /// Numbers in (0, 1) of one coordinate.
  void uniform(std::size_t coordinate, std::size_t first, std::size_t count, double* out) const;

  /// What is computed once for an axis.
  struct Prepared {
    scenario::SweepAxis axis;
    std::vector<double> values;     ///< on a grid, or of a list
    double at_low = 0.;             ///< probability below `low`, before truncation
    double inside = 1.;             ///< probability between `low` and `high`
    double mean = 0., spread = 1.;  ///< of the normal number, or of the logarithm
  };
  static void transform(const Prepared& p, std::size_t count, double* u);

  static constexpr std::size_t bits = 64;
  scenario::SweepMethod method_;
  std::uint64_t seed_;
  std::size_t points_ = 1;
  std::vector<Prepared> axes_;
  std::vector<std::uint64_t> directions_;  ///< of the Sobol' sequence, `bits` for each coordinate
  std::vector<std::uint64_t> shifts_;      ///< the digital shift of each coordinate
};

}  // namespace carom::study
