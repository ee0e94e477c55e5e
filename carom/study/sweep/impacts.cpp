// SPDX-License-Identifier: Apache-2.0
#include <carom/study/sweep/impacts.hpp>

#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/quantity_rows.hpp>

namespace carom::study {
namespace {

bool of_the_system(const SweepPlan& plan) {
  return std::ranges::any_of(plan.columns,
                             [](const SweepColumn& c) { return is_of_system(c.quantity->over); });
}

}  // namespace

std::vector<std::size_t> varying_numbers(const SweepPlan& plan) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < plan.request.axes.size(); ++k) {
    if (!plan.request.axes[k].fixed()) all.push_back(k);
  }
  return all;
}

std::vector<scenario::VariedNumber> numbers_of(const SweepPlan& plan) {
  std::vector<scenario::VariedNumber> all;
  for (const scenario::SweepAxis& axis : plan.request.axes) all.push_back(axis.number());
  return all;
}

ImpactEvaluator::ImpactEvaluator(const SweepPlan& plan)
    : plan_(plan),
      point_(plan.text, plan.name, numbers_of(plan)),
      varying_(varying_numbers(plan)),
      options_(point_.scenario().options),
      of_the_system_(of_the_system(plan)) {}

void ImpactEvaluator::read() {
  if (point_.is_planar() && !of_the_system_) {
    const SystemPoint& system = point_.system();
    const PlanarProblem p = point_.problem();
    assign(problem_, p);
    energy_before_ = system.energy_before(p);
    system_ = nullptr;
  } else {
    system_ = &point_.impact();
    energy_before_ = system_->energy_before();
  }
}

void ImpactEvaluator::solve_all(std::size_t i, std::size_t number, Columns& values,
                                Faults& faults) {
  const ContactProblem& problem = system_ != nullptr ? system_->problem : problem_;
  const ContactKind kind = kind_of(problem);
  std::vector<double> after;
  for (std::size_t k = 0; k < plan_.laws.size(); ++k) {
    const Law& law = *plan_.laws[k];
    std::vector<JointImpulse> joints;
    OutcomeView view{.law = &law,
                     .problem = &problem,
                     .outcome = &outcome_,
                     .energy_before = energy_before_,
                     .system = system_};
    try {
      require_applies(law, problem);
      if (kind.contacts == 1) {
        require_answerable(info_for(law, kind), problem.surfaces.front(), problem.spin_rows > 0,
                           kind.components);
      }
      solve(law, problem, options_, workspace_, outcome_);
      if (of_the_system_ && system_ != nullptr && system_->has_velocities()) {
        after = system_->velocity_after(outcome_.impulse);
        joints = joint_impulses(*system_, outcome_.impulse, after);
        view.after = &after;
        view.joints = joints;
      }
    } catch (const InputError& e) {
      faults.add(std::string(law.name) + ": " + kind_of_fault(e.problem()), number,
                 std::string(law.name) + ": " + e.problem());
      for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
        if (plan_.columns[c].law_index == k) values[c][i] = undefined;
      }
      continue;
    }
    if (has_no_answer(outcome_)) {
      const std::string verdict(name(outcome_.verdict()));
      faults.add(std::string(law.name) + ": " + verdict, number, "the verdict is " + verdict);
    }
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      const SweepColumn& column = plan_.columns[c];
      if (column.law_index == k) values[c][i] = value_of(*column.quantity, view, column.index);
    }
  }
}

void ImpactEvaluator::evaluate(const Columns& inputs, std::size_t count, std::size_t first,
                               Columns& values, Faults& faults) {
  for (std::size_t i = 0; i < count; ++i) {
    interrupt_if(stop);
    try {
      for (std::size_t k = 0; k < varying_.size(); ++k) point_.set(varying_[k], inputs[k][i]);
      read();
    } catch (const InputError& e) {
      faults.add(kind_of_fault(e.problem()), first + i, e.problem());
      for (std::vector<double>& column : values) column[i] = undefined;
      continue;
    }
    solve_all(i, first + i, values, faults);
  }
}

}  // namespace carom::study
