// SPDX-License-Identifier: Apache-2.0
// Section 5, Figs 4 to 8, and Fig. 11: which impact state occurs, and where slip reverses.
#include <optional>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {

namespace {

double critical_friction_at(double angle_deg) {
  return *critical_friction(bar(uniform_bar, angle_deg));
}

double angle_of_least() {
  return threshold(30., 85., [](double angle) {
    return critical_friction_at(angle + 1e-4) > critical_friction_at(angle - 1e-4);
  });
}

/// A figure's plane: approach ratio from -widest to widest, angle from 1 to 179 degrees.
struct Plane {
  double K = uniform_bar;
  Surface coefficients;
  double widest = 4.;
};

const Plane fig4{.K = uniform_bar, .coefficients = surface(1., 1., below_critical), .widest = 4.};
const Plane fig5{.K = uniform_bar, .coefficients = surface(1., 1., above_critical), .widest = 10.};
const Plane fig11{.K = sphere, .coefficients = surface(1., 0., 3. / 5.), .widest = 6.};

RegimeBoundaries lines_at(const Plane& plane, double angle) {
  return regime_boundaries(bar(plane.K, angle), plane.coefficients);
}

PlanarOutcome impact(const Plane& plane, double angle, double r) {
  return moreau(at_ratio(bar(plane.K, angle), plane.coefficients, r));
}

/// The angles [deg] in (0, 90) between which a condition holds that holds at `inside`.
struct Band {
  double from = 0.;
  double to = 0.;
};

Band band_around(double inside, const std::function<bool(double)>& holds) {
  return {threshold(0.01, inside, holds), threshold(inside, 89.99, holds)};
}

/// {from} and {to}, and more.
Values values_of(const Band& band, Values more = {}) {
  more.insert({{"from", band.from}, {"to", band.to}});
  return more;
}

/// Where friction is above its critical value for a uniform bar.
Band supercritical_angles(double mu) {
  return band_around(least_critical_friction(uniform_bar).angle / degree,
                     [&](double angle) { return mu > critical_friction_at(angle); });
}

// --- The planes of Figs 4, 5, 7, 8 and 11 --------------------------------------------------------

struct Point {
  double angle = 0.;
  double r = 0.;
  Mode by_lines = Mode::stick;  ///< the state that eqs 33-34, 40-41, 46-47 name
  PlanarOutcome outcome;
};

bool any(const Point&) { return true; }
bool sticks(const Point& p) { return p.outcome.mode == Mode::stick; }
bool is_as_lines_say(const Point& p) { return p.outcome.mode == p.by_lines; }
bool reverses_normal(const Point& p) { return p.outcome.velocity.n > 0.; }
/// v_n has changed its sign, so slip reverses where the ratio keeps its own.
bool reverses(const Point& p) { return ratio_after(p.outcome) * p.r > 0.; }
bool slips_and_reverses(const Point& p) { return !sticks(p) && reverses(p); }
bool slips_and_keeps(const Point& p) { return !sticks(p) && !reverses(p); }

Point point(const Plane& plane, double angle, double r) {
  const RegimeBoundaries lines = lines_at(plane, angle);
  const Mode mode = lines.backward && r >= *lines.backward ? Mode::backward_slip
                    : lines.forward && r <= *lines.forward ? Mode::forward_slip
                                                           : Mode::stick;
  return {.angle = angle, .r = r, .by_lines = mode, .outcome = impact(plane, angle, r)};
}

std::vector<Point> grid(const Plane& plane) {
  constexpr int columns = 160;  // an even number: none stands at r = 0
  std::vector<Point> points;
  for (const double angle : angles()) {
    for (int i = 0; i < columns; ++i) {
      points.push_back(point(plane, angle, plane.widest * ((2. * i + 1.) / columns - 1.)));
    }
  }
  return points;
}

/// Slip between the line of stick and the ratio at which eqs 48, 50 vanish reverses, or, where the
/// line has crossed zero, between it and zero.
Found border_reverses(const Plane& plane) {
  std::vector<Point> border;  // just outside stick
  const auto add = [&](double angle, std::optional<double> line, double outward) {
    if (line) border.push_back(point(plane, angle, *line + outward * 1e-3 * std::abs(*line)));
  };
  for (const double angle : steps(1.5, 179., 1.)) {
    add(angle, lines_at(plane, angle).backward, 1.);
    add(angle, lines_at(plane, angle).forward, -1.);
  }
  const std::size_t reverse = those(grid(plane), slips_and_reverses).size();
  const std::size_t keep = those(grid(plane), slips_and_keeps).size();
  return in_all(border, slips_and_reverses, {{"reverse", reverse}, {"keep", keep}},
                reverse > 0 && keep > 0);
}

/// r_f(phi) = -r_b(180 - phi).
Found symmetric(const Plane& plane) {
  return below(1e-9, greatest(angles(), [&](double angle) {
                 const auto here = lines_at(plane, angle).forward;
                 const auto there = lines_at(plane, 180. - angle).backward;
                 if (here && there) return std::abs(*here + *there) / (1. + std::abs(*here));
                 return here || there ? std::numeric_limits<double>::infinity() : 0.;
               }));
}

/// Is each of the three states found at some ratio?
bool has_all_states(double angle) {
  const auto lines = lines_at(fig4, angle);
  if (!lines.forward || !lines.backward) return false;
  const auto state = [&](double r) { return impact(fig4, angle, r).mode; };
  return state(*lines.forward - 1.) == Mode::forward_slip &&
         state(0.5 * (*lines.forward + *lines.backward)) == Mode::stick &&
         state(*lines.backward + 1.) == Mode::backward_slip;
}

// --- Fig. 6 --------------------------------------------------------------------------------------

/// r_f of a uniform bar with so many times the least critical friction; minus infinity: none.
double limit_of_forward_slip(double times, double angle) {
  return regime_boundaries(bar(uniform_bar, angle), surface(1., 1., times * least_critical))
      .forward.value_or(-std::numeric_limits<double>::infinity());
}

// --- Fig. 11 -------------------------------------------------------------------------------------

/// Where a bar reverses slip although eps_T = 0: |delta| > mu beta.
Band reversing_angles() {
  // |delta|/beta is greatest where d/dphi of sin phi cos phi/(K + sin^2 phi) is zero:
  // tan^2 phi = K/(K + 1).
  return band_around(std::atan(std::sqrt(sphere / (sphere + 1.))) / degree, [](double angle) {
    const Sym2 G = bar(sphere, angle);
    return std::abs(G.nt) > fig11.coefficients.friction * G.tt;
  });
}

Chart chart_of_critical_friction() {
  const double angle = angle_of_least();
  ChartPanel panel;
  panel.x = {.label = "angle φ  [deg]", .range = Range{0., 90.}};
  panel.y = {.label = "critical friction μ_c", .range = Range{0., 6.}};
  panel.series = {through({.label = "forward slip, α/δ", .colour = "#000000"},
                          steps(4., 89.1, 0.25), critical_friction_at),
                  {.label = "least",
                   .x = {angle},
                   .y = {least_critical},
                   .colour = "#D55E00",
                   .marker_size = 1.,
                   .kind = SeriesKind::points}};
  panel.marks = {{.at = least_critical, .label = "4/3", .across = true},
                 {.at = above_critical, .label = "5/3", .across = true},
                 {.at = angle, .label = fmt::format("{:.3f} deg", angle)}};
  panel.texts = {{.x = 22., .y = 0.6, .text = "all three impact states"},
                 {.x = 42., .y = 4.2, .text = "no forward slip"}};
  return {.heading = "Critical friction of a uniform bar (Payr & Glocker, Fig. 6)",
          .subheading = "above the curve forward slip cannot be reached",
          .panels = {panel}};
}

}  // namespace

