// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/simulation.hpp>

/// Event by event, and by steps where events are too many. Steps take over where an event-driven
/// run cannot go on (Failure), where events or its own steps follow each other too closely in time,
/// or where an island of closed contacts is too large. After a stretch of steps events are tried
/// again: gaps and normal velocities of closed contacts are set to zero by the smallest changes in
/// the mass metric, which are in the account. A stretch is twice as long as the last one if events
/// failed soon again.
namespace carom::motion {

/// Islands of more closed contacts than this are stepped through: the decision between stick and
/// slip takes time like the cube of their number.
inline constexpr std::size_t most_in_island = 48;

/// As `start` and `simulate`. @pre options.method is automatic
[[nodiscard]] Progress start_automatically(const Model& model, const State& state,
                                           const std::vector<Surface>& surfaces,
                                           const Options& options);
[[nodiscard]] Summary simulate_automatically(const Model& model,
                                             const std::vector<Surface>& surfaces,
                                             const Options& options, const Progress& progress,
                                             Recorder& recorder);

/// Why steps cannot take over; empty if they can.
[[nodiscard]] std::string refuses_steps(const Options& options);

}  // namespace carom::motion
