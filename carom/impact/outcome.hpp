// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/verdict.hpp>

namespace carom {

/// The mode in a word: "0" to "6", "backward-slip", "stick", "slip", "closed", "no-impulse", ...
[[nodiscard]] std::string_view name(Mode mode);

/// An interval of the impact in which stage and motion of one contact do not change.
struct Phase {
  std::size_t contact = 0;
  Stage stage = Stage::compression;
  Motion motion = Motion::slip;      ///< reverse_slip: against the slip of the contact's approach
  double time = 0.;                  ///< reconstructed, at its end [s]; 0: the law has none
  std::array<double, 3> impulse{};   ///< of the contact, cumulative, at the end [N s]
  std::array<double, 3> velocity{};  ///< of the contact, at the end [m/s]

  bool operator==(const Phase&) const = default;
};

/// Largest number of phases stored for one impact. Long chains with losses have millions of small
/// impacts.
inline constexpr std::size_t most_phases = 100'000;

/// Result for one contact.
struct ContactOutcome {
  Mode mode = Mode::no_impulse;
  EnergyLedger energy;    ///< work of this contact's impulse and couple
  SliderStates slider{};  ///< `compliant` only

  bool operator==(const ContactOutcome&) const = default;
};

/// One of several solutions of a set-valued law. Solutions are distinct by their velocities.
struct Solution {
  std::vector<double> velocity;   ///< v+ [m/s]
  std::vector<double> impulse{};  ///< P [N s]; empty for several contacts, where it is not unique
  std::vector<Mode> modes{};      ///< one a contact, where the impulse is known

  bool operator==(const Solution&) const = default;
};

/// What a law says of an impact.
struct Outcome {
  std::vector<double> impulse;           ///< P [N s], couples [N m s], ordered as in the problem
  std::vector<double> velocity;          ///< v+ [m/s], relative spin [rad/s]
  std::vector<ContactOutcome> contacts;  ///< one per contact
  EnergyLedger energy;                   ///< the sum over the contacts
  Verdicts flags;
  std::vector<Phase> phases;        ///< `lzb` only, in order of their ends; the first `most_phases`
  std::size_t phases_left_out = 0;  ///< those beyond
  double tolerance = 0.;      ///< relative, to which it was computed; 0: exact but for rounding
  double residual = 0.;       ///< of the complementarity problem, relative: `moreau`
  std::size_t steps = 0;      ///< of integration, pivots or sweeps
  std::size_t collapsed = 0;  ///< `lzb`: contacts in ever smaller blows, ended at once
  std::vector<Solution> solutions;  ///< every one found, where there are several

  [[nodiscard]] Verdict verdict() const { return flags.gravest(); }
  /// Makes it equal to Outcome{}, but keeps the memory.
  void clear();
  bool operator==(const Outcome&) const = default;
};

/// Fills `contacts`, `energy` and the flag for energy gain, for a law without stages: the ledger is
/// 1/2 P.(v+ + v-) for each contact.
void settle_algebraically(const ContactProblem& problem, Outcome& outcome);

/// The sum of the ledgers of all contacts.
[[nodiscard]] EnergyLedger sum(const std::vector<ContactOutcome>& contacts);

/// The outcome if all contacts separate or rest, or if there is no solution: nothing changes.
[[nodiscard]] Outcome unchanged(const ContactProblem& problem, Verdict why);

/// The same in place.
void leave_unchanged(const ContactProblem& problem, Verdict why, Outcome& outcome);

}  // namespace carom
