// SPDX-License-Identifier: Apache-2.0
#include <carom/report/hodograph_plot.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <carom/report/hodograph_marks.hpp>
#include <carom/report/hodograph_view.hpp>
#include <carom/report/law_plots.hpp>
#include <carom/report/map_frame.hpp>
#include <carom/report/palette.hpp>
#include <carom/report/spatial_impact_path.hpp>

namespace carom::report {
namespace {

using study::SpatialAnswer;
using study::SpatialComparison;

// Friction jumps, and pointed corners would shoot beyond.
constexpr Canvas page{.width = 1120, .height = 860, .rounded = true};

/// In pixels of the page.
constexpr Box hodograph_frame{.left = 96., .bottom = 322., .right = 634., .top = 778.};
constexpr Box panels_frame{.left = 762., .bottom = 70., .right = 1104., .top = 778.};

/// "(0.4, -0.2)"
std::string pair_text(double a, double b) { return fmt::format("({}, {})", pretty(a), pretty(b)); }

/// "e = 0.5, mu = 0.7, ..." in gnuplot's markup.
std::string subtitle(const scenario::Scenario& s, const SpatialProblem& p) {
  const SpatialSurface& surface = p.surface;
  const auto given = [&](std::string_view key) { return s.place_of(key) != nullptr; };
  std::string text;
  const auto add = [&](std::string_view symbol, const std::string& value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ",  ", symbol, value);
  };
  if (given("restitution")) add("e", pretty(surface.restitution));
  if (given("friction")) add("μ", pretty(surface.friction));
  if (surface.static_friction > surface.friction) add("μ_s", pretty(surface.static_friction));
  if (surface.tangential_restitution > 0.) add("ε_T", pretty(surface.tangential_restitution));
  if (const auto& r = surface.impulse_ratio) add("μ_t", pair_text((*r)[0], (*r)[1]));
  if (const auto& e = surface.tangential_coefficient) add("e_t", pair_text((*e)[0], (*e)[1]));
  text += fmt::format("{}approach {} m/s, slip {} m/s", text.empty() ? "" : ";  ",
                      pretty(p.approach.n), pair_text(p.approach.t1, p.approach.t2));
  return text;
}

constexpr RayKind ray_kinds[] = {attracting_in, attracting_out, repelling_in, repelling_out};

/// By RayKind.
constexpr const char* ray_names[] = {
    "'ray that attracts, slip falls'", "'ray that attracts, slip grows'",
    "'ray that repels, slip falls'", "'ray that repels, slip grows'"};

/// One of the panels beside the hodograph.
struct Panel {
  std::string name;
  std::string symbol;  ///< and unit
  Range range;
  double unit = 1.;
  int column = 0;
  std::string_view variable;  ///< that holds the unit in the script
};

/// The parts of the script, in the order in which they stand there.
class Script {
 public:
  Script(const scenario::Scenario& s, const SpatialComparison& c, const PictureFiles& files)
      : scenario_(s), problem_(c.problem), files_(files) {
    for (const SpatialAnswer& a : c.answers) {
      laws_.push_back(drawn_law(a.law->name, style_of(*a.law), a.outcome.verdict(), laws_.size()));
      paths_.push_back(path(problem_, a));
    }
    const Vec3& v = problem_.approach;
    view_ = slip_view(paths_, std::abs(v.n) + tangential_size(v),
                      hodograph_frame.width() / hodograph_frame.height());
    const std::vector<InvariantRay> rays = invariant_rays(problem_);
    any_direction_ = rays.empty() && has_cone();
    if (has_cone()) rays_ = seen_rays(rays, view_);
    find_ranges();
  }

  [[nodiscard]] Plot make() {
    fill_blocks();
    text_ = plot_head("Hodograph of slip", files_, page, scenario_, subtitle(scenario_, problem_));
    styles();
    units();
    key();
    hodograph();
    panels();
    return {.script = std::move(text_), .data = blocks_.text()};
  }

 private:
  /// A file that gives impulse ratios or velocity ratios in place of friction has none.
  [[nodiscard]] bool has_cone() const {
    const SpatialSurface& s = problem_.surface;
    return s.friction > 0. || !(s.impulse_ratio || s.tangential_coefficient);
  }