Computations regimes() {
  using Property = bool (*)(const Point&);
  const auto all = [](const Plane& plane, Property among, Property holds) -> Check {
    return [&plane, among, holds] { return in_all(those(grid(plane), among), holds); };
  };
  Computations paper;
  paper.checks["fig-4-all-states"] = []() -> Found {
    const auto share = [](double angle) { return below_critical / critical_friction_at(angle); };
    return in_all(angles(), has_all_states, {{"margin", 1. - greatest(angles(), share)}});
  };
  paper.checks["fig-4-symmetric"] = [] { return symmetric(fig4); };
  paper.checks["fig-4-lines"] = all(fig4, any, is_as_lines_say);
  paper.checks["fig-5-critical-angles"] = []() -> Found {
    const Band band = supercritical_angles(above_critical);
    const auto off = [](double angle) {
      const Sym2 G = bar(uniform_bar, angle);
      return std::abs(above_critical * G.nt / G.nn - 1.);
    };
    return below(1e-9, largest(off(band.from), off(band.to)),
                 values_of(band, {{"tan_from", std::tan(band.from * degree)},
                                  {"tan_to", std::tan(band.to * degree)}}));
  };
  // One slip is out of reach inside a band of angles and within reach outside it.
  paper.checks["fig-5-out-of-reach"] = []() -> Found {
    const Band band = supercritical_angles(above_critical);
    const auto is_inside = [&](double angle) { return angle > band.from && angle < band.to; };
    const auto far = [](double angle, double side) { return impact(fig5, angle, side * 1e9).mode; };
    const auto as_said = [&](double angle) {
      return far(angle, -1.) == (is_inside(angle) ? Mode::stick : Mode::forward_slip) &&
             far(angle, 1.) == Mode::backward_slip &&
             far(180. - angle, 1.) == (is_inside(angle) ? Mode::stick : Mode::backward_slip) &&
             far(180. - angle, -1.) == Mode::forward_slip;
    };
    const auto tried = steps(0.5, 90., 1.);
    const std::size_t inside = those(tried, is_inside).size();
    return in_all(tried, as_said, values_of(band, {{"inside", inside}}), inside > 0);
  };
  paper.checks["fig-5-symmetric"] = [] { return symmetric(fig5); };
  paper.checks["fig-5-lines"] = all(fig5, any, is_as_lines_say);
  paper.checks["four-thirds"] = []() -> Found {
    const double found = critical_friction_at(angle_of_least());
    return {std::abs(found - least_critical) < 1e-9, {{"least", found}}};
  };
  paper.checks["below-four-thirds"] = []() -> Found {
    return in_all(steps(0.5, 90., 0.5), [](double angle) {
      return std::isfinite(limit_of_forward_slip(1. - 1e-6, angle));
    });
  };
  paper.checks["at-four-thirds"] = []() -> Found {
    const double there = limit_of_forward_slip(1. - 1e-6, angle_of_least());
    const double beside = limit_of_forward_slip(1., angle_of_least() + 1.);
    return {std::isfinite(there) && there < -1e5 && beside > -1e5,
            {{"there", there}, {"beside", beside}}};
  };
  paper.checks["above-four-thirds"] = []() -> Found {
    const Band band = supercritical_angles(least_critical * (1. + 1e-6));
    const double angle = angle_of_least();
    return {band.from < angle && band.to > angle && band.to - band.from < 0.2, values_of(band)};
  };
  paper.checks["fig-7-stick-reverses"] = all(fig4, sticks, reverses);
  paper.checks["fig-7-border-reverses"] = [] { return border_reverses(fig4); };
  paper.checks["fig-7-normal-reverses"] = all(fig4, any, reverses_normal);
  paper.checks["fig-8-stick-reverses"] = all(fig5, sticks, reverses);
  paper.checks["fig-8-border-reverses"] = [] { return border_reverses(fig5); };
  paper.checks["fig-8-normal-reverses"] = all(fig5, any, reverses_normal);
  paper.checks["fig-11-limits-at-90"] = []() -> Found {
    const auto lines = lines_at(fig11, 90.);
    const double expected = fig11.coefficients.friction * (1. + 1. / sphere) * 2.;  // eqs 51-52
    const double forward = lines.forward.value_or(0.);
    const double backward = lines.backward.value_or(0.);
    return {std::abs(backward - expected) < 1e-12 && std::abs(forward + expected) < 1e-12,
            {{"forward", forward}, {"backward", backward}}};
  };
  paper.checks["fig-11-lines"] = all(fig11, any, is_as_lines_say);
  paper.checks["fig-11-symmetric"] = [] { return symmetric(fig11); };
  paper.checks["sphere-never-reverses"] = []() -> Found {
    return in_none(steps(-5.95, 6., 0.1),
                   [](double r) { return impact(fig11, 90., r).velocity.t * -r < -1e-12; });
  };
  paper.checks["fig-11-never-reverses"] = []() -> Found {
    const auto found = those(grid(fig11), slips_and_reverses);
    const double least = smallest(found, &Point::angle);
    return in_none(grid(fig11), slips_and_reverses,
                   values_of(reversing_angles(),
                             {{"least", least}, {"greatest", greatest(found, &Point::angle)}}));
  };
  // PG6
  paper.checks["PG6"] = []() -> Found {
    const Band band = reversing_angles();
    const double flat = impact(fig11, 180. - 30., -0.05).velocity.t;
    const double upright = impact(fig11, 90., -0.05).velocity.t;
    return {flat < -1e-3 && upright >= 0. && band.from < 30. && 30. < band.to,
            values_of(band, {{"bar", flat}, {"sphere", upright}})};
  };
  paper.tables["least-critical-friction"] = []() -> std::vector<Computed> {
    return {{{"value", angle_of_least()}}, {{"value", critical_friction_at(angle_of_least())}}};
  };
  paper.pictures["payr-glocker-6"] = chart(chart_of_critical_friction);
  for (const int figure : {4, 5, 7, 8, 10, 11}) {
    const std::string name = fmt::format("payr-glocker-{}", figure);
    paper.pictures[name] = map(example("maps/" + name));
  }
  return paper;
}

}  // namespace carom::papers::pg
