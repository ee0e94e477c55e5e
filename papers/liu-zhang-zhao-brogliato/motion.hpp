// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <carom/motion/events.hpp>
#include <papers/liu-zhang-zhao-brogliato/cases.hpp>

/// The disc after the ball has gone: Figs 4 and 6 to 8.
namespace carom::papers::disc_ball {

/// From where a run starts.
enum class From : std::uint8_t {
  impact,   ///< what lzb leaves, the model as written
  table_4,  ///< the numerical velocities; z_d' is not printed: A at rest in cases 2 to 6, where the
            ///< paper has it in contact, else what the variant gives
};

/// Which duration of an impact decides that contact begins [eq. 2.37].
enum class Duration : std::uint8_t {
  ball,  ///< T_c of the ball's impact, eq. 4.1 with the printed constant
  own,   ///< Hertz's, of each impact
};

/// What the disc does for a while: "A slip+", "A stick", "impacts at C", "line impact".
struct Stretch {
  std::string what{};
  double from = 0.;
  double to = 0.;
  std::size_t impacts = 0;
};

struct Sample {
  double time = 0.;
  double v1 = 0.;    ///< of the gauged point
  double v2 = 0.;    ///< of the second
  double slip = 0.;  ///< of A
  double theta = 0.;
  double spin = 0.;
  double ratio = 0.;  ///< F_t/F_n at A; NaN where it does not push
};

struct DiscRun {
  std::vector<Sample> samples{};  ///< at equal intervals
  std::vector<motion::Event> events{};
  std::vector<Stretch> story{};
  bool lies = false;  ///< it ended by falling on its face

  /// The story without what lasts less than `shortest`: "A slip+, A stick".
  [[nodiscard]] std::string course(double shortest = 1e-3) const;
};

[[nodiscard]] DiscRun run_disc(int number, From from, Duration duration, double interval);

/// The same sampled each 0.2 ms, and kept: many ask for it.
[[nodiscard]] const DiscRun& run_of(int number, From from, Duration duration = Duration::ball);

}  // namespace carom::papers::disc_ball
