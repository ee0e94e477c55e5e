// SPDX-License-Identifier: Apache-2.0
#include <carom/report/chart.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/map_frame.hpp>
#include <carom/report/map_words.hpp>

namespace carom::report {
namespace {

// Places, in pixels of the page.
constexpr double head = 78.;        // heading and subheading
constexpr double left_space = 96.;  // numbers and label of y
constexpr double below = 62.;       // numbers and label of x
constexpr double above = 30.;       // the panel's title
constexpr double key_sample = 34.;
constexpr double key_step = 20.;
constexpr double letter_width = 8.;

std::string style_text(const Series& s) {
  const std::string colour = fmt::format("lc rgb \"{}\"", s.colour);
  const std::string line = fmt::format("lw {:g} {} dt {}", s.width, colour,
                                       s.dash == "solid" ? std::string("solid") : s.dash);
  const std::string points = fmt::format("pt {} ps {:g}", s.point, s.point_size);
  switch (s.kind) {
    case SeriesKind::line:
      return "with lines " + line;
    case SeriesKind::points:
      return fmt::format("with points {} lw {:g} {}", points, s.width, colour);
    case SeriesKind::line_and_points:
      return fmt::format("with linespoints {} {}", points, line);
    case SeriesKind::area:
      return fmt::format("with filledcurves y1=0 {} fillstyle transparent solid 0.3 noborder",
                         colour);
  }
  return "";
}

class Script {
 public:
  Script(const Chart& chart, const PictureFiles& files) : chart_(chart), files_(files) {
    columns_ = std::max<std::size_t>(1, std::min(chart.columns, chart.panels.size()));
    rows_ = (chart.panels.size() + columns_ - 1) / columns_;
    for (const ChartPanel& panel : chart.panels) {
      for (const Series& s : panel.series) {
        if (s.label.empty()) continue;
        key_ =
            std::max(key_, key_sample + 14. + letter_width * static_cast<double>(letters(s.label)));
      }
    }
    key_ = std::max(key_, 20.);
    canvas_ = {.width = static_cast<int>(static_cast<double>(columns_) *
                                         (left_space + chart.panel_width + key_)),
               .height = static_cast<int>(head + static_cast<double>(rows_) *
                                                     (above + chart.panel_height + below)),
               .rounded = true};
  }

  Plot make() {
    text_ =
        plot_head("Made by `carom`; the data are beside it.", files_, canvas_, chart_.heading, "");
    text_ += fmt::format(R"(
set multiplot
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5, screen {} center font ",16"
set label {} at screen 0.5, screen {} center textcolor rgb "#404040"
)",
                         share_text(canvas_.height - 24., canvas_.height),
                         gnuplot_text(chart_.subheading),
                         share_text(canvas_.height - 50., canvas_.height));
    for (std::size_t k = 0; k < chart_.panels.size(); ++k) panel(k);
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = blocks_.text()};
  }

 private:
  [[nodiscard]] Box frame(std::size_t k) const {
    const double wide = left_space + chart_.panel_width + key_;
    const double high = above + chart_.panel_height + below;
    const double left = left_space + wide * static_cast<double>(k % columns_);
    const double top = canvas_.height - head - above - high * static_cast<double>(k / columns_);
    return {.left = left,
            .bottom = top - chart_.panel_height,
            .right = left + chart_.panel_width,
            .top = top};
  }

  void label(std::string_view words, double x, double y, std::string_view how) {
    text_ += fmt::format("set label {} at screen {}, screen {} {}\n", gnuplot_text(words),
                         share_text(x, canvas_.width), share_text(y, canvas_.height), how);
  }

  void axis(char name, const ChartAxis& a) {
    text_ += fmt::format("{} logscale {}\n", a.log ? "set" : "unset", name);
    if (a.range) {
      text_ += fmt::format("set {}range [{:.12g}:{:.12g}]\n", name, a.range->least, a.range->most);
    } else {
      text_ += fmt::format("set autoscale {}\n", name);
    }
    text_ += fmt::format("set format {} \"{}\"\n", name, a.log ? "10^{%T}" : "%g");
  }

  void key(const ChartPanel& p, const Box& box) {
    double y = box.top - 10.;
    double hair = 0.;  // gnuplot's SVG takes arrows that differ in nothing but dash for one
    for (const Series& s : p.series) {
      if (s.label.empty()) continue;
      const double from = box.right + 14.;
      const bool line = s.kind == SeriesKind::line || s.kind == SeriesKind::line_and_points;
      if (line) {
        text_ += fmt::format(
            "set arrow from screen {0}, screen {2} to screen {1}, screen {2} nohead lw {3:g} lc "
            "rgb \"{4}\" dt {5}\n",
            share_text(from, canvas_.width), share_text(from + 28., canvas_.width),
            share_text(y, canvas_.height), s.width + hair, s.colour, s.dash);
        hair += 0.001;
      }
      if (s.kind == SeriesKind::points || s.kind == SeriesKind::line_and_points) {
        text_ += fmt::format(
            "set label \"\" at screen {}, screen {} point pt {} ps {:g} lw {:g} lc rgb \"{}\"\n",
            share_text(from + 14., canvas_.width), share_text(y, canvas_.height), s.point,
            s.point_size, s.width, s.colour);
      }
      if (s.kind == SeriesKind::area) {
        text_ += fmt::format(
            "set object rectangle from screen {}, screen {} to screen {}, screen {} fillcolor rgb "
            "\"{}\" fillstyle transparent solid 0.3 noborder\n",
            share_text(from, canvas_.width), share_text(y - 6., canvas_.height),
            share_text(from + 28., canvas_.width), share_text(y + 6., canvas_.height), s.colour);
      }
      label(s.label, from + key_sample, y, "left");
      y -= key_step;
    }
  }

