// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <carom/impact/planar_problem.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/configuration.hpp>
#include <carom/mechanics/multi_system.hpp>
#include <carom/mechanics/spatial_bodies.hpp>

namespace carom::scenario {

/// What a line in space asks.
struct SpatialJsonProblem {
  const Law* law = nullptr;
  SpatialProblem problem;
  SpatialOptions options;
  std::optional<BodiesAtImpact> bodies;  ///< given by bodies
};

/// What a line with several contacts asks.
struct MultiJsonProblem {
  const Law* law = nullptr;
  ContactProblem problem;
  SolveOptions options;
  std::optional<MultiConfiguration> configuration;  ///< given in generalized coordinates
};

/// One line of `carom solve --stream`, read and validated.
struct JsonProblem {
  std::string id = "null";                  ///< as JSON, to be repeated as it came
  std::string law_name;                     ///< as given, alias or not
  std::optional<SpatialJsonProblem> space;  ///< in space; then what follows means nothing
  std::optional<MultiJsonProblem> multi;    ///< several contacts, or `lzb`; then likewise
  PlanarLaw law;
  PlanarProblem problem;
  std::optional<Configuration> configuration;  ///< given in generalized coordinates or by bodies
  bool by_bodies = false;                      ///< u is (v_x, v_y, spin) of each body
};

/// Reads problems in the schema of tests/reference/README.md. Keeps its buffers between lines, so
/// that a long stream allocates no more than its longest line asks for.
class ProblemReader {
 public:
  /// @param default_law  for lines that name none; empty: they must
  /// @param tolerance    for lines that give none; none: the law's own default
  explicit ProblemReader(std::string default_law = {}, std::optional<double> tolerance = {});
  ~ProblemReader();
  ProblemReader(const ProblemReader&) = delete;
  ProblemReader& operator=(const ProblemReader&) = delete;

  /// Reads one line into `problem`. Throws InputError; `problem.id` is then what could be read.
  void read(std::string_view line, JsonProblem& problem);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::string default_law_;
  std::optional<double> tolerance_;
};

}  // namespace carom::scenario
