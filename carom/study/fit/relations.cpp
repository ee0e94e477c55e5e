// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/relations.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/scenario/csv_table.hpp>
#include <carom/scenario/data_file.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/and_list.hpp>
#include <carom/study/fit/order_statistics.hpp>

namespace carom::study::fit {

namespace {

using scenario::CsvTable;
using scenario::PlacedText;
using scenario::Table;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

PlacedText required(const Table& t, std::string_view key, const std::string& what) {
  t.require(key, what);
  return t.placed_text(key);
}

std::vector<PlacedText> pair_of(const Table& t, std::string_view key) {
  std::vector<PlacedText> columns = t.texts(key, "the name of a column");
  if (columns.size() != 2) t.fail(key, "must be two columns, the components of a vector");
  return columns;
}

Resultant read_resultant(const Table& t) {
  t.only({"of", "is"});
  t.require("of", "the columns of the components");
  Resultant r{.of = t.texts("of", "the name of a column"), .is = required(t, "is", "a column")};
  if (r.of.size() < 2) t.fail("of", "must be two columns or more");
  return r;
}

ImpulseCentre read_impulse_centre(const Table& t) {
  t.only({"velocity_change", "spin_change", "arm", "distance", "angle", "mass", "inertia"});
  t.require("velocity_change", "the two columns of the change of velocity");
  ImpulseCentre c{.velocity_change = pair_of(t, "velocity_change"),
                  .spin_change = required(t, "spin_change", "a column"),
                  .mass = required(t, "mass", "a column"),
                  .inertia = required(t, "inertia", "a column")};
  if (t.has("arm")) {
    t.refuse("distance", "the impulse centre is given by arm");
    t.refuse("angle", "the impulse centre is given by arm");
    c.arm = pair_of(t, "arm");
  } else {
    c.distance = required(t, "distance", "a column, or arm, two columns");
    c.angle = required(t, "angle", "a column");
  }
  return c;
}

/// The columns of a file, in SI units.
class Columns {
 public:
  Columns(const Relations& relations, const CsvTable& table)
      : relations_(&relations), table_(&table) {}

  [[nodiscard]] double in_si(const PlacedText& column) const {
    const PlacedText* u = unit(column);
    return u == nullptr ? 1. : scenario::in_si(*u);
  }
  [[nodiscard]] std::string unit_name(const PlacedText& column) const {
    const PlacedText* u = unit(column);
    return u == nullptr ? std::string() : u->text;
  }

  /// A function of the line: NaN where the cell is empty.
  [[nodiscard]] std::function<double(std::size_t)> of(const PlacedText& column) const {
    const std::size_t index = table_->index(column.text, column.field);
    return [table = table_, index, scale = in_si(column)](std::size_t line) {
      if (table->lines[line].cells[index].empty()) return none;
      return table->number(line, index) * scale;
    };
  }

  [[nodiscard]] std::string id(std::size_t line) const {
    if (relations_->id.text.empty()) return fmt::format("{}", line + 1);
    return table_->lines[line].cells[table_->index(relations_->id.text, relations_->id.field)];
  }

 private:
  [[nodiscard]] const PlacedText* unit(const PlacedText& column) const {
    for (const auto& [name, unit] : relations_->units) {
      if (name == column.text) return &unit;
    }
    return nullptr;
  }

