// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <mutex>
#include <stdexcept>

#include <carom/core/error.hpp>
#include <carom/study/parallel.hpp>
#include <carom/study/sweep/impacts.hpp>
#include <carom/study/sweep/motion_columns.hpp>
#include <carom/study/sweep/sweep.hpp>

namespace carom::study {
namespace {

/// Points that are computed at once. Sums are made of these stretches in order.
constexpr std::size_t stretch = 4096;

/// Points from which bins and centres are taken.
constexpr std::size_t pilot_points = 4096;
constexpr std::size_t few_pilot_points = 16;  // where only centres are wanted

Columns columns(std::size_t count, std::size_t size) {
  return Columns(count, std::vector<double>(size));
}

// --- bytes
// ----------------------------------------------------------------------------------------

class Writer {
 public:
  /// Seven bits a byte, the lowest first.
  void whole(std::uint64_t x) {
    for (; x >= 128; x >>= 7U) bytes_ += static_cast<char>((x & 127U) | 128U);
    bytes_ += static_cast<char>(x);
  }
  void numbers(std::span<const double> values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void text(std::string_view t) {
    whole(t.size());
    bytes_ += t;
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t whole() {
    std::uint64_t x = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      x |= static_cast<std::uint64_t>(byte & 127U) << shift;
      if (byte < 128) return x;
    }
    throw std::runtime_error("a block of the sweep is damaged");
  }
  std::vector<double> numbers(std::size_t count) {
    const std::string_view part = take(count * sizeof(double));
    std::vector<double> values(count);
    std::memcpy(values.data(), part.data(), part.size());
    return values;
  }
  std::string text() { return std::string(take(whole())); }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("a block of the sweep is damaged");
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  std::string_view bytes_;
};

}  // namespace

std::string BlockResult::bytes() const {
  Writer w;
  w.whole(block);
  for (const Moments& m : moments) w.numbers(m.numbers());
  for (const auto& of_column : counts) {  // most fine bins are empty: distances and counts
    w.whole(of_column.size());
    std::size_t filled = 0;
    for (const std::uint64_t n : of_column) filled += n > 0 ? 1 : 0;
    w.whole(filled);
    std::size_t last = 0;
    for (std::size_t i = 0; i < of_column.size(); ++i) {
      if (of_column[i] == 0) continue;
      w.whole(i - last);
      w.whole(of_column[i]);
      last = i;
    }
  }
  for (const IndexSums& s : indices) w.numbers(s.numbers());
  for (const std::vector<double>& v : values) w.numbers(v);
  w.whole(faults.kinds.size());
  for (const Faults::Kind& k : faults.kinds) {
    w.text(k.key);
    w.whole(k.count);
    w.whole(k.first);
    w.text(k.example);
  }
  return w.take();
}

BlockResult BlockResult::from(const SweepPlan& plan, std::string_view bytes) {
  Reader r(bytes);
  BlockResult b;
  b.block = r.whole();
  if (b.block >= plan.blocks()) throw std::runtime_error("a block of another sweep");
  const std::size_t n = plan.columns.size();
  if (plan.request.statistics) {
    for (std::size_t c = 0; c < n; ++c)
      b.moments.push_back(Moments::from(r.numbers(Moments::size)));
    for (std::size_t c = 0; c < n; ++c) {
      std::vector<std::uint64_t>& counts = b.counts.emplace_back(r.whole());
      std::size_t at = 0;
      for (std::uint64_t filled = r.whole(); filled > 0; --filled) {
        at += r.whole();
        if (at >= counts.size()) throw std::runtime_error("a block of the sweep is damaged");
        counts[at] = r.whole();
      }
    }
  }
  if (plan.request.indices) {
    const std::size_t k = plan.inputs.size();
    for (std::size_t c = 0; c < n; ++c) {
      b.indices.push_back(IndexSums::from(r.numbers(IndexSums::size(k)), k));
    }
  }
  if (plan.keeps_values) {
    const std::size_t rows = plan.block_size(b.block) * plan.rows_per_point();
    for (std::size_t c = 0; c < n; ++c) b.values.push_back(r.numbers(rows));
  }
  for (std::uint64_t kinds = r.whole(); kinds > 0; --kinds) {
    Faults::Kind k;
    k.key = r.text();
    k.count = r.whole();
    k.first = r.whole();
    k.example = r.text();
    b.faults.kinds.push_back(std::move(k));
  }
  if (!r.at_end()) throw std::runtime_error("a block of the sweep is damaged");
  return b;
}

// --- computing
// ------------------------------------------------------------------------------------

std::unique_ptr<Evaluator> make_evaluator(const SweepPlan& plan) {
  if (plan.motion) return make_motion_evaluator(plan);
  if (auto planar = make_planar_evaluator(plan)) return planar;
  return std::make_unique<ImpactEvaluator>(plan);
}

SweepScales scales_of(const SweepPlan& plan, const std::atomic<bool>* stop) {
  SweepScales scales;
  const std::size_t n = plan.columns.size();
  scales.bins.resize(n);
  scales.centres.assign(n, 0.);
  const bool bins = plan.uses_bins();
  if (!bins && !plan.request.indices) return scales;
  const std::size_t points = std::min(plan.points, bins ? pilot_points : few_pilot_points);
  const Sampler sampler(plan.request);
  Columns inputs = columns(plan.inputs.size(), points);
  Columns values = columns(n, points);
  Faults ignored;
  sampler.fill(0, points, Sampler::Set::first, inputs);
  const auto evaluator = make_evaluator(plan);
  evaluator->stop = stop;
  evaluator->evaluate(inputs, points, 0, values, ignored);
  for (std::size_t c = 0; c < n; ++c) {
    if (!plan.columns[c].is_number()) continue;
    const Moments m = Moments::of(values[c]);
    if (m.count > 0. && std::isfinite(m.mean)) scales.centres[c] = m.mean;
    if (bins) scales.bins[c] = FineBins(values[c]);
  }
  return scales;
}

BlockWorker::BlockWorker(const SweepPlan& plan, const SweepScales& scales)
    : plan_(plan), scales_(scales), sampler_(plan.request), evaluator_(make_evaluator(plan)) {
  const std::size_t size = std::min(stretch, plan.block);
  const std::size_t inputs = plan.inputs.size();
  const std::size_t results = plan.columns.size();
  first_ = columns(inputs, size);
  a_ = columns(results, size);
  if (!plan.request.indices) return;
  second_ = columns(inputs, size);
  mixed_ = columns(inputs, size);
  b_ = columns(results, size);
  t_.assign(inputs, columns(results, size));
}

void BlockWorker::add(BlockResult& result, std::size_t count) {
  const bool two = plan_.request.indices;
  for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
    for (const Columns* set : {&a_, two ? &b_ : nullptr}) {
      if (set == nullptr || !plan_.request.statistics) continue;
      const auto values = std::span<const double>((*set)[c]).first(count);
      if (plan_.columns[c].is_number()) {
        result.moments[c].merge(Moments::of(values));
        if (plan_.uses_bins()) scales_.bins[c].add(values, result.counts[c]);
        continue;
      }
      for (const double x : values) {
        if (x == x) {
          ++result.counts[c][static_cast<std::size_t>(x)];
          ++result.moments[c].count;
        } else {
          ++result.moments[c].undefined;
        }
      }
    }
    if (plan_.keeps_values) {
      std::vector<double>& all = result.values[c];
      for (std::size_t i = 0; i < count; ++i) {
        all.push_back(a_[c][i]);
        if (two) all.push_back(b_[c][i]);
      }
    }
    if (two && plan_.columns[c].is_number()) {
      std::vector<std::vector<double>> t;
      for (const Columns& of_input : t_) {
        t.emplace_back(of_input[c].begin(),
                       of_input[c].begin() + static_cast<std::ptrdiff_t>(count));
      }
      result.indices[c].add(std::span<const double>(a_[c]).first(count),
                            std::span<const double>(b_[c]).first(count), t, scales_.centres[c]);
    }
  }
}

BlockResult BlockWorker::compute(std::size_t block, const std::atomic<bool>* stop) {
  evaluator_->stop = stop;
  BlockResult result;
  result.block = block;
  const std::size_t n = plan_.columns.size();
  if (plan_.request.statistics) {
    result.moments.resize(n);
    result.counts.resize(n);
    for (std::size_t c = 0; c < n; ++c) {
      const SweepColumn& column = plan_.columns[c];
      if (!column.is_number()) {
        result.counts[c].resize(column.categories.size());
      } else if (plan_.uses_bins()) {
        result.counts[c].resize(scales_.bins[c].size());
      }
    }
  }
  if (plan_.request.indices) result.indices.assign(n, IndexSums(plan_.inputs.size()));
  if (plan_.keeps_values) result.values.resize(n);
  const std::size_t begin = plan_.block_begin(block);
  const std::size_t end = begin + plan_.block_size(block);
  for (std::size_t at = begin; at < end; at += stretch) {
    interrupt_if(stop);
    const std::size_t count = std::min(stretch, end - at);
    sampler_.fill(at, count, Sampler::Set::first, first_);
    evaluator_->evaluate(first_, count, at, a_, result.faults);
    if (plan_.request.indices) {
      sampler_.fill(at, count, Sampler::Set::second, second_);
      evaluator_->evaluate(second_, count, at, b_, result.faults);
      for (std::size_t k = 0; k < t_.size(); ++k) {
        interrupt_if(stop);
        mixed_ = first_;
        mixed_[k] = second_[k];
        evaluator_->evaluate(mixed_, count, at, t_[k], result.faults);
      }
    }
    add(result, count);
  }
  return result;
}

namespace {

class Threads : public Distributor {
 public:
  explicit Threads(unsigned threads) : threads_(threads) {}
  bool run(const std::vector<std::size_t>& blocks,
           const std::function<std::function<BlockResult(std::size_t)>()>& make,
           const std::function<void(BlockResult&&)>& take) override {
    // Each thread takes the next block that is left, with a worker that it keeps.
    const Executor executor = make_executor(threads_);
    const std::size_t workers = std::min(executor.workers, blocks.size());
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    executor.run(workers, [&](std::size_t) {
      const auto compute = make();
      for (std::size_t i = next++; i < blocks.size(); i = next++) {
        BlockResult result = compute(blocks[i]);
        const std::lock_guard lock(mutex);
        take(std::move(result));
      }
    });
    return true;
  }

