// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/core/world.hpp>

namespace carom {

/// How a piece of the ground moves without turning: its displacement from where it is described,
///
///     d(t) = velocity t + amplitude sin(2 pi frequency t + phase) + table(t)
///
/// In the plane z is zero. A table is a cubic between its times, with given positions and
/// velocities there (C1); it is continued with constant velocity at both ends.
struct PrescribedPath {
  World3 velocity{};                 ///< [m/s]
  World3 amplitude{};                ///< [m]
  double frequency = 0.;             ///< [Hz]
  double phase = 0.;                 ///< [rad]
  std::vector<double> times{};       ///< of the table, ascending [s]; empty: no table
  std::vector<World3> positions{};   ///< one a time [m]
  std::vector<World3> velocities{};  ///< one a time [m/s]; empty: smooth through the positions

  struct At {
    World3 displacement{};  ///< [m]
    World3 velocity{};      ///< [m/s]
    World3 acceleration{};  ///< [m/s^2]
  };
  [[nodiscard]] At at(double time) const;
  [[nodiscard]] bool moves() const;
  /// Whether the displacement is `velocity t` alone.
  [[nodiscard]] bool is_uniform() const { return amplitude == World3{} && times.empty(); }
  /// The next time at which the acceleration jumps, or infinity [s].
  [[nodiscard]] double next_jump(double time) const;
};

/// Checks a path and fills in missing velocities of its table: central differences, one-sided at
/// the ends. Throws InputError: "motion.times[1]".
void prepare(PrescribedPath& path, const std::string& field);

}  // namespace carom
