// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/study/map/map.hpp>

namespace carom::study {

/// Reports progress, from whichever thread holds the lock.
class Progress {
 public:
  Progress(const MapOptions& options, std::size_t rows) : options_(options), rows_(rows) {}

  /// Throws Interrupted.
  void row_done() {
    interrupt_if(options_.stop);
    const std::size_t done = ++done_;
    if (!options_.progress) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) options_.progress(static_cast<double>(done) / static_cast<double>(rows_));
  }

 private:
  const MapOptions& options_;
  std::size_t rows_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
};

/// The error of the first row that has one, whatever the order in which rows are computed.
class FirstError {
 public:
  [[nodiscard]] bool before(std::size_t row) const { return row_.load() < row; }
  void add(std::size_t row, const InputError& e) {
    const std::lock_guard lock(mutex_);
    if (row >= row_) return;
    row_ = row;
    error_ = e;
  }
  void throw_if_any() const {
    if (error_) throw InputError(*error_);
  }

 private:
  std::atomic<std::size_t> row_{std::numeric_limits<std::size_t>::max()};
  std::optional<InputError> error_;
  std::mutex mutex_;
};

}  // namespace carom::study
