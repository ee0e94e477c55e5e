// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

using motion::Touch;

/// Lines in one panel, told apart by colour and dash.
constexpr std::array<std::string_view, 6> colours = {"#0072B2", "#D55E00", "#009E73",
                                                     "#CC79A7", "#E69F00", "#56B4E9"};
constexpr std::size_t most_lines = colours.size();

constexpr std::string_view slip_colour = "#FBE3CF";
constexpr std::string_view back_colour = "#D9EAD3";
constexpr std::string_view stick_colour = "#C9D7EA";

std::string_view shade_of(const motion::ContactStatus& s) {
  if (s.touch == Touch::stick) return stick_colour;
  return s.direction[0] < 0. && s.direction[1] == 0. ? back_colour : slip_colour;
}

/// A line of a panel.
struct Line {
  std::string label;
  int column = 0;
};

struct Panel {
  std::string name;
  std::string unit;  ///< of what it shows, may be empty
  std::vector<Line> lines;
  std::optional<std::size_t> contact{};  ///< whose phases are shaded
};

/// What positions of a unit are called together.
std::string_view positions_in(std::string_view unit) {
  return unit == "m" ? "positions" : unit == "rad" ? "angles" : "quaternion";
}

class Script {
 public:
  Script(const std::string& title, const motion::Model& model, const MotionHistory& history,
         const Shown& shown, const PictureFiles& files)
      : title_(title), model_(model), history_(history), shown_(shown), files_(files) {
    time_ = {.least = history.points().front().time, .most = history.points().back().time};
  }

