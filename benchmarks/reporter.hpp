// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Ratios of times that were measured in one run.
namespace carom::benchmarks {

/// Keeps the fastest repetition of each row and prints it at the end, in the order of the rows.
class Reporter : public benchmark::ConsoleReporter {
 public:
  Reporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const auto [kept, first] = fastest_.try_emplace(run.family_index, run);
      if (!first && time(run) < time(kept->second)) kept->second = run;
    }
  }

  void Finalize() override {
    std::vector<Run> rows;
    for (const auto& [index, run] : fastest_) rows.push_back(run);
    if (!rows.empty()) ConsoleReporter::ReportRuns(rows);
  }

  /// ns an iteration; NaN if the row did not run.
  [[nodiscard]] double time(const std::string& row) const {
    for (const auto& [index, run] : fastest_) {
      if (run.run_name.function_name == row) return time(run);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  /// NaN if one of the rows did not run.
  [[nodiscard]] double ratio(const std::string& above, const std::string& below) const {
    return time(above) / time(below);
  }

 private:
  /// Of the processor, or of the clock for a row that asks for it.
  static double time(const Run& run) {
    return run.run_name.time_type.empty() ? run.GetAdjustedCPUTime() : run.GetAdjustedRealTime();
  }

  std::map<std::int64_t, Run> fastest_;
};

/// What a ratio should be.
struct Bar {
  std::optional<double> at_most{};
  std::optional<double> at_least{};
};

inline void print_ratio(const Reporter& reporter, const std::string& above,
                        const std::string& below, const Bar& bar = {}) {
  const double ratio = reporter.ratio(above, below);
  if (std::isnan(ratio)) return;
  std::printf("%-16s / %-19s %6.2f", above.c_str(), below.c_str(), ratio);
  const auto print = [](const char* words, double limit, bool met) {
    std::printf("   %s %g: %s", words, limit, met ? "met" : "missed");
  };
  if (bar.at_most) print("at most", *bar.at_most, ratio <= *bar.at_most);
  if (bar.at_least) print("at least", *bar.at_least, ratio >= *bar.at_least);
  std::printf("\n");
}

/// Starts Google Benchmark with our own defaults; arguments given by the user come later and win.
/// Returns whether all of them were understood.
inline bool initialize(std::vector<std::string> defaults, int argc, char** argv) {
  std::vector<char*> arguments{argv[0]};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int size = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&size, arguments.data());
  return !benchmark::ReportUnrecognizedArguments(size, arguments.data());
}

}  // namespace carom::benchmarks
