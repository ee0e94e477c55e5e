// SPDX-License-Identifier: Apache-2.0
// Fig. 5 and Table 5: what the contacts on the ground do after the impact, over its height.
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <papers/engine/judgement.hpp>

namespace carom::papers::disc_ball {
namespace {

/// Slip and spin below this, relative to the ball's speed, are what accuracy left of zero.
constexpr double zero = 1e-8;
/// A height of 1 is on the rim, where nothing can be struck any more.
constexpr double rim = 1. - 1e-9;

std::string mode_of(const Pattern& p) {
  const auto& [A, B, C] = p.points;
  if (p.spin == "= 0") return A == "SP" && B == "SP" && C == "SP" ? "II" : "-";
  if (B != "NC" || C != "NC") return "-";
  if (p.spin == "> 0") return A == "NC" ? "I" : "-";
  return A == "NC" ? "III" : A == "SP" ? "IV" : A == "ST" ? "V" : "VI";
}

}  // namespace

// A, B and C stand under the mass centre; upright W is (0, 1, h), (0, 1, 0) and (0, 1, -h)
// [eq. 2.3].
Scaled scaled(const Case& c, const Reading& reading, double constant) {
  const Velocities v = velocities_by(reading, c);
  const double speed = gravity * constant * std::pow(c.velocity, -0.2);
  const double h = disc().half_thickness;
  return {.normal = {(v.rise + h * v.spin) / speed, v.rise / speed, (v.rise - h * v.spin) / speed},
          .slip = (v.v2 + reading.radius * v.spin) / c.velocity,
          .spin = reading.radius * v.spin / c.velocity};
}

Scaled scaled_at(double ratio, double ball_velocity, const Reading& reading, double constant) {
  Case c = case_of(2);
  c.height = std::clamp(ratio, -rim, rim) * reading.radius;
  c.velocity = ball_velocity;
  return scaled(c, reading, constant);
}

Pattern pattern_of(const Scaled& s) {
  Pattern p;
  p.spin = std::abs(s.spin) < zero ? "= 0" : s.spin > 0. ? "> 0" : "< 0";
  const double least = *std::min_element(s.normal.begin(), s.normal.end());
  for (std::size_t i = 0; i < 3 && least < 1.; ++i) {
    if (s.normal[i] - least >= zero) continue;
    p.points[i] = std::abs(s.slip) < zero ? "ST" : s.slip > 0. ? "SP" : "SN";
  }
  p.mode = mode_of(p);
  return p;
}

double boundary(double from, double to, const std::function<bool(double)>& holds) {
  const bool at_from = holds(from);
  while (std::abs(to - from) > 1e-7) {
    const double middle = 0.5 * (from + to);
    (holds(middle) == at_from ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

std::array<double, 4> boundaries(double v, const Reading& reading, double constant) {
  const auto contact = [&](double b) { return scaled_at(b, v, reading, constant).normal[0] < 1.; };
  const auto slips = [&](double b) { return scaled_at(b, v, reading, constant).slip > zero; };
  const auto slips_back = [&](double b) { return scaled_at(b, v, reading, constant).slip < -zero; };
  constexpr double near = 1e-4;  // beside the centre, where every v_n vanishes
  const bool from_the_centre = contact(near);
  return {from_the_centre ? 0. : boundary(0.02, 0.2, contact), boundary(0.1, 0.25, slips),
          boundary(0.25, 0.6, slips_back),
          from_the_centre ? boundary(near, 0.4, contact) : boundary(0.21, 0.6, contact)};
}

namespace {

// --- Table 5 -------------------------------------------------------------------------------------

/// Of cases 2, 5 and 8. Table 5 is for the first.
std::array<double, 3> speeds() {
  return {case_of(2).velocity, case_of(5).velocity, case_of(8).velocity};
}
double slow() { return speeds()[0]; }
double fast() { return speeds()[1]; }

// --- Fig. 5 --------------------------------------------------------------------------------------

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

/// The least v_n/(g T_c) of any point, over heights below the centre and speeds.
Found leaves_below(const Reading& reading) {
  const double least = smallest(speeds(), [&](double v_b) {
    return smallest(heights_between(-0.6, -0.02, 0.02),
                    [&](double b) { return smallest(scaled_at(b, v_b, reading).normal); });
  });
  return {least > 1., {{"least", least}}};
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

/// Heights but the centre, and those of them at which the spin has not the sign that the text
/// gives.
std::vector<double> off_centre() {
  return those(heights_between(-0.6, 1., 0.005), [](double b) { return b != 0.; });
}
std::vector<double> wrong_spins(const Reading& reading) {
  return those(off_centre(),
               [&](double b) { return !(scaled_at(b, slow(), reading).spin * b < 0.); });
}

// --- picture -------------------------------------------------------------------------------------

const std::array<Dash, 3> dashes{Dash{}, {10., 6.}, {3., 4.}};

ChartAxis axis_of_heights(double from, double to) {
  return {.label = "impact position b/r", .range = Range{from, to}};
}

/// v_n/(g T_c) of one point at one speed. At the centre the variant jumps: a gap.
Series normal_curve(std::size_t point, std::size_t speed, const Reading& reading) {
  const std::array<const char*, 3> colours{"#D55E00", "#009E73", "#0072B2"};
  return through({.label = {}, .colour = colours[point], .dash = dashes[speed], .width = 1.6},
                 heights_between(-0.6, 1., 0.02), [&](double b) {
                   return reading.drives && b == 0.
                              ? std::numeric_limits<double>::quiet_NaN()
                              : scaled_at(b, speeds()[speed], reading).normal[point];
                 });
}

ChartPanel normal_panel(const Reading& reading, std::string title) {
  ChartPanel panel{.title = std::move(title),
                   .x = axis_of_heights(-0.6, 1.),
                   .y = {.label = "v_n⁺/(g T_c)", .range = Range{0., 14.}},
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
                            .colour = "#505050",
                            .dash = dashes[k]});
  }
  return panel;
}

ChartPanel slip_panel(std::string title, double from, double to, double step, const Range& slips) {
  const auto curve = [&](Series style, const Reading& reading) {
    return through(std::move(style), heights_between(from, to, step),
                   [&](double b) { return scaled_at(b, slow(), reading).slip; });
  };
  return {
      .title = std::move(title),
      .x = axis_of_heights(from, to),
      .y = {.label = "v_t⁺/v_b", .range = slips},
      .series = {curve(series_of("lzb", "as written"), {}),
                 curve({.label = "variant", .colour = "#D55E00", .dash = {{10., 6.}}}, variant())}};
}

Chart figure_5() {
  ChartPanel slip = slip_panel("(b) slip of A, B and C, the same for all speeds", -0.6, 1., 0.01,
                               Range{-0.6, 1.});
  slip.marks = {{.at = 0., .label = ""}};
  ChartPanel stick = slip_panel("(c) where it sticks", 0.2, 0.34, 0.001, Range{-0.06, 0.06});
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

Computations patterns() {
  Computations paper;
  paper.checks["at-the-centre"] = []() -> Found {
    const auto v = scaled_at(0., slow(), {}).normal;
    const double most = *std::max_element(v.begin(), v.end());
    return {most < 1e-6, {{"most", most}}};
  };
  paper.checks["leaves-below"] = [] { return leaves_below({}); };
  paper.checks["leaves-below-variant"] = [] { return leaves_below(variant()); };
  paper.checks["range-of-contact"] = []() -> Found {
    const auto w = boundaries(slow(), {}), v = boundaries(slow(), variant());
    return {w[3] > w[0] && v[3] > v[0], {{"written", w[3]}, {"from", v[0]}, {"to", v[3]}}};
  };
  paper.checks["range-shrinks"] = []() -> Found {
    const auto w = boundaries(slow(), {}), v = boundaries(slow(), variant());
    const auto fast_w = boundaries(fast(), {}), fast_v = boundaries(fast(), variant());
    return {fast_w[3] < w[3] && fast_v[0] > v[0] && fast_v[3] < v[3],
            {{"speed", fast()}, {"written", fast_w[3]}, {"from", fast_v[0]}, {"to", fast_v[3]}}};
  };
  paper.checks["insensitive"] = [] { return insensitive({}); };
  paper.checks["insensitive-variant"] = [] { return insensitive(variant()); };
  // The largest difference of v_t/v_b between speeds.
  paper.checks["slip-and-speed"] = []() -> Found {
    const auto b_over_r = heights_between(-0.6, 1., 0.1);
    double most = 0.;
    for (const Reading& reading : {Reading{}, variant()}) {
      for (const double b : b_over_r) {
        std::array<double, 3> slips = speeds();
        for (double& x : slips) x = scaled_at(b, x, reading).slip;
        const auto [low, high] = std::minmax_element(slips.begin(), slips.end());
        most = largest(most, *high - *low);
      }
    }
    return {most < 1e-7, {{"heights", b_over_r.size()}, {"most", most}}};
  };
  paper.checks["range-of-stick"] = []() -> Found {
    const auto w = boundaries(slow(), {}), v = boundaries(slow(), variant());
    return {w[2] > w[1] && w[2] - w[1] < 0.1 && v[2] > v[1],
            {{"from", w[1]}, {"to", w[2]}, {"variant_from", v[1]}, {"variant_to", v[2]}}};
  };
  paper.checks["sense-of-rotation"] = []() -> Found {
    const std::size_t all = off_centre().size();
    const auto w = wrong_spins({}), v = wrong_spins(variant());
    const auto farthest = std::ranges::max_element(v, {}, [](double b) { return std::abs(b); });
    return {w.empty(),
            {{"right", all - w.size()},
             {"all", all},
             {"variant_right", all - v.size()},
             {"farthest", farthest == v.end() ? 0. : *farthest}}};
  };
  paper.checks["L39"] = []() -> Found {
    const auto w = boundaries(slow(), {}), v = boundaries(slow(), variant(), time_constant());
    Found found{.holds = true};
    for (std::size_t k = 1; k < 4; ++k) {
      const Row& row = rows("boundaries")[k];
      const auto [printed, digit] = parse_printed(row.text("as written"));
      const double apart = std::abs(v[k] - printed);
      found.holds = found.holds && apart > 0.5 * digit && std::abs(w[k] - printed) > apart;
      found.values.emplace(fmt::format("v{}", k), v[k]);
      found.values.emplace(fmt::format("w{}", k), w[k]);
    }
    return found;
  };
  paper.tables["table-5"] = [](const Row& row) -> Computed {
    const double b = row.number("at b/r");
    const Pattern w = pattern_of(scaled_at(b, slow(), {}));
    const Pattern v = pattern_of(scaled_at(b, slow(), variant()));
    return {{"A", w.points[0]},          {"B", w.points[1]},          {"C", w.points[2]},
            {"theta'", w.spin},          {"A, variant", v.points[0]}, {"B, variant", v.points[1]},
            {"C, variant", v.points[2]}, {"theta', variant", v.spin}};
  };
  paper.tables["boundaries"] = [](const Row& row) -> Computed {
    return {{"as written", boundaries(slow(), {})[row.index]},
            {"variant, T_c as printed", boundaries(slow(), variant())[row.index]},
            {"variant, T_c by Table 1", boundaries(slow(), variant(), time_constant())[row.index]}};
  };
  // Which mode each experiment is in, by its own speed and friction.
  paper.tables["modes"] = [](const Row& row) -> Computed {
    const Case& c = all_cases()[row.index];
    const Scaled w = scaled(c, {});
    const Scaled v = scaled(c, variant());
    return {{"as written", pattern_of(w).mode},
            {"v_A/(g T_c)", w.normal[0]},
            {"v_C/(g T_c)", w.normal[2]},
            {"variant", pattern_of(v).mode},
            {"v_A/(g T_c), variant", v.normal[0]}};
  };
  paper.pictures["liu-zhang-zhao-brogliato-5"] = chart(figure_5);
  return paper;
}

}  // namespace carom::papers::disc_ball
