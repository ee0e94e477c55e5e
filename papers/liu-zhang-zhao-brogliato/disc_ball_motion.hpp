// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <carom/motion/events.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>

/// The disc after the ball has gone: Figs 4 and 6 to 8 of [Liu, Zhang, Zhao & Brogliato 2013].
namespace carom::papers {

/// From where a run starts.
enum class StartFrom : std::uint8_t {
  impact,   ///< what lzb leaves, the model as written
  printed,  ///< the numerical velocities of Table 4; z_d' is not printed: A at rest in cases 2 to
            ///< 6, where the paper has it in contact, else what the variant gives
};

/// Which duration of an impact decides that contact begins [eq. 2.37].
enum class ImpactTime : std::uint8_t {
  ball,   ///< T_c of the ball's impact, eq. 4.1 with the printed constant
  local,  ///< Hertz's, of each impact
};

/// What the disc does for a while: "A slip+", "A stick", "impacts at C", "line impact".
struct Stretch {
  std::string what{};
  double from = 0.;  ///< [s]
  double to = 0.;
  std::size_t impacts = 0;
};

/// A run sampled at equal intervals.
struct DiscRun {
  std::vector<double> time{};   ///< [s]
  std::vector<double> v1{};     ///< of the gauged point, 4 mm above the ground [m/s]
  std::vector<double> v2{};     ///< of the second, 37.5 mm above it [m/s]
  std::vector<double> slip{};   ///< of A [m/s]
  std::vector<double> theta{};  ///< [rad]
  std::vector<double> spin{};   ///< theta' [rad/s]
  std::vector<double> ratio{};  ///< F_t/F_n at A; NaN where it does not push
  std::vector<motion::Event> events{};
  std::vector<Stretch> story{};
  bool lies = false;  ///< it ended by falling on its face

  /// The story without what lasts less than `shortest`: "A slip+, A stick".
  [[nodiscard]] std::string told(double shortest = 1e-3) const;
  /// When the first stretch of that name begins; NaN: there is none.
  [[nodiscard]] double begin_of(const std::string& what) const;
};

[[nodiscard]] DiscRun run_disc(const DiscBallCase& c, StartFrom from,
                               ImpactTime time = ImpactTime::ball, double interval = 2e-4);

/// The same from any velocities (y', z', theta') of the upright disc.
[[nodiscard]] DiscRun run_disc(const DiscBallCase& c, const std::array<double, 3>& velocity,
                               ImpactTime time, double interval);

}  // namespace carom::papers