  void behind(const ChartPanel& p, const Box& box) {
    for (const ChartSpan& s : p.spans) {
      text_ += fmt::format(
          "set object rectangle from first {:.12g}, graph 0 to first {:.12g}, graph 1 fillcolor "
          "rgb \"{}\" fillstyle solid noborder behind\n",
          s.from, s.to, s.colour);
      if (s.label.empty()) continue;
      text_ += fmt::format(
          "set label {} at first {:.12g}, graph 0.96 center textcolor rgb "
          "\"#404040\" font \",11\" front\n",
          gnuplot_text(s.label), 0.5 * (s.from + s.to));
    }
    for (const ChartMark& m : p.marks) {
      const std::string at = fmt::format("{:.12g}", m.at);
      text_ += m.across
                   ? fmt::format("set arrow from graph 0, first {0} to graph 1, first {0}", at)
                   : fmt::format("set arrow from first {0}, graph 0 to first {0}, graph 1", at);
      text_ += fmt::format(" nohead lw 1 dt (4,4) lc rgb \"{}\"\n", m.colour);
      if (m.label.empty()) continue;
      // Beside a horizontal line above its right end; beside a vertical one along it.
      text_ += fmt::format(
          "set label {} at {} textcolor rgb \"{}\" font \",11\" front\n", gnuplot_text(m.label),
          m.across
              ? fmt::format("graph 0.99, first {} right offset character 0, character 0.6", at)
              : fmt::format("first {}, graph 0.03 left rotate by 90 offset character -0.9, 0", at),
          m.colour);
    }
    for (const ChartText& t : p.texts) {
      text_ += fmt::format("set label {} at first {:.12g}, first {:.12g} center front\n",
                           gnuplot_text(t.text), t.x, t.y);
    }
    label(p.title, 0.5 * (box.left + box.right), box.top + 14., "center");
    label(p.x.label, 0.5 * (box.left + box.right), box.bottom - 46., "center");
    label(p.y.label, box.left - 76., 0.5 * (box.bottom + box.top), "center rotate by 90");
  }

  void panel(std::size_t k) {
    const ChartPanel& p = chart_.panels[k];
    const Box box = frame(k);
    text_ += fmt::format("\n# --- panel {}\n", k + 1) + margins(box, canvas_.width, canvas_.height);
    axis('x', p.x);
    axis('y', p.y);
    if (!p.y.range && !p.y.log) text_ += "set offsets 0, 0, graph 0.05, graph 0.05\n";
    behind(p, box);
    key(p, box);
    text_ += "set xzeroaxis lc rgb \"#B0B0B0\" lw 0.7\nplot ";
    bool first = true;
    for (const Series& s : p.series) {
      const std::size_t block =
          blocks_.begin(s.label.empty() ? p.title : s.label, p.x.label + "   " + p.y.label);
      rows(s);
      text_ += fmt::format("{}data index {} using 1:2 {} notitle", first ? "" : ", \\\n  ", block,
                           style_text(s));
      first = false;
    }
    if (first) text_ += "NaN notitle";
    text_ += "\nunset label\nunset object\nunset arrow\nunset logscale\nset offsets 0, 0, 0, 0\n";
  }

  /// Points, with an empty line for a gap: one, since two would begin another block, and none at
  /// the beginning. A block must not be empty.
  void rows(const Series& s) {
    bool any = false;
    bool after_gap = true;
    for (std::size_t i = 0; i < s.x.size() && i < s.y.size(); ++i) {
      if (std::isfinite(s.x[i]) && std::isfinite(s.y[i])) {
        if (after_gap && any) blocks_.gap();
        blocks_.row({s.x[i], s.y[i]});
        any = true;
        after_gap = false;
      } else {
        after_gap = true;
      }
    }
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (!any) blocks_.row({nothing, nothing});
  }

  const Chart& chart_;
  const PictureFiles& files_;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  double key_ = 0.;  ///< width of the space for it
  Canvas canvas_;
  Blocks blocks_;
  std::string text_;
};

}  // namespace

Series series_of(const LawStyle& style, std::string label, double widest) {
  Series s;
  s.label = std::move(label);
  s.colour = style.colour;
  s.dash = style.dash;
  s.width = std::min(style.width, widest);
  s.point = style.point;
  s.point_size = 0.5 * style.point_size;
  return s;
}

Plot chart_plot(const Chart& chart, const PictureFiles& files) {
  return Script(chart, files).make();
}

}  // namespace carom::report
