// SPDX-License-Identifier: Apache-2.0
#include <carom/report/routh_plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/impact/couple.hpp>
#include <carom/report/impact_path.hpp>
#include <carom/report/palette.hpp>
#include <carom/report/plot_view.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

/// One law, ready to be drawn.
struct Curve {
  const Answer* answer = nullptr;
  const LawStyle* style = nullptr;
  std::vector<PathPoint> path;
  std::size_t block = 0;  ///< in the data
  std::size_t line = 0;   ///< the style of its line in the script
  std::size_t end = 0;    ///< the style of its end there
};

std::vector<Curve> curves(const Comparison& c) {
  std::vector<Curve> all;
  for (const Answer& a : c.answers) {
    all.push_back({.answer = &a,
                   .style = &style_of(*a.law),
                   .path = path(c.problem, a),
                   .block = 0,
                   .line = all.size() + 1,
                   .end = all.size() + 51});
  }
  return all;
}

/// G and v for the lines v_t = 0 and v_n = 0: a couple goes with the impulse.
WithoutCouple<double> without_couple(const PlanarProblem& p) {
  const double rr = p.spin.rr;
  const double c = rr > 0. ? (1. + p.surface.moment_coefficient) / rr : 0.;
  return eliminate_couple(p.G, p.approach, p.spin, c);
}

/// The view that holds the paths of all curves whose end is no farther than `reach` (in normal
/// impulse), something of the cone, and a margin.
View view(const Comparison& c, const std::vector<Curve>& all, double reach) {
  const Surface& s = c.problem.surface;
  View view;
  for (const Curve& curve : all) {
    if (curve.path.back().impulse.n > reach) continue;
    for (const PathPoint& p : curve.path) {
      view.t.include(p.impulse.t);
      view.n.include(p.impulse.n);
    }
  }
  if (!(view.n.size() > 0.)) {
    // Nothing strikes: as far as it would take to stop the normal velocity.
    const double stop = c.problem.G.nn > 0. ? std::abs(c.problem.approach.n) / c.problem.G.nn : 0.;
    view.n.include(stop > 0. ? stop : 1.);
  }
  // Of the cone as much as the paths need, half as much again; of a cone that none of them uses
  // the inside, but not more than what it is high.
  const double cone = s.static_friction * view.n.most;
  const double used = std::max(-view.t.least, view.t.most);
  double shown = std::min(cone, 1.5 * used);
  if (used <= 1e-6 * view.n.most) shown = cone > 0. ? std::min(cone, view.n.most) : view.n.most;
  view.t.include(0.6 * shown);
  view.t.include(-0.6 * shown);
  view.t = view.t.widened(0.07);
  view.n.most += 0.07 * view.n.size();
  if (view.n.least < 0.) view.n.least -= 0.07 * view.n.size();
  return view;
}

/// Where the ends of the laws fall into two groups far apart, the reach of the nearer group.
std::optional<double> near_group(const std::vector<Curve>& all) {
  std::vector<double> ends;
  for (const Curve& curve : all) {
    if (curve.path.back().impulse.n > 0.) ends.push_back(curve.path.back().impulse.n);
  }
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = ends.size(); i-- > 1;) {
    if (ends[i] > 2.5 * ends[i - 1]) return ends[i - 1];
  }
  return std::nullopt;
}

