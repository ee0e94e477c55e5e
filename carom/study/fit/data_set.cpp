// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/data_set.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/study/fit/free_body.hpp>

namespace carom::study::fit {
namespace {

using scenario::CsvTable;
using scenario::FitRequest;
using scenario::PlacedText;

constexpr std::array<std::string_view, 2> derived{"approach_speed", "slip_speed"};

bool is_derived(std::string_view name) { return std::ranges::find(derived, name) != derived.end(); }

/// A column of the table, and the size of its unit.
struct Column {
  std::size_t index = 0;
  double unit = 1.;
};

class Reader {
 public:
  Reader(const FitRequest& r, const CsvTable& table, Use use) : r_(r), table_(table) {
    if (use == Use::predict) return;  // columns of velocities after need not be there
    for (const auto& [column, unit] : r.units) (void)table.index(column.text, column.field);
  }

  [[nodiscard]] Column column(const PlacedText& name) const {
    Column c;
    try {
      c.index = table_.index(name.text, name.field);
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem() + " (of " + table_.file + ")", name.place);
    }
    for (const auto& [column, unit] : r_.units) {
      if (column.text == name.text) c.unit = scenario::in_si(unit);
    }
    return c;
  }

  [[nodiscard]] std::vector<Column> columns(const std::vector<PlacedText>& names) const {
    std::vector<Column> all;
    for (const PlacedText& n : names) all.push_back(column(n));
    return all;
  }

  [[nodiscard]] std::vector<double> numbers(std::size_t line,
                                            const std::vector<Column>& columns) const {
    std::vector<double> values;
    for (const Column& c : columns) values.push_back(c.unit * table_.number(line, c.index));
    return values;
  }

  [[nodiscard]] const std::string& cell(std::size_t line, const Column& c) const {
    return table_.lines[line].cells[c.index];
  }

 private:
  const FitRequest& r_;
  const CsvTable& table_;
};

/// Two texts are the same, or the same number.
bool same(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto number = [](const std::string& text) {
    double x = std::nan("");
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, x);
    return error == std::errc() && end == last ? x : std::nan("");
  };
  return number(a) == number(b);
}

/// The name of a velocity without "_pre", "_before" and the like.
std::string coordinate_name(const std::string& before, const std::string& after) {
  std::size_t n = 0;
  while (n < before.size() && n < after.size() && before[n] == after[n]) ++n;
  if (before == after) return before;
  // Not in the middle of a word.
  const std::size_t cut = before.substr(0, n).find_last_of("_- ");
  if (cut != std::string::npos) n = cut;
  return n > 0 ? before.substr(0, n) : after;
}

/// Ids in the order of their numbers where they are numbers.
bool earlier(const MeasuredImpact& a, const MeasuredImpact& b) {
  const bool shorter = a.id.size() < b.id.size();
  if (a.id.size() != b.id.size()) return shorter;
  return a.id < b.id;
}

/// The columns that contacts and coefficients need, by the names that they have in `numbers`.
struct Needed {
  std::vector<PlacedText> columns;
  SystemColumns system;
};

Needed needed(const FitRequest& r, const std::vector<PlacedText>& of_parameters,
              std::vector<std::string>& names) {
  Needed n;
  const auto place = [&](const PlacedText& column) {
    const auto at = std::ranges::find(names, column.text);
    const auto index = static_cast<std::size_t>(at - names.begin());
    if (at == names.end()) {
      names.push_back(column.text);
      n.columns.push_back(column);
    }
    return index;
  };
  for (const scenario::MappedColumn& m : r.columns) {
    n.system.names.push_back(m.number.text);
    n.system.columns.push_back(place(m.column));
  }
  for (const PlacedText& c : of_parameters) {
    if (!is_derived(c.text)) (void)place(c);
  }
  for (const std::string_view d : derived) names.emplace_back(d);
  return n;
}

/// Why a row is not fitted, or nothing.
std::string why_not(
    const Reader& in, std::size_t line,
    const std::vector<std::pair<Column, std::pair<std::string, std::string>>>& keep) {
  for (const auto& [column, name_and_value] : keep) {
    const std::string& cell = in.cell(line, column);
    if (!same(cell, name_and_value.second)) return name_and_value.first + " = " + cell;
  }
  return "";
}

