// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>

/// What the laws say of an impact of several contacts, side by side.
namespace carom::study {

struct MultiAnswer {
  const Law* law = nullptr;
  Outcome outcome;
  std::vector<double> velocity_after;  ///< u+, where the system has coordinates
  Course trace;                        ///< where it was asked for and the law has a course
  std::string note;                    ///< what the law could not honour; else empty
};

struct MultiComparison {
  ContactProblem problem;
  std::vector<std::string> names;        ///< of the contacts
  std::vector<std::string> coordinates;  ///< names of the velocities, where there are any
  std::vector<double> velocity_before;   ///< u
  bool kinetic = false;                  ///< the system's kinetic energy is known
  double energy_before = 0.;             ///< [J] kinetic energy, or else contact energy
  std::vector<MultiAnswer> answers;
  std::vector<LeftOut> left_out;
};

struct MultiQuestion {
  std::span<const Law* const> laws{};  ///< none: the scenario's own, or all that apply
  SolveOptions options{};
  bool traces = false;
};

/// @pre the scenario has several contacts. Throws InputError where a law that is named lacks a
/// coefficient, or none applies.
[[nodiscard]] MultiComparison compare_multi_laws(const scenario::Scenario& scenario,
                                                 const MultiQuestion& question = {});

/// The laws that the file asks for, or else all that apply. Throws as above.
[[nodiscard]] std::vector<const Law*> applying_multi_laws(const scenario::Scenario& scenario);

}  // namespace carom::study
