// SPDX-License-Identifier: Apache-2.0
#include <carom/report/sensitivity_report.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/outcome_json.hpp>

namespace carom::report {
namespace {

using study::NamedNumber;
using study::Sensitivity;

std::string with_unit(const NamedNumber& x) {
  return x.unit.empty() ? x.name : fmt::format("{} [{}]", x.name, x.unit);
}

double input(const Sensitivity& s, Eigen::Index j) {
  return s.inputs[static_cast<std::size_t>(j)].value;
}

/// Calls `each(i, j)` for every output i and input j.
template <class Each>
void for_each_pair(const Sensitivity& s, const Each& each) {
  for (Eigen::Index i = 0; i < s.absolute.rows(); ++i) {
    for (Eigen::Index j = 0; j < s.absolute.cols(); ++j) each(i, j);
  }
}

void append_optional(std::string& out, const std::optional<double>& x, std::string_view none) {
  if (x) {
    append_number(out, *x);
  } else {
    out += none;
  }
}

std::string table_of(const Sensitivity& s, const Page& page) {
  std::vector<std::string> columns{"value"};
  for (const NamedNumber& x : s.inputs) columns.push_back(with_unit(x));
  Table table(std::move(columns));
  table.rule();
  std::vector<Table::Cell> values{{""}};
  for (const NamedNumber& x : s.inputs) values.push_back({figure(x.value)});
  table.row("at", std::move(values));
  table.rule();
  for (std::size_t k = 0; k < s.outputs.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    std::vector<Table::Cell> absolute{{figure(s.outputs[k].value)}};
    std::vector<Table::Cell> relative{{""}};
    // What is only rounding beside the largest share is shown as none.
    double largest = 0.;
    for (Eigen::Index j = 0; j < s.absolute.cols(); ++j) {
      largest = std::max(largest, std::abs(s.absolute(i, j) * input(s, j)));
    }
    for (Eigen::Index j = 0; j < s.absolute.cols(); ++j) {
      const bool rounding_only =
          input(s, j) != 0. && std::abs(s.absolute(i, j) * input(s, j)) <= 1e-13 * largest;
      absolute.push_back({rounding_only ? "0" : figure(s.absolute(i, j))});
      const auto share = rounding_only ? std::optional(0.) : s.relative(i, j);
      relative.push_back({share ? fmt::format("{:.4g}", *share + 0.) : "-"});
    }
    table.row(with_unit(s.outputs[k]), std::move(absolute));
    table.row("  % for 1 %", std::move(relative));
  }
  return table.text(page.colour, page.width);
}

/// "[a,b,c]" of what `append` writes for each of n.
template <class Append>
void append_array(std::string& out, std::size_t n, const Append& append) {
  out += '[';
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) out += ',';
    append(i);
  }
  out += ']';
}

void append_numbers(std::string& out, std::string_view key, const std::vector<NamedNumber>& all) {
  out += ",\"";
  out += key;
  out += "\":";
  append_array(out, all.size(), [&](std::size_t i) {
    out += "{\"name\":";
    append_text(out, all[i].name);
    out += ",\"unit\":";
    append_text(out, all[i].unit);
    out += ",\"value\":";
    append_number(out, all[i].value);
    out += '}';
  });
}

}  // namespace

std::string sensitivity_table(const std::vector<Sensitivity>& all, const Page& page) {
  std::string out =
      "Sensitivity: change of a row for a change of one in a column, and per cent for a per "
      "cent.\n";
  for (const Sensitivity& s : all) {
    out += fmt::format("\n{}", s.law->name);
    if (!s.refused.empty()) {
      out += fmt::format(": no derivatives, {}\n", s.refused);
      continue;
    }
    if (s.outputs.empty()) {
      out += fmt::format(": {}, nothing to differentiate\n", name(s.verdict));
      continue;
    }
    out += '\n' + table_of(s, page);
  }
  return out;
}

std::string sensitivity_json(const std::vector<Sensitivity>& all) {
  std::string out = ",\n\"sensitivity\":";
  append_array(out, all.size(), [&](std::size_t k) {
    const Sensitivity& s = all[k];
    out += "\n{\"law\":";
    append_text(out, s.law->name);
    if (!s.refused.empty()) {
      out += ",\"refused\":";
      append_text(out, s.refused);
    }
    append_numbers(out, "inputs", s.inputs);
    append_numbers(out, "outputs", s.outputs);
    const auto matrix = [&](std::string_view key, const auto& append) {
      out += ",\"";
      out += key;
      out += "\":";
      append_array(out, s.outputs.size(), [&](std::size_t i) {
        append_array(out, s.inputs.size(), [&](std::size_t j) {
          append(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        });
      });
    };
    matrix("absolute", [&](auto i, auto j) { append_number(out, s.absolute(i, j)); });
    matrix("relative", [&](auto i, auto j) { append_optional(out, s.relative(i, j), "null"); });
    out += '}';
  });
  return out;
}

std::string sensitivity_csv(const std::vector<Sensitivity>& all) {
  std::string out =
      "law,output,output_unit,output_value,input,input_unit,input_value,derivative,"
      "relative\n";
  for (const Sensitivity& s : all) {
    for_each_pair(s, [&](Eigen::Index i, Eigen::Index j) {
      const NamedNumber& y = s.outputs[static_cast<std::size_t>(i)];
      const NamedNumber& x = s.inputs[static_cast<std::size_t>(j)];
      out += fmt::format("{},\"{}\",{},", s.law->name, y.name, y.unit);
      append_number(out, y.value);
      out += fmt::format(",\"{}\",{},", x.name, x.unit);
      append_number(out, x.value);
      out += ',';
      append_number(out, s.absolute(i, j));
      out += ',';
      append_optional(out, s.relative(i, j), "");
      out += '\n';
    });
  }
  return out;
}

}  // namespace carom::report