void add_derived(const MeasuredImpacts& data, MeasuredImpact& impact) {
  MeasuredContact c;
  data.contact_of(impact, data.given_body(), c);
  const auto& v = c.problem.approach;
  impact.numbers.push_back(-v[0]);
  impact.numbers.push_back(v.size() > 2 ? std::hypot(v[1], v[2])
                                        : (v.size() > 1 ? std::abs(v[1]) : 0.));
}

}  // namespace

MeasuredImpacts read_impacts(const FitRequest& r, const CsvTable& table,
                             const std::vector<PlacedText>& of_parameters, Use use) {
  const Reader in(r, table, use);
  MeasuredImpacts data;
  data.name = table.file;
  const auto before = in.columns(r.before);
  const bool known = use == Use::fit || std::ranges::all_of(r.after, [&](const PlacedText& n) {
                       return table.has(n.text);
                     });
  const auto after = known ? in.columns(r.after) : std::vector<Column>{};
  const auto error_before = in.columns(r.error_before);
  const auto error_after = known ? in.columns(r.error_after) : std::vector<Column>{};
  for (std::size_t j = 0; j < before.size(); ++j) {
    data.coordinates.push_back(coordinate_name(r.before[j].text, r.after[j].text));
    data.columns_before.push_back(r.before[j].text);
    data.columns_after.push_back(r.after[j].text);
  }
  const Needed need = needed(r, of_parameters, data.numbers);
  const auto numbers = in.columns(need.columns);
  std::vector<std::pair<Column, std::pair<std::string, std::string>>> keep;
  for (const auto& [column, value] : r.keep) {
    if (use == Use::predict && !table.has(column.text)) continue;
    keep.push_back({in.column(column), {column.text, value.text}});
  }
  set_system(r, need.system, data);
  data.metric.assign(before.size(), 1.);
  if (coordinates_of(r) != 0) {
    const double k = radius_of(r);
    for (std::size_t j = before.size() / 2 + before.size() % 2; j < before.size(); ++j) {
      data.metric[j] = k * k;
    }
  } else if (r.metric_radius) {
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (data.units[j] == "rad/s") data.metric[j] = *r.metric_radius * *r.metric_radius;
    }
  }

  // None or one.
  const auto column_if = [&](const PlacedText& name) {
    return name.text.empty() ? std::vector<Column>{} : in.columns({name});
  };
  const std::vector<Column> id = column_if(r.id);
  const std::vector<Column> group = column_if(r.group);
  data.grouped = !group.empty();
  std::vector<std::string> group_of;
  for (std::size_t line = 0; line < table.lines.size(); ++line) {
    MeasuredImpact impact;
    impact.id = id.empty() ? std::to_string(line + 1) : in.cell(line, id[0]);
    impact.place = table.place(line);
    impact.line = line;
    impact.left_out = why_not(in, line, keep);
    try {
      impact.before = in.numbers(line, before);
      impact.after = in.numbers(line, after);
      impact.error_before = in.numbers(line, error_before);
      impact.error_after = in.numbers(line, error_after);
      impact.numbers = in.numbers(line, numbers);
      if (!(data.norm(impact.before) > 0.)) {
        throw InputError("fit.before", "the velocities before the impact are all zero",
                         impact.place);
      }
      add_derived(data, impact);
    } catch (const InputError& e) {
      if (impact.left_out.empty() && use == Use::fit) throw;
      data.unreadable.emplace_back(e.what());
      continue;
    }
    group_of.push_back(group.empty() ? impact.id : in.cell(line, group[0]));
    data.impacts.push_back(std::move(impact));
  }
  // Groups in the order of their names.
  if (data.grouped) {
    std::map<std::string, std::size_t> index;
    for (const std::string& g : group_of) index.emplace(g, 0);
    for (auto& [name, at] : index) {
      at = data.groups.size();
      data.groups.push_back(name);
    }
    for (std::size_t i = 0; i < data.impacts.size(); ++i)
      data.impacts[i].group = index[group_of[i]];
  } else {
    data.groups = {""};
  }
  std::ranges::stable_sort(data.impacts, earlier);
  if (use == Use::fit && data.fitted().empty()) {
    throw InputError("fit.data",
                     data.impacts.empty() ? "has no rows" : "has no row that [fit.keep] keeps",
                     table.file);
  }
  return data;
}

}  // namespace carom::study::fit
