// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/spatial_model.hpp>

/// Models of motion checked against their own definitions, by differences and small steps.
namespace carom::test {

/// Numbers that are the same for the same seed, everywhere.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed + 0x9e3779b97f4a7c15ULL) {}
  double uniform(double least, double most);
  int below(int n);
  bool chance(double p) { return uniform(0., 1.) < p; }
  World3 vector(double most);

 private:
  std::uint64_t state_;
};

/// The state a time dt later with u as it is: q' = T(q) u in one Runge-Kutta step of order four.
[[nodiscard]] State drifted(const Model& model, const State& state, double dt);

[[nodiscard]] Matrix mass_matrix(const Model& model, const State& state);

/// 1/2 u.M.u [J].
[[nodiscard]] double kinetic_energy(const Model& model, const State& state);

/// Where energy went along a free motion.
struct FreeRun {
  State state;
  double work = 0.;  ///< of drives and dampers [J]
};

/// Contacts left aside, by `steps` Runge-Kutta steps of order four.
[[nodiscard]] FreeRun run_free(const Model& model, const State& from, double time, int steps);

/// The largest of what is wrong with a contact, each relative to its own scale: the rate of the gap
/// against the normal velocity, the gap's gradient against W's first column, the velocity's slope
/// against W, the velocity's rate against the bias.
struct ContactFaults {
  double gap = 0.;  ///< contact() against gap()
  double gap_rate = 0.;
  double gradient = 0.;
  double slope = 0.;
  double bias = 0.;
};
[[nodiscard]] ContactFaults faults(const Model& model, std::size_t contact, const State& state);

/// A tree of links with springs, dampers, motors and forces, and contacts of every kind.
[[nodiscard]] MovingLinkage random_moving_linkage(std::uint64_t seed);

/// Bodies of every shape, in any posture and motion, over planes of any orientation.
[[nodiscard]] SpatialScene random_scene(std::uint64_t seed);

}  // namespace carom::test
