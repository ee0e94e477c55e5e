// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <carom/scenario/toml_table.hpp>

/// What a fit is asked for, as a file with [system] and [fit] says it.
namespace carom::scenario {

/// How far a prediction is from what was measured, summed over the impacts.
enum class Loss : std::uint8_t {
  mean_error,     ///< sum of |r|
  least_squares,  ///< sum of |r|^2
  huber,          ///< |r|^2 near zero, |r| beyond
};

/// "mean-error", "least-squares", "huber". Throws InputError under `field`.
[[nodiscard]] Loss find_loss(const PlacedText& name);
[[nodiscard]] std::string_view name(Loss loss);

/// A number of the system, and the column that gives it for each row.
struct MappedColumn {
  PlacedText number;  ///< "rx"; of a scenario a path in [system]: "angle_deg", "links.arm.mass"
  PlacedText column;  ///< "rx_m"
};

/// A number that [system] gives.
struct SystemNumber {
  std::string key;
  std::vector<double> values;  ///< one, or the entries of an array
  std::string place;
};

/// Values for a parameter, by its name.
struct ParameterNumbers {
  PlacedText name;
  std::vector<double> values;
};

struct FitRequest {
  std::string name;   ///< of the file, for messages
  std::string text;   ///< of the file
  std::string title;  ///< one line, may be empty

  /// There is no [system]: only relations between columns ([[fit.resultant]],
  /// [[fit.impulse_centre]]), which `carom fit FILE --check` checks. Nothing below but `data` is
  /// read.
  bool only_relations = false;

  // [system]
  std::string system_type;  ///< "plane-body", "space-body", or that of a scenario
  std::string system_place;
  std::vector<SystemNumber> system;  ///< of the first two types

  // [fit]: the data
  std::filesystem::path data;  ///< as a path that can be opened
  std::vector<PlacedText> before;
  std::vector<PlacedText> after;
  std::vector<PlacedText> error_before;  ///< columns of standard errors; may be empty
  std::vector<PlacedText> error_after;
  PlacedText id;     ///< empty: rows are numbered
  PlacedText group;  ///< empty: each row is a group of its own
  std::vector<MappedColumn> columns;
  std::vector<std::pair<PlacedText, PlacedText>> units;  ///< column, unit
  std::vector<std::pair<PlacedText, PlacedText>> keep;   ///< column, value: rows that are fitted
  std::optional<double> metric_radius;                   ///< k of the metric [m]

  // [fit]: the fit
  std::vector<PlacedText> parameters;  ///< "friction", "restitution by |x_m|"
  std::vector<PlacedText> models;      ///< "poisson", "moreau + tangential_restitution"
  std::vector<ParameterNumbers> bounds;
  std::vector<ParameterNumbers> starts;
  PlacedText loss;    ///< "mean-error" by default
  double huber = 0.;  ///< error at which `huber` turns from square to linear
  std::size_t folds = 5;
  std::uint64_t seed = 1;
  PlacedText against;  ///< the model that others are compared with; empty: the first

  // [surface]: coefficients that are given
  std::vector<SystemNumber> surface;

  /// Where [fit] begins, for messages about what is missing.
  std::string place;
};

/// Reads a file with [fit]. Throws InputError with file:line:column.
[[nodiscard]] FitRequest read_fit(const std::filesystem::path& file);
/// The same from text; `name` stands for the file, and data are looked for beside it.
[[nodiscard]] FitRequest parse_fit(std::string text, const std::filesystem::path& name);

/// Is it a file for `carom fit`? False where it is not TOML.
[[nodiscard]] bool is_fit(std::string_view text);

/// How many SI units a unit is: 1e-3 of "mm". Throws InputError with what is known.
[[nodiscard]] double in_si(const PlacedText& unit);

}  // namespace carom::scenario
