// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/verdict.hpp>
#include <carom/report/gnuplot.hpp>
#include <carom/report/palette.hpp>

/// How the ways of several laws are drawn over each other, and the key to them.
namespace carom::report {

/// One law in a script.
struct DrawnLaw {
  std::string_view name;
  const LawStyle* style = nullptr;
  Verdict verdict = Verdict::ordinary;
  std::size_t block = 0;  ///< in the data
  std::size_t line = 0;   ///< the style of its line in the script
  std::size_t end = 0;    ///< the style of its end there
};

/// The law after `before` others.
[[nodiscard]] DrawnLaw drawn_law(std::string_view name, const LawStyle& style, Verdict verdict,
                                 std::size_t before);

/// "set style line ..." for the line and the end of each law.
[[nodiscard]] std::string law_styles(const std::vector<DrawnLaw>& laws, PictureFormat format);

/// A mark on the way of a law: points of this style where the data's column of marks has `value`.
struct WayMark {
  int value = 1;
  int style = 107;
};
constexpr int end_mark = 2;  ///< where a law's way ends

/// What is drawn of all laws, to follow a first thing after "plot": lines, dashed over solid and
/// narrow over wide, then marks, then ends, small over large.
/// @param x, y  of the columns, as gnuplot's "using" takes them
/// @param marks_column  that of the marks
[[nodiscard]] std::string law_plots(const std::vector<DrawnLaw>& laws, std::string_view x,
                                    std::string_view y, int marks_column,
                                    const std::vector<WayMark>& marks);

/// What the picture says, in a box in its middle, where no law has an impulse.
/// @param approach  normal velocity before [m/s]
[[nodiscard]] std::string no_impact(double approach, const std::vector<DrawnLaw>& laws);

/// A column of a key, drawn row by row: gnuplot's own would draw the points as thick as the lines.
/// Places are shares of the page.
class KeyColumn {
 public:
  KeyColumn(double left, double top) : left_(left), y_(top) {}

  void law(const DrawnLaw& law);
  /// @param title  a string (expression) of gnuplot's, in all
  void line(int style, std::string_view title);
  void point(int style, std::string_view title);
  /// @param fill, border  as gnuplot names colours
  void area(std::string_view fill, std::string_view border, std::string_view title);
  /// A line with an arrow's head on it, of a style of arrows.
  void arrow(int style, int head, std::string_view title);

  /// Words without a sample.
  void note(std::string_view title);

  /// Where the next row would be.
  [[nodiscard]] double bottom() const { return y_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static constexpr double row = 0.026;
  static constexpr double sample = 0.055;

  void name(std::string_view title);

  double left_;
  double y_;
  std::string text_;
};

}  // namespace carom::report
