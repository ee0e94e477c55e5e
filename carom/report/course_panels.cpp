// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <carom/report/course_script.hpp>
#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

/// Where a stage or stick begins and ends on the axis.
struct Stretch {
  double from = 0.;
  double to = 0.;
  std::string_view colour;
};

constexpr std::string_view compression_colour = "#D6E6F4";
constexpr std::string_view restitution_colour = "#FBE3CF";
constexpr std::string_view stick_colour = "#8C8C8C";

/// Contact by contact: a column for each contact, a row for each quantity.
class ContactPanels : public CourseScript {
 public:
  using CourseScript::CourseScript;

  [[nodiscard]] Plot make() {
    canvas_ = {
        .width = static_cast<int>(left + static_cast<double>(contacts()) * column_width),
        .height = static_cast<int>(bottom + static_cast<double>(rows_.size()) * row_height + top),
        .rounded = true};
    canvas_.width = std::max(canvas_.width, 620);
    fill_blocks();
    head(canvas_);
    key();
    text_ += fmt::format("set xrange [0:{:.6g}]\n", 1.02 * range_.most / unit_);
    text_ += fmt::format("set xtics {:.6g}\n", tick_distance(range_, unit_, 4));
    for (std::size_t i = 0; i < contacts(); ++i) {
      for (std::size_t r = 0; r < rows_.size(); ++r) panel(i, r);
    }
    return finish();
  }

 private:
  static constexpr double left = 44.;
  static constexpr double column_width = 272.;
  static constexpr double row_height = 158.;
  static constexpr double bottom = 100.;
  static constexpr double top = 104.;

  [[nodiscard]] std::size_t contacts() const { return trace_.contacts; }

  void fill_blocks() {
    for (std::size_t i = 0; i < contacts(); ++i) {
      blocks_.begin("contact " + comparison_.names[i],
                    "time [s]  sum of normal impulses [N s]  v_n [m/s]  slip [m/s]  F_n [N]  "
                    "stored energy [J]");
      for (std::size_t s = 0; s < trace_.samples(); ++s) {
        blocks_.row({trace_.time[s], impulse_[s], value(normal_velocity_row, s, i),
                     value(slip_row, s, i), value(force_row, s, i), value(stored_row, s, i)});
      }
    }
  }

  void key() {
    text_ += "\n# --- the key\n";
    const auto sample = [&](double x, std::string_view colour, std::string_view words) {
      const double y = 26.;
      text_ += fmt::format(
          "set object rectangle from screen {}, screen {} to screen {}, screen {} fillcolor rgb "
          "\"{}\" fillstyle solid noborder\n",
          share_text(x, canvas_.width), share_text(y - 7., canvas_.height),
          share_text(x + 26., canvas_.width), share_text(y + 7., canvas_.height), colour);
      text_ += fmt::format("set label \"{}\" at screen {}, screen {} left\n", words,
                           share_text(x + 33., canvas_.width), share_text(y, canvas_.height));
    };
    sample(left, compression_colour, "compression");
    sample(left + 150., restitution_colour, "restitution");
    if (comparison_.problem.components() > 1) {
      sample(left + 290., stick_colour, "stick (strip below the slip)");
    }
  }

  /// Stages of a contact: it pushes, and v_n tells which.
  [[nodiscard]] std::vector<Stretch> stages(std::size_t contact) const {
    return stretches([&](std::size_t s) -> std::string_view {
      if (!(value(stored_row, s, contact) > 0.) && !(value(stored_row, s + 1, contact) > 0.))
        return "";
      const double v =
          value(normal_velocity_row, s, contact) + value(normal_velocity_row, s + 1, contact);
      return v < 0. ? compression_colour : restitution_colour;
    });
  }

  [[nodiscard]] std::vector<Stretch> sticking(std::size_t contact) const {
    double speed = 0.;
    for (const double v : comparison_.problem.approach) speed = std::max(speed, std::abs(v));
    const double still = 1e-8 * speed;
    return stretches([&](std::size_t s) -> std::string_view {
      const bool pushes =
          value(force_row, s, contact) > 0. || value(force_row, s + 1, contact) > 0.;
      const bool stuck = std::abs(value(slip_row, s, contact)) <= still &&
                         std::abs(value(slip_row, s + 1, contact)) <= still;
      return pushes && stuck ? stick_colour : "";
    });
  }

