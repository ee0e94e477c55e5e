// SPDX-License-Identifier: Apache-2.0
#include <carom/report/course_script.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

using study::MultiAnswer;
using study::MultiComparison;

/// The answer that has a course.
const MultiAnswer& traced(const MultiComparison& c) {
  return *std::find_if(c.answers.begin(), c.answers.end(),
                       [](const MultiAnswer& a) { return a.trace.samples() > 0; });
}

std::vector<double> sum_of_impulses(const MultiTrace& trace) {
  std::vector<double> sum(trace.samples(), 0.);
  for (std::size_t s = 0; s < trace.samples(); ++s) {
    for (std::size_t i = 0; i < trace.contacts; ++i) {
      sum[s] += trace.impulse[s * trace.contacts + i];
    }
  }
  return sum;
}

std::vector<CourseRow> rows_of(const MultiComparison& c) {
  if (c.problem.components() == 1) return {normal_velocity_row, force_row, stored_row};
  return {normal_velocity_row, slip_row, force_row, stored_row};
}

/// "4 contacts; e = 0.7 to 0.9" in words that fit any system.
std::string subtitle(const MultiComparison& c) {
  const auto [least, most] = std::minmax_element(
      c.problem.surfaces.begin(), c.problem.surfaces.end(),
      [](const MultiSurface& a, const MultiSurface& b) { return a.restitution < b.restitution; });
  std::string text =
      fmt::format("lzb, {} contacts;  e = {}", c.problem.contacts(), pretty(least->restitution));
  if (most->restitution > least->restitution) text += " to " + pretty(most->restitution);
  const double lost = -traced(c).outcome.energy.change;
  if (c.energy_before > 0.) {
    text += fmt::format(";  {} % of the energy lost",
                        pretty(std::round(1e4 * lost / c.energy_before) / 100.));
  }
  return text;
}

/// Up to where forces are to be seen: small bounces may follow for long.
double seen(const MultiTrace& trace, const std::vector<double>& at) {
  if (!(at.back() > 0.)) return 1.;
  const double least = 1e-4 * *std::max_element(trace.force.begin(), trace.force.end());
  std::size_t last = trace.samples() - 1;
  const auto quiet = [&](std::size_t s) {
    const auto first = trace.force.begin() + static_cast<std::ptrdiff_t>(s * trace.contacts);
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(trace.contacts),
                       [&](double f) { return f < least; });
  };
  while (last > 0 && quiet(last)) --last;
  return std::min(at.back(), 1.08 * (at[last] > 0. ? at[last] : at.back()));
}

}  // namespace

CourseScript::CourseScript(const scenario::Scenario& s, const MultiComparison& c, Course course,
                           const PictureFiles& files)
    : scenario_(s),
      comparison_(c),
      files_(files),
      trace_(traced(c).trace),
      course_(course),
      impulse_(sum_of_impulses(trace_)),
      at_(course == Course::time ? trace_.time : impulse_),
      rows_(rows_of(c)) {
  range_ = {.least = 0., .most = seen(trace_, at_)};
  unit_ = unit_of(range_);
}

std::string CourseScript::axis_words() const {
  return course_ == Course::time
             ? fmt::format("reconstructed time  [{}]", with_unit(unit_, "s"))
             : fmt::format("sum of the normal impulses  [{}]", with_unit(unit_, "N s"));
}

void CourseScript::head(const Canvas& canvas) {
  text_ = plot_head("The course", files_, canvas, scenario_, subtitle(comparison_));
  text_ += fmt::format(R"(
T = {:g}    # what the horizontal axis counts in

set multiplot
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5,screen {} center font ",16"
set label subheading at screen 0.5,screen {} center textcolor rgb "#404040"
)",
                       unit_, share_text(canvas.height - 26., canvas.height),
                       share_text(canvas.height - 52., canvas.height));
}

Plot CourseScript::finish() {
  text_ += "\nunset multiplot\nunset output\n";
  return {.script = std::move(text_), .data = blocks_.text()};
}

Plot multi_plot(const scenario::Scenario& s, const MultiComparison& c, Course course,
                const PictureFiles& files) {
  return c.problem.contacts() <= few_contacts ? course_panels(s, c, course, files)
                                              : course_colours(s, c, course, files);
}

}  // namespace carom::report
