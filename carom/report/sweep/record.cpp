// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>
#include <vector>

#include <carom/report/json_writer.hpp>
#include <carom/report/sweep/rows.hpp>
#include <carom/report/sweep/summary.hpp>

namespace carom::report {
namespace {

using study::ColumnStatistics;
using study::SweepColumn;
using study::SweepPlan;

/// NaN becomes null.
void write_index(JsonWriter& json, const char* name, const std::vector<study::Index>& indices) {
  std::vector<double> values;
  std::vector<double> errors;
  for (const study::Index& i : indices) {
    values.push_back(i.value);
    errors.push_back(i.error);
  }
  json.key(name).begin_object();
  json.key("values").numbers(values);
  json.key("errors").numbers(errors);
  json.end_object();
}

void write_numbers(JsonWriter& json, const SweepPlan& plan, const ColumnStatistics& s) {
  const bool sample = plan.is_sample();
  const double none = std::nan("");
  const study::Moments& m = s.moments;
  json.member("mean", m.count > 0. ? m.mean : none);
  json.member("mean_error", sample ? m.mean_error() : none);
  json.member("deviation", m.deviation());
  json.member("deviation_error", sample ? m.deviation_error() : none);
  json.member("least", m.least);
  json.member("greatest", m.greatest);
  json.key("quantiles").begin_array();
  for (const study::Quantile& q : s.quantiles) {
    json.begin_object();
    json.member("probability", q.probability);
    json.member("value", q.value);
    json.member("error", sample ? q.error : none);
    json.member("resolution", q.resolution);
    json.end_object();
  }
  json.end_array();
  json.key("histogram").begin_object();
  json.member("from", s.histogram.from);
  json.member("to", s.histogram.to);
  json.key("counts").numbers(s.histogram.counts);
  json.member("below", s.histogram.below);
  json.member("above", s.histogram.above);
  json.end_object();
  if (s.indices.first.empty()) return;
  json.new_line();
  write_index(json, "first_order", s.indices.first);
  write_index(json, "total", s.indices.total);
}

void write_categories(JsonWriter& json, const SweepColumn& column, const ColumnStatistics& s) {
  json.key("categories").begin_array();
  for (std::size_t k = 0; k < s.categories.size(); ++k) {
    json.begin_object();
    json.member("label", column.categories[k].label);
    json.member("meaning", column.categories[k].meaning);
    json.member("count", s.categories[k]);
    json.end_object();
  }
  json.end_array();
}

/// A grid of one or two axes, whose values can be drawn over them.
bool can_be_drawn(const SweepPlan& plan) {
  constexpr std::size_t most = 40'000;
  return !plan.is_sample() && plan.inputs.size() <= 2 && plan.keeps_values && plan.rows() <= most;
}

}  // namespace

std::string sweep_record(const SweepPlan& plan, const study::SweepResult& result,
                         const study::BlockStore& store) {
  JsonWriter json;
  json.begin_object();
  json.key("picture").begin_object().member("kind", "sweep").end_object();
  json.member("title", plan.title);
  json.member("version", plan.version);
  json.member("of", plan.motion ? "motions" : "impacts");
  json.member("method", scenario::name(*plan.request.method));
  json.member("points", plan.points);
  json.member("evaluations", plan.evaluations());
  if (plan.is_sample()) json.member("seed", plan.request.seed);
  json.new_line().key("inputs").begin_array();
  for (const study::SweepInput& in : plan.inputs) {
    json.new_line().begin_object();
    json.member("path", in.path);
    json.member("label", in.label);
    json.member("symbol", in.symbol);
    json.member("unit", in.unit);
    for (const scenario::SweepAxis& axis : plan.request.axes) {
      if (axis.path != in.path) continue;
      json.member("spread", spread_words(axis));
      json.member("log", axis.log);
      if (!plan.is_sample()) json.key("values").numbers(axis.values());
    }
    json.end_object();
  }
  json.end_array();
  study::Columns rows(plan.columns.size());
  const bool drawn = can_be_drawn(plan);
  if (drawn) {
    for_rows(plan, store, [&](std::size_t, const study::Columns&, const study::Columns& values) {
      for (std::size_t c = 0; c < rows.size(); ++c) {
        rows[c].insert(rows[c].end(), values[c].begin(), values[c].end());
      }
    });
  }
  json.new_line().key("results").begin_array();
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const SweepColumn& column = plan.columns[c];
    json.new_line().begin_object();
    json.member("law", column.law);
    json.member("quantity", column.name);
    json.member("label", column.label);
    json.member("unit", column.unit);
    if (plan.request.statistics) {
      const ColumnStatistics& s = result.columns[c];
      json.member("count", s.moments.count);
      json.member("not_defined", s.moments.undefined);
      column.is_number() ? write_numbers(json, plan, s) : write_categories(json, column, s);
    }
    if (drawn) json.key("values").numbers(rows[c]);
    json.end_object();
  }
  json.end_array();
  json.new_line().key("notes").texts(plan.notes);
  json.key("not_computed").texts(fault_words(plan, result.faults));
  json.end_object();
  return json.take();
}

}  // namespace carom::report
