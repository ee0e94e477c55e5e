// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <carom/laws/table.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom::scenario {

/// One line of `carom solve --stream`, read and validated.
struct JsonProblem {
  std::string id = "null";   ///< as JSON, to be repeated as it came
  std::string law_name;      ///< as given, alias or not
  const Law* law = nullptr;  ///< with the options that make another row of it
  SystemAtImpact system;     ///< what strikes, with the surfaces of its contacts
  SolveOptions options;
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
