// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

namespace carom::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::atomic<bool> stopped{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may touch no other

std::atomic<int> patience_ms{0};  ///< 0: as long as it takes
std::atomic<const char*> words{nullptr};
std::atomic<int> words_size{0};
std::atomic<int> code{1};

// Handlers use only what POSIX allows in them: setitimer is not on its list, alarm has whole
// seconds; timer_settime is on the list, and so are write and _exit.
timer_t timer{};

extern "C" void stop_on_signal(int) {
  stopped.store(true);
  const int ms = patience_ms.load();
  if (ms == 0) return;
  itimerspec after{};
  after.it_value.tv_sec = ms / 1000;
  after.it_value.tv_nsec = 1'000'000L * (ms % 1000);
  timer_settime(timer, 0, &after, nullptr);
}

extern "C" void give_up(int) {
  if (patience_ms.load() == 0) return;  // obeyed meanwhile
  const auto size = static_cast<std::size_t>(words_size.load());
  if (write(STDERR_FILENO, words.load(), size) < 0) _exit(code.load());
  _exit(code.load());
}

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

/// "12.3 million impacts/s, "
std::string rate_text(double rate, std::string_view unit) {
  if (rate >= 1e6) return fmt::format("{:.1f} million {}/s, ", rate / 1e6, unit);
  return fmt::format("{:.{}f} {}/s, ", rate, rate < 10. ? 2 : 0, unit);
}

}  // namespace

ProgressBar::ProgressBar(std::string what, bool wanted, Amount amount)
    : what_(std::move(what)), wanted_(wanted && isatty(STDERR_FILENO) != 0), amount_(amount) {}

ProgressBar::~ProgressBar() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(double share) {
  constexpr Seconds patience(1.);
  constexpr Seconds pause(0.1);
  const auto now = Clock::now();
  if (begun_ < 0.) begun_ = share;
  if (!wanted_ || now - start_ < patience || now - last_ < pause) return;
  last_ = now;
  shown_ = true;
  constexpr int width = 30;
  const int filled = static_cast<int>(share * width);
  const double elapsed = Seconds(now - start_).count();
  const double done = share - begun_;  // since then
  const std::string left = done > 0. ? left_text(elapsed * (1. - share) / done) : "";
  const std::string rate =
      amount_.count > 0. ? rate_text(done * amount_.count / elapsed, amount_.unit) : "";
  std::fputs(fmt::format("\r\033[K{} [{:#<{}}{:.<{}}] {:3.0f} %  {}{}", what_, "", filled, "",
                         width - filled, 100. * share, rate, left)
                 .c_str(),
             stderr);
  std::fflush(stderr);
}

StopOnSignal::StopOnSignal() {
  stopped.store(false);
  set_handler(stop_on_signal);
}

StopOnSignal::StopOnSignal(std::chrono::milliseconds patience, std::string last_words,
                           int exit_code)
    : last_words_(std::move(last_words)) {
  stopped.store(false);
  words.store(last_words_.c_str());
  words_size.store(static_cast<int>(last_words_.size()));
  code.store(exit_code);
  struct sigaction action {};
  action.sa_handler = give_up;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  sigevent how{};
  how.sigev_notify = SIGEV_SIGNAL;
  how.sigev_signo = SIGALRM;
  if (timer_create(CLOCK_MONOTONIC, &how, &timer) == 0) {
    patience_ms.store(static_cast<int>(patience.count()));
  }
  set_handler(stop_on_signal);
}

void StopOnSignal::obeyed() {
  if (patience_ms.exchange(0) != 0) timer_delete(timer);
}

StopOnSignal::~StopOnSignal() {
  set_handler(SIG_DFL);
  obeyed();
}

const std::atomic<bool>& StopOnSignal::stop() const { return stopped; }

}  // namespace carom::cli
