// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>

#include <algorithm>
#include <cmath>

namespace carom::papers {
namespace {

/// Slip and spin below this, relative to the ball's speed, are what accuracy left of zero.
constexpr double zero = 1e-8;
/// A height of 1 is on the rim, where nothing can be struck any more.
constexpr double rim = 1. - 1e-9;

double radius_of(Way way) { return way == Way::as_written ? disc_radius : variant_radius; }

std::string sliding(double slip) {
  if (std::abs(slip) < zero) return "ST";
  return slip > 0. ? "SP" : "SN";
}

std::string mode_of(const Pattern& p) {
  const std::string& A = p.points[0];
  const bool others_leave = p.points[1] == "NC" && p.points[2] == "NC";
  if (p.spin == 0) return A == "SP" && p.points[1] == "SP" && p.points[2] == "SP" ? "II" : "-";
  if (!others_leave) return "-";
  if (p.spin > 0) return A == "NC" ? "I" : "-";
  if (A == "NC") return "III";
  return A == "SP" ? "IV" : A == "ST" ? "V" : "VI";
}

}  // namespace

DiscBallRow struck_at(double ratio, double ball_velocity, Way way) {
  DiscBallCase c = disc_ball_case(2);
  c.height = std::clamp(ratio, -rim, rim) * radius_of(way);
  c.velocity = ball_velocity;
  return way == Way::as_written ? disc_ball_as_written(system_of(c), surfaces_of(c))
                                : disc_ball_variant(system_of(c), surfaces_of(c));
}

Scaled scaled_at(double ratio, double ball_velocity, Way way, double time_constant) {
  const DiscBallRow row = struck_at(ratio, ball_velocity, way);
  const double radius = radius_of(way);
  const double speed = gravity * time_constant * std::pow(ball_velocity, -0.2);
  Scaled s{.normal = normal_velocities(row, half_thickness),
           .slip = slip(row, radius) / ball_velocity,
           .spin = radius * row.spin / ball_velocity};
  for (double& v : s.normal) v /= speed;
  return s;
}

Pattern pattern_of(const Scaled& s) {
  Pattern p{.points = {"NC", "NC", "NC"}};
  p.spin = std::abs(s.spin) < zero ? 0 : s.spin > 0. ? 1 : -1;
  const double least = *std::min_element(s.normal.begin(), s.normal.end());
  for (std::size_t i = 0; i < 3 && least < 1.; ++i) {
    if (s.normal[i] - least < zero) p.points[i] = sliding(s.slip);
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

PatternBoundaries pattern_boundaries(double v, Way way, double time_constant) {
  const auto contact = [&](double b) { return scaled_at(b, v, way, time_constant).normal[0] < 1.; };
  const auto slip = [&](double b) { return scaled_at(b, v, way, time_constant).slip; };
  constexpr double near = 1e-4;  // beside the centre, where every v_n vanishes
  PatternBoundaries p;
  p.stick_begins = boundary(0.1, 0.25, [&](double b) { return slip(b) > zero; });
  p.stick_ends = boundary(0.25, 0.6, [&](double b) { return slip(b) < -zero; });
  if (way == Way::as_written) {
    p.contact_ends = boundary(near, 0.4, contact);
  } else {
    p.contact_begins = boundary(0.02, 0.2, contact);
    p.contact_ends = boundary(0.21, 0.6, contact);
  }
  return p;
}

}  // namespace carom::papers