  [[nodiscard]] Plot make() {
    fill();
    make_panels();
    const double note = shown_.note.empty() ? 0. : 20.;
    canvas_ = {
        .width = 980,
        .height = static_cast<int>(edge + static_cast<double>(panels_.size()) * row + 22. + note),
        .rounded = true};
    scenario::Scenario named;
    named.title = title_;
    text_ = plot_head("The motion", files_, canvas_, named, "");
    text_ += fmt::format(R"(
set multiplot
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5,screen {} center font ",16"
set xrange [{:.9g}:{:.9g}]
)",
                         share_text(canvas_.height - 26., canvas_.height), time_.least,
                         time_.most + 0.01 * time_.size());
    key();
    for (std::size_t k = 0; k < panels_.size(); ++k) draw(panels_[k], k);
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = blocks_.text()};
  }

 private:
  static constexpr double edge = 96.;
  static constexpr double row = 190.;

  void fill() {
    std::string columns = "time [s]";
    for (const std::size_t i : shown_.positions) {
      columns += fmt::format("  {} [{}]", model_.position_name(i), model_.position_unit(i));
    }
    for (const std::size_t i : shown_.contacts) {
      columns += fmt::format("  {0}: v_n, v_t [m/s]", model_.contact_name(i));
    }
    blocks_.begin("the motion", columns + "  kinetic, potential energy [J]");
    const std::size_t d = model_.components();
    for (const auto& p : history_.points()) {
      std::vector<double> values = {p.time};
      for (const std::size_t i : shown_.positions) values.push_back(p.q[i]);
      for (const std::size_t i : shown_.contacts) {
        values.push_back(p.velocity[i * d]);
        values.push_back(d == 2 ? p.velocity[i * d + 1]
                                : std::hypot(p.velocity[i * d + 1], p.velocity[i * d + 2]));
      }
      values.push_back(p.kinetic);
      values.push_back(p.potential);
      blocks_.row(values);
    }
  }

  // Positions by unit, as many to a panel as there are colours; a panel for each contact; energy.
  void make_panels() {
    for (const std::string_view unit : {"m", "rad", ""}) {
      std::vector<Line> lines;
      const auto end_panel = [&] {
        if (lines.empty()) return;
        panels_.push_back({.name = std::string(positions_in(unit)),
                           .unit = std::string(unit),
                           .lines = std::exchange(lines, {})});
      };
      for (std::size_t k = 0; k < shown_.positions.size(); ++k) {
        if (model_.position_unit(shown_.positions[k]) != unit) continue;
        if (lines.size() == most_lines) end_panel();
        lines.push_back({.label = model_.position_name(shown_.positions[k]),
                         .column = static_cast<int>(2 + k)});
      }
      end_panel();
    }
    int column = static_cast<int>(2 + shown_.positions.size());
    for (const std::size_t i : shown_.contacts) {
      panels_.push_back({.name = "contact " + model_.contact_name(i),
                         .unit = "m/s",
                         .lines = {{.label = "v_n", .column = column},
                                   {.label = model_.components() == 2 ? "v_t" : "slip speed",
                                    .column = column + 1}},
                         .contact = i});
      column += 2;
    }
    panels_.push_back({.name = "energy",
                       .unit = "J",
                       .lines = {{.label = "kinetic", .column = column},
                                 {.label = "potential", .column = column + 1},
                                 {.label = "sum", .column = -column}}});
  }

  void key() {
    double x = 90.;
    const auto sample = [&](std::string_view colour, std::string_view words, double width) {
      const double y = canvas_.height - 56.;
      text_ += fmt::format(
          "set object rectangle from screen {}, screen {} to screen {}, screen {} fillcolor rgb "
          "\"{}\" fillstyle solid noborder\nset label \"{}\" at screen {}, screen {} left\n",
          share_text(x, canvas_.width), share_text(y - 7., canvas_.height),
          share_text(x + 26., canvas_.width), share_text(y + 7., canvas_.height), colour, words,
          share_text(x + 33., canvas_.width), share_text(y, canvas_.height));
      x += width;
    };
    if (shown_.contacts.empty()) return;
    const bool plane = model_.components() == 2;
    sample(slip_colour, plane ? "slip +" : "slip", 110.);
    if (plane) sample(back_colour, "slip −", 110.);
    sample(stick_colour, "stick", 110.);
    text_ +=
        fmt::format("set label \"| impact\" at screen {}, screen {} left\n",
                    share_text(x, canvas_.width), share_text(canvas_.height - 56., canvas_.height));
  }

  void draw(const Panel& panel, std::size_t k) {
    const std::string& name = panel.name;
    const std::vector<Line>& lines = panel.lines;
    const double top = canvas_.height - edge - static_cast<double>(k) * row;
    const Box frame{.left = 108., .bottom = top - row + 44., .right = 800., .top = top};
    const bool lowest = k + 1 == panels_.size();
    const std::string unit = panel.unit.empty() ? "" : "[" + panel.unit + "]";
    text_ += fmt::format("\n# --- {}\n", name) + margins(frame, canvas_.width, canvas_.height);
    text_ += "set autoscale y\nset ytics autofreq\nset offsets 0, 0, graph 0.06, graph 0.06\n";
    if (panel.contact && is_still(*panel.contact)) text_ += "set yrange [-1:1]   # it rests\n";
    text_ += lowest ? "set format x\n" : "set format x \"\"\n";
    text_ += fmt::format("set label {} at screen {}, screen {} center rotate by 90\n",
                         gnuplot_text(panel.contact ? unit : name + "  " + unit),
                         share_text(16., canvas_.width),
                         share_text(0.5 * (frame.bottom + frame.top), canvas_.height));
    if (lowest) {
      text_ += fmt::format("set label \"time  [s]\" at screen {}, screen {} center\n",
                           share_text(0.5 * (frame.left + frame.right), canvas_.width),
                           share_text(frame.bottom - 46., canvas_.height));
    }
    if (lowest && !shown_.note.empty()) {
      text_ +=
          fmt::format("set label {} at screen {}, screen {} left font \",11\" tc rgb \"#606060\"\n",
                      gnuplot_text(shown_.note), share_text(frame.left, canvas_.width),
                      share_text(frame.bottom - 66., canvas_.height));
    }
    if (panel.contact) {
      text_ += fmt::format("set label {} at screen {}, screen {} left\n", gnuplot_text(name),
                           share_text(frame.left + 6., canvas_.width),
                           share_text(frame.top + 12., canvas_.height));
      shade(*panel.contact);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double y = frame.top - 8. - 20. * static_cast<double>(i);
      text_ += fmt::format(
          "set arrow from screen {0}, screen {2} to screen {1}, screen {2} nohead lw 2 lc rgb "
          "\"{3}\"\nset label {4} at screen {5}, screen {2} left\n",
          share_text(frame.right + 14., canvas_.width),
          share_text(frame.right + 40., canvas_.width), share_text(y, canvas_.height), colours[i],
          gnuplot_text(lines[i].label), share_text(frame.right + 47., canvas_.width));
    }
    text_ += "set xzeroaxis lc rgb \"#B0B0B0\" lw 0.7\nplot ";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string y = lines[i].column > 0
                                ? fmt::format("{}", lines[i].column)
                                : fmt::format("(${}+${})", -lines[i].column, 1 - lines[i].column);
      text_ += fmt::format("{}data index 0 using 1:{} with lines lw 1.6 lc rgb \"{}\" notitle",
                           i > 0 ? ", \\\n  " : "", y, colours[i]);
    }
    text_ += "\nunset label\nunset object\nunset arrow\n";
  }

  /// What integration leaves of zero is not to fill a panel.
  [[nodiscard]] bool is_still(std::size_t contact) const {
    constexpr double little = 1e-6;
    const double speed = std::sqrt(model_.acceleration_scale() * model_.length_scale());
    const std::size_t d = model_.components();
    for (const auto& p : history_.points()) {
      for (std::size_t c = 0; c < d; ++c) {
        if (std::abs(p.velocity[contact * d + c]) > little * speed) return false;
      }
    }
    return true;
  }

  void shade(std::size_t contact) {
    for (const auto& p : history_.phases()[contact]) {
      text_ += fmt::format(
          "set object rectangle from first {:.9g}, graph 0 to first {:.9g}, graph 1 fillcolor rgb "
          "\"{}\" fillstyle solid noborder behind\n",
          p.from, p.to, shade_of(p.status));
    }
    const auto& impacts = history_.impacts()[contact];
    for (std::size_t k = 0; k < impacts.size() && k < 300; ++k) {
      text_ += fmt::format(
          "set arrow from first {0:.9g}, graph 0 to first {0:.9g}, graph 0.05 nohead lc rgb "
          "\"#303030\" lw 1\n",
          impacts[k]);
    }
  }

  const std::string& title_;
  const motion::Model& model_;
  const MotionHistory& history_;
  const Shown& shown_;
  const PictureFiles& files_;
  std::vector<Panel> panels_;
  Range time_;
  Canvas canvas_;
  Blocks blocks_;
  std::string text_;
};

}  // namespace

Plot motion_plot(const std::string& title, const motion::Model& model, const MotionHistory& history,
                 const Shown& shown, const PictureFiles& files) {
  return Script(title, model, history, shown, files).make();
}

}  // namespace carom::report
