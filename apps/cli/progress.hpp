// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

namespace carom::cli {

/// A bar on standard error for work that takes longer than a second; only on a terminal. It leaves
/// nothing behind.
class ProgressBar {
 public:
  /// How much work there is, for the rate.
  struct Amount {
    double count = 0.;      ///< 0: no rate is shown
    std::string_view unit;  ///< "impacts"
  };
  ProgressBar(std::string what, bool wanted, Amount amount = {0., ""});
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// @param share  done, 0 to 1; not from two threads at once
  void show(double share);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool wanted_;
  Amount amount_;
  bool shown_ = false;
  double begun_ = -1.;  ///< the share that was done before
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

/// While it lives, Ctrl-C (or SIGTERM) only sets `stop`, so that work can end tidily.
class StopOnSignal {
 public:
  StopOnSignal();
  /// Ends the process with `exit_code` if `stop` is not obeyed in time: `last_words` go to standard
  /// error. For work whose files are whole at any moment.
  StopOnSignal(std::chrono::milliseconds patience, std::string last_words, int exit_code);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  [[nodiscard]] const std::atomic<bool>& stop() const;

  /// The work has stopped: from here on there is no hurry.
  void obeyed();

 private:
  std::string last_words_;
};

}  // namespace carom::cli
