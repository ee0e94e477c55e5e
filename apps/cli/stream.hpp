// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/workspace.hpp>
#include <carom/scenario/problem_json.hpp>

/// `carom solve --stream`: one problem a line in, one outcome a line out.
namespace carom::cli {

/// A longer line is answered by an error and skipped, so that memory stays bounded.
inline constexpr std::size_t longest_line = 1U << 20U;

/// Answers lines one by one; a bad one by an error object.
class StreamSolver {
 public:
  /// @param tolerance  for problems that give none; none: the law's own default
  explicit StreamSolver(std::string default_law = {}, std::optional<double> tolerance = {})
      : reader_(std::move(default_law), tolerance) {}

  /// Appends the answer to `line` and a line end to `out`. Blank lines have no answer.
  void answer(std::string_view line, std::string& out);

  /// The same for a line that was longer than `longest_line`.
  void refuse_long_line(std::string& out);

 private:
  scenario::ProblemReader reader_;
  scenario::JsonProblem problem_;
  Workspace workspace_;
  Outcome outcome_;
  std::vector<double> after_;  ///< u+
  std::size_t line_ = 0;
};

/// How a stream ended.
enum class StreamEnd { done, cannot_read, cannot_write };

/// Answers all of `in`. Whatever has been answered is flushed before it waits for more input, so
/// that another program can hold a conversation with it.
[[nodiscard]] StreamEnd run_stream(std::FILE* in, std::FILE* out, const std::string& default_law,
                                   std::optional<double> tolerance);

}  // namespace carom::cli
