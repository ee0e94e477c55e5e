// SPDX-License-Identifier: Apache-2.0
#include <carom/report/fit/trajectories.hpp>

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

#include <carom/report/json_writer.hpp>

namespace carom::report {
namespace {

using study::fit::FittedValues;
using study::fit::MeanError;
using study::fit::MotionError;
using study::fit::TrajectoryScore;

constexpr double degrees = 180. / std::numbers::pi;
constexpr double per_cent = 100.;

/// Trajectories in trouble that are named.
constexpr std::size_t most_named = 5;

std::string with_error(const MeanError& e, double unit) {
  return fmt::format("{:.2f} ± {:.2f}", unit * e.value, unit * e.error);
}

void score_row(Table& table, const std::string& label, const TrajectoryScore& s) {
  table.row(label, {{with_error(s.position, per_cent)}, {with_error(s.rotation, degrees)}});
}

std::string parameters_table(const TrajectoryReport& r, const Page& page) {
  std::vector<std::string> columns{"start", "fitted"};
  if (r.validation) columns.emplace_back("folds, least and greatest");
  Table table(columns);
  for (std::size_t i = 0; i < r.request.parameters.size(); ++i) {
    const auto& p = r.request.parameters[i];
    std::vector<Table::Cell> cells{{figure(p.start)}, {figure(r.fitted.values[i])}};
    if (r.validation) {
      const auto [low, high] = std::minmax_element(
          r.validation->folds.begin(), r.validation->folds.end(),
          [&](const FittedValues& a, const FittedValues& b) { return a.values[i] < b.values[i]; });
      cells.push_back({figure(low->values[i]) + " to " + figure(high->values[i])});
    }
    table.row(p.path.text, std::move(cells));
  }
  return table.text(page.colour, page.width);
}

void add_trouble(std::string& text, const char* where, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  text += fmt::format(
      "\n{}: {} trajectories could not be computed to their end; their last state "
      "is kept.\n",
      where, lines.size());
  for (std::size_t i = 0; i < std::min(lines.size(), most_named); ++i) {
    text += "  " + lines[i] + "\n";
  }
}

void write_score(JsonWriter& out, const TrajectoryScore& s) {
  out.begin_object();
  out.key("trajectories").integer(s.trajectories);
  out.key("position").begin_object();
  out.member("mean", s.position.value).member("standard_error", s.position.error).end_object();
  out.key("rotation_deg").begin_object();
  out.member("mean", degrees * s.rotation.value)
      .member("standard_error", degrees * s.rotation.error)
      .end_object();
  out.key("trouble").begin_array();
  for (const std::string& line : s.trouble) out.text(line);
  out.end_array().end_object();
}

void write_values(JsonWriter& out, const TrajectoryReport& r, const FittedValues& f) {
  out.begin_object();
  for (std::size_t i = 0; i < f.values.size(); ++i) {
    std::string path;  // keys have nothing to escape but what a path cannot hold
    for (const char c : r.request.parameters[i].path.text) {
      if (c != '"' && c != '\\') path += c;
    }
    out.key(path).number(f.values[i]);
  }
  out.end_object();
}

}  // namespace

std::string trajectories_summary(const TrajectoryReport& r, const Page& page) {
  const auto& request = r.request;
  std::string text = request.title.empty() ? "" : request.title + "\n";
  if (!r.score) {
    text += fmt::format("Impacts: {}. The numbers of the file; nothing was fitted.\n\n", r.law);
    Table table({"value"});
    for (std::size_t i = 0; i < request.parameters.size(); ++i) {
      table.row(request.parameters[i].path.text, {{figure(r.fitted.values[i])}});
    }
    return text + table.text(page.colour, page.width);
  }
  text += fmt::format("{} trajectories of {}. Impacts: {}.\n\n", r.score->trajectories,
                      request.data.filename().string(), r.law);
  Table errors({"position [% of the width]", "rotation [degrees]"});
  score_row(errors, "fitted to all", *r.score);
  if (r.validation) {
    score_row(errors, fmt::format("cross-validation, {} folds", r.validation->folds.size()),
              r.validation->score);
  }
  text += "Mean error ± standard error:\n" + errors.text(page.colour, page.width) + "\n" +
          parameters_table(r, page);
  text += fmt::format(
      "\nCompared: {} motions of {} s from free flight, then {} whole trajectories; "
      "{} evaluations{}.\n",
      r.fitted.windows, figure(request.window), r.fitted.trajectories, r.fitted.evaluations,
      r.validation ? ", and as many for each fold" : "");
  add_trouble(text, "Fitted to all", r.score->trouble);
  if (r.validation) add_trouble(text, "Cross-validation", r.validation->score.trouble);
  return text;
}

std::string trajectories_json(const TrajectoryReport& r) {
  std::string text;
  {
    JsonWriter out(text);
    out.begin_object();
    out.key("title").text(r.request.title);
    out.key("law").text(r.law);
    out.key("fitted").boolean(r.score.has_value());
    out.key("parameters");
    write_values(out, r, r.fitted);
    if (r.score) {
      out.key("score");
      write_score(out, *r.score);
    }
    if (r.validation) {
      out.key("cross_validation").begin_object();
      out.key("folds").begin_array();
      for (const FittedValues& f : r.validation->folds) write_values(out, r, f);
      out.end_array().key("score");
      write_score(out, r.validation->score);
      out.end_object();
    }
    out.end_object();
  }
  return text + "\n";
}

std::string errors_csv(const TrajectoryReport& r) {
  std::string text = r.request.group.text + ",position_m,rotation_deg";
  if (r.validation) text += ",position_held_out_m,rotation_held_out_deg";
  text += "\n";
  for (std::size_t i = 0; r.score && i < r.score->each.size(); ++i) {
    const MotionError& e = r.score->each[i];
    text += fmt::format("{},{:.6g},{:.6g}", r.names[i], e.position, degrees * e.rotation);
    if (r.validation) {
      const MotionError& v = r.validation->score.each[i];
      text += fmt::format(",{:.6g},{:.6g}", v.position, degrees * v.rotation);
    }
    text += "\n";
  }
  return text;
}

}  // namespace carom::report
