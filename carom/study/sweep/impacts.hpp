// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <carom/laws/workspace.hpp>
#include <carom/study/sweep/plan.hpp>
#include <carom/study/varied_point.hpp>

namespace carom::study {

/// Where the values of the inputs go: which numbers of a VariedPoint vary.
[[nodiscard]] std::vector<std::size_t> varying_numbers(const SweepPlan& plan);
[[nodiscard]] std::vector<scenario::VariedNumber> numbers_of(const SweepPlan& plan);

/// Any impact, one after the other.
class ImpactEvaluator : public Evaluator {
 public:
  explicit ImpactEvaluator(const SweepPlan& plan);
  void evaluate(const Columns& inputs, std::size_t count, std::size_t first, Columns& values,
                Faults& faults) override;

 private:
  /// Sets up `problem_`, `system_` and `energy_before_`. Throws InputError.
  void read();
  void solve_all(std::size_t i, std::size_t number, Columns& values, Faults& faults);

  const SweepPlan& plan_;
  VariedPoint point_;
  std::vector<std::size_t> varying_;
  SolveOptions options_;
  bool of_the_system_;  ///< are there results of coordinates, bodies or joints?
  ContactProblem problem_;
  const SystemAtImpact* system_ = nullptr;
  double energy_before_ = 0.;
  Workspace workspace_;
  Outcome outcome_;
};

/// One contact in the plane whose matrix G does not change, by the kernels for many impacts.
/// @return null where the plan is not such a one
[[nodiscard]] std::unique_ptr<Evaluator> make_planar_evaluator(const SweepPlan& plan);

}  // namespace carom::study
