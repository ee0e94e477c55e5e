// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <carom/report/multi_plot.hpp>
#include <carom/report/plot_view.hpp>

/// What pictures of the course of an impact have in common, whichever way its contacts are laid
/// out.
namespace carom::report {

/// A quantity of the course and where it is drawn.
struct CourseRow {
  std::string_view name;
  std::string_view symbol;
  std::string_view si;
  const std::vector<double> MultiTrace::*values;
  std::string_view colour;
  int column = 3;          ///< in the data
  bool common = false;     ///< all contacts on one scale
  bool diverging = false;  ///< coloured from zero in both directions
};

inline constexpr CourseRow normal_velocity_row{.name = "normal velocity",
                                               .symbol = "v_n",
                                               .si = "m/s",
                                               .values = &MultiTrace::velocity,
                                               .colour = "#0072B2",
                                               .common = true,
                                               .diverging = true};
inline constexpr CourseRow slip_row{.name = "slip",
                                    .symbol = "v_t",
                                    .si = "m/s",
                                    .values = &MultiTrace::slip,
                                    .colour = "#CC79A7",
                                    .column = 4,
                                    .common = true,
                                    .diverging = true};
inline constexpr CourseRow force_row{.name = "normal force",
                                     .symbol = "F_n",
                                     .si = "N",
                                     .values = &MultiTrace::force,
                                     .colour = "#D55E00",
                                     .column = 5};
inline constexpr CourseRow stored_row{.name = "stored energy",
                                      .symbol = "E",
                                      .si = "J",
                                      .values = &MultiTrace::energy,
                                      .colour = "#009E73",
                                      .column = 6};

/// A script in the making; what a picture adds it appends to `text_` and `blocks_`.
class CourseScript {
 public:
  CourseScript(const scenario::Scenario& scenario, const study::MultiComparison& comparison,
               Course course, const PictureFiles& files);

 protected:
  [[nodiscard]] double value(const CourseRow& row, std::size_t sample, std::size_t contact) const {
    return (trace_.*row.values)[sample * trace_.contacts + contact];
  }
  [[nodiscard]] std::string axis_words() const;
  void head(const Canvas& canvas);
  [[nodiscard]] Plot finish();

  const scenario::Scenario& scenario_;
  const study::MultiComparison& comparison_;
  const PictureFiles& files_;
  const MultiTrace& trace_;
  Course course_;
  std::vector<double> impulse_;    ///< sum of the normal impulses, sample by sample
  const std::vector<double>& at_;  ///< what it is drawn over, sample by sample
  std::vector<CourseRow> rows_;
  Range range_;
  double unit_ = 1.;
  Blocks blocks_;
  std::string text_;
};

// The two kinds of picture.
[[nodiscard]] Plot course_panels(const scenario::Scenario& scenario,
                                 const study::MultiComparison& comparison, Course course,
                                 const PictureFiles& files);
[[nodiscard]] Plot course_colours(const scenario::Scenario& scenario,
                                  const study::MultiComparison& comparison, Course course,
                                  const PictureFiles& files);

}  // namespace carom::report