/// The data file, block after block.
class Blocks {
 public:
  /// Starts a block and returns its number, by which gnuplot knows it.
  std::size_t begin(std::string_view what, std::string_view columns) {
    if (count_ > 0) text_ += "\n\n";
    text_ += fmt::format("# block {}: {}\n# {}\n", count_, what, columns);
    return count_++;
  }
  void row(std::initializer_list<double> numbers) {
    for (const double x : numbers) {
      if (text_.back() != '\n') text_ += ' ';
      text_ += shortest(x == 0. ? 0. : x);  // no "-0"
    }
    text_ += '\n';
  }
  std::size_t points(std::string_view what, const std::vector<Point>& points) {
    const std::size_t block = begin(what, "P_n [N s]  P_t [N s]");
    for (const Point& p : points) row({p[1], p[0]});
    return block;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

/// "e = 0.5, mu = 0.7, ..." in gnuplot's markup.
std::string subtitle(const scenario::Scenario& s, const Comparison& c) {
  const auto& [G, v, surface, spin] = c.problem;
  const auto given = [&](std::string_view key) { return s.place_of(key) != nullptr; };
  std::string text;
  const auto add = [&](std::string_view symbol, double value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ",  ", symbol, figure(value));
  };
  if (given("restitution")) add("e", surface.restitution);
  if (given("friction")) add("μ", surface.friction);
  if (surface.static_friction > surface.friction) add("μ_s", surface.static_friction);
  if (surface.tangential_restitution > 0.) add("ε_T", surface.tangential_restitution);
  if (surface.impulse_ratio) add("μ_t", *surface.impulse_ratio);
  if (surface.tangential_coefficient) add("e_t", *surface.tangential_coefficient);
  if (surface.moment_coefficient != -1.) add("e_m", surface.moment_coefficient);
  if (given("compliance_ratio")) add("η^2", surface.compliance_ratio);
  text += fmt::format("{}approach {} m/s, slip {} m/s", text.empty() ? "" : ";  ", figure(v.n),
                      figure(v.t));
  std::string typeset;
  for (const char letter : text) typeset += letter == '-' ? "−" : std::string(1, letter);
  return typeset;
}

/// What the picture says of an impact that is none; empty where there is one.
std::string no_impact(const Comparison& c, const std::vector<Curve>& all) {
  for (const Curve& curve : all) {
    if (curve.path.size() > 1) return "";
  }
  const double v = c.problem.approach.n;
  if (v > 0.) return fmt::format("No impact: the contact separates at {} m/s", figure(v));
  for (const Curve& curve : all) {
    const Verdict verdict = curve.answer->outcome.verdict();
    if (verdict == Verdict::no_solution) return "No law has a solution";
    if (verdict == Verdict::not_converged) return "No answer: not converged";
  }
  return "No impact: the contact rests";
}

std::string terminal(PictureFormat format) {
  switch (format) {
    case PictureFormat::svg:
      return "svg size 960,820 enhanced font \"Helvetica,13\" background \"white\"";
    case PictureFormat::png:
      return "pngcairo size 1920,1640 enhanced font \"Helvetica,13\" fontscale 1.5 linewidth 2 "
             "pointscale 2.1 dashlength 1.6 background \"white\"";
    case PictureFormat::pdf:
      return "pdfcairo size 10in,8.54in enhanced font \"Helvetica,13\" fontscale 0.56 linewidth "
             "1.5 "
             "pointscale 0.82 dashlength 1.6 background \"white\"";
  }
  return "";
}

/// The range of an axis ("x" or "y") and its ticks.
std::string axis_text(char axis, const Range& r, double unit, int most_ticks) {
  return fmt::format("set {0}range [{1:.6g}:{2:.6g}]\nset {0}tics {3:.6g}\n", axis, r.least / unit,
                     r.most / unit, tick_distance(r, unit, most_ticks));
}

/// The parts of the script, in the order in which they stand there.
class Script {
 public:
  Script(const scenario::Scenario& s, const Comparison& c, const PictureFiles& files)
      : scenario_(s), comparison_(c), files_(files), curves_(curves(c)) {
    whole_ = view(c, curves_, std::numeric_limits<double>::infinity());
    if (const auto reach = near_group(curves_)) {
      near_ = view(c, curves_, *reach);
      near_->n.most *= 1.1;  // to see where the others go on
    }
    for (const Curve& curve : curves_) {
      for (const PathPoint& p : curve.path) {
        normal_velocity_.include(p.velocity.n);
        slip_.include(p.velocity.t);
        work_.include(p.work);
      }
    }
  }

  [[nodiscard]] RouthPlot make() {
    fill_blocks();
    head();
    styles();
    units();
    key();
    plane();
    panels();
    return {.script = std::move(text_), .data = blocks_.text()};
  }

 private:
  // Of the screen.
  static constexpr double key_top = 0.895;
  static constexpr double key_row = 0.026;

