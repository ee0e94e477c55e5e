// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/gnuplot.hpp>
#include <carom/report/plot_view.hpp>
#include <carom/scenario/scenario.hpp>

/// What the scripts of pictures of one impact have in common.
namespace carom::report {

/// A script for gnuplot and the data it draws.
struct Plot {
  std::string script;
  std::string data;
};

/// The data file, block after block.
class Blocks {
 public:
  /// Starts a block and returns its number, by which gnuplot knows it.
  std::size_t begin(std::string_view what, std::string_view columns);
  void row(std::span<const double> numbers);
  void row(std::initializer_list<double> numbers) {
    row(std::span(numbers.begin(), numbers.size()));
  }
  /// An empty line: what follows is another line of the same block.
  void gap() { text_ += '\n'; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

/// What a picture is drawn on: its size [px of an SVG], and whether lines have round ends and
/// corners.
struct Canvas {
  int width = 960;
  int height = 820;
  bool rounded = false;
};

/// The script's beginning: what it is ("Routh's diagram"), files, terminal, heading and the line
/// below it, which is gnuplot's markup.
[[nodiscard]] std::string plot_head(std::string_view what, const PictureFiles& files,
                                    const Canvas& canvas, const scenario::Scenario& scenario,
                                    std::string_view subheading);

/// The same of pictures of anything else.
/// @param made  the first line, a comment: what it is and how it was made
/// @param title  plain; @param subheading  gnuplot's markup
[[nodiscard]] std::string plot_head(std::string_view made, const PictureFiles& files,
                                    const Canvas& canvas, std::string_view title,
                                    std::string_view subheading);

}  // namespace carom::report
