// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>

/// What the laws say of an impact in space, side by side.
namespace carom::study {

/// A body's motion and kinetic energy.
struct BodyState {
  SpatialMotion motion;
  KineticParts energy;
};

/// How far a law's answer is from another's.
struct Distance {
  std::string from;                ///< the other law
  std::optional<double> relative;  ///< |v+ - v+ of the other| / |v-|; none where nothing moves
  std::optional<bool> same_mode;   ///< none where the two label their outcomes differently
};

struct SpatialAnswer {
  const Law* law = nullptr;
  SpatialOutcome outcome;
  EquivalentRestitution equivalent;
  std::vector<BodyState> bodies;     ///< after, where the system has bodies
  std::optional<Distance> distance;  ///< where it was asked for
  std::string note;                  ///< what the law could not honour; else empty
};

struct SpatialComparison {
  SpatialProblem problem;
  std::vector<std::string> names;  ///< of the bodies, "body 1" where they have none
  std::vector<BodyState> before;   ///< the bodies before
  bool kinetic = false;            ///< the system's kinetic energy is known
  double energy_before = 0.;       ///< [J] kinetic energy, or else contact energy
  std::vector<SpatialAnswer> answers;
  std::vector<LeftOut> left_out;
};

struct SpatialQuestion {
  std::span<const Law* const> laws{};  ///< none: the scenario's own, or all that apply
  SpatialOptions options{};
  std::string against{};  ///< a law's name, or "exact": the process of the law's hypothesis
};

/// @pre the scenario is in space. Throws InputError where a law that is named lacks a coefficient,
/// none applies, or `against` (under "--against") or the tolerance is wrong.
[[nodiscard]] SpatialComparison compare_spatial_laws(const scenario::Scenario& scenario,
                                                     const SpatialQuestion& question = {});

/// e as each hypothesis would measure it; of laws with stages by their phases.
[[nodiscard]] EquivalentRestitution equivalent_restitution(const SpatialProblem& problem,
                                                           const SpatialOutcome& outcome);

}  // namespace carom::study
