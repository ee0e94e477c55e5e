// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>

namespace carom::study {

/// What one law says of a scenario.
struct Answer {
  const Law* law = nullptr;
  PlanarOutcome outcome;
  std::vector<PlanarPhase> phases;  ///< all of them
  EquivalentRestitution equivalent;
  BrachCoefficients brach;
  std::optional<Eigen::VectorXd> velocity_after;  ///< u+ of the system, where it has one
  std::vector<JointImpulse> joints;  ///< of a linkage; Comparison::joints has the names
  std::string note;                  ///< what the law could not honour; else empty
};

/// A joint of a linkage, for reports.
struct Joint {
  std::string name;  ///< of the link that it carries
  JointKind kind = JointKind::revolute;
};

/// What laws say of one scenario, side by side.
struct Comparison {
  PlanarProblem problem;
  std::optional<Configuration> configuration;
  std::vector<Joint> joints;  ///< of a linkage
  bool kinetic = false;       ///< the system's kinetic energy is known
  double energy_before = 0.;  ///< [J] kinetic energy, or else contact energy
  std::vector<Answer> answers;
  std::vector<LeftOut> left_out;
};

/// Asks the laws that `choose_laws` chooses. Throws InputError as it does.
[[nodiscard]] Comparison compare_laws(const scenario::Scenario& scenario,
                                      std::span<const Law* const> laws = {});

}  // namespace carom::study
