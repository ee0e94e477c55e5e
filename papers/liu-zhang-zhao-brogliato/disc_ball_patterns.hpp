// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>

/// What the impact leaves of the contacts on the ground, over the height at which the ball strikes:
/// Fig. 5 and Table 5 of [Liu, Zhang, Zhao & Brogliato 2013].
namespace carom::papers {

enum class Way : std::uint8_t {
  as_written,  ///< disc_ball_as_written
  variant,     ///< disc_ball_variant
};

/// The disc struck at b = ratio r, with the coefficients of cases 1 to 4.
[[nodiscard]] DiscBallRow struck_at(double ratio, double ball_velocity, Way way);

/// v_n+/(g T_c) of A, B and C, v_t+/v_b, r theta'/v_b: what Fig. 5 draws.
struct Scaled {
  std::array<double, 3> normal{};
  double slip = 0.;
  double spin = 0.;
};
/// @param time_constant  k_Tc of T_c = k_Tc v_b^(-1/5)
[[nodiscard]] Scaled scaled_at(double ratio, double ball_velocity, Way way,
                               double time_constant = printed_time_constant);

/// What the points do after the impact, in the words of Table 5.
struct Pattern {
  std::array<std::string, 3> points{};  ///< of A, B, C: NC, SP, SN or ST
  int spin = 0;                         ///< sign of theta'
  std::string mode{};                   ///< I to VI; "-": none of them
};
/// The point with the least v_n stays in contact where v_n < g T_c [eq. 2.37]; with it those that
/// have the same v_n.
[[nodiscard]] Pattern pattern_of(const Scaled& s);

/// Where `holds` changes between two heights at which it differs.
[[nodiscard]] double boundary(double from, double to, const std::function<bool(double)>& holds);

/// The boundaries of Table 5, b/r.
struct PatternBoundaries {
  double contact_begins = 0.;  ///< v_A = g T_c; 0: A is in contact from the centre on
  double stick_begins = 0.;
  double stick_ends = 0.;
  double contact_ends = 0.;  ///< v_A = g T_c again
};
[[nodiscard]] PatternBoundaries pattern_boundaries(double ball_velocity, Way way,
                                                   double time_constant = printed_time_constant);

}  // namespace carom::papers