  [[nodiscard]] bool strikes() const {
    return std::any_of(paths_.begin(), paths_.end(),
                       [](const auto& path) { return path.size() > 1; });
  }

  void find_ranges() {
    for (const auto& path : paths_) {
      for (const SpatialPathPoint& x : path) {
        impulse_.include(x.impulse.n);
        normal_velocity_.include(x.velocity.n);
        friction_.include(x.friction.t1);
        friction_.include(x.friction.t2);
        work_.include(x.work());
      }
    }
    if (has_cone()) {
      friction_.include(problem_.surface.static_friction);
      friction_.include(-problem_.surface.static_friction);
    }
    if (!(impulse_.size() > 0.)) {
      // Nothing strikes: as far as it would take to stop the normal velocity.
      const double nn = problem_.G.nn;
      const double stop = nn > 0. ? std::abs(problem_.approach.n) / nn : 0.;
      impulse_.include(stop > 0. ? stop : 1.);
    }
    const double shift = 0.03 * impulse_.size();
    impulse_ = {.least = impulse_.least - shift, .most = impulse_.most + 2. * shift};
  }

  void fill_blocks() {
    if (!rays_.empty()) {
      rays_block_ = blocks_.begin("invariant rays, what of them is seen",
                                  "from t1, t2 [m/s]  to t1, t2 [m/s]  kind (0: attracts, slip "
                                  "falls; 1: attracts, grows; 2: repels, falls; 3: repels, grows)");
      for (const SeenRay& r : rays_) {
        // In the direction in which slip goes.
        const bool in = r.ray.converges();
        const Tangent& a = in ? r.to : r.from;
        const Tangent& b = in ? r.from : r.to;
        blocks_.row({a.t1, a.t2, b.t1, b.t2, static_cast<double>(kind_of(r.ray))});
      }
    }
    for (std::size_t law = 0; law < paths_.size(); ++law) {
      laws_[law].block = blocks_.begin(
          laws_[law].name,
          "P_n [N s]  v_n [m/s]  slip t1, t2 [m/s]  dP_t1/dP_n  dP_t2/dP_n  work [J]  mark (0: on "
          "the way, 1: compression ends or resumes, 2: the end, 3: slip ends, 4: the start, "
          "5: both 1 and 3)");
      const auto& path = paths_[law];
      for (std::size_t i = 0; i < path.size(); ++i) {
        const SpatialPathPoint& x = path[i];
        blocks_.row({x.impulse.n, x.velocity.n, x.velocity.t1, x.velocity.t2, x.friction.t1,
                     x.friction.t2, x.work(), static_cast<double>(mark_of(path, i))});
      }
    }
  }

  void styles() {
    text_ += law_styles(laws_, files_.format);
    text_ += R"(set style line 101 lc rgb "#9A9A9A" dt solid lw 1.3  # ray that attracts, slip falls
set style line 102 lc rgb "#404040" dt solid lw 1.3  # ray that attracts, slip grows
set style line 103 lc rgb "#9A9A9A" dt (6,5) lw 1.3  # ray that repels, slip falls
set style line 104 lc rgb "#404040" dt (6,5) lw 1.3  # ray that repels, slip grows
set style line 105 lc rgb "#606060" dt (7,5) lw 1    # limits of friction
set style line 106 lc rgb "#C0C0C0" dt solid lw 0.7  # zero
set style line 107 lc rgb "#202020" pt 13 ps 0.95*size  # where compression ends
set style line 108 lc rgb "#202020" pt 5 ps 0.75*size   # where slip ends
set style line 109 lc rgb "#202020" pt 7 ps 0.85*size   # where all begin
set style line 110 lc rgb "#A0A0A0" dt (2,5) lw 1    # limits of static friction
do for [i = 1:4] {
  set style arrow i head filled size screen 0.011,18 fixed ls 100+i dt solid
  set style arrow 10+i nohead ls 100+i
}
)";
  }

