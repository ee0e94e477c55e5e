// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

/// What `carom fit` is asked for.
struct FitOptions {
  std::string file;
  std::vector<std::string> models;
  std::string loss;
  std::optional<double> huber;
  std::optional<std::size_t> folds;
  std::optional<std::uint64_t> seed;
  std::string against;
  std::string predict;
  std::string out;
  std::string save;
  std::string from;
  bool check = false;
  bool bounds = false;
  bool wants_intervals = false;
  std::string intervals;  ///< a method; empty: as suits the loss
  std::size_t replicas = 400;
  bool errors_before = false;
  bool json = false;
  std::string csv;
  std::string plot;
  unsigned threads = 0;
  bool quiet = false;
};

/// Adds the subcommand `fit`: to `carom`, which runs the program carom-fit, and to that program.
/// @param work  called with the options, if they go together
void add_fit_options(CLI::App& app, std::function<void(const FitOptions&)> work);

}  // namespace carom::cli