  const Relations* relations_;
  const CsvTable* table_;
};

std::string and_list(const std::vector<PlacedText>& columns) {
  std::vector<std::string> names;
  for (const PlacedText& column : columns) names.push_back(column.text);
  return fit::and_list(names);
}

void judge(RelationCheck& check, double threshold) {
  std::vector<double> relative;
  for (const RelatedRow& row : check.rows) {
    if (std::isfinite(row.relative())) relative.push_back(row.relative());
  }
  if (relative.empty()) return;
  check.offset = quantile(relative, 0.5);
  for (double& x : relative) x -= check.offset;
  check.deviation = robust_deviation(relative);
  for (RelatedRow& row : check.rows) {
    row.contradicts = std::abs(row.relative() - check.offset) > threshold * check.deviation;
  }
}

RelationCheck check_resultant(const Resultant& resultant, const CsvTable& table,
                              const Columns& columns) {
  RelationCheck check{.column = resultant.is.text,
                      .unit = columns.unit_name(resultant.is),
                      .in_si = columns.in_si(resultant.is),
                      .what = "the resultant of " + and_list(resultant.of),
                      .rows = {}};
  const auto is = columns.of(resultant.is);
  for (std::size_t line = 0; line < table.lines.size(); ++line) {
    double square = 0.;
    for (const PlacedText& component : resultant.of) {
      const double x = columns.of(component)(line);
      square += x * x;
    }
    check.rows.push_back(
        {.id = columns.id(line), .stated = is(line), .expected = std::sqrt(square)});
  }
  return check;
}

RelationCheck check_centre(const ImpulseCentre& centre, const CsvTable& table,
                           const Columns& columns) {
  RelationCheck check{.column = centre.spin_change.text,
                      .unit = columns.unit_name(centre.spin_change),
                      .in_si = columns.in_si(centre.spin_change),
                      .what = "the change of spin by " + and_list(centre.velocity_change) +
                              " at the impulse centre",
                      .rows = {}};
  const auto dvx = columns.of(centre.velocity_change[0]);
  const auto dvy = columns.of(centre.velocity_change[1]);
  const auto spin = columns.of(centre.spin_change);
  const auto mass = columns.of(centre.mass);
  const auto inertia = columns.of(centre.inertia);
  for (std::size_t line = 0; line < table.lines.size(); ++line) {
    double x = 0.;
    double y = 0.;
    if (!centre.arm.empty()) {
      x = columns.of(centre.arm[0])(line);
      y = columns.of(centre.arm[1])(line);
    } else {
      const double distance = columns.of(centre.distance)(line);
      const double angle = columns.of(centre.angle)(line);
      x = distance * std::cos(angle);
      y = distance * std::sin(angle);
    }
    const double moment = x * dvy(line) - y * dvx(line);  // of the impulse, over the mass
    const double expected = moment * mass(line) / inertia(line);
    check.rows.push_back({.id = columns.id(line), .stated = spin(line), .expected = expected});
    const double square = moment / spin(line);
    if (std::isnan(expected) && square > 0.) check.implied_radii.push_back(std::sqrt(square));
  }
  return check;
}

}  // namespace

Relations parse_relations(const std::string& text, const std::filesystem::path& name) {
  const scenario::Document document(text, name.string());
  Relations relations;
  if (!document.top().has("fit")) return relations;
  const Table fit = document.top().table("fit");
  if (fit.has("resultant")) {
    for (const Table& t : fit.tables("resultant")) {
      relations.resultants.push_back(read_resultant(t));
    }
  }
  if (fit.has("impulse_centre")) {
    for (const Table& t : fit.tables("impulse_centre")) {
      relations.impulse_centres.push_back(read_impulse_centre(t));
    }
  }
  if (relations.empty()) return relations;
  fit.require("data", "a file of comma-separated values");
  relations.data = scenario::beside(name, fit.text("data", ""));
  relations.alone = !document.top().has("system");
  if (relations.alone) {
    fit.only({"data", "id", "units", "resultant", "impulse_centre"});
    document.top().only({"title", "fit"});
  }
  relations.id = fit.placed_text("id");
  if (fit.has("units")) {
    const Table units = fit.table("units");
    for (const std::string& column : units.keys()) {
      relations.units.emplace_back(column, units.placed_text(column));
    }
  }
  return relations;
}

Relations read_relations(const std::filesystem::path& file) {
  return parse_relations(scenario::read_data(file), file);
}

std::vector<RelationCheck> check_relations(const Relations& relations, double threshold) {
  const CsvTable table = scenario::read_csv(relations.data);
  const Columns columns(relations, table);
  std::vector<RelationCheck> checks;
  for (const Resultant& r : relations.resultants) {
    checks.push_back(check_resultant(r, table, columns));
  }
  for (const ImpulseCentre& c : relations.impulse_centres) {
    checks.push_back(check_centre(c, table, columns));
  }
  for (RelationCheck& check : checks) judge(check, threshold);
  return checks;
}

std::vector<std::string> words(const RelationCheck& check, double threshold) {
  std::vector<std::string> lines;
  std::size_t known = 0;
  std::size_t contradicting = 0;
  for (const RelatedRow& row : check.rows) {
    known += std::isfinite(row.relative()) ? 1U : 0U;
    contradicting += row.contradicts ? 1U : 0U;
  }
  lines.push_back(
      fmt::format("{} against {}: {} of {} rows can be checked; median {:+.2g} %, robust "
                  "deviation {:.2g} %; beyond {:g} deviations: {}{}",
                  check.column, check.what, known, check.rows.size(), 100. * check.offset,
                  100. * check.deviation, threshold, contradicting, contradicting > 0 ? ":" : ""));
  for (const RelatedRow& row : check.rows) {
    if (!row.contradicts) continue;
    const std::string unit = check.unit.empty() ? "" : " " + check.unit;
    lines.push_back(fmt::format(
        "  {}: states {:.4g}{}, where {:.4g}{} is expected, {:.0f} % {} ({:.1f} deviations)",
        row.id, row.stated / check.in_si, unit, row.expected / check.in_si, unit,
        100. * std::abs(row.relative()), row.relative() < 0. ? "less" : "more",
        std::abs(row.relative() - check.offset) / check.deviation));
  }
  if (!check.implied_radii.empty()) {
    const auto [low, high] =
        std::minmax_element(check.implied_radii.begin(), check.implied_radii.end());
    lines.push_back(fmt::format(
        "  {} rows have no mass or inertia: radii of gyration from {:.3g} to {:.3g} m would "
        "balance them",
        check.implied_radii.size(), *low, *high));
  }
  return lines;
}

}  // namespace carom::study::fit
