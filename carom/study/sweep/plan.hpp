// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/sweep_request.hpp>
#include <carom/study/quantity.hpp>
#include <carom/study/sweep/sampler.hpp>

namespace carom::study {

/// A number that a sweep varies, for people and files.
struct SweepInput {
  std::string path;
  std::string label;   ///< "friction"
  std::string symbol;  ///< "μ"; may be empty
  std::string unit;    ///< empty: none, or not known
};

/// A result of a sweep: one quantity under one law, or one number of a motion.
struct SweepColumn {
  std::string law;                     ///< its name; empty for a motion
  std::string name;                    ///< "velocity:normal", as it is asked for
  std::string label;                   ///< "normal velocity after"
  std::string unit;                    ///< empty: none
  std::vector<Category> categories{};  ///< empty: a number
  // Of an impact:
  const Quantity* quantity = nullptr;
  std::size_t index = 0;      ///< for the quantity
  std::size_t law_index = 0;  ///< among the laws of the plan

  [[nodiscard]] bool is_number() const { return categories.empty(); }
};

/// A sweep, understood: what everyone who computes a part of it must know.
struct SweepPlan {
  std::string text;                  ///< of the scenario
  std::string name;                  ///< of its file
  std::string version;               ///< of Carom
  std::string title{};               ///< the scenario's, may be empty
  std::string asked{};               ///< the request as TOML, before defaults were resolved
  scenario::SweepRequest request{};  ///< with every default resolved
  bool motion = false;
  std::vector<const Law*> laws{};
  std::vector<SweepInput> inputs{};  ///< of the axes that are not fixed
  std::vector<SweepColumn> columns{};
  std::vector<std::string> notes{};
  bool parallel = true;  ///< whether laws may be asked by several threads at once

  std::size_t points = 0;
  std::size_t block = 1;      ///< points that are computed and summed together
  bool keeps_values = false;  ///< results are kept: as rows, or for exact quantiles

  /// Results that statistics are of, at each point: two where Sobol' indices need two sets.
  [[nodiscard]] std::size_t rows_per_point() const { return request.indices ? 2 : 1; }
  [[nodiscard]] std::size_t rows() const { return points * rows_per_point(); }
  [[nodiscard]] std::size_t evaluations_per_point() const {
    return request.indices ? inputs.size() + 2 : 1;
  }
  [[nodiscard]] std::size_t evaluations() const { return points * evaluations_per_point(); }
  [[nodiscard]] std::size_t blocks() const { return (points + block - 1) / block; }
  [[nodiscard]] std::size_t block_begin(std::size_t b) const { return b * block; }
  [[nodiscard]] std::size_t block_size(std::size_t b) const {
    return std::min(block, points - b * block);
  }
  /// Are there too many results for exact quantiles, so that they are counted in fine bins?
  [[nodiscard]] bool uses_bins() const;
  /// Is it a sample of a distribution, so that means have errors?
  [[nodiscard]] bool is_sample() const { return request.method != scenario::SweepMethod::grid; }
  /// Equal plans have equal results.
  [[nodiscard]] std::string identity() const;
};

/// Up to so many rows, quantiles are exact, and rows are kept unless the request says otherwise.
inline constexpr std::size_t exact_rows = 1'000'000;

/// Reads and checks all that can be checked before the first point. Throws InputError.
[[nodiscard]] SweepPlan plan_sweep(const std::string& text, const std::string& name,
                                   scenario::SweepRequest request, const std::string& version);

/// Points that could not be computed, by what was wrong.
struct Faults {
  struct Kind {
    std::string key;  ///< "surface.static_friction", "energetic: no-solution"
    std::size_t count = 0;
    std::size_t first = 0;  ///< the first point
    std::string example{};  ///< what was wrong there
  };
  std::vector<Kind> kinds;

  void add(const std::string& key, std::size_t point, const std::string& example,
           std::size_t count = 1);
  void merge(const Faults& other);
  [[nodiscard]] std::size_t total() const;
};

/// What is wrong, without the numbers that differ from point to point.
[[nodiscard]] std::string kind_of_fault(const std::string& problem);

/// Computes results at points. Not to be shared between threads.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// @param inputs  a column for each axis that varies, of `count` entries or more
  /// @param values  a column for each result, likewise; NaN where it is not defined
  /// @param first  the number of the first point
  virtual void evaluate(const Columns& inputs, std::size_t count, std::size_t first,
                        Columns& values, Faults& faults) = 0;

  const std::atomic<bool>* stop = nullptr;  ///< set by others: throw Interrupted
};

[[nodiscard]] std::unique_ptr<Evaluator> make_evaluator(const SweepPlan& plan);

}  // namespace carom::study
