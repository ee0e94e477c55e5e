// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_gif.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

using scenario::PlanarOutline;

constexpr std::size_t corners_of_circle = 48;
constexpr int frames_a_second = 25;

/// The outline in the world at a state, closed; a circle with a spoke, so that one sees it turn.
std::vector<std::array<double, 2>> drawn(const PlanarOutline& o, const motion::State& state) {
  const scenario::PlanarPose pose = o.pose(state);
  const double c = std::cos(pose.angle);
  const double s = std::sin(pose.angle);
  std::vector<std::array<double, 2>> line;
  const auto add = [&](double x, double y) {
    line.push_back({pose.origin[0] + c * x - s * y, pose.origin[1] + s * x + c * y});
  };
  if (o.corners.empty()) {
    add(o.centre[0], o.centre[1]);
    for (std::size_t k = 0; k <= corners_of_circle; ++k) {
      const double a = 2. * std::numbers::pi * static_cast<double>(k) / corners_of_circle;
      add(o.centre[0] + o.radius * std::cos(a), o.centre[1] + o.radius * std::sin(a));
    }
    return line;
  }
  for (const auto& corner : o.corners) add(corner[0], corner[1]);
  if (o.corners.size() > 2) add(o.corners[0][0], o.corners[0][1]);
  return line;
}

/// What is seen: all outlines in all frames, and a little around them.
struct Window {
  Range x;
  Range y;
};

Window window_of(const scenario::MotionScenario& s, const std::vector<motion::State>& frames) {
  Window w;
  bool first = true;
  for (const motion::State& state : frames) {
    for (const PlanarOutline& o : s.drawing.outlines) {
      for (const auto& p : drawn(o, state)) {
        if (first) w = {.x = {p[0], p[0]}, .y = {p[1], p[1]}};
        first = false;
        w.x.include(p[0]);
        w.y.include(p[1]);
      }
    }
  }
  const double size = std::max({w.x.size(), w.y.size(), 1e-12});
  for (Range* r : {&w.x, &w.y}) {
    *r = {.least = r->least - 0.06 * size, .most = r->most + 0.06 * size};
    const double short_of = 0.35 * size - r->size();
    if (short_of > 0.) *r = {.least = r->least - 0.5 * short_of, .most = r->most + 0.5 * short_of};
  }
  return w;
}

/// A line of the ground at a time, long enough to cross the window.
std::string ground(const scenario::GroundLine& g, const Window& w) {
  const double reach = w.x.size() + w.y.size();
  const double mx = 0.5 * (w.x.least + w.x.most);
  const double my = 0.5 * (w.y.least + w.y.most);
  // Foot of the window's middle on the line.
  const double off = (mx - g.through[0]) * g.normal[0] + (my - g.through[1]) * g.normal[1];
  const double fx = mx - off * g.normal[0];
  const double fy = my - off * g.normal[1];
  return fmt::format(
      "  set arrow from {:.9g}+({:.6g})*t,{:.9g}+({:.6g})*t to {:.9g}+({:.6g})*t,{:.9g}+({:.6g})*t "
      "nohead lw 2 lc rgb \"#404040\"\n",
      fx - reach * g.normal[1], g.velocity[0], fy + reach * g.normal[0], g.velocity[1],
      fx + reach * g.normal[1], g.velocity[0], fy - reach * g.normal[0], g.velocity[1]);
}

}  // namespace

Plot motion_gif(const scenario::MotionScenario& s, const std::vector<motion::State>& frames,
                double pace, const PictureFiles& files) {
  Blocks blocks;
  for (const motion::State& state : frames) {
    blocks.begin(fmt::format("{:.9g} s", state.time), "x, y [m], an empty line between bodies");
    for (const PlanarOutline& o : s.drawing.outlines) {
      for (const auto& p : drawn(o, state)) blocks.row({p[0], p[1]});
      blocks.gap();
    }
  }
  const Window w = window_of(s, frames);
  constexpr int longer = 640;
  const double shape = w.y.size() / w.x.size();
  const int width = shape > 1. ? static_cast<int>(longer / shape) + 40 : longer + 40;
  const int height = shape > 1. ? longer + 60 : static_cast<int>(longer * shape) + 60;
  const std::string pace_text =
      pace == 1. ? "" : fmt::format(", {:.3g} s of motion a second", pace);
  std::string text = fmt::format(
      R"(# A motion frame by frame, made by `carom simulate FILE --animate GIF`.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] {{ if (ARG0[i:i] eq "/") {{ here = ARG0[1:i] }} }}
data = here.{}
if (!exists("picture")) picture = here.{}
set encoding utf8
set terminal gif animate delay {} loop 0 size {},{} font "Helvetica,11" background "white"
set output picture
unset key
set border 0
unset tics
set size ratio -1
set xrange [{:.9g}:{:.9g}]
set yrange [{:.9g}:{:.9g}]
set style fill transparent solid 0.35 border lc rgb "#0072B2"
heading = {}
do for [i = 0:{}] {{
  t = {:.9g} + i*{:.9g}
  set title sprintf("%s    t = %.3f s{}", heading, t) noenhanced
  unset arrow
)",
      gnuplot_file(files.data.filename()), gnuplot_file(files.picture.filename()),
      100 / frames_a_second, width, height, w.x.least, w.x.most, w.y.least, w.y.most,
      gnuplot_text(s.title), frames.size() - 1, frames.front().time,
      (frames.back().time - frames.front().time) / static_cast<double>(frames.size() - 1),
      pace_text);
  for (const scenario::GroundLine& g : s.drawing.lines) text += ground(g, w);
  text +=
      "  plot data index i using 1:2 with filledcurves lc rgb \"#0072B2\" notitle, \\\n"
      "       data index i using 1:2 with lines lw 2 lc rgb \"#0072B2\" notitle\n}\n"
      "unset output\n";
  return {.script = std::move(text), .data = blocks.text()};
}

}  // namespace carom::report
