// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

/// Statistics of many numbers that are gathered in blocks. Sums are merged in the order of blocks,
/// so that they do not depend on who gathered which block; counts do not depend on order anyway.
namespace carom::study {

/// Count, mean and central sums up to the fourth power, of numbers that are not NaN.
struct Moments {
  double count = 0.;
  double mean = 0.;
  double m2 = 0., m3 = 0., m4 = 0.;  ///< sums of (x - mean)^k
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
  double undefined = 0.;  ///< how many were NaN

  /// Those of some numbers.
  [[nodiscard]] static Moments of(std::span<const double> values);
  /// Adds those of others [Pébay 2008].
  void merge(const Moments& other);

  [[nodiscard]] double deviation() const;        ///< of a sample: divided by count - 1
  [[nodiscard]] double mean_error() const;       ///< standard error of the mean
  [[nodiscard]] double deviation_error() const;  ///< standard error of the deviation

  static constexpr std::size_t size = 8;
  [[nodiscard]] std::array<double, size> numbers() const {
    return {count, mean, m2, m3, m4, least, greatest, undefined};
  }
  [[nodiscard]] static Moments from(std::span<const double> n) {
    return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
  }
};

/// Fine bins for quantiles of many numbers: equal ones between two bounds, and beyond them bins
/// that grow with the distance, 16 to each doubling.
class FineBins {
 public:
  FineBins() = default;
  /// Bounds that suit numbers like these.
  explicit FineBins(std::vector<double> like);

  [[nodiscard]] std::size_t size() const { return middle + 2 * tail; }
  /// Counts the numbers. @pre counts has `size()` entries
  void add(std::span<const double> values, std::span<std::uint64_t> counts) const;
  /// The lower bound of bin i; that of `size()` is infinite.
  [[nodiscard]] double bound(std::size_t i) const;

 private:
  static constexpr std::size_t middle = 16'384;
  static constexpr std::size_t per_octave = 16;
  static constexpr std::size_t tail = 64 * per_octave;
  [[nodiscard]] std::size_t index(double value) const;

  double low_ = 0.;
  double width_ = 1.;  ///< of the equal bins
  double inverse_ = 1.;
};

/// A quantile and how well it is known.
struct Quantile {
  double probability = 0.;
  double value = 0.;
  double error = 0.;       ///< standard error of a random sample
  double resolution = 0.;  ///< the value is right to this; 0: exactly that of the sample
};

/// Numbers of a sample in bins of equal width.
struct Histogram {
  double from = 0.;
  double to = 0.;
  std::vector<double> counts;
  double below = 0.;
  double above = 0.;
};

/// What is asked of a distribution, answered from all its numbers or from fine bins.
class Distribution {
 public:
  virtual ~Distribution() = default;
  /// The value below which that share of the numbers lies; and how exact it is.
  [[nodiscard]] virtual double quantile(double p) const = 0;
  [[nodiscard]] virtual double resolution(double p) const = 0;
  [[nodiscard]] virtual double count() const = 0;
  [[nodiscard]] virtual Histogram histogram(std::size_t bins) const = 0;

  /// With its standard error: half the distance between the quantiles one standard deviation of
  /// the rank away.
  [[nodiscard]] Quantile asked(double p) const;
  /// Where histograms end: the least and greatest number, unless these are far out.
  [[nodiscard]] std::array<double, 2> usual_range(double least, double greatest) const;
};

/// All numbers are there.
class ExactDistribution : public Distribution {
 public:
  explicit ExactDistribution(std::vector<double> values);  ///< NaN are left out
  [[nodiscard]] double quantile(double p) const override;
  [[nodiscard]] double resolution(double) const override { return 0.; }
  [[nodiscard]] double count() const override { return static_cast<double>(sorted_.size()); }
  [[nodiscard]] Histogram histogram(std::size_t bins) const override;

 private:
  std::vector<double> sorted_;
};

/// Only counts are.
class BinnedDistribution : public Distribution {
 public:
  BinnedDistribution(const FineBins& bins, std::span<const std::uint64_t> counts,
                     const Moments& moments);
  [[nodiscard]] double quantile(double p) const override;
  [[nodiscard]] double resolution(double p) const override;
  [[nodiscard]] double count() const override { return moments_.count; }
  [[nodiscard]] Histogram histogram(std::size_t bins) const override;

 private:
  /// The bin in which a rank lies.
  [[nodiscard]] std::size_t bin_of(double rank) const;
  [[nodiscard]] double lower(std::size_t bin) const;
  [[nodiscard]] double upper(std::size_t bin) const;

  const FineBins& bins_;
  std::vector<double> before_;  ///< how many numbers are below each bin, and in all
  Moments moments_;
};

/// Sums for Sobol' indices of one result, for each input: first-order by [Saltelli et al. 2010,
/// Table 2 (b)], total by [Jansen 1999].
struct IndexSums {
  double count = 0.;               ///< points at which all of the numbers are defined
  std::array<double, 3> common{};  ///< of a + b, of d = (a^2 + b^2)/2 and of d^2
  static constexpr std::size_t per_input = 7;
  /// Of g = b (t - a), t - a, h = (t - a)^2/2, g^2, h^2, d g and d h.
  std::vector<std::array<double, per_input>> inputs;

  explicit IndexSums(std::size_t inputs_count = 0) : inputs(inputs_count) {}
  /// @param a, b  results at the points of the first and second set, less `centre`
  /// @param t  for each input: at the first, with that input from the second
  void add(std::span<const double> a, std::span<const double> b,
           std::span<const std::vector<double>> t, double centre);
  void merge(const IndexSums& other);

  [[nodiscard]] std::vector<double> numbers() const;
  [[nodiscard]] static IndexSums from(std::span<const double> numbers, std::size_t inputs_count);
  [[nodiscard]] static std::size_t size(std::size_t inputs_count) {
    return 4 + per_input * inputs_count;
  }
};

/// An index with its standard error.
struct Index {
  double value = 0.;
  double error = 0.;
};

/// The share of the variance of a result that an input explains by itself, and in all.
struct SobolIndices {
  std::vector<Index> first;
  std::vector<Index> total;
};
[[nodiscard]] SobolIndices sobol_indices(const IndexSums& sums);

}  // namespace carom::study