 private:
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Distributor> on_threads(unsigned threads) {
  return std::make_unique<Threads>(threads);
}

bool compute_sweep(const SweepPlan& plan, const std::vector<std::size_t>& mine, BlockStore& store,
                   Distributor& distributor, const std::atomic<bool>* stop,
                   const std::function<void(double)>& progress) {
  std::vector<std::size_t> left;
  for (const std::size_t b : mine) {
    if (!store.has(b)) left.push_back(b);
  }
  std::size_t done = mine.size() - left.size();
  if (progress) progress(static_cast<double>(done) / static_cast<double>(mine.size()));
  const SweepScales scales = scales_of(plan, stop);
  return distributor.run(
      left,
      [&] {
        return [worker = std::make_shared<BlockWorker>(plan, scales), stop](std::size_t block) {
          return worker->compute(block, stop);
        };
      },
      [&](BlockResult&& result) {
        store.put(result);
        ++done;
        if (progress) progress(static_cast<double>(done) / static_cast<double>(mine.size()));
      });
}

std::vector<std::size_t> blocks_of(const SweepPlan& plan, std::size_t part, std::size_t parts) {
  std::vector<std::size_t> all;
  for (std::size_t b = part - 1; b < plan.blocks(); b += parts) all.push_back(b);
  return all;
}

SweepResult gather(const SweepPlan& plan, const BlockStore& store, const std::atomic<bool>* stop) {
  SweepResult result;
  const std::size_t n = plan.columns.size();
  result.columns.resize(n);
  std::vector<IndexSums> sums(plan.request.indices ? n : 0, IndexSums(plan.inputs.size()));
  std::vector<std::vector<std::uint64_t>> counts(n);
  for (std::size_t b = 0; b < plan.blocks(); ++b) {
    const BlockResult block = store.get(b);
    result.faults.merge(block.faults);
    for (std::size_t c = 0; c < n && plan.request.statistics; ++c) {
      result.columns[c].moments.merge(block.moments[c]);
      counts[c].resize(block.counts[c].size());
      for (std::size_t i = 0; i < counts[c].size(); ++i) counts[c][i] += block.counts[c][i];
    }
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c].merge(block.indices[c]);
  }
  if (!plan.request.statistics) return result;
  const SweepScales scales = plan.uses_bins() ? scales_of(plan, stop) : SweepScales{};
  for (std::size_t c = 0; c < n; ++c) {
    ColumnStatistics& s = result.columns[c];
    if (!plan.columns[c].is_number()) {
      s.categories = counts[c];
      continue;
    }
    std::unique_ptr<Distribution> all;
    if (!plan.uses_bins()) {
      // One column at a time, so that the memory is bounded.
      std::vector<double> values;
      values.reserve(plan.rows());
      for (std::size_t b = 0; b < plan.blocks(); ++b) {
        const BlockResult block = store.get(b);
        values.insert(values.end(), block.values[c].begin(), block.values[c].end());
      }
      all = std::make_unique<ExactDistribution>(std::move(values));
    } else {
      all = std::make_unique<BinnedDistribution>(scales.bins[c], counts[c], s.moments);
    }
    for (const double p : plan.request.quantiles) s.quantiles.push_back(all->asked(p));
    s.histogram = all->histogram(plan.request.bins);
    if (plan.request.indices) s.indices = sobol_indices(sums[c]);
  }
  return result;
}

}  // namespace carom::study
