// SPDX-License-Identifier: Apache-2.0
// The one file that includes MPI.
#include <carom/study/sweep/ranks.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <carom/core/error.hpp>

#ifdef CAROM_MPI
#include <mpi.h>
#endif

namespace carom::study {
namespace {

/// How many processes a launcher says that there are; 1 where none started this one.
int launched() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    const char* text = std::getenv(variable);
    if (text != nullptr && *text != '\0') return std::max(1, std::atoi(text));
  }
  return 1;
}

}  // namespace

#ifndef CAROM_MPI

Ranks::Ranks() {
  if (launched() > 1) {
    throw InputError("mpirun",
                     "this build has no MPI, so that every process would compute the whole sweep; "
                     "configure with -DCAROM_MPI=ON, or use --shard I/N and carom merge");
  }
}
Ranks::~Ranks() = default;
std::optional<Ranks::Failure> Ranks::first_failure(int exit_code) const {
  return exit_code == 0 ? std::nullopt : std::optional<Failure>({rank_, exit_code});
}
void Ranks::abort(int) {}
std::unique_ptr<Distributor> Ranks::distributor(const SweepPlan&, unsigned threads) {
  return on_threads(threads);
}

#else

namespace {

enum Tag : int { ask, work, result };

using Compute = std::function<BlockResult(std::size_t)>;
using Make = std::function<Compute()>;

/// Ranks above 0: ask for blocks, one for each thread, until there are none.
void serve(unsigned threads, const Make& make) {
  std::vector<Compute> workers;
  for (unsigned t = 0; t < threads; ++t) workers.push_back(make());
  for (;;) {
    std::uint64_t wanted = threads;
    MPI_Send(&wanted, 1, MPI_UINT64_T, 0, ask, MPI_COMM_WORLD);
    MPI_Status status;
    MPI_Probe(0, work, MPI_COMM_WORLD, &status);
    int count = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &count);
    std::vector<std::uint64_t> given(static_cast<std::size_t>(count));
    MPI_Recv(given.data(), count, MPI_UINT64_T, 0, work, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (given.empty()) return;
    std::vector<std::string> done(given.size());
    std::vector<std::exception_ptr> errors(given.size());
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < given.size(); ++i) {
      running.emplace_back([&, i] {
        try {
          done[i] = workers[i](given[i]).bytes();
        } catch (...) {
          errors[i] = std::current_exception();
        }
      });
    }
    for (std::thread& t : running) t.join();
    for (const std::exception_ptr& e : errors) {
      if (e) std::rethrow_exception(e);
    }
    for (const std::string& bytes : done) {
      MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, result, MPI_COMM_WORLD);
    }
  }
}

/// Blocks that are left, and results of the threads of rank 0.
class Queue {
 public:
  explicit Queue(const std::vector<std::size_t>& blocks) : left_(blocks.begin(), blocks.end()) {}

  [[nodiscard]] std::vector<std::uint64_t> pop(std::size_t most) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t> some;
    for (; some.size() < most && !left_.empty(); left_.pop_front()) some.push_back(left_.front());
    return some;
  }
  void put(BlockResult&& r) {
    const std::lock_guard lock(mutex_);
    finished_.push_back(std::move(r));
  }
  void fail(std::exception_ptr e) {
    const std::lock_guard lock(mutex_);
    left_.clear();
    error_ = std::move(e);
  }
  /// Throws what a thread threw. @return whether there was a result
  bool take_one(const std::function<void(BlockResult&&)>& take) {
    std::optional<BlockResult> r;
    {
      const std::lock_guard lock(mutex_);
      if (error_) std::rethrow_exception(error_);
      if (finished_.empty()) return false;
      r = std::move(finished_.front());
      finished_.pop_front();
    }
    take(std::move(*r));
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<std::size_t> left_;
  std::deque<BlockResult> finished_;
  std::exception_ptr error_;
};

/// Receives a message, if one is there.
/// @param released  ranks that were told that nothing is left
bool answer_one(const SweepPlan& plan, Queue& queue, int& released,
                const std::function<void(BlockResult&&)>& take) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  if (status.MPI_TAG == ask) {
    std::uint64_t wanted = 0;
    MPI_Recv(&wanted, 1, MPI_UINT64_T, status.MPI_SOURCE, ask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::vector<std::uint64_t> given = queue.pop(wanted);
    if (given.empty()) ++released;
    MPI_Send(given.data(), static_cast<int>(given.size()), MPI_UINT64_T, status.MPI_SOURCE, work,
             MPI_COMM_WORLD);
    return true;
  }
  int count = 0;
  MPI_Get_count(&status, MPI_CHAR, &count);
  std::string bytes(static_cast<std::size_t>(count), '\0');
  MPI_Recv(bytes.data(), count, MPI_CHAR, status.MPI_SOURCE, result, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  take(BlockResult::from(plan, bytes));
  return true;
}

class OverRanks : public Distributor {
 public:
  OverRanks(int rank, int size, unsigned threads, const SweepPlan& plan)
      : rank_(rank), size_(size), threads_(threads), plan_(plan) {}

  bool run(const std::vector<std::size_t>& blocks, const Make& make,
           const std::function<void(BlockResult&&)>& take) override {
    if (rank_ > 0) {
      serve(threads_, make);
      return false;
    }
    Queue queue(blocks);
    std::atomic<unsigned> running{threads_};
    std::vector<std::thread> own;
    for (unsigned t = 0; t < threads_; ++t) {
      own.emplace_back([&] {
        try {
          const Compute compute = make();
          for (auto next = queue.pop(1); !next.empty(); next = queue.pop(1)) {
            queue.put(compute(next.front()));
          }
        } catch (...) {
          queue.fail(std::current_exception());
        }
        --running;
      });
    }
    const auto join = [&] {
      for (std::thread& t : own) {
        if (t.joinable()) t.join();
      }
    };
    try {
      for (int released = 0; released < size_ - 1 || running > 0;) {
        const bool any = answer_one(plan_, queue, released, take);
        if (queue.take_one(take) || any) continue;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      join();
      while (queue.take_one(take)) {
      }
    } catch (...) {
      queue.fail(std::current_exception());
      join();
      throw;
    }
    return true;
  }

 private:
  int rank_;
  int size_;
  unsigned threads_;
  const SweepPlan& plan_;
};

}  // namespace

Ranks::Ranks() {
  // Launchers of some clusters say only which process this is. Otherwise: MPI takes a while to
  // begin.
  const bool ranked = std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr;
  if (launched() == 1 && !ranked) return;
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  begun_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Ranks::~Ranks() {
  if (begun_) MPI_Finalize();
}

std::optional<Ranks::Failure> Ranks::first_failure(int exit_code) const {
  std::vector<int> codes(static_cast<std::size_t>(size_), exit_code);
  if (size_ > 1) MPI_Allgather(&exit_code, 1, MPI_INT, codes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const auto failed = std::ranges::find_if(codes, [](int code) { return code != 0; });
  if (failed == codes.end()) return std::nullopt;
  return Failure{static_cast<int>(failed - codes.begin()), *failed};
}

void Ranks::abort(int exit_code) {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
}

std::unique_ptr<Distributor> Ranks::distributor(const SweepPlan& plan, unsigned threads) {
  if (alone()) return on_threads(threads);
  return std::make_unique<OverRanks>(rank_, size_, std::max(1U, threads), plan);
}

#endif

}  // namespace carom::study
