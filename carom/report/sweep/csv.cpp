// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include <carom/report/law_words.hpp>
#include <carom/report/sweep/rows.hpp>

namespace carom::report {
namespace {

constexpr std::size_t csv_piece = std::size_t{1} << 20U;

std::string heading(const study::SweepColumn& c) {
  std::string text = c.name;
  if (!c.law.empty()) text += " (" + c.law + ")";
  if (!c.unit.empty()) text += " [" + c.unit + "]";
  return text;
}

void write_rows(const study::SweepPlan& plan, const study::BlockStore& store,
                const std::function<void(std::string_view)>& sink) {
  std::string out;
  for (const study::SweepInput& in : plan.inputs) {
    out += (out.empty() ? "" : ",") +
           csv_field(in.unit.empty() ? in.path : in.path + " [" + in.unit + "]");
  }
  for (const study::SweepColumn& c : plan.columns) out += "," + csv_field(heading(c));
  out += '\n';
  for_rows(plan, store,
           [&](std::size_t, const study::Columns& inputs, const study::Columns& values) {
             const std::size_t rows = values.empty() ? 0 : values.front().size();
             for (std::size_t i = 0; i < rows; ++i) {
               for (std::size_t k = 0; k < inputs.size(); ++k) {
                 if (k > 0) out += ',';
                 append_csv_number(out, inputs[k][i]);
               }
               for (std::size_t c = 0; c < values.size(); ++c) {
                 out += ',';
                 const double x = values[c][i];
                 if (plan.columns[c].is_number()) {
                   append_csv_number(out, x);
                 } else if (!std::isnan(x)) {
                   out += csv_field(plan.columns[c].categories[static_cast<std::size_t>(x)].label);
                 }
               }
               out += '\n';
               if (out.size() >= csv_piece) {
                 sink(out);
                 out.clear();
               }
             }
           });
  sink(out);
}

void write_statistics(const study::SweepPlan& plan, const study::SweepResult& result,
                      const std::function<void(std::string_view)>& sink) {
  std::string out = "quantity,law,unit,statistic,value,standard_error\n";
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const study::SweepColumn& column = plan.columns[c];
    const study::ColumnStatistics& s = result.columns[c];
    const auto row = [&](const std::string& what, double value, double error) {
      out += csv_field(column.name) + "," + csv_field(column.law) + "," + csv_field(column.unit) +
             "," + csv_field(what) + ",";
      append_csv_number(out, value);
      out += ',';
      append_csv_number(out, plan.is_sample() ? error : std::nan(""));
      out += '\n';
    };
    const double none = std::nan("");
    row("count", s.moments.count, none);
    row("not defined", s.moments.undefined, none);
    if (column.is_number()) {
      row("mean", s.moments.mean, s.moments.mean_error());
      row("deviation", s.moments.deviation(), s.moments.deviation_error());
      row("least", s.moments.least, none);
      row("greatest", s.moments.greatest, none);
      for (const study::Quantile& q : s.quantiles) {
        std::string name = "quantile ";
        append_csv_number(name, q.probability);
        row(name, q.value, q.error);
      }
    } else {
      for (std::size_t k = 0; k < s.categories.size(); ++k) {
        const double share = static_cast<double>(s.categories[k]) / s.moments.count;
        row("share of " + column.categories[k].label, share,
            std::sqrt(share * (1. - share) / s.moments.count));
      }
    }
    for (std::size_t k = 0; k < s.indices.first.size(); ++k) {
      row("first-order index of " + plan.inputs[k].path, s.indices.first[k].value,
          s.indices.first[k].error);
      row("total index of " + plan.inputs[k].path, s.indices.total[k].value,
          s.indices.total[k].error);
    }
  }
  sink(out);
}

}  // namespace

void for_rows(
    const study::SweepPlan& plan, const study::BlockStore& store,
    const std::function<void(std::size_t, const study::Columns&, const study::Columns&)>& take) {
  const study::Sampler sampler(plan.request);
  const std::size_t each = plan.rows_per_point();
  study::Columns set(plan.inputs.size());
  study::Columns inputs(plan.inputs.size());
  for (std::size_t b = 0; b < plan.blocks(); ++b) {
    const std::size_t size = plan.block_size(b);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      set[k].resize(size);
      inputs[k].resize(size * each);
    }
    for (std::size_t part = 0; part < each; ++part) {
      const auto which = part == 0 ? study::Sampler::Set::first : study::Sampler::Set::second;
      sampler.fill(plan.block_begin(b), size, which, set);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        for (std::size_t i = 0; i < size; ++i) inputs[k][i * each + part] = set[k][i];
      }
    }
    take(plan.block_begin(b) * each, inputs, store.get(b).values);
  }
}

void write_sweep_csv(const study::SweepPlan& plan, const study::SweepResult& result,
                     const study::BlockStore& store,
                     const std::function<void(std::string_view)>& sink) {
  if (*plan.request.keep_rows) return write_rows(plan, store, sink);
  write_statistics(plan, result, sink);
}

}  // namespace carom::report
