// SPDX-License-Identifier: Apache-2.0
#include <carom/report/sweep/summary.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/map/words.hpp>

namespace carom::report {
namespace {

using scenario::Spread;
using scenario::SweepAxis;
using scenario::SweepMethod;
using study::ColumnStatistics;
using study::Index;
using study::SweepColumn;
using study::SweepPlan;
using study::SweepResult;

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

/// Thousands apart: "100 000".
std::string grouped(std::size_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string heading_of(const SweepColumn& c) { return c.law.empty() ? c.name : c.law; }

/// Between a value and its error, so that tables do not break there.
constexpr std::string_view plus_minus = "\u00a0±\u00a0";

/// "0.1234 ± 0.0012": as many digits as the error allows.
std::string measured(double value, double error) {
  if (!(error > 0.) || !std::isfinite(value)) return figure(value);
  const int places = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  constexpr int most_places = 9;
  const bool fixed = places <= most_places && std::abs(value) < 1e9 && places < 10;
  if (!fixed) return figure(value) + std::string(plus_minus) + fmt::format("{:.2g}", error);
  return fmt::format("{:.{}f}{}{:.{}f}", value, places, plus_minus, error, places);
}

void add_numbers(Table& table, const SweepPlan& plan,
                 const std::vector<const ColumnStatistics*>& all) {
  const bool sample = plan.is_sample();
  const auto row = [&](const std::string& label, const auto& cell) {
    std::vector<Table::Cell> cells;
    for (const ColumnStatistics* s : all) cells.push_back({.text = cell(*s)});
    table.row(label, std::move(cells));
  };
  const auto figure_with = [&](double value, double error) {
    return sample ? measured(value, error) : figure(value);
  };
  row("mean", [&](const ColumnStatistics& s) {
    return s.moments.count > 0. ? figure_with(s.moments.mean, s.moments.mean_error()) : "-";
  });
  row("standard deviation", [&](const ColumnStatistics& s) {
    return s.moments.count > 1. ? figure_with(s.moments.deviation(), s.moments.deviation_error())
                                : "-";
  });
  row("least", [](const ColumnStatistics& s) {
    return s.moments.count > 0. ? figure(s.moments.least) : "-";
  });
  for (std::size_t q = 0; q < plan.request.quantiles.size(); ++q) {
    row(fmt::format("{:g} % quantile", 100. * plan.request.quantiles[q]),
        [&](const ColumnStatistics& s) {
          const study::Quantile& quantile = s.quantiles[q];
          return figure_with(quantile.value, std::max(quantile.error, quantile.resolution));
        });
  }
  row("greatest", [](const ColumnStatistics& s) {
    return s.moments.count > 0. ? figure(s.moments.greatest) : "-";
  });
  bool any = false;
  for (const ColumnStatistics* s : all) any = any || s->moments.undefined > 0.;
  if (any) {
    row("not defined", [](const ColumnStatistics& s) {
      return grouped(static_cast<std::size_t>(s.moments.undefined));
    });
  }
}

/// Laws may have categories of their own: those of the same label share a row.
void add_categories(Table& table, const std::vector<const SweepColumn*>& columns,
                    const std::vector<const ColumnStatistics*>& all, bool sample) {
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t k = 0; k < all[c]->categories.size(); ++k) {
      const std::string& label = columns[c]->categories[k].label;
      const bool is_new = std::ranges::find(labels, label) == labels.end();
      if (all[c]->categories[k] > 0 && is_new) labels.push_back(label);
    }
  }
  for (const std::string& label : labels) {
    std::vector<Table::Cell> cells;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::string text = "-";
      for (std::size_t k = 0; k < all[c]->categories.size(); ++k) {
        if (columns[c]->categories[k].label != label) continue;
        const double n = std::max(1., all[c]->moments.count);
        const double share = static_cast<double>(all[c]->categories[k]) / n;
        const double error = std::sqrt(share * (1. - share) / n);
        text = sample ? measured(100. * share, 100. * error) + "\u00a0%" : percent(share);
      }
      cells.push_back({.text = std::move(text)});
    }
    table.row(label, std::move(cells));
  }
}

std::string index_text(const Index& i) {
  constexpr double wide = 1.96;  // 95 % of a normal number
  if (std::isnan(i.value)) return "-";
  return fmt::format("{:.3f}{}{:.3f}", i.value, plus_minus, wide * i.error);
}

/// The columns from `first` on that are of the same quantity.
std::size_t end_of_quantity(const SweepPlan& plan, std::size_t first) {
  std::size_t end = first + 1;
  while (end < plan.columns.size() && !plan.motion &&
         plan.columns[end].name == plan.columns[first].name) {
    ++end;
  }
  return end;
}

