// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/report/json_parts.hpp>

namespace carom::report {

/// What a joint of a linkage carries.
struct JointRecord {
  std::string_view name;
  JointImpulse impulse;
};

/// An outcome and what it belongs to, to be written in the schema of tests/reference/README.md.
struct OutcomeRecord {
  std::string_view id;  ///< as JSON; empty: no id
  std::string_view law_name;
  const PlanarLaw& law;
  const PlanarProblem& problem;
  const PlanarOutcome& outcome;
  const Eigen::VectorXd* velocity_after = nullptr;
  bool by_bodies = false;  ///< velocity_after is that of bodies, (v_x, v_y, spin) each
  std::vector<JointRecord> joints{};
};

/// Appends one JSON object, without a line end. Numbers are the shortest that read back the same.
void append_outcome(std::string& out, const OutcomeRecord& record);

/// Appends {"id": ..., "error": {"field": ..., "message": ...}}; with `line` > 0 its number too.
void append_error(std::string& out, std::string_view id, std::string_view field,
                  std::string_view message, std::size_t line = 0);

}  // namespace carom::report