  void units() {
    unit_slip_ = std::max(unit_of(view_.t1), unit_of(view_.t2));
    unit_n_ = unit_of(impulse_);
    text_ += fmt::format(R"(
# --- what the axes count in
N = {:g}    # normal impulse [N s]
V = {:g}    # slip [m/s]
VN = {:g}   # normal velocity [m/s]
F = {:g}    # ratio of friction
W = {:g}    # work [J]

set multiplot
set clip two
set tics nomirror out
set border 3
unset key
set label heading at screen 0.5,0.972 center font ",16"
set label subheading at screen 0.5,0.938 center textcolor rgb "#404040"
)",
                         unit_n_, unit_slip_, unit_of(normal_velocity_), unit_of(friction_),
                         unit_of(work_));
  }

  /// Below the hodograph: laws at the left, everything else at the right.
  void key() {
    constexpr double top = 0.283;
    KeyColumn laws(0.025, top);
    for (const DrawnLaw& law : laws_) laws.law(law);
    KeyColumn rest(0.335, top);
    if (has_mark(paths_, SlipMark::start)) rest.point(109, "'start'");
    if (has_mark(paths_, SlipMark::stage_changes)) {
      rest.point(107,
                 recompresses(paths_) ? "'compression ends or resumes'" : "'compression ends'");
    }
    if (has_mark(paths_, SlipMark::slip_ends)) rest.point(108, "'slip ends'");
    for (const RayKind kind : ray_kinds) {
      if (has_kind(rays_, kind)) rest.arrow(101 + kind, 1 + kind, ray_names[kind]);
    }
    if (problem_.surface.friction > 0.) rest.line(105, "'limits of friction, ±μ'");
    if (problem_.surface.static_friction > problem_.surface.friction) {
      rest.line(110, "'limits of static friction, ±μ_s'");
    }
    if (any_direction_) rest.note("'slip keeps whatever direction it has'");
    if (!view_.holds({})) rest.note("'zero slip is outside the view'");
    text_ += "\n# --- the key: a sample and its name in each row\n" + laws.text() + rest.text();
  }

  void hodograph() {
    text_ += "\n# --- the plane of slip\n" + margins(hodograph_frame, page.width, page.height);
    const std::string unit = with_unit(unit_slip_, "m/s");
    text_ += fmt::format("set size ratio -1\nset xlabel \"slip along t_1  [{}]\"\n", unit);
    words_beside(fmt::format("slip along t_2  [{}]", unit), hodograph_frame, 76.);
    text_ += axis_text('x', view_.t1, unit_slip_, 8) + axis_text('y', view_.t2, unit_slip_, 8);
    // Ticks of both axes at the same distance.
    text_ += fmt::format("set ytics {:.6g}\n", tick_distance(view_.t1, unit_slip_, 8));
    text_ += "set xzeroaxis ls 106\nset yzeroaxis ls 106\n";
    if (!strikes()) text_ += no_impact(problem_.approach.n, laws_);
    text_ += "plot NaN notitle";
    for (const RayKind kind : ray_kinds) {
      if (has_kind(rays_, kind)) ray_plots(kind);
    }
    text_ += law_plots(laws_, "($3/V)", "($4/V)", 8, marks());
    text_ += fmt::format(
        ", \\\n  data index {} using ($3/V):($8 == {} ? $4/V : NaN) with points ls 109 notitle\n",
        laws_.front().block, static_cast<int>(SlipMark::start));
    text_ += "unset label\nunset arrow\nunset object\nset size noratio\nunset yzeroaxis\n";
  }

  /// A line all along the ray, and an arrow on it a third of the way from its outer end.
  void ray_plots(RayKind kind) {
    text_ += fmt::format(
        ", \\\n  data index {0} using ($1/V):($5 == {1} ? $2/V : NaN):(($3-$1)/V):(($4-$2)/V) "
        "with vectors as {2} notitle",
        *rays_block_, static_cast<int>(kind), 11 + kind);
    const double share = kind == attracting_in || kind == repelling_in ? 0.36 : 0.68;
    text_ += fmt::format(
        ", \\\n  data index {0} using (($1+{3}*($3-$1))/V):($5 == {1} ? ($2+{3}*($4-$2))/V : "
        "NaN):(0.02*($3-$1)/V):(0.02*($4-$2)/V) with vectors as {2} notitle",
        *rays_block_, static_cast<int>(kind), 1 + kind, share);
  }

  [[nodiscard]] static std::vector<WayMark> marks() {
    return {{.value = static_cast<int>(SlipMark::stage_changes), .style = 107},
            {.value = static_cast<int>(SlipMark::slip_ends), .style = 108},
            {.value = static_cast<int>(SlipMark::both), .style = 107},
            {.value = static_cast<int>(SlipMark::both), .style = 108}};
  }

  void limits() {
    const auto add = [&](double mu, int style) {
      text_ += fmt::format(
          ", \\\n  {0}/F with lines ls {1} notitle, -{0}/F with lines ls {1} notitle", mu, style);
    };
    const SpatialSurface& s = problem_.surface;
    add(s.friction, 105);
    if (s.static_friction > s.friction) add(s.static_friction, 110);
  }

  /// Left of a frame, this far from it.
  void words_beside(std::string_view words, const Box& frame, double distance) {
    text_ += fmt::format("set label \"{}\" at screen {}, screen {} center rotate by 90\n", words,
                         share_text(frame.left - distance, page.width),
                         share_text(0.5 * (frame.bottom + frame.top), page.height));
  }

  void panel(const Panel& p, const Box& frame, bool lowest) {
    Range shown = p.range.widened(0.13);
    if (!(shown.size() > 0.)) shown = {.least = -1., .most = 1.};
    text_ += "\n" + margins(frame, page.width, page.height);
    text_ += "unset label\n";
    words_beside(p.name, frame, 92.);
    words_beside(p.symbol, frame, 71.);
    text_ += axis_text('y', shown, p.unit, 5);
    text_ += lowest ? fmt::format("set format x\nset xlabel \"normal impulse P_n  [{}]\"\n",
                                  with_unit(unit_n_, "N s"))
                    : "set format x \"\"\nunset xlabel\n";
    text_ += "plot NaN notitle";
    if (p.variable == "F" && problem_.surface.friction > 0.) limits();
    text_ += law_plots(laws_, "($1/N)", fmt::format("(${}/{})", p.column, p.variable), 8, marks());
    text_ += "\n";
  }

  void panels() {
    const double unit_velocity = unit_of(normal_velocity_);
    const double unit_friction = unit_of(friction_);
    const double unit_work = unit_of(work_);
    const auto friction = [&](int tangent) {
      const std::string unit =
          unit_friction == 1. ? "" : "  [" + with_unit(unit_friction, "") + "]";
      return Panel{.name = fmt::format("friction along t_{}", tangent),
                   .symbol = fmt::format("dP_{}/dP_n{}", tangent, unit),
                   .range = friction_,
                   .unit = unit_friction,
                   .column = 4 + tangent,
                   .variable = "F"};
    };
    const Panel all[] = {{.name = "normal velocity",
                          .symbol = fmt::format("v_n  [{}]", with_unit(unit_velocity, "m/s")),
                          .range = normal_velocity_,
                          .unit = unit_velocity,
                          .column = 2,
                          .variable = "VN"},
                         friction(1),
                         friction(2),
                         {.name = "work done",
                          .symbol = fmt::format("[{}]", with_unit(unit_work, "J")),
                          .range = work_,
                          .unit = unit_work,
                          .column = 7,
                          .variable = "W"}};
    text_ += "\n# --- along the normal impulse: normal velocity, friction, work\n";
    text_ += axis_text('x', impulse_, unit_n_, 6);
    constexpr double gap = 22.;
    const double height = (panels_frame.height() - 3. * gap) / 4.;
    for (std::size_t i = 0; i < 4; ++i) {
      const double top = panels_frame.top - static_cast<double>(i) * (height + gap);
      Box frame = panels_frame;
      frame.top = top;
      frame.bottom = top - height;
      panel(all[i], frame, i == 3);
    }
    text_ += "\nunset multiplot\nunset output\n";
  }

  const scenario::Scenario& scenario_;
  const SpatialProblem& problem_;
  const PictureFiles& files_;
  std::vector<DrawnLaw> laws_;
  SpatialPaths paths_;
  SlipView view_;
  std::vector<SeenRay> rays_;
  bool any_direction_ = false;
  std::optional<std::size_t> rays_block_;
  Range impulse_;
  Range normal_velocity_;
  Range friction_;
  Range work_;
  double unit_slip_ = 1.;
  double unit_n_ = 1.;
  Blocks blocks_;
  std::string text_;
};

}  // namespace

Plot hodograph_plot(const scenario::Scenario& s, const SpatialComparison& c,
                    const PictureFiles& files) {
  return Script(s, c, files).make();
}

}  // namespace carom::report
