// SPDX-License-Identifier: Apache-2.0
#include <carom/report/fit/files.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/law_words.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::report {
namespace {

using study::fit::FittedModel;
using study::fit::MeasuredImpacts;
using study::fit::Objective;

/// How many SI units a number of this column is.
double unit_of(const scenario::FitRequest& r, const std::string& column) {
  for (const auto& [name, unit] : r.units) {
    if (name.text == column) return scenario::in_si(unit);
  }
  return 1.;
}

std::vector<double> predicted(const Objective& objective, std::size_t i, const FittedModel& f) {
  std::vector<double> after(objective.width());
  (void)objective.predict(i, f.minimum.p, after);
  return after;
}

/// Indices of impacts in the order of their file.
std::vector<std::size_t> in_order(const MeasuredImpacts& data, std::vector<std::size_t> some) {
  std::ranges::sort(some, {}, [&](std::size_t i) { return data.impacts[i].line; });
  return some;
}

std::string in_quotes(std::string_view text) {
  std::string out;
  append_text(out, text);
  return out;
}

void write_difference(JsonWriter& out, const std::optional<study::fit::Difference>& d) {
  out.key("difference");
  if (!d) {
    out.null();
    return;
  }
  out.begin_object()
      .member("mean", d->mean)
      .member("low", d->low)
      .member("high", d->high)
      .end_object();
}

void write_parameters(JsonWriter& out, const FittedModel& f) {
  out.key("parameters").begin_array();
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const auto& p = f.parameters.list[k];
    out.begin_object()
        .member("name", p.name)
        .member("unit", p.unit)
        .member("value", f.minimum.p[k])
        .member("low", p.low)
        .member("high", p.high)
        .member("at_bound", f.minimum.at_low[k] || f.minimum.at_high[k])
        .member("determined", !f.minimum.undetermined[k])
        .end_object();
  }
  out.end_array();
}

}  // namespace

std::string fit_json(const FitReport& r) {
  JsonWriter out;
  out.begin_object()
      .member("title", r.request.title)
      .member("data", r.data.name)
      .member("rows_fitted", r.ranking.impacts.size())
      .member("rows_left_out", r.data.impacts.size() - r.ranking.impacts.size())
      .member("rows_unreadable", r.data.unreadable.size())
      .member("loss", name(r.options.loss))
      .member("folds", r.folds)
      .member("seed", r.options.seed)
      .member("reference", r.ranking.reference);
  out.key("models").begin_array();
  for (const FittedModel& f : r.ranking.models) {
    out.begin_object().member("model", f.model.name).member("law", f.model.law->name);
    out.member("loss", f.minimum.loss).member("error", f.minimum.mean_error);
    out.key("cross_validated_error");
    r.folds > 0 ? out.number(f.validated_error) : out.null();
    write_difference(out, f.difference);
    write_parameters(out, f);
    out.key("notes").texts(fit_notes(f));
    out.end_object();
  }
  out.end_array().end_object();
  return out.take() + "\n";
}

std::string residuals_csv(const FitReport& r) {
  std::string text = "id,model";
  for (const auto& column : r.request.after) {
    text += "," + csv_field(column.text) + "," + csv_field("predicted " + column.text);
  }
  text += ",error,cross_validated_error\n";
  for (const FittedModel& f : r.ranking.models) {
    const Objective objective(r.data, *f.model.answering, f.parameters);
    std::vector<std::size_t> order(r.ranking.impacts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t n) { return r.data.impacts[r.ranking.impacts[n]].line; });
    for (const std::size_t n : order) {
      const std::size_t i = r.ranking.impacts[n];
      const auto after = predicted(objective, i, f);
      text += csv_field(r.data.impacts[i].id) + "," + csv_field(f.model.name);
      for (std::size_t j = 0; j < after.size(); ++j) {
        const double unit = unit_of(r.request, r.request.after[j].text);
        text += "," + shortest(r.data.impacts[i].after[j] / unit) + "," + shortest(after[j] / unit);
      }
      text += "," + shortest(f.errors[n]) + ",";
      if (!f.validated.empty()) text += shortest(f.validated[n]);
      text += "\n";
    }
  }
  return text;
}

std::string predictions_csv(const scenario::FitRequest& request, const MeasuredImpacts& data,
                            const FittedModel& f) {
  const Objective objective(data, *f.model.answering, f.parameters);
  std::string text = request.id.text.empty() ? "id" : csv_field(request.id.text);
  for (const auto& column : request.after) text += "," + csv_field(column.text);
  text += "\n";
  std::vector<std::size_t> all(data.impacts.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const std::size_t i : in_order(data, all)) {
    text += csv_field(data.impacts[i].id);
    const auto after = predicted(objective, i, f);
    for (std::size_t j = 0; j < after.size(); ++j) {
      // More digits than any coefficient is known to.
      text += fmt::format(",{:.7g}", after[j] / unit_of(request, request.after[j].text));
    }
    text += "\n";
  }
  return text;
}

std::string saved_fit(const FitReport& r, std::string_view version) {
  std::string text = fmt::format("# Result of carom fit, version {}.\ndata = {}\n", version,
                                 in_quotes(r.data.name));
  for (const FittedModel& f : r.ranking.models) {
    text += fmt::format("\n[[model]]\nname = {}\nerror = {}\n", in_quotes(f.model.name),
                        shortest(f.minimum.mean_error));
    if (r.folds > 0) {
      text += fmt::format("cross_validated_error = {}\n", shortest(f.validated_error));
    }
    text += "[model.parameters]\n";
    for (std::size_t k = 0; k < f.parameters.size(); ++k) {
      text +=
          fmt::format("{} = {}\n", in_quotes(f.parameters.list[k].name), shortest(f.minimum.p[k]));
    }
  }
  return text;
}

std::vector<SavedModel> read_saved_fit(const std::filesystem::path& file) {
  const scenario::Document document(scenario::read_text(file), file.string());
  std::vector<SavedModel> all;
  for (const scenario::Table& t : document.top().tables("model")) {
    SavedModel m{.name = t.text("name", ""), .parameters = {}};
    const scenario::Table values = t.table("parameters");
    for (const std::string& key : values.keys()) {
      m.parameters.emplace_back(key, scenario::finite(values, key));
    }
    all.push_back(std::move(m));
  }
  if (all.empty())
    throw InputError("model", "there is none; is it a result of --save?", file.string());
  return all;
}

}  // namespace carom::report