std::string indices_text(const SweepPlan& plan, const SweepResult& result, const Page& page) {
  std::string out =
      "\nWhich input matters: shares of the variance (Sobol' indices, 95 % intervals)\n";
  for (std::size_t first = 0; first < plan.columns.size();) {
    const std::size_t end = end_of_quantity(plan, first);
    if (plan.columns[first].is_number()) {
      std::vector<std::string> headings;
      for (std::size_t c = first; c < end; ++c) {
        headings.push_back(heading_of(plan.columns[c]) + ", alone");
        headings.push_back("in all");
      }
      Table table(headings);
      for (std::size_t k = 0; k < plan.inputs.size(); ++k) {
        std::vector<Table::Cell> cells;
        for (std::size_t c = first; c < end; ++c) {
          cells.push_back({.text = index_text(result.columns[c].indices.first[k])});
          cells.push_back({.text = index_text(result.columns[c].indices.total[k])});
        }
        table.row(plan.inputs[k].path, std::move(cells));
      }
      out += "\n" + with_unit(plan.columns[first].label, plan.columns[first].unit) + "\n" +
             table.text(page.colour, page.width);
    }
    first = end;
  }
  return out;
}

}  // namespace

std::string spread_words(const SweepAxis& axis) {
  std::string text;
  const auto bounds = [&] {
    if (std::isfinite(axis.low) && std::isfinite(axis.high)) {
      return ", in [" + shortest(axis.low) + ", " + shortest(axis.high) + "]";
    }
    if (std::isfinite(axis.low)) return ", at least " + shortest(axis.low);
    return std::isfinite(axis.high) ? ", at most " + shortest(axis.high) : std::string();
  };
  switch (axis.spread) {
    case Spread::range:
      return shortest(axis.from) + " to " + shortest(axis.to) + (axis.log ? ", logarithmic" : "");
    case Spread::list:
      for (const double x : axis.list) text += (text.empty() ? "" : ", ") + shortest(x);
      return text;
    case Spread::uniform:
      return "uniform in [" + shortest(axis.low) + ", " + shortest(axis.high) + "]";
    case Spread::normal:
    case Spread::log_normal:
      return std::string(axis.spread == Spread::normal ? "normal" : "log-normal") + ", mean " +
             shortest(axis.mean) + ", deviation " + shortest(axis.deviation) + bounds();
  }
  return text;
}

std::vector<std::string> fault_words(const SweepPlan& plan, const study::Faults& faults) {
  std::vector<std::string> lines;
  for (const study::Faults::Kind& k : faults.kinds) {
    lines.push_back(fmt::format("{} of {} not computed, first at point {}: {}", grouped(k.count),
                                grouped(plan.evaluations()), k.first, printable(k.example)));
  }
  return lines;
}

std::string sweep_summary(const SweepPlan& plan, const SweepResult& result, const Page& page) {
  std::string out;
  if (!plan.title.empty()) out += printable(plan.title) + "\n";
  const scenario::SweepRequest& r = plan.request;
  out += grouped(plan.evaluations()) + (plan.motion ? " motions" : " impacts");
  if (!plan.motion && plan.laws.size() > 1) {
    out += fmt::format(", each by {} laws", plan.laws.size());
  }
  if (r.method == SweepMethod::grid) {
    out += ", a grid of";
    std::string sizes;
    for (const SweepAxis& axis : r.axes) {
      if (!axis.fixed()) sizes += (sizes.empty() ? " " : " × ") + std::to_string(axis.size());
    }
    out += sizes + "\n";
  } else {
    out += std::string(r.method == SweepMethod::sobol ? ", Sobol' sequence" : ", random points") +
           fmt::format(" with seed {}", r.seed);
    if (r.indices) {
      out += fmt::format(": {} samples, {} runs for each", grouped(plan.points),
                         plan.evaluations_per_point());
    }
    out += "\n";
  }
  std::size_t width = 0;
  for (const SweepAxis& axis : r.axes) width = std::max(width, axis.path.size());
  for (const SweepAxis& axis : r.axes) {
    std::string unit;
    for (const study::SweepInput& in : plan.inputs) {
      if (in.path == axis.path && !in.unit.empty()) unit = " " + in.unit;
    }
    out += fmt::format("  {:{}}  {}{}\n", printable(axis.path), width, spread_words(axis), unit);
  }
  for (std::size_t first = 0; r.statistics && first < plan.columns.size();) {
    const std::size_t end = end_of_quantity(plan, first);
    std::vector<std::string> headings;
    std::vector<const ColumnStatistics*> all;
    std::vector<const SweepColumn*> columns;
    for (std::size_t c = first; c < end; ++c) {
      headings.push_back(heading_of(plan.columns[c]));
      all.push_back(&result.columns[c]);
      columns.push_back(&plan.columns[c]);
    }
    Table table(headings);
    if (columns.front()->is_number()) {
      add_numbers(table, plan, all);
    } else {
      add_categories(table, columns, all, plan.is_sample());
    }
    out += "\n" + with_unit(plan.columns[first].label, plan.columns[first].unit) + "\n" +
           table.text(page.colour, page.width);
    first = end;
  }
  if (r.statistics && plan.is_sample()) {
    out += "± one standard error of a random sample" +
           std::string(r.method == SweepMethod::sobol ? "; that of a Sobol' sequence is smaller"
                                                      : "") +
           "\n";
  }
  if (r.indices) out += indices_text(plan, result, page);
  for (const std::string& line : fault_words(plan, result.faults)) out += "note: " + line + "\n";
  for (const std::string& note : plan.notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace carom::report
