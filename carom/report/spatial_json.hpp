// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <carom/laws/table.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/study/spatial_comparison.hpp>

namespace carom::report {

/// An outcome in space and what it belongs to, to be written in the schema of
/// tests/reference/README.md.
struct SpatialRecord {
  std::string_view id;  ///< as JSON; empty: no id
  std::string_view law_name;
  const Law& law;
  const SpatialProblem& problem;
  const SpatialOutcome& outcome;
  std::span<const study::BodyState> bodies{};  ///< after
  const study::Distance* distance = nullptr;
};

/// Appends one JSON object, without a line end.
void append_outcome(std::string& out, const SpatialRecord& record);

/// Appends [n, t1, t2] or [x, y, z].
void append_triple(std::string& out, const Vec3& v);
void append_triple(std::string& out, const World3& v);

/// Appends "velocity": .., "spin": .., "translation": .., "rotation": .., the members of a body.
void append_state(std::string& out, const study::BodyState& body);

}  // namespace carom::report
