// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <carom/impact/spatial/problem.hpp>
#include <carom/mechanics/spatial_bodies.hpp>

/// The cases of tests/reference/spatial.json with their bodies, as plain structs.
namespace carom::test {

/// Velocities of a body.
struct SpatialMotion {
  World3 velocity{};  ///< of the mass centre [m/s]
  World3 spin{};      ///< [rad/s]

  bool operator==(const SpatialMotion&) const = default;
};

struct SpatialBodiesCase {
  std::string id;
  std::string law;
  SpatialBodies bodies;
  std::optional<SpatialProblem> contact;  ///< its contact-space form, where the case has one
  Vec3 impulse;
  Vec3 velocity;
  Vec3 couple;
  double change = 0.;
  std::vector<SpatialMotion> after;
  double tolerance = 0.;
  std::string line;            ///< the problem as a line for `carom solve --stream`
  std::string line_by_bodies;  ///< the same given by bodies
};

[[nodiscard]] const std::vector<SpatialBodiesCase>& spatial_bodies_cases();

/// An outcome line in space of `carom solve --stream`, read back.
struct SpatialOutcomeLine {
  std::string id;
  std::string law;
  std::string error_field;  ///< not empty: an error object
  std::string error_message;
  Vec3 impulse;
  Vec3 velocity;
  Vec3 couple;
  double change = 0.;
  std::string mode;
  std::string verdict;
  std::size_t phases = 0;
  std::vector<SpatialMotion> bodies;
};

[[nodiscard]] SpatialOutcomeLine parse_spatial_outcome(const std::string& line);

}  // namespace carom::test
