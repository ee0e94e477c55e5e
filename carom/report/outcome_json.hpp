// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/study/comparison.hpp>

namespace carom::report {

/// An outcome and what it belongs to, to be written in the schema of tests/reference/README.md.
struct OutcomeRecord {
  std::string_view id;  ///< as JSON; empty: no id
  std::string_view law_name;
  const Law& law;
  const SystemAtImpact& system;
  const Outcome& outcome;
  const std::vector<double>* velocity_after = nullptr;  ///< u+, where the system has velocities
  std::span<const JointImpulse> joints{};
  const study::Distance* distance = nullptr;
};

/// Writes the members of one object, which the caller begins and ends. Numbers are the shortest
/// that read back the same. Of one contact the mode, the parts of the energy and so on are single
/// values, of several they are arrays.
void write_outcome(JsonWriter& out, const OutcomeRecord& record);

/// Numbers as an array, or one by itself.
void write_one_or_more(JsonWriter& out, std::span<const double> numbers);

/// Appends {"id": ..., "error": {"field": ..., "message": ...}}; with `line` > 0 its number too.
void append_error(std::string& out, std::string_view id, std::string_view field,
                  std::string_view message, std::size_t line = 0);

/// The members "velocity", "spin", "translation" and "rotation" of a body at velocities u.
void write_body(JsonWriter& out, const SystemAtImpact& system, std::size_t body,
                std::span<const double> u);

}  // namespace carom::report
