// SPDX-License-Identifier: Apache-2.0
// Table 5: modes of the contacts after the impact, and where they change.
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

#include <algorithm>
#include <cmath>

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

Computed row_of_modes(const Row& row) {
  const double b = row.number("at b/r"), v_b = case_of(2).velocity;
  const Pattern w = pattern_of(scaled_at(b, v_b, {}));
  const Pattern v = pattern_of(scaled_at(b, v_b, variant()));
  return {{"A", w.points[0]},          {"B", w.points[1]},          {"C", w.points[2]},
          {"theta'", w.spin},          {"A, variant", v.points[0]}, {"B, variant", v.points[1]},
          {"C, variant", v.points[2]}, {"theta', variant", v.spin}};
}

std::vector<Computed> rows_of_boundaries() {
  const double v_b = case_of(2).velocity;
  const Boundaries w = boundaries(v_b, {});
  const Boundaries p = boundaries(v_b, variant());
  const Boundaries v = boundaries(v_b, variant(), time_constant());
  std::vector<Computed> all;
  for (const auto which : {&Boundaries::contact_begins, &Boundaries::stick_begins,
                           &Boundaries::stick_ends, &Boundaries::contact_ends}) {
    all.push_back({{"as written", w.*which},
                   {"variant, T_c as printed", p.*which},
                   {"variant, T_c by Table 1", v.*which}});
  }
  return all;
}

/// Which mode each experiment is in, by its own speed and friction.
Computed mode_of_case(const Row& row) {
  const Case& c = all_cases()[row.index];
  const Scaled w = scaled(c, {});
  const Scaled v = scaled(c, variant());
  return {{"as written", pattern_of(w).mode},
          {"v_A/(g T_c)", w.normal[0]},
          {"v_C/(g T_c)", w.normal[2]},
          {"variant", pattern_of(v).mode},
          {"v_A/(g T_c), variant", v.normal[0]}};
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

Boundaries boundaries(double v, const Reading& reading, double constant) {
  const auto contact = [&](double b) { return scaled_at(b, v, reading, constant).normal[0] < 1.; };
  const auto slip = [&](double b) { return scaled_at(b, v, reading, constant).slip; };
  constexpr double near = 1e-4;  // beside the centre, where every v_n vanishes
  const bool from_the_centre = contact(near);
  return {.contact_begins = from_the_centre ? 0. : boundary(0.02, 0.2, contact),
          .stick_begins = boundary(0.1, 0.25, [&](double b) { return slip(b) > zero; }),
          .stick_ends = boundary(0.25, 0.6, [&](double b) { return slip(b) < -zero; }),
          .contact_ends =
              from_the_centre ? boundary(near, 0.4, contact) : boundary(0.21, 0.6, contact)};
}

Computations modes() {
  return {.tables = {{"table-5", row_of_modes},
                     {"boundaries", rows_of_boundaries},
                     {"modes", mode_of_case}}};
}

}  // namespace carom::papers::disc_ball
