// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <carom/scenario/toml_table.hpp>

/// Columns of measured data that determine each other. Reports on vehicles, for instance, state the
/// velocity change by components and in total, and where its impulse acts as well as the yaw rate
/// that it causes.
namespace carom::study::fit {

/// [[fit.resultant]]: a column is the length of a vector whose components are others.
struct Resultant {
  std::vector<scenario::PlacedText> of;
  scenario::PlacedText is;
};

/// [[fit.impulse_centre]]: the impulse that changes the velocity acts at a point (x, y) from the
/// mass centre, so that I dw = m (x dv_y - y dv_x).
struct ImpulseCentre {
  std::vector<scenario::PlacedText> velocity_change;  ///< two columns
  scenario::PlacedText spin_change;
  std::vector<scenario::PlacedText> arm{};  ///< two columns, or
  scenario::PlacedText distance{};          ///< two others: from the mass centre,
  scenario::PlacedText angle{};             ///< and from the first axis
  scenario::PlacedText mass;
  scenario::PlacedText inertia;
};

/// The relations that a file with [fit] declares, and what is needed to read the data.
struct Relations {
  std::filesystem::path data;
  scenario::PlacedText id{};  ///< a column; empty: rows are numbered
  std::vector<std::pair<std::string, scenario::PlacedText>> units{};  ///< column, unit
  std::vector<Resultant> resultants{};
  std::vector<ImpulseCentre> impulse_centres{};
  bool alone = false;  ///< there is no [system]: nothing else can be checked

  [[nodiscard]] bool empty() const { return resultants.empty() && impulse_centres.empty(); }
};

/// Reads them; the keys of [fit] that are not of relations are not looked at. Throws InputError
/// with file:line:column.
[[nodiscard]] Relations read_relations(const std::filesystem::path& file);
[[nodiscard]] Relations parse_relations(const std::string& text, const std::filesystem::path& name);

/// What a relation says of one row.
struct RelatedRow {
  std::string id;
  double stated = 0.;    ///< [SI]
  double expected = 0.;  ///< from the other columns [SI]; NaN: one of them is empty
  bool contradicts = false;

  /// expected/stated - 1
  [[nodiscard]] double relative() const { return expected / stated - 1.; }
};

struct RelationCheck {
  std::string column;  ///< the one that is checked
  std::string unit;    ///< of the column
  double in_si = 1.;   ///< of that unit
  std::string what;    ///< "the resultant of dv_x_mps and dv_y_mps"
  std::vector<RelatedRow> rows;
  double offset = 0.;     ///< median of `relative`: what all rows have in common
  double deviation = 0.;  ///< robust, of `relative` about the median
  /// Radii of gyration [m] that would balance the rows whose mass or inertia is not given.
  std::vector<double> implied_radii{};
};

/// Checks all relations. Rows contradict one that are more than `threshold` robust deviations from
/// the median [Iglewicz & Hoaglin 1993].
[[nodiscard]] std::vector<RelationCheck> check_relations(const Relations& relations,
                                                         double threshold = 3.);

/// In words, a line for each finding.
[[nodiscard]] std::vector<std::string> words(const RelationCheck& check, double threshold = 3.);

}  // namespace carom::study::fit
