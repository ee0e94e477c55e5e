// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>

#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

/// What the impact leaves of the contacts on the ground, over the height at which the ball strikes:
/// Fig. 5 and Table 5.
namespace carom::papers::disc_ball {

/// v_n+/(g T_c) of A, B and C, v_t+/v_b, r theta'/v_b: what Fig. 5 draws.
struct Scaled {
  std::array<double, 3> normal{};
  double slip = 0.;
  double spin = 0.;
};
/// @param constant  k_Tc of T_c = k_Tc v_b^(-1/5)
[[nodiscard]] Scaled scaled(const Case& c, const Reading& reading,
                            double constant = printed_time_constant());
/// The disc struck at b = ratio r, with the coefficients of cases 1 to 4.
[[nodiscard]] Scaled scaled_at(double ratio, double ball_velocity, const Reading& reading,
                               double constant = printed_time_constant());

/// What the points do after the impact, in the words of Table 5.
struct Pattern {
  std::array<std::string, 3> points{"NC", "NC", "NC"};  ///< of A, B, C: NC, SP, SN or ST
  std::string spin{};                                   ///< "> 0", "= 0", "< 0"
  std::string mode{};                                   ///< I to VI; "-": none of them
};
/// The point with the least v_n stays in contact where v_n < g T_c [eq. 2.37]; with it those that
/// have the same v_n.
[[nodiscard]] Pattern pattern_of(const Scaled& s);

/// Where `holds` changes between two heights at which it differs.
[[nodiscard]] double boundary(double from, double to, const std::function<bool(double)>& holds);

/// The boundaries of Table 5, b/r, in its order: A comes to stay (0: it does from the centre on),
/// slip ends, slip back begins, A leaves.
[[nodiscard]] std::array<double, 4> boundaries(double ball_velocity, const Reading& reading,
                                               double constant = printed_time_constant());

}  // namespace carom::papers::disc_ball
