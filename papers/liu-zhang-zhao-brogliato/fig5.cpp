// SPDX-License-Identifier: Apache-2.0
// Fig. 5: velocities of the contacts on the ground, over the height of the impact.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr std::array<double, 3> speeds{0.275, 0.433, 0.353};  // of cases 2, 5 and 8 [m/s]
constexpr double case2 = speeds[0];

/// b/r of Fig. 5, with the centre among them.
std::vector<double> heights(double from, double to, double step) {
  std::vector<double> b;
  const int count = static_cast<int>(std::lround((to - from) / step));
  for (int i = 0; i <= count; ++i) {
    const double x = from + step * i;
    b.push_back(std::abs(x) < 0.5 * step ? 0. : x);
  }
  return b;
}

struct Range5 {
  double least = 1e9;
  double most = -1e9;
  void include(double x) {
    least = std::min(least, x);
    most = largest(most, x);
  }
};

/// The least v_n/(g T_c) of any point, over heights below the centre and speeds.
double least_below(Way way) {
  Range5 r;
  for (const double v : speeds) {
    for (const double b : heights(-0.6, -0.02, 0.02)) {
      const Scaled s = scaled_at(b, v, way);
      r.include(*std::min_element(s.normal.begin(), s.normal.end()));
    }
  }
  return r.least;
}

/// Largest difference of v_t/v_b between speeds.
double spread_of_slip(Way way) {
  double most = 0.;
  for (const double b : heights(-0.6, 1., 0.1)) {
    Range5 r;
    for (const double v : speeds) r.include(scaled_at(b, v, way).slip);
    most = largest(most, r.most - r.least);
  }
  return most;
}

/// Where v_A is least between the centre and 0.4, and what it is there.
struct Insensitive {
  double at = 0.;
  double least = 1e9;  ///< v_n/(g T_c)
};
Insensitive least_at_A(Way way) {
  Insensitive best;
  for (const double b : heights(0.1, 0.4, 0.0025)) {
    const double v = scaled_at(b, case2, way).normal[0];
    if (v < best.least) best = {.at = b, .least = v};
  }
  return best;
}

/// Heights at which the spin has the sign that the text gives it, of all but the centre.
struct SpinSigns {
  int right = 0;
  int all = 0;
  double farthest_wrong = 0.;  ///< b/r
};
SpinSigns spin_signs(Way way) {
  SpinSigns n;
  for (const double b : heights(-0.6, 1., 0.005)) {
    if (b == 0.) continue;
    ++n.all;
    if (scaled_at(b, case2, way).spin * b < 0.) {
      ++n.right;
    } else if (std::abs(b) > std::abs(n.farthest_wrong)) {
      n.farthest_wrong = b;
    }
  }
  return n;
}

report::Series curve(std::string label, std::string colour, std::string dash) {
  return {.label = std::move(label), .colour = std::move(colour), .dash = std::move(dash)};
}

/// Greys, no two the same: gnuplot draws neighbours in a key alike where only their dashes differ.
constexpr std::array<const char*, 3> greys{"#505050", "#525252", "#545454"};
constexpr std::array<const char*, 3> dashes{"solid", "(10,6)", "(3,4)"};

/// v_n/(g T_c) of one point at one speed. At the centre the variant jumps: a gap.
report::Series normal_curve(std::size_t point, std::size_t speed, Way way) {
  const std::array<const char*, 3> colours{"#D55E00", "#009E73", "#0072B2"};
  report::Series s = curve({}, colours[point], dashes[speed]);
  s.width = 1.6;
  for (const double b : heights(-0.6, 1., 0.02)) {
    s.x.push_back(b);
    s.y.push_back(way == Way::variant && b == 0. ? std::numeric_limits<double>::quiet_NaN()
                                                 : scaled_at(b, speeds[speed], way).normal[point]);
  }
  return s;
}

