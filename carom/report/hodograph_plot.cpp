// SPDX-License-Identifier: Apache-2.0
#include <carom/report/hodograph_plot.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/hodograph_view.hpp>
#include <carom/report/law_plots.hpp>
#include <carom/report/map_frame.hpp>
#include <carom/report/palette.hpp>
#include <carom/report/spatial_impact_path.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::SpatialAnswer;
using study::SpatialComparison;

constexpr PageSize page{.width = 1120, .height = 860};

/// In pixels of the page.
constexpr Box hodograph_frame{.left = 84., .bottom = 322., .right = 634., .top = 778.};
constexpr Box panels_frame{.left = 762., .bottom = 70., .right = 1104., .top = 778.};

// Marks of the data, besides the end of a law's way.
constexpr int on_the_way = 0;
constexpr int compressed = 1;
constexpr int slip_stopped = 3;
constexpr int start = 4;
constexpr int both_end = 5;

/// "(0.4, -0.2)"
std::string pair_text(double a, double b) { return fmt::format("({}, {})", figure(a), figure(b)); }

/// "e = 0.5, mu = 0.7, ..." in gnuplot's markup.
std::string subtitle(const scenario::Scenario& s, const SpatialProblem& p) {
  const SpatialSurface& surface = p.surface;
  const auto given = [&](std::string_view key) { return s.place_of(key) != nullptr; };
  std::string text;
  const auto add = [&](std::string_view symbol, const std::string& value) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ",  ", symbol, value);
  };
  if (given("restitution")) add("e", figure(surface.restitution));
  if (given("friction")) add("μ", figure(surface.friction));
  if (surface.static_friction > surface.friction) add("μ_s", figure(surface.static_friction));
  if (surface.tangential_restitution > 0.) add("ε_T", figure(surface.tangential_restitution));
  if (const auto& r = surface.impulse_ratio) add("μ_t", pair_text((*r)[0], (*r)[1]));
  if (const auto& e = surface.tangential_coefficient) add("e_t", pair_text((*e)[0], (*e)[1]));
  text += fmt::format("{}approach {} m/s, slip {} m/s", text.empty() ? "" : ";  ",
                      figure(p.approach.n), pair_text(p.approach.t1, p.approach.t2));
  return with_minus_signs(text);
}

/// What happens at a point of a path.
int mark_of(const std::vector<SpatialPathPoint>& path, std::size_t i) {
  if (i + 1 == path.size()) return end_mark;
  if (i == 0) return start;
  const SpatialPathPoint& x = path[i];
  if (!x.ends_phase) return on_the_way;
  const SpatialPathPoint& next = path[i + 1];
  const bool stops = x.motion == Motion::slip &&
                     (next.motion == Motion::stick || size(tangential(x.velocity)) == 0.);
  const bool turns = x.stage != next.stage;
  if (stops) return turns ? both_end : slip_stopped;
  return turns ? compressed : on_the_way;
}

/// Only marks that a picture has are in its key.
bool has_mark(const SpatialPaths& paths, int mark) {
  return std::any_of(paths.begin(), paths.end(), [&](const auto& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const int found = mark_of(path, i);
      if (found == mark || found == both_end) return true;
    }
    return false;
  });
}

/// How a ray is drawn.
enum RayKind : int { attracting_in = 0, attracting_out = 1, repelling_in = 2, repelling_out = 3 };

RayKind kind_of(const InvariantRay& ray) {
  if (ray.attracts()) return ray.converges() ? attracting_in : attracting_out;
  return ray.converges() ? repelling_in : repelling_out;
}

constexpr const char* ray_names[] = {
    "'ray that attracts, slip falls'", "'ray that attracts, slip grows'",
    "'ray that repels, slip falls'", "'ray that repels, slip grows'"};

