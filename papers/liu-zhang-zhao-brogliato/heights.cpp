// SPDX-License-Identifier: Apache-2.0
// Fig. 5: velocities of the contacts on the ground, over the height of the impact.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

namespace carom::papers::disc_ball {
namespace {

/// Of cases 2, 5 and 8.
std::array<double, 3> speeds() {
  return {case_of(2).velocity, case_of(5).velocity, case_of(8).velocity};
}
double slow() { return speeds()[0]; }
double fast() { return speeds()[1]; }

/// b/r, with the centre among them.
std::vector<double> heights_between(double from, double to, double step) {
  std::vector<double> b;
  const int count = static_cast<int>(std::lround((to - from) / step));
  for (int i = 0; i <= count; ++i) {
    const double x = from + step * i;
    b.push_back(std::abs(x) < 0.5 * step ? 0. : x);
  }
  return b;
}

Found at_the_centre() {
  const auto v = scaled_at(0., slow(), {}).normal;
  const double most = *std::max_element(v.begin(), v.end());
  return {most < 1e-6, {{"most", most}}};
}

/// The least v_n/(g T_c) of any point, over heights below the centre and speeds.
Found leaves_below(const Reading& reading) {
  double least = 1e9;
  for (const double v_b : speeds()) {
    for (const double b : heights_between(-0.6, -0.02, 0.02)) {
      const auto v = scaled_at(b, v_b, reading).normal;
      least = std::min(least, *std::min_element(v.begin(), v.end()));
    }
  }
  return {least > 1., {{"least", least}}};
}

Found range_of_contact() {
  const Boundaries w = boundaries(slow(), {}), v = boundaries(slow(), variant());
  return {w.contact_ends > w.contact_begins && v.contact_ends > v.contact_begins,
          {{"written", w.contact_ends}, {"from", v.contact_begins}, {"to", v.contact_ends}}};
}

Found range_shrinks() {
  const Boundaries w = boundaries(slow(), {}), v = boundaries(slow(), variant());
  const Boundaries fast_w = boundaries(fast(), {}), fast_v = boundaries(fast(), variant());
  return {fast_w.contact_ends < w.contact_ends && fast_v.contact_begins > v.contact_begins &&
              fast_v.contact_ends < v.contact_ends,
          {{"speed", fast()},
           {"written", fast_w.contact_ends},
           {"from", fast_v.contact_begins},
           {"to", fast_v.contact_ends}}};
}

/// Where v_A is least between the centre and 0.4.
Found insensitive(const Reading& reading) {
  constexpr double printed = 0.21;
  double at = 0., least = 1e9;
  for (const double b : heights_between(0.1, 0.4, 0.0025)) {
    const double v = scaled_at(b, slow(), reading).normal[0];
    if (v >= least) continue;
    at = b;
    least = v;
  }
  return {least < 0.05 && std::abs(at - printed) < 0.01,
          {{"at", at}, {"least", least}, {"there", scaled_at(printed, slow(), reading).normal[0]}}};
}

/// v_t/v_b at several speeds.
Found slip_and_speed() {
  const auto b_over_r = heights_between(-0.6, 1., 0.1);
  double most = 0.;
  for (const Reading& reading : {Reading{}, variant()}) {
    for (const double b : b_over_r) {
      const auto [first, second, third] = speeds();
      const auto [low, high] =
          std::minmax({scaled_at(b, first, reading).slip, scaled_at(b, second, reading).slip,
                       scaled_at(b, third, reading).slip});
      most = largest(most, high - low);
    }
  }
  return {most < 1e-7, {{"heights", b_over_r.size()}, {"most", most}}};
}

Found range_of_stick() {
  const Boundaries w = boundaries(slow(), {}), v = boundaries(slow(), variant());
  return {w.stick_ends > w.stick_begins && w.stick_ends - w.stick_begins < 0.1 &&
              v.stick_ends > v.stick_begins,
          {{"from", w.stick_begins},
           {"to", w.stick_ends},
           {"variant_from", v.stick_begins},
           {"variant_to", v.stick_ends}}};
}

/// Heights at which the spin has the sign that the text gives it, of all but the centre.
struct Signs {
  int right = 0;
  int all = 0;
  double farthest_wrong = 0.;  ///< b/r
};
Signs signs_of_spin(const Reading& reading) {
  Signs n;
  for (const double b : heights_between(-0.6, 1., 0.005)) {
    if (b == 0.) continue;
    ++n.all;
    if (scaled_at(b, slow(), reading).spin * b < 0.) {
      ++n.right;
    } else if (std::abs(b) > std::abs(n.farthest_wrong)) {
      n.farthest_wrong = b;
    }
  }
  return n;
}

Found sense_of_rotation() {
  const Signs w = signs_of_spin({}), v = signs_of_spin(variant());
  return {w.right == w.all,
          {{"right", w.right},
           {"all", w.all},
           {"variant_right", v.right},
           {"farthest", v.farthest_wrong}}};
}

// --- picture -------------------------------------------------------------------------------------

/// Greys, no two the same: gnuplot draws neighbours in a key alike where only their dashes differ.
constexpr std::array<const char*, 3> greys{"#505050", "#525252", "#545454"};
constexpr std::array<const char*, 3> dashes{"solid", "(10,6)", "(3,4)"};

report::ChartAxis axis_of_heights(double from, double to) {
  return {.label = "impact position b/r", .range = report::Range{from, to}};
}

/// v_n/(g T_c) of one point at one speed. At the centre the variant jumps: a gap.
report::Series normal_curve(std::size_t point, std::size_t speed, const Reading& reading) {
  const std::array<const char*, 3> colours{"#D55E00", "#009E73", "#0072B2"};
  report::Series s{.label = {}, .colour = colours[point], .dash = dashes[speed], .width = 1.6};
  for (const double b : heights_between(-0.6, 1., 0.02)) {
    s.x.push_back(b);
    s.y.push_back(reading.drives && b == 0. ? std::numeric_limits<double>::quiet_NaN()
                                            : scaled_at(b, speeds()[speed], reading).normal[point]);
  }
  return s;
}

report::ChartPanel normal_panel(const Reading& reading, std::string title) {
  report::ChartPanel panel{
      .title = std::move(title),
      .x = axis_of_heights(-0.6, 1.),
      .y = {.label = "v_n⁺/(g T_c)", .range = report::Range{0., 14.}},
      .marks = {{.at = 1., .label = {}, .across = true}, {.at = 0., .label = {}}}};
  const std::array<const char*, 3> names{"A", "B", "C"};
  for (std::size_t point = 0; point < 3; ++point) {
    for (std::size_t speed = 0; speed < 3; ++speed) {
      panel.series.push_back(normal_curve(point, speed, reading));
      if (speed == 0) panel.series.back().label = names[point];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    panel.series.push_back({.label = fmt::format("v_b = {:g} m/s", speeds()[k]),
                            .colour = greys[k],
                            .dash = dashes[k]});
  }
  return panel;
}

report::ChartPanel slip_panel(std::string title, double from, double to, double step,
                              const report::Range& slips) {
  report::ChartPanel panel{.title = std::move(title),
                           .x = axis_of_heights(from, to),
                           .y = {.label = "v_t⁺/v_b", .range = slips}};
  report::Series written = report::series_of(report::style_of_law("lzb"), "as written");
  report::Series other{.label = "variant", .colour = "#D55E00", .dash = "(10,6)"};
  for (const double b : heights_between(from, to, step)) {
    written.x.push_back(b);
    written.y.push_back(scaled_at(b, slow(), {}).slip);
    other.x.push_back(b);
    other.y.push_back(scaled_at(b, slow(), variant()).slip);
  }
  panel.series = {written, other};
  return panel;
}

report::Chart figure_5() {
  report::ChartPanel slip = slip_panel("(b) slip of A, B and C, the same for all speeds", -0.6, 1.,
                                       0.01, report::Range{-0.6, 1.});
  slip.marks = {{.at = 0., .label = ""}};
  report::ChartPanel stick =
      slip_panel("(c) where it sticks", 0.2, 0.34, 0.001, report::Range{-0.06, 0.06});
  for (const std::size_t k : {1U, 2U}) {
    const Row& row = rows("boundaries")[k];
    stick.marks.push_back(
        {.at = row.number("as written"), .label = row.text("as written") + " printed"});
  }
  return {.heading = "The disc's contacts after the impact",
          .subheading =
              "e, mu and k of Table 3 (cases 1-4); dashed line: below it a point stays in "
              "contact",
          .panels = {normal_panel({}, "(a) as written"), normal_panel(variant(), "(a) variant"),
                     slip, stick},
          .columns = 2,
          .panel_width = 460,
          .panel_height = 340};
}

}  // namespace

Computations heights() {
  return {.checks = {{"at-the-centre", at_the_centre},
                     {"leaves-below", [] { return leaves_below({}); }},
                     {"leaves-below-variant", [] { return leaves_below(variant()); }},
                     {"range-of-contact", range_of_contact},
                     {"range-shrinks", range_shrinks},
                     {"insensitive", [] { return insensitive({}); }},
                     {"insensitive-variant", [] { return insensitive(variant()); }},
                     {"slip-and-speed", slip_and_speed},
                     {"range-of-stick", range_of_stick},
                     {"sense-of-rotation", sense_of_rotation}},
          .pictures = {{"liu-zhang-zhao-brogliato-5", chart(figure_5)}}};
}

}  // namespace carom::papers::disc_ball