  void fill_blocks() {
    const auto& surface = comparison_.problem.surface;
    const auto [G, v] = without_couple(comparison_.problem);
    const double high = 3. * whole_.n.most;
    const auto cone = [&](double mu) {
      return std::vector<Point>{{-mu * high, high}, {0., 0.}, {mu * high, high}};
    };
    edge_ = blocks_.points("edges of the friction cone, |P_t| = mu P_n", cone(surface.friction));
    if (surface.static_friction > surface.friction) {
      static_edge_ = blocks_.points("the same for static friction, |P_t| = mu_s P_n",
                                    cone(surface.static_friction));
    }
    inside_ = blocks_.points("inside of the cone, cut off at the frame",
                             clipped(cone(surface.friction), whole_));
    if (near_) {
      near_inside_ =
          blocks_.points("the same for the closer view", clipped(cone(surface.friction), *near_));
    }
    const auto stick = line(G.nt, G.tt, v.t, whole_);
    if (crosses(stick, whole_)) stick_ = blocks_.points("line of sticking, v_t = 0", stick);
    const auto compressed = line(G.nn, G.nt, v.n, whole_);
    if (crosses(compressed, whole_)) {
      compressed_ = blocks_.points("line of greatest compression, v_n = 0", compressed);
    }
    for (Curve& curve : curves_) {
      curve.block = blocks_.begin(curve.answer->law->name,
                                  "P_n [N s]  P_t [N s]  v_n [m/s]  v_t [m/s]  work [J]  "
                                  "mark (0: on the way, 1: a phase ends, 2: the end)");
      for (std::size_t i = 0; i < curve.path.size(); ++i) {
        const PathPoint& p = curve.path[i];
        const double mark = i + 1 == curve.path.size() ? 2. : p.ends_phase ? 1. : 0.;
        blocks_.row({p.impulse.n, p.impulse.t, p.velocity.n, p.velocity.t, p.work, mark});
      }
    }
  }

  void head() {
    const std::string title = scenario_.title.empty()
                                  ? std::filesystem::path(scenario_.name).filename().string()
                                  : scenario_.title;
    text_ += fmt::format(
        R"(# Routh's diagram of one impact, made by `carom solve FILE --plot PICTURE`.
# Change what you like and run gnuplot (5.4 or newer) on this file again.
reset
here = ""   # the directory of this script, where data and picture are
do for [i = 1:strlen(ARG0)] {{ if (ARG0[i:i] eq "/") {{ here = ARG0[1:i] }} }}
data = here.{}
if (!exists("picture")) picture = here.{}

set encoding utf8
set minussign
set terminal {}
set output picture

# --- texts
heading = {}
subheading = '{}'
)",
        gnuplot_file(files_.data.filename()), gnuplot_file(files_.picture.filename()),
        terminal(files_.format), gnuplot_text(title), subtitle(scenario_, comparison_));
  }

