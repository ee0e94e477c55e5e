// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <carom/impact/outcome_words.hpp>
#include <carom/report/comparison/cells.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/law_words.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;
using study::Over;
using study::Quantity;
using study::QuantityEntry;
using study::Shown;

/// "m/s" as part of a column's name: "m_s".
std::string unit_part(std::string_view unit) {
  std::string part;
  for (const char ch : unit) {
    if (ch == '%') part += "percent";
    if (ch == '/') part += '_';
    if (ch != '%' && ch != '/' && ch != ' ' && ch != '^') part += ch;
  }
  return part;
}

/// "tangent 1": "tangent1".
std::string without_spaces(std::string_view text) {
  std::string part(text);
  std::erase(part, ' ');
  return part;
}

/// "impulse_normal_Ns", "velocity_normal_after_m_s", "u_x_after_m_s", "joint_upper_x_Ns".
std::string column_of(const QuantityEntry& e, const Comparison& c, std::string_view when) {
  const Quantity& q = *e.quantity;
  const std::string name(q.column.empty() ? q.name : q.column);
  std::string column;
  switch (q.over) {
    case Over::component:
      column = name + "_" + without_spaces(component_name(c.problem().components(), e.index));
      break;
    case Over::spin:
      column = name;
      if (c.problem().spin_rows > 1) {
        column += "_" + without_spaces(spin_name(c.problem().spin_rows, e.index));
      }
      break;
    case Over::coordinate:
      column = column_part(e.of);
      break;
    case Over::body:
    case Over::vehicle:
      column = column_part(e.of) + "_" + name;
      break;
    case Over::joint:
      column = "joint_" + column_part(e.of) + "_" + name;
      break;
    default:
      column = name;
  }
  if (!when.empty()) column += "_" + std::string(when);
  const std::string unit = unit_part(e.unit);
  return unit.empty() ? column : column + "_" + unit;
}

}  // namespace

std::string comparison_csv(const Comparison& c) {
  struct Column {
    QuantityEntry entry;  ///< of the first contact
    std::size_t step;     ///< from a contact to the next
    bool before;
  };
  std::vector<Column> columns;
  std::string out = has_several(c) ? "law,contact" : "law";
  const std::size_t contacts = c.problem().contacts();
  for (const Quantity& q : study::quantities()) {
    if (!is_shown(q, c, Shown::files) || q.get == nullptr) continue;
    // With thousands of contacts there are as many coordinates.
    if (has_several(c) && !is_of_contacts(q.over) && q.over != Over::impact) continue;
    auto entries = entries_of(q, c.problem(), &c.system);
    const std::size_t step = is_of_contacts(q.over) ? entries.size() / contacts : 0;
    if (is_of_contacts(q.over)) entries.resize(step);
    const bool total = has_several(c) && q.over == Over::impact && !q.is_text();
    for (const QuantityEntry& e : entries) {
      if (q.if_any && !any(c, e)) continue;
      if (q.before != nullptr) {
        out += "," + column_of(e, c, "before");
        columns.push_back({e, step, true});
      }
      out += (total ? ",total_" : ",") + column_of(e, c, q.before != nullptr ? "after" : "");
      columns.push_back({e, step, false});
    }
  }
  const bool distances = !c.answers.empty() && c.answers.front().distance.has_value();
  if (distances) out += ",against,distance,same_mode";
  out += '\n';
  for (const Answer& a : c.answers) {
    const study::OutcomeView view = view_of(c, a);
    for (std::size_t i = 0; i < contacts; ++i) {
      out += a.law->name;
      if (has_several(c)) out += "," + csv_field(c.system.names[i]);
      for (const Column& column : columns) {
        const Quantity& q = *column.entry.quantity;
        const std::size_t index = column.entry.index + i * column.step;
        out += ',';
        if (column.before) {
          const double value = q.before(view, index);
          if (!std::isnan(value)) append_number(out, value);
        } else if (q.is_text()) {
          out += csv_field(q.text != nullptr ? q.text(view, index) : category_of(q, view, index));
        } else if (const double value = q.get(view, index); !std::isnan(value)) {
          append_number(out, value);
        }
      }
      if (distances) {
        out += ',' + a.distance->from + ',';
        if (a.distance->relative) append_number(out, *a.distance->relative);
        out += !a.distance->same_mode ? "," : *a.distance->same_mode ? ",true" : ",false";
      }
      out += '\n';
    }
  }
  return out;
}

}  // namespace carom::report
