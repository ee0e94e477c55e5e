// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>

/// Other ways to read the model of [Liu, Zhang, Zhao & Brogliato 2013], tried on the cases of Table
/// 4 whose numerical values come out of none.
namespace carom::papers {

enum class FrictionAtD : std::uint8_t { opposes, none, along };

struct DiscBallReading {
  bool ground_waits = false;  ///< until D has finished
  FrictionAtD at_D = FrictionAtD::opposes;
  double radius = disc_radius;                   ///< [m]
  std::array<bool, 3> points{true, true, true};  ///< which of A, B, C there are
  double friction = 0.14;                        ///< on the ground
  double static_friction = 0.15;
  double restitution = 0.9064;  ///< on the ground
  double friction_at_D = 0.07;  ///< where it acts along the slip
};

/// @pre friction along the slip at D only where the ground waits
[[nodiscard]] DiscBallRow disc_ball_by(const DiscBallCase& c, const DiscBallReading& reading);

/// The largest deviation from what is printed, relative to v_2 and theta'; without v_1 in case 9,
/// which contradicts the others.
[[nodiscard]] double off_from_print(const DiscBallCase& c, const DiscBallRow& row);

struct NearestReading {
  DiscBallReading reading{};
  double off = 1e9;
  std::size_t tried = 0;
};
/// Of all combinations: the ground at once or after D; friction at D; r = 37.5 or 37.55 mm; points
/// A, B, C, or A and C, or B; friction on the ground from any row of Table 3; its restitution as
/// given, that of D, or none.
[[nodiscard]] NearestReading nearest_reading(const DiscBallCase& c);

}  // namespace carom::papers
