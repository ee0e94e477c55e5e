// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <carom/study/sweep/plan.hpp>
#include <carom/study/sweep/statistics.hpp>

/// Sweeps: any count of a scenario's numbers vary, on a grid or as a sample, and what laws or a
/// motion make of them is kept as rows, as statistics, and as Sobol' indices.
namespace carom::study {

/// What one block of points gives.
struct BlockResult {
  std::size_t block = 0;
  std::vector<Moments> moments;                    ///< by column; of categories only counts
  std::vector<std::vector<std::uint64_t>> counts;  ///< by column: of categories, or of fine bins
  std::vector<IndexSums> indices;                  ///< by column, if asked for
  Columns values;                                  ///< by column, if they are kept
  Faults faults;

  [[nodiscard]] std::string bytes() const;
  /// Throws std::runtime_error where these are no block of the plan.
  [[nodiscard]] static BlockResult from(const SweepPlan& plan, std::string_view bytes);
};

/// What is the same for all blocks, computed by everyone from the first points.
struct SweepScales {
  std::vector<FineBins> bins;   ///< by column, where results are not kept
  std::vector<double> centres;  ///< by column, subtracted before squares are summed
};

/// Computes blocks of a plan on this thread.
class BlockWorker {
 public:
  BlockWorker(const SweepPlan& plan, const SweepScales& scales);
  /// Throws Interrupted if `stop` is set meanwhile.
  [[nodiscard]] BlockResult compute(std::size_t block, const std::atomic<bool>* stop);

 private:
  void add(BlockResult& result, std::size_t count);

  const SweepPlan& plan_;
  const SweepScales& scales_;
  Sampler sampler_;
  std::unique_ptr<Evaluator> evaluator_;
  Columns first_, second_, mixed_;  ///< inputs
  Columns a_, b_;                   ///< results
  std::vector<Columns> t_;          ///< results by input
  std::vector<Columns> by_column_;  ///< the same, by column
};

/// Throws Interrupted if `stop` is set meanwhile.
[[nodiscard]] SweepScales scales_of(const SweepPlan& plan, const std::atomic<bool>* stop = nullptr);

/// Where finished blocks are kept: in memory, or in a file that outlives the process.
class BlockStore {
 public:
  virtual ~BlockStore() = default;
  virtual void put(const BlockResult& result) = 0;
  [[nodiscard]] virtual bool has(std::size_t block) const = 0;
  [[nodiscard]] virtual BlockResult get(std::size_t block) const = 0;
};

/// Decides who computes which blocks.
class Distributor {
 public:
  virtual ~Distributor() = default;
  /// Computes each of the blocks once, anywhere.
  /// @param make  makes what computes blocks, for a thread
  /// @param take  called with each result, in any order, by one thread at a time
  /// @return whether this process has the results (of several, only one has)
  virtual bool run(const std::vector<std::size_t>& blocks,
                   const std::function<std::function<BlockResult(std::size_t)>()>& make,
                   const std::function<void(BlockResult&&)>& take) = 0;
};

/// On threads of this process.
[[nodiscard]] std::unique_ptr<Distributor> on_threads(unsigned threads);

/// Statistics of one column.
struct ColumnStatistics {
  Moments moments;
  std::vector<Quantile> quantiles;
  Histogram histogram;
  std::vector<std::uint64_t> categories;  ///< counts
  SobolIndices indices;
};

struct SweepResult {
  std::vector<ColumnStatistics> columns;
  Faults faults;
};

/// Computes the blocks that the store does not have.
/// @param mine  which blocks to compute
/// @return whether this process has the results
bool compute_sweep(const SweepPlan& plan, const std::vector<std::size_t>& mine, BlockStore& store,
                   Distributor& distributor, const std::atomic<bool>* stop,
                   const std::function<void(double)>& progress);

/// Everything from all blocks. Throws Interrupted if `stop` is set meanwhile. @pre the store has
/// them
[[nodiscard]] SweepResult gather(const SweepPlan& plan, const BlockStore& store,
                                 const std::atomic<bool>* stop = nullptr);

/// Blocks of part i of n, counted from 1.
[[nodiscard]] std::vector<std::size_t> blocks_of(const SweepPlan& plan, std::size_t part,
                                                 std::size_t parts);

}  // namespace carom::study
