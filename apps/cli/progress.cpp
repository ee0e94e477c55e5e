// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace carom::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may touch no other

extern "C" void stop_on_signal(int) { stopped.store(true); }

void set_handler(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

std::string left_text(double seconds) {
  if (seconds < 60.) return fmt::format("{:.0f} s left", seconds);
  return fmt::format("{:.0f} min left", seconds / 60.);
}

}  // namespace

ProgressBar::ProgressBar(std::string what, bool wanted)
    : what_(std::move(what)), wanted_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(double share) {
  constexpr Seconds patience(1.);
  constexpr Seconds pause(0.1);
  const auto now = Clock::now();
  if (!wanted_ || now - start_ < patience || now - last_ < pause) return;
  last_ = now;
  shown_ = true;
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  const double elapsed = Seconds(now - start_).count();
  const std::string left = share > 0. ? left_text(elapsed * (1. - share) / share) : "";
  std::fputs(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {}", what_, "", filled, "",
                         width - filled, 100. * share, left)
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

StopOnSignal::StopOnSignal() {
  stopped.store(false);
  set_handler(stop_on_signal);
}

StopOnSignal::~StopOnSignal() { set_handler(SIG_DFL); }

const std::atomic<bool>& StopOnSignal::stop() const { return stopped; }

}  // namespace carom::cli
