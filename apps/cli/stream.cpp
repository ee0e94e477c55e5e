// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/report/outcome_json.hpp>

namespace carom::cli {
namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool write_all(std::FILE* out, std::string& text) {
  const bool whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  text.clear();
  return whole && std::fflush(out) == 0;
}

/// read(2), which returns what there is, unlike fread, which waits for all that was asked for.
ssize_t read_some(int fd, char* into, std::size_t size) {
  ssize_t n = 0;
  do {
    n = ::read(fd, into, size);
  } while (n < 0 && errno == EINTR);
  return n;
}

}  // namespace

void StreamSolver::answer(std::string_view line, std::string& out) {
  ++line_;
  if (is_blank(line)) return;
  try {
    reader_.read(line, problem_);
    const SystemAtImpact& system = problem_.system;
    solve(*problem_.law, system.problem, problem_.options, workspace_, outcome_);
    if (system.has_velocities()) after_ = system.velocity_after(outcome_.impulse);
    report::JsonWriter json(out);
    json.begin_object();
    report::write_outcome(json, {.id = problem_.id,
                                 .law_name = problem_.law_name,
                                 .law = *problem_.law,
                                 .system = system,
                                 .outcome = outcome_,
                                 .velocity_after = system.has_velocities() ? &after_ : nullptr});
    json.end_object();
  } catch (const InputError& e) {
    report::append_error(out, problem_.id, e.field(), e.problem(), line_);
  }
  out += '\n';
}

void StreamSolver::refuse_long_line(std::string& out) {
  ++line_;
  report::append_error(out, "null", "",
                       "line is longer than " + std::to_string(longest_line) + " bytes", line_);
  out += '\n';
}

StreamEnd run_stream(std::FILE* in, std::FILE* out, const std::string& default_law,
                     std::optional<double> tolerance) {
  constexpr std::size_t chunk = 1U << 16U;
  StreamSolver solver(default_law, tolerance);
  std::vector<char> buffer(longest_line + chunk);
  std::size_t filled = 0;
  bool skipping = false;  // in a line that was too long, up to its end
  std::string answers;
  const int fd = fileno(in);
  while (true) {
    const ssize_t n = read_some(fd, buffer.data() + filled, chunk);
    if (n < 0) return StreamEnd::cannot_read;
    const bool ended = n == 0;
    filled += static_cast<std::size_t>(n);
    if (ended && filled > 0 && !skipping) buffer[filled++] = '\n';  // the last line needs no end
    const char* line = buffer.data();
    const char* const end = buffer.data() + filled;
    while (line < end) {
      const auto* stop =
          static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
      if (stop == nullptr) break;
      if (skipping || static_cast<std::size_t>(stop - line) > longest_line) {
        solver.refuse_long_line(answers);
        skipping = false;
      } else {
        solver.answer({line, static_cast<std::size_t>(stop - line)}, answers);
      }
      line = stop + 1;
    }
    filled = static_cast<std::size_t>(end - line);
    if (skipping || filled > longest_line) {
      skipping = true;
      filled = 0;
    }
    std::memmove(buffer.data(), line, filled);
    if (ended && skipping) solver.refuse_long_line(answers);
    if (!write_all(out, answers)) return StreamEnd::cannot_write;
    if (ended) return StreamEnd::done;
  }
}

}  // namespace carom::cli