  /// @param colour  of the stretch between a sample and the next; empty: none
  template <class Colour>
  [[nodiscard]] std::vector<Stretch> stretches(const Colour& colour) const {
    std::vector<Stretch> all;
    for (std::size_t s = 0; s + 1 < trace_.samples(); ++s) {
      const std::string_view now = colour(s);
      if (now.empty()) continue;
      if (!all.empty() && all.back().colour == now && all.back().to == at_[s]) {
        all.back().to = at_[s + 1];
      } else {
        all.push_back({.from = at_[s], .to = at_[s + 1], .colour = now});
      }
    }
    return all;
  }

  /// @param high  share of the panel's height that is shaded, from below
  void shade(const std::vector<Stretch>& stretches, double high) {
    for (const Stretch& x : stretches) {
      text_ += fmt::format(
          "set object rectangle from first {:.9g}, graph 0 to first {:.9g}, graph {} fillcolor rgb "
          "\"{}\" fillstyle solid noborder behind\n",
          x.from / unit_, x.to / unit_, high, x.colour);
    }
  }

  /// All contacts on one scale, but for one on which that would not show anything.
  [[nodiscard]] Range shown(const CourseRow& row, std::size_t contact) const {
    Range r;
    Range all;
    for (std::size_t s = 0; s < trace_.samples(); ++s) {
      for (std::size_t i = 0; i < contacts(); ++i) {
        all.include(value(row, s, i));
        if (i == contact) r.include(value(row, s, i));
      }
    }
    if (row.common && r.size() > 0.1 * all.size()) r = all;
    if (!(r.size() > 0.)) r = {.least = row.diverging ? -1. : 0., .most = 1.};
    const Range wider = r.widened(0.08);
    return {.least = row.diverging ? wider.least : 0., .most = wider.most};
  }

  void panel(std::size_t contact, std::size_t r) {
    const CourseRow& row = rows_[r];
    const bool lowest = r + 1 == rows_.size();
    const double x = left + static_cast<double>(contact) * column_width;
    const double y = bottom + static_cast<double>(rows_.size() - 1 - r) * row_height;
    const Box frame{
        .left = x + 80., .bottom = y, .right = x + column_width - 12., .top = y + row_height - 26.};
    const Range range = shown(row, contact);
    const double unit = unit_of(range);
    text_ += fmt::format("\n# --- contact {}: {}\n", contact + 1, row.name);
    text_ += margins(frame, canvas_.width, canvas_.height);
    text_ += axis_text('y', range, unit, 4);
    text_ += lowest ? "set format x\n" : "set format x \"\"\n";
    if (contact == 0) words_beside(fmt::format("{}", row.name), frame, 100.);
    words_beside(fmt::format("{} [{}]", row.symbol, with_unit(unit, row.si)), frame, 68.);
    if (r == 0) {
      text_ += fmt::format("set label {} at screen {}, screen {} center font \",15\"\n",
                           gnuplot_text(comparison_.names[contact]),
                           share_text(0.5 * (frame.left + frame.right), canvas_.width),
                           share_text(frame.top + 14., canvas_.height));
    }
    if (lowest && contact == 0) {
      text_ += fmt::format("set label \"{}\" at screen 0.5, screen {} center\n", axis_words(),
                           share_text(bottom - 42., canvas_.height));
    }
    shade(stages(contact), 1.);
    if (row.values == slip_row.values) shade(sticking(contact), 0.06);
    text_ += fmt::format(
        "set xzeroaxis lc rgb \"#909090\" lw 0.7\nplot data index {} using (${}/T):(${}/{:g}) with "
        "lines lw 1.8 lc rgb \"{}\" notitle\n",
        contact, course_ == Course::time ? 1 : 2, row.column, unit, row.colour);
    text_ += "unset label\nunset object\n";
  }

  void words_beside(const std::string& words, const Box& frame, double distance) {
    text_ += fmt::format("set label \"{}\" at screen {}, screen {} center rotate by 90\n", words,
                         share_text(std::max(frame.left - distance, 12.), canvas_.width),
                         share_text(0.5 * (frame.bottom + frame.top), canvas_.height));
  }

  Canvas canvas_;
};

}  // namespace

Plot course_panels(const scenario::Scenario& s, const study::MultiComparison& c, Course course,
                   const PictureFiles& files) {
  return ContactPanels(s, c, course, files).make();
}

}  // namespace carom::report