/// One of the panels beside the hodograph.
struct Panel {
  std::string label;  ///< two lines
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
    friction_.include(problem_.surface.friction);
    friction_.include(-problem_.surface.friction);
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
        const Tangential& a = in ? r.to : r.from;
        const Tangential& b = in ? r.from : r.to;
        blocks_.row({a.t1, a.t2, b.t1, b.t2, static_cast<double>(kind_of(r.ray))});
      }
    }
    for (std::size_t law = 0; law < paths_.size(); ++law) {
      laws_[law].block = blocks_.begin(
          laws_[law].name,
          "P_n [N s]  v_n [m/s]  slip t1, t2 [m/s]  dP_t1/dP_n  dP_t2/dP_n  work [J]  mark (0: on "
          "the way, 1: compression ends, or begins anew, 2: the end, 3: slip ends, 4: the start, "
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
    KeyColumn laws(0.035, top);
    for (const DrawnLaw& law : laws_) laws.law(law);
    KeyColumn rest(0.33, top);
    rest.point(109, "'start'");
    if (has_mark(paths_, compressed)) rest.point(107, "'compression ends'");
    if (has_mark(paths_, slip_stopped)) rest.point(108, "'slip ends'");
    for (const RayKind kind : {attracting_in, attracting_out, repelling_in, repelling_out}) {
      const bool any = std::any_of(rays_.begin(), rays_.end(),
                                   [&](const SeenRay& r) { return kind_of(r.ray) == kind; });
      if (any) rest.arrow(101 + kind, 1 + kind, ray_names[kind]);
    }
    if (has_cone()) rest.line(105, "'limits of friction, ±μ'");
    if (any_direction_) rest.note("'slip keeps whatever direction it has'");
    text_ += "\n# --- the key: a sample and its name in each row\n" + laws.text() + rest.text();
  }

  void hodograph() {
    text_ += "\n# --- the plane of slip\n" + margins(hodograph_frame, page.width, page.height);
    text_ += fmt::format(
        "set size ratio -1\nset xlabel \"slip along t_1  [{0}]\"\nset ylabel \"slip along t_2  "
        "[{0}]\"\n",
        with_unit(unit_slip_, "m/s"));
    text_ += axis_text('x', view_.t1, unit_slip_, 8) + axis_text('y', view_.t2, unit_slip_, 8);
    // Ticks of both axes at the same distance.
    text_ += fmt::format("set ytics {:.6g}\n", tick_distance(view_.t1, unit_slip_, 8));
    text_ += "set xzeroaxis ls 106\nset yzeroaxis ls 106\n";
    if (!strikes()) text_ += no_impact(problem_.approach.n, laws_);
    text_ += "plot NaN notitle";
    for (std::size_t kind = 0; kind < 4 && rays_block_; ++kind) ray_plots(kind);
    text_ += law_plots(laws_, "($3/V)", "($4/V)", 8, marks());
    text_ += fmt::format(
        ", \\\n  data index {} using ($3/V):($8 == {} ? $4/V : NaN) with points ls 109 notitle\n",
        laws_.front().block, start);
    text_ +=
        "unset label\nunset arrow\nunset object\nset size noratio\nunset yzeroaxis\nunset ylabel\n";
  }

  /// A line all along the ray, and an arrow on it a third of the way from its outer end.
  void ray_plots(std::size_t kind) {
    const bool any = std::any_of(rays_.begin(), rays_.end(), [&](const SeenRay& r) {
      return static_cast<std::size_t>(kind_of(r.ray)) == kind;
    });
    if (!any) return;
    text_ += fmt::format(
        ", \\\n  data index {0} using ($1/V):($5 == {1} ? $2/V : NaN):(($3-$1)/V):(($4-$2)/V) "
        "with vectors as {2} notitle",
        *rays_block_, kind, 11 + kind);
    const double share = kind % 2 == 0 ? 0.36 : 0.68;
    text_ += fmt::format(
        ", \\\n  data index {0} using (($1+{3}*($3-$1))/V):($5 == {1} ? ($2+{3}*($4-$2))/V : "
        "NaN):(0.02*($3-$1)/V):(0.02*($4-$2)/V) with vectors as {2} notitle",
        *rays_block_, kind, 1 + kind, share);
  }

  [[nodiscard]] static std::vector<WayMark> marks() {
    return {{.value = compressed, .style = 107},
            {.value = slip_stopped, .style = 108},
            {.value = both_end, .style = 107},
            {.value = both_end, .style = 108}};
  }

  void panel(const Panel& p, const Box& frame, bool lowest) {
    Range shown = p.range.widened(0.13);
    if (!(shown.size() > 0.)) shown = {.least = -1., .most = 1.};
    text_ += "\n" + margins(frame, page.width, page.height);
    text_ +=
        fmt::format("unset label\nset label \"{}\" at screen {}, screen {} center rotate by 90\n",
                    p.label, share_text(frame.left - 78., page.width),
                    share_text(0.5 * (frame.bottom + frame.top), page.height));
    text_ += axis_text('y', shown, p.unit, 5);
    text_ += lowest ? fmt::format("set format x\nset xlabel \"normal impulse P_n  [{}]\"\n",
                                  with_unit(unit_n_, "N s"))
                    : "set format x \"\"\nunset xlabel\n";
    const bool ratio = p.variable == "F" && has_cone();
    text_ += ratio ? fmt::format(
                         "plot {0}/F with lines ls 105 notitle, -{0}/F with lines ls 105 "
                         "notitle",
                         problem_.surface.friction)
                   : "plot NaN notitle";
    text_ += law_plots(laws_, "($1/N)", fmt::format("(${}/{})", p.column, p.variable), 8, marks());
    text_ += "\n";
  }

  void panels() {
    const auto ratio = [&](char tangent) {
      const double unit = unit_of(friction_);
      return fmt::format("friction along t_{0}\\ndP_{0}/dP_n{1}", tangent,
                         unit == 1. ? "" : "  [" + with_unit(unit, "") + "]");
    };
    const double unit_velocity = unit_of(normal_velocity_);
    const double unit_work = unit_of(work_);
    const Panel all[] = {
        {.label = fmt::format("normal velocity\\nv_n  [{}]", with_unit(unit_velocity, "m/s")),
         .range = normal_velocity_,
         .unit = unit_velocity,
         .column = 2,
         .variable = "VN"},
        {.label = ratio('1'),
         .range = friction_,
         .unit = unit_of(friction_),
         .column = 5,
         .variable = "F"},
        {.label = ratio('2'),
         .range = friction_,
         .unit = unit_of(friction_),
         .column = 6,
         .variable = "F"},
        {.label = fmt::format("work done\\n[{}]", with_unit(unit_work, "J")),
         .range = work_,
         .unit = unit_work,
         .column = 7,
         .variable = "W"},
    };
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
