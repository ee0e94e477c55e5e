// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <carom/report/course_script.hpp>
#include <carom/report/map_colours.hpp>
#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

/// All contacts in one panel for each quantity: the course to the right, contacts upwards.
class ContactColours : public CourseScript {
 public:
  using CourseScript::CourseScript;

  [[nodiscard]] Plot make() {
    fill_blocks();
    head(canvas);
    text_ += fmt::format("set xrange [0:{:.6g}]\nset yrange [0.5:{:.6g}]\n", range_.most / unit_,
                         static_cast<double>(trace_.contacts) + 0.5);
    text_ += fmt::format("set xtics {:.6g}\nset border 15\n", tick_distance(range_, unit_, 8));
    for (std::size_t r = 0; r < rows_.size(); ++r) panel(r);
    return finish();
  }

 private:
  static constexpr Canvas canvas{.width = 980, .height = 1040};
  static constexpr std::size_t most_columns = 300;
  static constexpr std::size_t most_contacts = 200;

  /// The trace at even steps of the axis, contacts thinned.
  void fill_blocks() {
    blocks_.begin("the course at even steps",
                  "axis [s or N s]  contact  v_n [m/s]  slip [m/s]  F_n [N]  stored energy [J]");
    const std::vector<std::size_t> contacts = thinned(trace_.contacts, most_contacts);
    for (const std::size_t i : contacts) {
      std::size_t s = 0;
      for (std::size_t k = 0; k < most_columns; ++k) {
        const double x = range_.most * (static_cast<double>(k) + 0.5) / most_columns;
        while (s + 2 < trace_.samples() && at_[s + 1] < x) ++s;
        const double width = at_[s + 1] - at_[s];
        const double share = width > 0. ? std::clamp((x - at_[s]) / width, 0., 1.) : 0.;
        const auto between = [&](const CourseRow& row) {
          return (1. - share) * value(row, s, i) + share * value(row, s + 1, i);
        };
        blocks_.row({x, static_cast<double>(i + 1), between(normal_velocity_row), between(slip_row),
                     between(force_row), between(stored_row)});
      }
    }
  }

  void panel(std::size_t r) {
    const CourseRow& row = rows_[r];
    constexpr double gap = 34.;
    const double all = canvas.height - 70. - 96.;
    const double height =
        (all - gap * static_cast<double>(rows_.size() - 1)) / static_cast<double>(rows_.size());
    const double high = canvas.height - 96. - static_cast<double>(r) * (height + gap);
    const Box frame{.left = 78., .bottom = high - height, .right = 850., .top = high};
    Range range;
    for (std::size_t s = 0; s < trace_.samples(); ++s) {
      for (std::size_t i = 0; i < trace_.contacts; ++i) range.include(value(row, s, i));
    }
    if (row.diverging) {
      const double most = std::max(-range.least, range.most);
      range = {.least = -most, .most = most};
    }
    if (!(range.size() > 0.)) range = {.least = row.diverging ? -1. : 0., .most = 1.};
    const double unit = unit_of(range);
    text_ += fmt::format("\n# --- {}\n", row.name) + margins(frame, canvas.width, canvas.height);
    text_ += palette_script(row.diverging);
    text_ += fmt::format("set cbrange [{:.6g}:{:.6g}]\n", range.least / unit, range.most / unit);
    text_ += fmt::format(
        "set colorbox user origin screen {}, screen {} size screen {}, screen {}\n",
        share_text(frame.right + 16., canvas.width), share_text(frame.bottom, canvas.height),
        share_text(16., canvas.width), share_text(frame.height(), canvas.height));
    text_ += fmt::format("set label \"{}  {} [{}]\" at screen {}, screen {} left\n", row.name,
                         row.symbol, with_unit(unit, row.si), share_text(frame.left, canvas.width),
                         share_text(frame.top + 12., canvas.height));
    text_ += fmt::format("set label \"contact\" at screen {}, screen {} center rotate by 90\n",
                         share_text(22., canvas.width),
                         share_text(0.5 * (frame.bottom + frame.top), canvas.height));
    const bool lowest = r + 1 == rows_.size();
    text_ += lowest ? "set format x\n" : "set format x \"\"\n";
    if (lowest) {
      text_ += fmt::format("set label \"{}\" at screen {}, screen {} center\n", axis_words(),
                           share_text(0.5 * (frame.left + frame.right), canvas.width),
                           share_text(frame.bottom - 42., canvas.height));
    }
    text_ += fmt::format("plot data index 0 using ($1/T):2:(${}/{:g}) with image notitle\n",
                         row.column, unit);
    text_ += "unset label\nunset object\n";
  }
};

}  // namespace

Plot course_colours(const scenario::Scenario& s, const study::MultiComparison& c, Course course,
                    const PictureFiles& files) {
  return ContactColours(s, c, course, files).make();
}

}  // namespace carom::report