report::ChartPanel normal_panel(Way way, std::string title) {
  report::ChartPanel panel{
      .title = std::move(title),
      .x = {.label = "impact position b/r", .range = report::Range{-0.6, 1.}},
      .y = {.label = "v_n⁺/(g T_c)", .range = report::Range{0., 14.}},
      .marks = {{.at = 1., .label = {}, .across = true}, {.at = 0., .label = {}}}};
  const std::array<const char*, 3> names{"A", "B", "C"};
  for (std::size_t point = 0; point < 3; ++point) {
    for (std::size_t speed = 0; speed < 3; ++speed) {
      panel.series.push_back(normal_curve(point, speed, way));
      if (speed == 0) panel.series.back().label = names[point];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    panel.series.push_back(curve(fmt::format("v_b = {:g} m/s", speeds[k]), greys[k], dashes[k]));
  }
  return panel;
}

report::ChartPanel slip_panel() {
  report::ChartPanel panel{.title = "(b) slip of A, B and C, the same for all speeds",
                           .x = {.label = "impact position b/r", .range = report::Range{-0.6, 1.}},
                           .y = {.label = "v_t⁺/v_b", .range = report::Range{-0.6, 1.}},
                           .marks = {{.at = 0., .label = ""}}};
  report::Series written = report::series_of(report::style_of_law("lzb"), "as written");
  report::Series variant = curve("variant", "#D55E00", "(10,6)");
  for (const double b : heights(-0.6, 1., 0.01)) {
    for (auto* s : {&written, &variant}) s->x.push_back(b);
    written.y.push_back(scaled_at(b, case2, Way::as_written).slip);
    variant.y.push_back(scaled_at(b, case2, Way::variant).slip);
  }
  panel.series = {written, variant};
  return panel;
}

report::ChartPanel stick_panel() {
  report::ChartPanel panel{
      .title = "(c) where it sticks",
      .x = {.label = "impact position b/r", .range = report::Range{0.2, 0.34}},
      .y = {.label = "v_t⁺/v_b", .range = report::Range{-0.06, 0.06}},
      .marks = {{.at = 0.244, .label = "0.244 printed"}, {.at = 0.254, .label = "0.254 printed"}}};
  report::Series written = report::series_of(report::style_of_law("lzb"), "as written");
  report::Series variant = curve("variant", "#D55E00", "(10,6)");
  for (const double b : heights(0.2, 0.34, 0.001)) {
    for (auto* s : {&written, &variant}) s->x.push_back(b);
    written.y.push_back(scaled_at(b, case2, Way::as_written).slip);
    variant.y.push_back(scaled_at(b, case2, Way::variant).slip);
  }
  panel.series = {written, variant};
  return panel;
}

report::Chart figure5() {
  return {.heading = "The disc's contacts after the impact",
          .subheading =
              "e, mu and k of Table 3 (cases 1-4); dashed line: below it a point stays in "
              "contact",
          .panels = {normal_panel(Way::as_written, "(a) as written"),
                     normal_panel(Way::variant, "(a) variant"), slip_panel(), stick_panel()},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

}  // namespace

Part pattern_figure_part() {
  const double below_written = least_below(Way::as_written);
  const double below_variant = least_below(Way::variant);
  const Scaled centre = scaled_at(0., case2, Way::as_written);
  const double centre_speed = *std::max_element(centre.normal.begin(), centre.normal.end());
  const PatternBoundaries w = pattern_boundaries(case2, Way::as_written);
  const PatternBoundaries v = pattern_boundaries(case2, Way::variant);
  const PatternBoundaries fast = pattern_boundaries(speeds[1], Way::variant);
  const PatternBoundaries fast_written = pattern_boundaries(speeds[1], Way::as_written);
  const Insensitive least_written = least_at_A(Way::as_written);
  const Insensitive least_variant = least_at_A(Way::variant);
  const double spread = std::max(spread_of_slip(Way::as_written), spread_of_slip(Way::variant));
  const SpinSigns signs = spin_signs(Way::as_written);
  const SpinSigns variant_signs = spin_signs(Way::variant);
  return {
      .id = "Fig. 5",
      .title = "Normal and tangential velocities over the height of the impact",
      .text =
          "b/r from -0.6 to 1, three speeds, friction as in cases 1 to 4. No numbers are printed "
          "with the "
          "figure: what the text says of it is compared, with the model as written and, where "
          "that differs, with the variant of Table 4.",
      .statements =
          {{.says = "At the centre no point leaves the ground",
            .holds = centre_speed < 1e-6,
            .found = fmt::format("v_n/(g T_c) = {:.1e} at b = 0", centre_speed)},
           {.says = "Below the centre v_n > g T_c at every point: the disc leaves the ground",
            .holds = below_written > 1.,
            .found =
                fmt::format("as written: v_n/(g T_c) at C comes down to {:.3f}; near the centre "
                            "C stays",
                            below_written),
            .known = "L35"},
           {.says = "The same of the variant",
            .holds = below_variant > 1.,
            .found = fmt::format("v_n/(g T_c) is {:.3f} or more at every point", below_variant)},
           {.says = "Above the centre there is a range in which A stays on the ground",
            .holds = w.contact_ends > w.contact_begins && v.contact_ends > v.contact_begins,
            .found = fmt::format("b/r from 0 to {:.4f} as written, from {:.4f} to {:.4f} in the "
                                 "variant",
                                 w.contact_ends, v.contact_begins, v.contact_ends)},
           {.says = "It shrinks as v_b grows",
            .holds = fast_written.contact_ends < w.contact_ends &&
                     fast.contact_begins > v.contact_begins && fast.contact_ends < v.contact_ends,
            .found =
                fmt::format("at 0.433 m/s from 0 to {:.4f} as written, from {:.4f} to {:.4f} in "
                            "the variant",
                            fast_written.contact_ends, fast.contact_begins, fast.contact_ends)},
           {.says = "It always contains b/r = 0.21, where A does not feel the impact",
            .holds = least_written.least < 0.05 && std::abs(least_written.at - 0.21) < 0.01,
            .found = fmt::format("as written v_A never vanishes above the centre: at 0.21 it is "
                                 "{:.3f} g T_c at 0.275 m/s",
                                 scaled_at(0.21, case2, Way::as_written).normal[0]),
            .known = "L35"},
           {.says = "The same of the variant",
            .holds = least_variant.least < 0.05 && std::abs(least_variant.at - 0.21) < 0.01,
            .found = fmt::format("v_A is least at b/r = {:.4f}: {:.3f} g T_c", least_variant.at,
                                 least_variant.least)},
           {.says = "v_t/v_b does not depend on v_b",
            .holds = spread < 1e-7,
            .found = fmt::format("over three speeds and 17 heights it differs by {:.1e}", spread)},
           {.says = "There is a narrow range in which A sticks",
            .holds = w.stick_ends > w.stick_begins && w.stick_ends - w.stick_begins < 0.1 &&
                     v.stick_ends > v.stick_begins,
            .found =
                fmt::format("slip vanishes from {:.4f} to {:.4f} as written, {:.4f} to {:.4f} in "
                            "the variant",
                            w.stick_begins, w.stick_ends, v.stick_begins, v.stick_ends)},
           {.says = "The sign of b decides the sense of rotation: theta' < 0 above the centre, > 0 "
                    "below",
            .holds = signs.right == signs.all,
            .found = fmt::format("at {} of {} heights as written; the variant breaks it near the "
                                 "centre, down to b/r = {:.3f} ({} of {})",
                                 signs.right, signs.all, variant_signs.farthest_wrong,
                                 variant_signs.right, variant_signs.all)}},
      .pictures = {chart_picture(
          "liu-zhang-zhao-brogliato-5",
          "Normal velocities over where the ball strikes, scaled so that below 1 a point stays on "
          "the ground. As the model is written, A stays for blows a little above the centre and C "
          "for blows a little below; in the variant nothing stays below (but at the very centre, "
          "left "
          "out), and A only between two heights, with a minimum where it does not feel the blow. "
          "Slip changes its sign through "
          "a "
          "range in which it is zero; that range is wide as written and narrow in the variant.",
          figure5)}};
}

}  // namespace carom::papers::disc_ball
