// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>
#include <carom/study/quantity.hpp>

/// What laws say of one impact, side by side.
namespace carom::study {

/// How far a law's answer is from another's.
struct Distance {
  std::string from;                ///< the other law
  std::optional<double> relative;  ///< |v+ - v+ of the other| / |v-|; none where nothing moves
  std::optional<bool> same_mode;   ///< none where the two label their outcomes differently
};

/// What one law says.
struct Answer {
  const Law* law = nullptr;
  Outcome outcome;
  std::vector<double> velocity_after;  ///< u+, where the system has velocities
  std::vector<JointImpulse> joints;    ///< of a linkage
  std::optional<Distance> distance;    ///< where it was asked for
  Course course;                       ///< where it was asked for and the law has one
  std::string note;                    ///< what the law could not honour; else empty
};

struct Comparison {
  SystemAtImpact system;      ///< what strikes
  double energy_before = 0.;  ///< [J] kinetic energy, or where it is not known contact energy
  std::vector<Answer> answers;
  std::vector<LeftOut> left_out;

  [[nodiscard]] const ContactProblem& problem() const { return system.problem; }
};

struct Question {
  std::span<const Law* const> laws{};     ///< none: the scenario's own, or all that apply
  std::optional<SolveOptions> options{};  ///< of the command; none: the scenario's own
  std::string against{};  ///< a law's name, or "exact": the process of the law's hypothesis
  bool course = false;    ///< record the course of the impact
};

/// Throws InputError where a law that is named lacks a coefficient, none applies, `against` (under
/// "--against") is wrong, or an option means nothing to any of the laws.
[[nodiscard]] Comparison compare_laws(const scenario::Scenario& scenario,
                                      const Question& question = {});

/// An answer as quantities are taken from it.
[[nodiscard]] OutcomeView view_of(const Comparison& comparison, const Answer& answer);

/// What is said of the law that gave an answer; an alias has that of the law it stands for.
[[nodiscard]] const LawInfo& info_of(const Comparison& comparison, const Answer& answer);

}  // namespace carom::study
