// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/scenario/toml_table.hpp>
#include <carom/scenario/varied_number.hpp>

/// What a sweep varies and computes, as a scenario's [sweep] or the command line says it.
namespace carom::scenario {

/// How the values of a number are spread.
enum class Spread : std::uint8_t {
  range,       ///< equal distances, or equal ratios, between two ends
  list,        ///< these values; one value: the number is fixed
  uniform,     ///< equally likely between two bounds
  normal,      ///< Gaussian
  log_normal,  ///< its logarithm is Gaussian
};

/// A number of the scenario, and its values.
struct SweepAxis {
  static constexpr std::size_t default_points = 11;

  std::string path;  ///< "system.angle_deg", "surface.friction", or derived: "approach_ratio"
  Spread spread = Spread::range;
  double from = 0.;                     ///< of a range
  double to = 0.;                       ///< of a range
  std::size_t points = default_points;  ///< of a range on a grid, both ends included
  bool log = false;                     ///< of a range: equal ratios
  std::vector<double> list{};
  double mean = 0.;       ///< of the number itself, also where its logarithm is normal
  double deviation = 0.;  ///< standard deviation, the same
  /// Bounds of `uniform`; elsewhere the distribution is truncated to them.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string field{};  ///< for errors: "sweep.axes[0]", "--vary"
  std::string place{};  ///< file:line:column; empty for the command line

  [[nodiscard]] bool fixed() const { return spread == Spread::list && list.size() == 1; }
  [[nodiscard]] bool random() const {
    return spread == Spread::uniform || spread == Spread::normal || spread == Spread::log_normal;
  }
  /// How many values it has on a grid.
  [[nodiscard]] std::size_t size() const { return spread == Spread::list ? list.size() : points; }
  /// Its values on a grid.
  [[nodiscard]] std::vector<double> values() const;
  /// As a number that varies: two of its values, the first a usual one.
  [[nodiscard]] VariedNumber number() const;
};

enum class SweepMethod : std::uint8_t {
  grid,    ///< every combination
  sobol,   ///< the Sobol' sequence, shifted at random
  random,  ///< independent pseudo-random points
};

struct SweepRequest {
  std::vector<SweepAxis> axes;
  std::optional<SweepMethod> method;   ///< empty: sobol if an axis has a distribution, else grid
  std::optional<std::size_t> samples;  ///< points of a method other than grid; empty: the default
  std::uint64_t seed = 1;
  std::vector<PlacedText> show;  ///< names of quantities
  std::vector<PlacedText> laws;  ///< names; empty: the scenario's own, or all that apply
  bool statistics = true;
  bool indices = false;           ///< Sobol' indices
  std::optional<bool> keep_rows;  ///< empty: where there are at most a million
  std::vector<double> quantiles{0.025, 0.25, 0.5, 0.75, 0.975};
  std::size_t bins = 40;  ///< of histograms

  /// Replaces the axis of the same path, or adds one.
  void vary(SweepAxis axis);
};

/// Reads [sweep]. Throws InputError.
[[nodiscard]] SweepRequest read_sweep(const Table& sweep);

/// "PATH=FROM:TO[:POINTS][:log]", "PATH=VALUE,VALUE,...", "PATH=VALUE",
/// "PATH=uniform:LOW:HIGH", "PATH=normal:MEAN:DEVIATION[:LOW[:HIGH]]" or "PATH=log-normal:...".
/// Throws InputError under `field`.
[[nodiscard]] SweepAxis parse_sweep_axis(std::string_view text, std::string_view field);

/// Throws InputError where these are no probabilities or counts.
void require_quantiles(const std::vector<double>& quantiles, const std::string& field,
                       const std::string& place);
[[nodiscard]] std::size_t require_count(double value, double least, double most,
                                        const std::string& field, const std::string& place);
/// "grid", "sobol", "random".
[[nodiscard]] std::string_view name(SweepMethod method);
[[nodiscard]] SweepMethod sweep_method(const std::string& name, const std::string& field,
                                       const std::string& place);

/// The limits of `samples` and `bins`.
inline constexpr double most_sweep_samples = 1e12;
inline constexpr double most_sweep_bins = 1000;

/// The request as a table [sweep] in TOML that reads back the same.
[[nodiscard]] std::string as_toml(const SweepRequest& request);

}  // namespace carom::scenario
