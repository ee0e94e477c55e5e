// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/gnuplot.hpp>
#include <carom/report/plot_view.hpp>
#include <carom/report/table.hpp>
#include <carom/study/map.hpp>

/// What all pictures of maps are made of: places on a page, axes, and the data file.
namespace carom::report {

// --- places. All lengths are in pixels of a page at its ordinary size; letters are 13 px high.

constexpr double letter_size = 13.;

/// From the lower left corner of the page or the panel.
struct Spot {
  double x = 0.;
  double y = 0.;
};

using Polyline = std::vector<Spot>;

struct Box {
  double left = 0.;
  double bottom = 0.;
  double right = 0.;
  double top = 0.;

  [[nodiscard]] double width() const { return right - left; }
  [[nodiscard]] double height() const { return top - bottom; }
  [[nodiscard]] Box widened(double by) const {
    return {.left = left - by, .bottom = bottom - by, .right = right + by, .top = top + by};
  }
  [[nodiscard]] bool holds(const Box& other) const {
    return other.left >= left && other.right <= right && other.bottom >= bottom && other.top <= top;
  }
  [[nodiscard]] bool holds(const Spot& s) const {
    return s.x >= left && s.x <= right && s.y >= bottom && s.y <= top;
  }
  [[nodiscard]] bool overlaps(const Box& other) const {
    return other.left < right && other.right > left && other.bottom < top && other.top > bottom;
  }
};

/// The box of one line of text around a place. Its width is estimated: gnuplot alone knows fonts.
[[nodiscard]] Box text_box(std::string_view text, const Spot& centre, double size = letter_size);

/// From which to which share of the way from a to b one is in the box; nothing where one never is.
[[nodiscard]] std::optional<Range> shares_inside(const Spot& a, const Spot& b, const Box& box);

/// Does any part of the line lie in the box?
[[nodiscard]] bool touches(const Polyline& line, const Box& box);

// --- axes

/// An axis as it is drawn: of a logarithmic one the logarithms to base 10. From the first sample
/// at the left (or below) to the last, as the user gave them, even if they fall.
struct Scale {
  double first = 0.;  ///< drawn
  double last = 1.;
  bool log = false;
  std::size_t samples = 1;

  [[nodiscard]] double drawn(double value) const;
  [[nodiscard]] double at(double share) const { return first + share * (last - first); }
  /// 0 at the first sample, 1 at the last; not finite where the axis has no such place.
  [[nodiscard]] double share(double value) const { return (drawn(value) - first) / (last - first); }
};

[[nodiscard]] Scale scale_of(const study::Axis& axis);

/// A place on an axis with a number beside it.
struct Tick {
  double at = 0.;    ///< as it is drawn
  std::string text;  ///< plain UTF-8
};

/// Round ones, no more than about `most`.
[[nodiscard]] std::vector<Tick> ticks_of(const study::Axis& axis, int most);
[[nodiscard]] std::vector<Tick> ticks_of(const Range& range, int most);

/// "set xtics (...)". @param axis  'x', 'y', 'z' or "cb"; @param labelled  with their numbers
[[nodiscard]] std::string ticks_script(std::string_view axis, const std::vector<Tick>& ticks,
                                       bool labelled = true);

/// How wide the numbers beside the ticks are [px].
[[nodiscard]] double width_of(const std::vector<Tick>& ticks);

/// "set xrange [...]", from the first sample to the last.
[[nodiscard]] std::string range_script(char axis, const Scale& scale);

/// Words below a panel or left of it, in places of our own: gnuplot's depend on the terminal.
[[nodiscard]] std::string words_below(const std::string& words, const Box& panel, double page_width,
                                      double page_height);
[[nodiscard]] std::string words_left(const std::string& words, const Box& panel, double ticks_width,
                                     double page_width, double page_height);

/// Round values from one end of a range to the other, no more than `most`.
[[nodiscard]] std::vector<double> round_values(const Range& range, int most);

// --- rasters

/// Which sample each column (or row) of a picture shows. The picture covers the frame, so the first
/// and the last sample have half a cell.
/// @param pixels  that the frame is wide
[[nodiscard]] std::vector<std::size_t> raster(std::size_t samples, double pixels);

/// At most `most` of them, evenly spaced, the ends among them.
[[nodiscard]] std::vector<std::size_t> thinned(std::size_t samples, std::size_t most);

// --- files

/// The data file: blocks with numbers by which gnuplot knows them, each with a comment. Matrices
/// come first: gnuplot takes the empty lines between lines for the ends of blocks when it looks for
/// a matrix.
class MapData {
 public:
  /// @param matrices  that there will be
  MapData(const study::Map& map, std::size_t matrices);

  /// The values of a layer, row by row, at these samples. Returns the block's number, as all do.
  std::size_t matrix(std::string_view what, const study::MapLayer& layer, std::size_t columns,
                     const std::vector<std::size_t>& i, const std::vector<std::size_t>& j);

  /// Lines, one after another with an empty line between.
  std::size_t lines(std::string_view what, const std::vector<std::vector<Point>>& lines);

  /// Rows of numbers.
  std::size_t table(std::string_view what, const std::vector<std::vector<double>>& rows);

  /// The whole file.
  [[nodiscard]] std::string take();

  /// What stands for NaN: gnuplot warns of that in a matrix.
  static constexpr std::string_view undefined = "9e99";

 private:
  std::string head_;
  std::string matrices_;
  std::string lines_;
  std::size_t expected_;
  std::size_t matrix_count_ = 0;
  std::size_t line_count_ = 0;
};

/// The script's beginning: what it is, files, terminal.
[[nodiscard]] std::string script_head(const study::Map& map, const PictureFiles& files,
                                      double width, double height);

/// Of the page, as gnuplot counts: "0.25".
[[nodiscard]] std::string share_text(double part, double whole);

/// "set lmargin at screen ..." and so on.
[[nodiscard]] std::string margins(const Box& panel, double page_width, double page_height);

/// Text of ours as a string of gnuplot's: "v_t" gets its index, all else is as it stands.
[[nodiscard]] std::string typeset(std::string_view text);

/// A line of comment of whatever text.
[[nodiscard]] std::string comment(std::string_view text);

}  // namespace carom::report
