// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/map_request.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/batch/batch.hpp>
#include <carom/study/quantity.hpp>
#include <carom/study/varied_point.hpp>

/// Maps: what laws say of a scenario while one or two of its numbers vary.
namespace carom::study {

/// An axis, ready to be drawn.
struct Axis {
  std::string path;    ///< "system.angle_deg"
  std::string label;   ///< for people, plain UTF-8: "angle"
  std::string symbol;  ///< plain UTF-8, "v_t⁻/v_n⁻"; may be empty
  std::string unit;    ///< "deg"; empty: none
  bool log = false;
  std::vector<double> values;  ///< in order from one end to the other, may fall
};

/// The axis with its values, its name for people and its unit.
/// @param text, name  of the scenario that it varies
[[nodiscard]] Axis named_axis(const scenario::MapAxis& axis, const std::string& text,
                              const std::string& name);

/// How two laws are held against each other.
enum class Compared : std::uint8_t { no, difference, ratio };

/// One quantity of one law, or of two laws compared, on every cell.
struct MapLayer {
  const Quantity* quantity = nullptr;
  std::string of;         ///< the contact, coordinate, ... that it is of; empty: the impact
  std::size_t index = 0;  ///< of that, for the quantity
  std::string law;        ///< its name
  std::string other;      ///< where two laws are compared
  Compared compared = Compared::no;
  std::string title;                 ///< "mode, poisson"; plain UTF-8
  std::string unit;                  ///< empty: none
  std::vector<Category> categories;  ///< empty: the values are numbers

  /// Cell (i, j) at j*x.values.size() + i. The index of a category, or a number; NaN where it is
  /// not defined (a ratio to zero, no impulse).
  std::vector<double> values;

  /// "mode", "normal_velocity:wall": as it is asked for.
  [[nodiscard]] std::string name() const {
    return std::string(quantity->name) + (of.empty() ? "" : ":" + of);
  }
};

/// What changes across a line.
enum class BoundaryKind : std::uint8_t {
  mode,       ///< the mode or regime
  slip_sign,  ///< the direction of slip after
  reference,  ///< neither: friction is critical there
};

/// A line known in closed form on which something changes.
struct BoundaryCurve {
  BoundaryKind kind = BoundaryKind::mode;
  std::string law;      ///< its name
  std::string name;     ///< short, to stand beside the line: "R₃"
  std::string meaning;  ///< "slip lasts through the impact beyond it"
  std::vector<std::vector<std::array<double, 2>>> lines;  ///< (x, y) in the axes' own units
};

/// Where a map comes from, for files.
struct Provenance {
  std::string scenario_name;
  std::string scenario_text;
  std::string version;  ///< of Carom
  std::string command;  ///< as given
};

struct Map {
  std::string title;  ///< the scenario's, may be empty
  Axis x;
  std::optional<Axis> y;         ///< empty: curves
  std::vector<MapLayer> layers;  ///< quantity by quantity, in each law by law
  std::vector<BoundaryCurve> boundaries;
  std::string system;               ///< the scenario's type of system, "bar"
  std::vector<FixedNumbers> fixed;  ///< of [surface], then of [system]
  std::vector<double> contours;     ///< asked for
  std::vector<std::string> notes;   ///< laws left out, coefficients not honoured
  Provenance provenance;

  [[nodiscard]] std::size_t columns() const { return x.values.size(); }
  [[nodiscard]] std::size_t rows() const { return y ? y->values.size() : 1; }
};

struct MapOptions {
  Instructions instructions = Instructions::best;
  unsigned threads = 0;                     ///< 0: as many as there are
  std::function<void(double)> progress{};   ///< called now and then with the share done
  const std::atomic<bool>* stop = nullptr;  ///< set by others: give up
};

/// @param text  the scenario's TOML; @param name  of its file, for messages
/// Throws InputError for what is not allowed anywhere on the map, and Interrupted.
[[nodiscard]] Map compute_map(const std::string& text, const std::string& name,
                              const scenario::MapRequest& request, const MapOptions& options = {});

}  // namespace carom::study
