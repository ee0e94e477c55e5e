// SPDX-License-Identifier: Apache-2.0
// Table 4: the disc's velocities after the impact.
#include <algorithm>
#include <cmath>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

/// v_1, theta' and v_2 of a case.
using Three = std::array<double, 3>;

Three printed(const Case& c) { return c.numerical.printed(); }
Three as_written(const Case& c) { return velocities_by({}, c).printed(); }
Three by_variant(const Case& c) { return velocities_by(variant(), c).printed(); }

/// Relative to v_2 for velocities, to theta' for spins: v_1 can be near zero.
double relative(const Three& x, const Three& to, std::size_t k) {
  return (x[k] - to[k]) / std::abs(to[k == 0 ? 2 : k]);
}
double percent(const Three& x, const Three& to, std::size_t k) {
  return std::round(1e4 * relative(x, to, k)) / 100.;
}

/// Both tables have three rows a case.
const Case& case_of(const Row& row) { return cases()[row.index / 3]; }

Computed table_4(const Row& row) {
  const Case& c = case_of(row);
  const std::size_t k = row.index % 3;
  const Three w = as_written(c), v = by_variant(c);
  return {{"printed", row.text("as written")},
          {"as written", w[k]},
          {"off [%]", percent(w, printed(c), k)},
          {"variant", v[k]},
          {"variant off [%]", percent(v, printed(c), k)}};
}

/// How far each is from the experiment, and whether it lies within what was measured.
Computed against_experiment(const Row& row) {
  const Case& c = case_of(row);
  const std::size_t k = row.index % 3;
  const auto within = [&](const Three& x) { return c.was_measured(k, x[k]) ? "yes" : "no"; };
  const Three p = printed(c), w = as_written(c), v = by_variant(c);
  return {{"measured", rows("table-4")[row.index].text("measured")},
          {"printed numerical", percent(p, c.measured, k)},
          {"in", within(p)},
          {"as written", percent(w, c.measured, k)},
          {"in", within(w)},
          {"variant", percent(v, c.measured, k)},
          {"in", within(v)}};
}

/// How many of the 24 values lie within the measured intervals.
int count_measured(Three (*values)(const Case&)) {
  int count = 0;
  for (const Case& c : cases()) {
    const Three x = values(c);
    for (std::size_t k = 0; k < 3; ++k) count += c.was_measured(k, x[k]) ? 1 : 0;
  }
  return count;
}

Values counts() {
  return {{"printed", count_measured(printed)},
          {"written", count_measured(as_written)},
          {"variant", count_measured(by_variant)}};
}

Found variant_fits() {
  double worst = 0.;
  for (const Case& c : cases().first(4)) {
    for (std::size_t k = 0; k < 3; ++k) {
      worst = largest(worst, std::abs(relative(by_variant(c), printed(c), k)));
    }
  }
  return {worst < 1.6e-3, {{"percent", 100. * worst}}};
}

/// Normal impulse at D over that of all contacts on the ground, the least of all cases.
Found D_dominates() {
  double least = 1e9;
  for (const Case& c : cases()) {
    const auto P = course_of(c).outcome.impulse;
    least = std::min(least, P[6] / (P[0] + P[2] + P[4]));
  }
  return {least > 2., {{"least", least}}};
}

Found five_percent() {
  double most = 0.;
  for (const Case& c : cases()) {
    for (std::size_t k = 0; k < 3; ++k) {
      most = largest(most, std::abs((printed(c)[k] - c.measured[k]) / c.measured[k]));
    }
  }
  return {most < 0.05, {{"percent", 100. * most}}};
}

report::Series points(std::string label, std::string colour, int point, double size) {
  return {.label = std::move(label),
          .colour = std::move(colour),
          .width = 1.5,
          .point = point,
          .point_size = size,
          .kind = report::SeriesKind::points};
}

report::ChartPanel panel_of(std::size_t k, const char* label) {
  const auto named = [&](const char* name) { return k == 2 ? name : ""; };  // one key for all
  report::Series measured = points(named("measured"), "#000000", 4, 1.3);
  report::Series print = points(named("printed"), "#606060", 2, 1.1);
  report::Series written = report::series_of(report::style_of_law("lzb"), named("as written"));
  written.kind = report::SeriesKind::points;
  written.point = 7;
  written.point_size = 0.8;
  report::Series other = points(named("variant"), "#D55E00", 8, 1.1);
  report::Series spread{.label = {}, .colour = "#000000", .width = 1.5};  // error bars
  for (const Case& c : cases()) {
    for (const double y : {c.measured[k] - c.down[k], c.measured[k] + c.up[k], std::nan("")}) {
      spread.x.push_back(c.number);
      spread.y.push_back(y);
    }
    for (report::Series* s : {&measured, &print, &written, &other}) s->x.push_back(c.number);
    measured.y.push_back(c.measured[k]);
    print.y.push_back(printed(c)[k]);
    written.y.push_back(as_written(c)[k]);
    other.y.push_back(by_variant(c)[k]);
  }
  return {.title = {},
          .x = {.label = "case", .range = report::Range{1.5, 9.5}},
          .y = {.label = label},
          .series = {spread, measured, print, written, other}};
}

report::Chart chart_of_table() {
  return {.heading = "The disc after the impact, cases 2 to 9",
          .subheading =
              "measured means and intervals, printed numerical values, model as written, variant",
          .panels = {panel_of(0, "v_1  [m/s]"), panel_of(1, "dθ/dt  [rad/s]"),
                     panel_of(2, "v_2  [m/s]")},
          .columns = 3,
          .panel_width = 330,
          .panel_height = 330};
}

}  // namespace

Computations velocities() {
  return {.checks = {{"variant-fits", variant_fits},
                     {"d-dominates", D_dominates},
                     {"five-percent", five_percent}},
          .tables = {{"table-4", table_4}, {"spreads", against_experiment}},
          .pictures = {{"liu-zhang-zhao-brogliato-table-4", chart(chart_of_table)}},
          .texts = {{"Table 4", counts}}};
}

}  // namespace carom::papers::disc_ball
