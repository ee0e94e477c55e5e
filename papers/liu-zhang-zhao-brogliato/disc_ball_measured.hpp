// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <papers/engine/judgement.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>

/// How far the five trials of each case spread: Table 4 of [Liu, Zhang, Zhao & Brogliato 2013].
namespace carom::papers {

/// From the mean to the largest and to the least value measured, as printed.
struct Spread {
  std::string_view up{};
  std::string_view down{};
};

/// Of v_1 [m/s], theta' [rad/s] and v_2 [m/s], cases 2 to 9.
inline constexpr std::array<std::array<Spread, 3>, 8> printed_spreads{{
    {{{"0.0020", "0.0022"}, {"0.0172", "0.0303"}, {"0.0017", "0.0020"}}},
    {{{"0.0006", "0.0014"}, {"0.0332", "0.507"}, {"0.0018", "0.0017"}}},
    {{{"0.0030", "0.0012"}, {"0.0364", "0.0681"}, {"0.0020", "0.0010"}}},
    {{{"0.0017", "0.0013"}, {"0.1096", "0.0439"}, {"0.0021", "0.0027"}}},
    {{{"0.0057", "0.0042"}, {"0.2424", "0.1481"}, {"0.0038", "0.0025"}}},
    {{{"0.0003", "0.0029"}, {"0.0863", "0.1161"}, {"0.0012", "0.0010"}}},
    {{{"0.0006", "0.0008"}, {"0.0136", "0.1171"}, {"0.0014", "0.0007"}}},
    {{{"0.0041", "0.0033"}, {"0.0822", "0.0130"}, {"0.0012", "0.0022"}}},
}};

/// @pre cases 2 to 9
[[nodiscard]] constexpr const std::array<Spread, 3>& printed_spread(int number) {
  return printed_spreads[static_cast<std::size_t>(number - 2)];
}

/// What was measured, from the least to the largest value.
struct MeasuredInterval {
  double from = 0.;
  double to = 0.;
  [[nodiscard]] bool holds(double x) const { return from <= x && x <= to; }
};
/// With the zero that theta' of case 3 lost, 0.0507.
[[nodiscard]] inline MeasuredInterval measured_interval(const DiscBallCase& c, std::size_t k) {
  const Spread& s = printed_spread(c.number)[k];
  const double down = c.number == 3 && k == 1 ? 0.0507 : parse_printed(s.down).value;
  return {.from = c.measured[k] - down, .to = c.measured[k] + parse_printed(s.up).value};
}

}  // namespace carom::papers
