// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <carom/impact/planar/problem.hpp>

/// The cases of tests/reference/planar.json and own/planar-own.json as plain structs. `law` is the
/// name in the catalogue, its option included ("moreau:poisson").
namespace carom::test {

struct ReferenceCase {
  std::string id;
  std::string law;
  std::string law_in_line;  ///< without its option
  PlanarProblem problem;
  Vec2 impulse;
  Vec2 velocity;
  double couple = 0.;
  bool by_bodies = false;  ///< the line is given by bodies, not in contact space
  std::string mode;        ///< "0".."6", "stick", ..., or "null"
  double change = 0.;
  std::map<std::string, double> ledger;  ///< normal_compression etc., where the case gives them
  double tolerance = 0.;
  std::map<std::string, double> extra;  ///< the scalar entries
  std::map<std::string, std::vector<double>> extra_arrays;
  std::map<std::string, std::string> extra_text;
  std::map<std::string, double> system;
  std::string system_type;
  std::string line;  ///< the problem as a line for `carom solve --stream`
};

/// For the names of tests.
inline std::ostream& operator<<(std::ostream& out, const ReferenceCase& c) { return out << c.id; }

/// A derived quantity: named numbers in, named rows of numbers out (null: empty).
struct DerivedCase {
  std::string id;
  std::map<std::string, double> inputs;
  std::vector<double> angles_deg;
  std::map<std::string, std::vector<std::optional<double>>> expect;
};

[[nodiscard]] const std::vector<ReferenceCase>& reference_cases();
[[nodiscard]] const std::vector<DerivedCase>& derived_cases();

/// An outcome line of `carom solve --stream`, read back.
struct OutcomeLine {
  std::string id;
  std::string law;
  std::string error_field;  ///< not empty: an error object
  std::string error_message;
  Vec2 impulse;
  Vec2 velocity;
  std::string mode;
  std::string verdict;
  std::vector<std::string> flags;
  std::map<std::string, double> energy;
  std::size_t phases = 0;
  std::size_t solutions = 0;
  std::vector<double> velocity_after;
  std::vector<std::vector<double>> bodies;  ///< (v_x, v_y, spin) each
  std::map<std::string, std::string> labels;
};

[[nodiscard]] OutcomeLine parse_outcome(const std::string& line);

/// Is `text` one well-formed JSON value?
[[nodiscard]] bool is_json(const std::string& text);

/// Compares as tests/reference/README.md says. Empty: equal; else what differs, and by how much.
[[nodiscard]] std::string compare(const ReferenceCase& expected, const Vec2& impulse,
                                  const Vec2& velocity,
                                  const std::map<std::string, double>& energy);

}  // namespace carom::test
