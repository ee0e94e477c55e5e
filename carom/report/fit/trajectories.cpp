// SPDX-License-Identifier: Apache-2.0
#include <carom/report/fit/trajectories.hpp>

#include <algorithm>
#include <array>
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

/// The trajectories that are drawn, by the quantile of their error of position.
constexpr std::array drawn_quantiles{0.25, 0.5, 0.95};

constexpr std::string_view blue = "#0072B2";
constexpr std::string_view orange = "#D55E00";

struct Series {
  std::vector<double> x;
  std::vector<double> y;
};

/// A motion as pictures show it.
struct Drawn {
  Series height{};
  Series above{};

  void add(double time, const study::fit::TrackedPose& pose) {
    height.x.push_back(time);
    height.y.push_back(pose.position[2]);
    above.x.push_back(pose.position[0]);
    above.y.push_back(pose.position[1]);
  }
};

/// A panel with what was measured, as dots, and a line.
void write_panel(JsonWriter& out, const std::string& title, const std::string& x,
                 const std::string& y, const std::array<Series, 2>& dots_and_line) {
  out.begin_object().member("title", title);
  out.key("x").begin_object().member("label", x).end_object();
  out.key("y").begin_object().member("label", y).end_object();
  out.key("series").begin_array();
  constexpr double dot = 0.5, width = 1.5;
  for (const bool line : {false, true}) {
    const Series& s = dots_and_line[line ? 1 : 0];
    if (s.x.empty()) continue;
    out.begin_object().member("kind", line ? "line" : "points");
    out.member("colour", line ? orange : blue);
    if (line) {
      out.member("width", width);
    } else {
      out.member("marker", "disc").member("marker_size", dot);
    }
    out.key("x").numbers(s.x, JsonWriter::Digits::drawing);
    out.key("y").numbers(s.y, JsonWriter::Digits::drawing);
    out.end_object();
  }
  out.end_array().end_object();
}

std::string with_error(const MeanError& e, double unit) {
  return fmt::format("{:.2f} ± {:.2f}", unit * e.value, unit * e.error);
}

void score_row(Table& table, const std::string& label, const TrajectoryScore& s) {
  table.row(label, {{with_error(s.position, per_cent)}, {with_error(s.rotation, degrees)}});
}

std::string parameters_table(const TrajectoryReport& r, const Page& page) {
  std::vector<std::string> columns{"start", "fitted"};
  if (!r.score) columns = {"value"};
  if (r.validation) columns.emplace_back("folds, least and greatest");
  Table table(columns);
  for (std::size_t i = 0; i < r.request.parameters.size(); ++i) {
    const auto& p = r.request.parameters[i];
    std::vector<Table::Cell> cells;
    if (r.score) cells.push_back({figure(p.start)});
    cells.push_back({figure(r.fitted.values[i])});
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
  } else {
    text += fmt::format("{} trajectories of {}. Impacts: {}.\n\n", r.score->trajectories,
                        request.data.filename().string(), r.law);
  }
  Table errors({"position [% of the width]", "rotation [degrees]"});
  if (r.score) score_row(errors, "fitted to all", *r.score);
  if (r.validation) {
    score_row(errors, fmt::format("cross-validation, {} folds", r.validation->folds.size()),
              r.validation->score);
  }
  if (r.predicted) {
    score_row(errors, fmt::format("predicted, {} trajectories", r.predicted->trajectories),
              *r.predicted);
  }
  text += "Mean error ± standard error:\n" + errors.text(page.colour, page.width) + "\n" +
          parameters_table(r, page);
  if (!r.score) return text;
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
    if (r.predicted) {
      out.key("predicted");
      write_score(out, *r.predicted);
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

std::string trajectories_record(const TrajectoryReport& r,
                                const std::vector<study::fit::Trajectory>& trajectories,
                                const std::vector<study::fit::PredictedMotion>& predicted) {
  const TrajectoryScore score = study::fit::score_of(r.request, trajectories, predicted);
  std::vector<std::size_t> order(trajectories.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return score.each[a].position < score.each[b].position;
  });
  JsonWriter out;
  out.begin_object();
  out.key("picture").begin_object().member("kind", "chart");
  out.member("title", r.request.title.empty() ? "Trajectories" : r.request.title);
  out.member(
      "subtitle",
      fmt::format("measured (dots) and predicted (lines), impacts by {}; {} trajectories, mean "
                  "error {:.1f} % of the width and {:.1f} degrees",
                  r.law, score.trajectories, per_cent * score.position.value,
                  degrees * score.rotation.value));
  constexpr int columns = 3, panel_width = 400, panel_height = 300;
  out.member("columns", columns)
      .member("panel_width", panel_width)
      .member("panel_height", panel_height);
  out.key("panels").begin_array();
  for (const double share : drawn_quantiles) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(order.size()));
    const std::size_t i = order[std::min(at, order.size() - 1)];
    const study::fit::Trajectory& t = trajectories[i];
    Drawn measured, line;
    Series turned;
    for (std::size_t k = 0; k < predicted[i].poses.size(); ++k) {
      const auto& m = t.poses[t.start + k];
      const auto& p = predicted[i].poses[k];
      const double time = t.time[t.start + k] - t.time[t.start];
      measured.add(time, m);
      line.add(time, p);
      turned.x.push_back(time);
      turned.y.push_back(degrees * study::fit::angle_between(m.orientation, p.orientation));
    }
    const std::string name = fmt::format(
        "{} {}: {:.1f} %, {:.1f} degrees", r.request.group.text, t.group,
        per_cent * score.each[i].position / r.request.width, degrees * score.each[i].rotation);
    write_panel(out, name, "time [s]", "height [m]", {measured.height, line.height});
    write_panel(out, "from above", "x [m]", "y [m]", {measured.above, line.above});
    write_panel(out, "angle to the measured orientation", "time [s]", "degrees",
                {Series{}, turned});
  }
  out.end_array().end_object();
  out.key("fit").raw(trajectories_json(r));
  out.end_object();
  return out.take();
}

}  // namespace carom::report
