// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/laws/solve_options.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <papers/liu-zhang-zhao-brogliato/cases.hpp>

/// The impact of ball and disc under `lzb`, and other ways to read the model.
namespace carom::papers::disc_ball {

[[nodiscard]] DiscBall system_of(const Case& c, double radius = disc().radius);

/// The model as the paper writes it, all contacts at once.
struct Course {
  SystemAtImpact at{};
  Outcome outcome{};
  carom::Course trace{};
  std::vector<double> after{};  ///< u+ = (y_b', z_b', y_d', z_d', theta')
};
[[nodiscard]] Course course_of(const Case& c, const SolveOptions& options = {});

/// Of the disc.
[[nodiscard]] Velocities velocities_of(const std::vector<double>& after,
                                       double radius = disc().radius);

/// A reading of the model; as it stands: the model as written.
struct Reading {
  bool ground_waits = false;  ///< A, B and C do nothing until D has finished
  bool drives = false;        ///< friction at D drives its slip on; only where the ground waits
  double radius = disc().radius;
  std::vector<std::size_t> ground{0, 1, 2};  ///< which of A, B, C there are
};

/// What the numbers of cases 2 to 5 in Table 4 come out of to 0.15 %, though the paper does not say
/// so (L35). No law of impact; it shows what was computed.
[[nodiscard]] Reading variant(double radius = 0.03755);

[[nodiscard]] Velocities velocities_by(const Reading& reading, const Case& c);

/// The largest deviation from the numerical values, relative to v_2 and theta'; without v_1 in case
/// 9, which contradicts the others (L31).
[[nodiscard]] double off_from_print(const Case& c, const Velocities& v);

/// Of all combinations: the ground at once or after D; friction at D against its slip, none, or
/// (where the ground waits) along it; r as printed or the variant's; points A, B, C, or A and C, or
/// B; friction on the ground of any row of Table 3; its restitution as given, that of D, or none.
struct Nearest {
  Reading reading{};
  double off = 1e9;
  std::size_t tried = 0;
};
[[nodiscard]] Nearest nearest_reading(const Case& c);

}  // namespace carom::papers::disc_ball
