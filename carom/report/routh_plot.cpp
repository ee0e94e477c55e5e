// SPDX-License-Identifier: Apache-2.0
#include <carom/report/routh_plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <carom/impact/couple.hpp>
#include <carom/report/impact_path.hpp>
#include <carom/report/law_plots.hpp>
#include <carom/report/palette.hpp>
#include <carom/report/plot_view.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;

/// One law and its way.
struct Curve {
  const Answer* answer = nullptr;
  std::vector<PathPoint> path;
};

std::vector<Curve> curves(const Comparison& c) {
  std::vector<Curve> all;
  for (const Answer& a : c.answers) all.push_back({.answer = &a, .path = path(c.problem, a)});
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

std::size_t add_points(Blocks& blocks, std::string_view what, const std::vector<Point>& points) {
  const std::size_t block = blocks.begin(what, "P_n [N s]  P_t [N s]");
  for (const Point& p : points) blocks.row({p[1], p[0]});
  return block;
}

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
  return with_minus_signs(text);
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
      laws_.push_back(drawn_law(curve.answer->law->name, style_of(*curve.answer->law),
                                curve.answer->outcome.verdict(), laws_.size()));
      for (const PathPoint& p : curve.path) {
        normal_velocity_.include(p.velocity.n);
        slip_.include(p.velocity.t);
        work_.include(p.work);
      }
    }
  }

  [[nodiscard]] Plot make() {
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
  void fill_blocks() {
    const auto& surface = comparison_.problem.surface;
    const auto [G, v] = without_couple(comparison_.problem);
    const double high = 3. * whole_.n.most;
    const auto cone = [&](double mu) {
      return std::vector<Point>{{-mu * high, high}, {0., 0.}, {mu * high, high}};
    };
    edge_ =
        add_points(blocks_, "edges of the friction cone, |P_t| = mu P_n", cone(surface.friction));
    if (surface.static_friction > surface.friction) {
      static_edge_ = add_points(blocks_, "the same for static friction, |P_t| = mu_s P_n",
                                cone(surface.static_friction));
    }
    inside_ = add_points(blocks_, "inside of the cone, cut off at the frame",
                         clipped(cone(surface.friction), whole_));
    if (near_) {
      near_inside_ = add_points(blocks_, "the same for the closer view",
                                clipped(cone(surface.friction), *near_));
    }
    const auto stick = line(G.nt, G.tt, v.t, whole_);
    if (crosses(stick, whole_)) stick_ = add_points(blocks_, "line of sticking, v_t = 0", stick);
    const auto compressed = line(G.nn, G.nt, v.n, whole_);
    if (crosses(compressed, whole_)) {
      compressed_ = add_points(blocks_, "line of greatest compression, v_n = 0", compressed);
    }
    for (std::size_t law = 0; law < curves_.size(); ++law) {
      const Curve& curve = curves_[law];
      laws_[law].block = blocks_.begin(laws_[law].name,
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
    text_ += plot_head("Routh's diagram", files_, {.width = 960, .height = 820}, scenario_,
                       subtitle(scenario_, comparison_));
  }

  void styles() {
    text_ += law_styles(laws_, files_.format);
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

  /// The ways of all laws.
  [[nodiscard]] std::string ways(std::string_view x, std::string_view y) const {
    return law_plots(laws_, x, y, 6, {{.value = 1, .style = 107}});
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
    return text + ways("($2/T)", "($1/N)");
  }

  void key() {
    KeyColumn key(0.665, 0.895);
    for (const DrawnLaw& law : laws_) key.law(law);
    if (has_cone()) key.area("cone", "edge", "'friction cone, |P_t| ≤ μ P_n'");
    if (static_edge_) key.line(103, "'its edge for static friction, μ_s'");
    if (stick_) key.line(104, "'line of sticking, v_t = 0'");
    if (compressed_) key.line(105, "'greatest compression, v_n = 0'");
    text_ += "\n# --- the key: a sample and its name in each row\n" + key.text();
    key_bottom_ = key.bottom();
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
    if (std::none_of(curves_.begin(), curves_.end(),
                     [](const Curve& curve) { return curve.path.size() > 1; })) {
      text_ += no_impact(comparison_.problem.approach.n, laws_);
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
    text_ += ways("($1/N)", fmt::format("(${}/{})", column, unit_name)) + "\n";
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
  std::vector<DrawnLaw> laws_;  ///< the same, in a script
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

Plot routh_plot(const scenario::Scenario& s, const Comparison& c, const PictureFiles& files) {
  return Script(s, c, files).make();
}

}  // namespace carom::report
