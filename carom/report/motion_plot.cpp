// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

using motion::Touch;

/// Lines in one panel, told apart by colour and dash.
constexpr std::array<std::string_view, 6> colours = {"#0072B2", "#D55E00", "#009E73",
                                                     "#CC79A7", "#E69F00", "#56B4E9"};
constexpr std::size_t most_lines = colours.size();

/// Contacts that are drawn: those that touch longest.
constexpr std::size_t most_contacts = 4;

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

class Script {
 public:
  Script(const std::string& title, const motion::Model& model, const MotionHistory& history,
         const PictureFiles& files)
      : title_(title), model_(model), history_(history), files_(files) {
    choose_contacts();
    time_ = {.least = history.points().front().time, .most = history.points().back().time};
  }

  [[nodiscard]] Plot make() {
    fill();
    const std::size_t panels = 2 + contacts_.size();
    canvas_ = {.width = 980,
               .height = static_cast<int>(edge + static_cast<double>(panels) * row + 22.),
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
    panel_at(0, "positions", "[m, rad]", position_lines(), nullptr);
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      panel_at(1 + k, "contact " + model_.contact_name(contacts_[k]), "[m/s]", contact_lines(k),
               &contacts_[k]);
    }
    panel_at(panels - 1, "energy", "[J]", energy_lines(), nullptr);
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = blocks_.text()};
  }

 private:
  static constexpr double edge = 96.;
  static constexpr double row = 190.;

  void choose_contacts() {
    std::vector<std::pair<double, std::size_t>> used;
    for (std::size_t i = 0; i < history_.phases().size(); ++i) {
      double touching = 0.;
      for (const auto& p : history_.phases()[i]) touching += p.to - p.from;
      if (touching > 0. || !history_.impacts()[i].empty()) used.emplace_back(-touching, i);
    }
    std::sort(used.begin(), used.end());
    for (const auto& u : used) {
      if (contacts_.size() < most_contacts) contacts_.push_back(u.second);
    }
    std::sort(contacts_.begin(), contacts_.end());
  }

  [[nodiscard]] std::size_t drawn_positions() const {
    return std::min(model_.positions(), most_lines);
  }

  void fill() {
    std::string columns = "time [s]";
    for (std::size_t i = 0; i < drawn_positions(); ++i) columns += "  " + model_.position_name(i);
    for (const std::size_t i : contacts_) {
      columns += fmt::format("  {0}: v_n, v_t [m/s]", model_.contact_name(i));
    }
    blocks_.begin("the motion", columns + "  kinetic, potential energy [J]");
    const std::size_t d = model_.components();
    for (const auto& p : history_.points()) {
      std::vector<double> values = {p.time};
      for (std::size_t i = 0; i < drawn_positions(); ++i) values.push_back(p.q[i]);
      for (const std::size_t i : contacts_) {
        values.push_back(p.velocity[i * d]);
        values.push_back(d == 2 ? p.velocity[i * d + 1]
                                : std::hypot(p.velocity[i * d + 1], p.velocity[i * d + 2]));
      }
      values.push_back(p.kinetic);
      values.push_back(p.potential);
      blocks_.row(values);
    }
  }

  [[nodiscard]] std::vector<Line> position_lines() const {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < drawn_positions(); ++i) {
      lines.push_back({.label = model_.position_name(i), .column = static_cast<int>(2 + i)});
    }
    return lines;
  }

  [[nodiscard]] std::vector<Line> contact_lines(std::size_t k) const {
    const int first = static_cast<int>(2 + drawn_positions() + 2 * k);
    return {{.label = "v_n", .column = first},
            {.label = model_.components() == 2 ? "v_t" : "slip speed", .column = first + 1}};
  }

  [[nodiscard]] std::vector<Line> energy_lines() const {
    const int first = static_cast<int>(2 + drawn_positions() + 2 * contacts_.size());
    return {{.label = "kinetic", .column = first},
            {.label = "potential", .column = first + 1},
            {.label = "sum", .column = -first}};
  }

  void key() {
    double x = 74.;
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
    if (contacts_.empty()) return;
    const bool plane = model_.components() == 2;
    sample(slip_colour, plane ? "slip +" : "slip", 110.);
    if (plane) sample(back_colour, "slip −", 110.);
    sample(stick_colour, "stick", 110.);
    text_ +=
        fmt::format("set label \"| impact\" at screen {}, screen {} left\n",
                    share_text(x, canvas_.width), share_text(canvas_.height - 56., canvas_.height));
  }

  void panel_at(std::size_t k, const std::string& name, std::string_view unit,
                const std::vector<Line>& lines, const std::size_t* contact) {
    const double top = canvas_.height - edge - static_cast<double>(k) * row;
    const Box frame{.left = 92., .bottom = top - row + 44., .right = 800., .top = top};
    const bool lowest = k + 1 == 2 + contacts_.size();
    text_ += fmt::format("\n# --- {}\n", name) + margins(frame, canvas_.width, canvas_.height);
    text_ += "set autoscale y\nset ytics autofreq\nset offsets 0, 0, graph 0.06, graph 0.06\n";
    text_ += lowest ? "set format x\n" : "set format x \"\"\n";
    text_ += fmt::format(
        "set label {} at screen {}, screen {} center rotate by 90\n",
        gnuplot_text(contact == nullptr ? name + "  " + std::string(unit) : std::string(unit)),
        share_text(20., canvas_.width),
        share_text(0.5 * (frame.bottom + frame.top), canvas_.height));
    if (lowest) {
      text_ += fmt::format("set label \"time  [s]\" at screen {}, screen {} center\n",
                           share_text(0.5 * (frame.left + frame.right), canvas_.width),
                           share_text(frame.bottom - 46., canvas_.height));
    }
    if (contact != nullptr) {
      text_ += fmt::format("set label {} at screen {}, screen {} left\n", gnuplot_text(name),
                           share_text(frame.left + 6., canvas_.width),
                           share_text(frame.top + 12., canvas_.height));
      shade(*contact);
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
  const PictureFiles& files_;
  std::vector<std::size_t> contacts_;
  Range time_;
  Canvas canvas_;
  Blocks blocks_;
  std::string text_;
};

}  // namespace

Plot motion_plot(const std::string& title, const motion::Model& model, const MotionHistory& history,
                 const PictureFiles& files) {
  return Script(title, model, history, files).make();
}

}  // namespace carom::report
