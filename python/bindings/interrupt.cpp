// SPDX-License-Identifier: Apache-2.0
// Long calls end at Ctrl-C.
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "bindings.hpp"

namespace carom::python {
namespace {

/// Between two looks for signals.
constexpr std::chrono::milliseconds patience{50};

}  // namespace

void interruptible(const std::function<void(const std::atomic<bool>& stop)>& work) {
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::optional<py::error_already_set> interruption;
  {
    const py::gil_scoped_release release;
    std::thread worker([&] {
      try {
        work(stop);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, patience, [&] { return done; })) {
      lock.unlock();
      if (!interruption) {
        const py::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) {
          interruption.emplace();
          stop = true;
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (interruption) throw py::error_already_set(*interruption);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace carom::python