  void styles() {
    text_ += fmt::format(R"(
# --- styles: each law's line and point, the same in all pictures; then the diagram's own lines
size = {}
)",
                         files_.format == PictureFormat::svg ? 0.65 : 1.);
    for (const Curve& curve : curves_) {
      const LawStyle& s = *curve.style;
      text_ += fmt::format("set style line {} lc rgb \"{}\" lw {} dt {}   # {}\n", curve.line,
                           s.colour, s.width, s.dash, curve.answer->law->name);
      text_ += fmt::format("set style line {} lc rgb \"{}\" lw 1.6 pt {} ps {}*size   # its end\n",
                           curve.end, s.colour, s.point, s.point_size);
    }
    text_ += R"(cone = "#EFEFEF"
edge = "#A0A0A0"
thin = "#606060"
set style line 101 lc rgb cone                       # inside of the friction cone
set style line 102 lc rgb edge dt solid lw 1         # its edge
set style line 103 lc rgb edge dt (6,4) lw 1         # its edge for static friction
set style line 104 lc rgb "#C8C8C8" dt solid lw 4    # line of sticking
set style line 105 lc rgb "#303030" dt (7,5) lw 1.2  # line of greatest compression
set style line 106 lc rgb thin dt solid lw 0.7       # zero, and the frame of the closer view
set style line 107 lc rgb "#202020" pt 7 ps 0.55*size  # where a phase ends
)";
  }

  void units() {
    unit_n_ = unit_of(whole_.n);
    unit_t_ = unit_of(whole_.t);
    unit_normal_velocity_ = unit_of(normal_velocity_);
    unit_slip_ = unit_of(slip_);
    unit_work_ = unit_of(work_);
    text_ += fmt::format(R"(
# --- what the axes count in
N = {:g}    # normal impulse [N s]
T = {:g}    # tangential impulse [N s]
VN = {:g}   # normal velocity [m/s]
VT = {:g}   # slip [m/s]
W = {:g}    # work [J]

set multiplot
set clip two
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5,0.972 center font ",16"
set label subheading at screen 0.5,0.938 center textcolor rgb "#404040"
)",
                         unit_n_, unit_t_, unit_normal_velocity_, unit_slip_, unit_work_);
  }

  /// The laws in the order in which their lines are drawn: dashed over solid, narrow over wide.
  [[nodiscard]] std::vector<const Curve*> order_of_lines() const {
    return sorted([](const LawStyle& s) { return s.dash == "solid" ? 1000. + s.width : s.width; });
  }

  /// The same for their ends: small over large.
  [[nodiscard]] std::vector<const Curve*> order_of_ends() const {
    return sorted([](const LawStyle& s) { return s.point_size; });
  }

  template <class Size>
  [[nodiscard]] std::vector<const Curve*> sorted(const Size& size) const {
    std::vector<const Curve*> order;
    for (const Curve& curve : curves_) order.push_back(&curve);
    std::stable_sort(order.begin(), order.end(), [&](const Curve* a, const Curve* b) {
      return size(*a->style) > size(*b->style);
    });
    return order;
  }

  /// Lines of all laws, then the ends of their phases, then their ends.
  [[nodiscard]] std::string law_plots(std::string_view x, std::string_view y) const {
    std::string text;
    for (const Curve* curve : order_of_lines()) {
      text += fmt::format(", \\\n  data index {} using {}:{} with lines ls {} notitle",
                          curve->block, x, y, curve->line);
    }
    for (const Curve* curve : order_of_lines()) {
      text += fmt::format(
          ", \\\n  data index {} using {}:($6 == 1 ? {} : NaN) with points ls 107 "
          "notitle",
          curve->block, x, y);
    }
    // Hollow points on white, so that the lines end at them; all the white before all the points,
    // so that none hides another.
    for (const Curve* curve : order_of_ends()) {
      if (curve->style->filled_point == 0) continue;
      text += fmt::format(
          ", \\\n  data index {} using {}:($6 == 2 ? {} : NaN) with points ls {} pt {} lc rgb "
          "\"white\" notitle",
          curve->block, x, y, curve->end, curve->style->filled_point);
    }
    for (const Curve* curve : order_of_ends()) {
      text += fmt::format(
          ", \\\n  data index {} using {}:($6 == 2 ? {} : NaN) with points ls {} notitle",
          curve->block, x, y, curve->end);
    }
    return text;
  }

  /// A file that gives an impulse ratio or velocity ratio in place of friction has none.
  [[nodiscard]] bool has_cone() const {
    const Surface& s = comparison_.problem.surface;
    return s.friction > 0. || !(s.impulse_ratio || s.tangential_coefficient);
  }

  /// Cone, lines and laws in the plane of impulse.
  [[nodiscard]] std::string plane_plots(std::size_t inside) const {
    std::string text = "plot NaN notitle";  // so that all that follows may begin with a comma
    if (has_cone()) {
      text = fmt::format(
          "plot data index {} using ($2/T):($1/N) with filledcurves closed ls 101 notitle, \\\n"
          "  data index {} using ($2/T):($1/N) with lines ls 102 notitle",
          inside, edge_);
    }
    const auto add = [&](const std::optional<std::size_t>& block, int line) {
      if (!block) return;
      text += fmt::format(", \\\n  data index {} using ($2/T):($1/N) with lines ls {} notitle",
                          *block, line);
    };
    add(static_edge_, 103);
    add(stick_, 104);
    add(compressed_, 105);
    return text + law_plots("($2/T)", "($1/N)");
  }

  /// The key, drawn row by row: gnuplot's own would draw the points as thick as the lines.
  void key() {
    text_ += "\n# --- the key: a sample and its name in each row\n";
    double y = key_top;
    const auto name_row = [&](const std::string& title) {
      text_ += fmt::format("set label {} at screen 0.735,{:.4g} left\n", title, y);
      y -= key_row;
    };
    const auto sample = [&](int line, const std::string& title) {
      text_ += fmt::format(
          "set arrow from screen 0.665,{0:.4g} to screen 0.72,{0:.4g} nohead ls {1}\n", y, line);
      name_row(title);
    };
    for (const Curve& curve : curves_) {
      std::string title(curve.answer->law->name);
      const Verdict verdict = curve.answer->outcome.verdict();
      if (verdict != Verdict::ordinary) title += fmt::format(" ({})", name(verdict));
      text_ += fmt::format("set label '' at screen 0.6925,{:.4g} point ls {}\n", y, curve.end);
      sample(static_cast<int>(curve.line), gnuplot_text(title));
    }
    if (has_cone()) {
      text_ += fmt::format(
          "set object rectangle from screen 0.665,{:.4g} to screen 0.72,{:.4g} fc rgb cone fs "
          "solid border lc rgb edge\n",
          y - 0.008, y + 0.008);
      name_row("'friction cone, |P_t| ≤ μ P_n'");
    }
    if (static_edge_) sample(103, "'its edge for static friction, μ_s'");
    if (stick_) sample(104, "'line of sticking, v_t = 0'");
    if (compressed_) sample(105, "'greatest compression, v_n = 0'");
    key_bottom_ = y;
  }

  void plane() {
    text_ +=
        fmt::format(R"(
# --- the plane of impulse
set lmargin at screen 0.085
set rmargin at screen 0.63
set bmargin at screen 0.45
set tmargin at screen 0.905
set xlabel "tangential impulse P_t  [{}]"
set ylabel "normal impulse P_n  [{}]"
{}{})",
                    with_unit(unit_t_, "N s"), with_unit(unit_n_, "N s"),
                    axis_text('x', whole_.t, unit_t_, 8), axis_text('y', whole_.n, unit_n_, 8));
    if (const std::string words = no_impact(comparison_, curves_); !words.empty()) {
      text_ += fmt::format("set label '{}' at graph 0.5,0.5 center front boxed\n", words);
      text_ += "set style textbox opaque border rgb \"#606060\" margins 2,2\n";
    }
    if (near_) {
      text_ += fmt::format(
          "set object rectangle from {:.6g},{:.6g} to {:.6g},{:.6g} front fs empty border lc rgb "
          "thin\n",
          near_->t.least / unit_t_, near_->n.least / unit_n_, near_->t.most / unit_t_,
          near_->n.most / unit_n_);
    }
    text_ += plane_plots(inside_) + "\n";
    text_ += "unset label\nunset arrow\nunset object\n";
    if (!near_) return;
    text_ +=
        fmt::format(R"(
# --- a closer view of the laws that end early
set lmargin at screen 0.735
set rmargin at screen 0.98
set bmargin at screen 0.45
set tmargin at screen {:.4g}
set label "the framed part, closer" at graph 0.5,1.05 center
set xlabel "P_t  [{}]"
set ylabel "P_n  [{}]"
{}{})",
                    key_bottom_ - 0.02, with_unit(unit_t_, "N s"), with_unit(unit_n_, "N s"),
                    axis_text('x', near_->t, unit_t_, 5), axis_text('y', near_->n, unit_n_, 5));
    text_ += plane_plots(*near_inside_) + "\nunset label\n";
  }

  void panel(double left, std::string_view label, const Range& range, double unit, int column,
             std::string_view unit_name) {
    Range shown = range.widened(0.08);
    if (!(shown.size() > 0.)) shown = {.least = -1., .most = 1.};
    text_ += fmt::format(R"(
set lmargin at screen {:.4g}
set rmargin at screen {:.4g}
set ylabel "{}"
{}plot 0 with lines ls 106 notitle)",
                         left, left + 0.235, label, axis_text('y', shown, unit, 6));
    text_ += law_plots("($1/N)", fmt::format("(${}/{})", column, unit_name)) + "\n";
  }

  void panels() {
    text_ += fmt::format(
        R"(
# --- along the normal impulse: normal velocity, slip, work
set bmargin at screen 0.095
set tmargin at screen 0.345
set xlabel "normal impulse P_n  [{}]"
{})",
        with_unit(unit_n_, "N s"),
        axis_text('x', {.least = whole_.n.least - 0.03 * whole_.n.size(), .most = whole_.n.most},
                  unit_n_, 5));
    panel(0.085, fmt::format("normal velocity v_n  [{}]", with_unit(unit_normal_velocity_, "m/s")),
          normal_velocity_, unit_normal_velocity_, 3, "VN");
    panel(0.415, fmt::format("slip v_t  [{}]", with_unit(unit_slip_, "m/s")), slip_, unit_slip_, 4,
          "VT");
    panel(0.745, fmt::format("work done  [{}]", with_unit(unit_work_, "J")), work_, unit_work_, 5,
          "W");
    text_ += "\nunset multiplot\nunset output\n";
  }

  const scenario::Scenario& scenario_;
  const Comparison& comparison_;
  const PictureFiles& files_;
  std::vector<Curve> curves_;
  View whole_;
  std::optional<View> near_;
  Range normal_velocity_;
  Range slip_;
  Range work_;
  double unit_n_ = 1.;
  double unit_t_ = 1.;
  double unit_normal_velocity_ = 1.;
  double unit_slip_ = 1.;
  double unit_work_ = 1.;
  Blocks blocks_;
  std::size_t edge_ = 0;
  std::optional<std::size_t> static_edge_;
  std::size_t inside_ = 0;
  std::optional<std::size_t> near_inside_;
  std::optional<std::size_t> stick_;
  std::optional<std::size_t> compressed_;
  double key_bottom_ = 0.;
  std::string text_;
};

}  // namespace

RouthPlot routh_plot(const scenario::Scenario& s, const Comparison& c, const PictureFiles& files) {
  return Script(s, c, files).make();
}

}  // namespace carom::report
