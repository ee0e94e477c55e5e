// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include <carom/study/sweep/sweep.hpp>

namespace carom::study {

/// The processes of an MPI program, of which this is one; one alone where mpirun did not start it.
/// Make one at the beginning of the program. In a build without MPI the constructor throws
/// InputError where mpirun started several.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool alone() const { return size_ == 1; }

  /// Rank 0 hands out blocks as others ask, computes some itself, and receives the results.
  /// @param threads  of each rank; 0: all cores where there is one rank, else one
  [[nodiscard]] std::unique_ptr<Distributor> distributor(const SweepPlan& plan, unsigned threads);
  /// A rank that failed, and with which exit code.
  struct Failure {
    int rank;
    int exit_code;
  };
  /// Each rank says how it fared, with 0 where it did not fail, and waits for the others.
  /// @return the first rank that failed; nothing where none did
  [[nodiscard]] std::optional<Failure> first_failure(int exit_code) const;
  /// Ends all ranks at once, if there are several.
  void abort(int exit_code);

 private:
  [[maybe_unused]] bool begun_ = false;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace carom::study
