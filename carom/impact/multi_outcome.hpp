// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/multi_problem.hpp>
#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/verdict.hpp>

namespace carom {

/// What a contact did, all in all.
enum class ContactMode : std::uint8_t {
  no_impulse,  ///< it had no part
  stick,       ///< no slip where it last pushed
  slip,        ///< slip where it last pushed
  closed,      ///< frictionless: it pushed
};

[[nodiscard]] std::string_view name(ContactMode mode);

/// A stretch of the impact in which stage and motion of one contact do not change.
struct MultiPhase {
  std::size_t contact = 0;
  Stage stage = Stage::compression;
  Motion motion = Motion::slip;      ///< reverse_slip: against the slip of the contact's approach
  double time = 0.;                  ///< reconstructed, at the end of the phase [s]
  std::array<double, 3> impulse{};   ///< of the contact, cumulative, at the end [N s]
  std::array<double, 3> velocity{};  ///< of the contact, at the end [m/s]

  bool operator==(const MultiPhase&) const = default;
};

/// So many phases are told of one impact. Long chains with losses rattle through millions of small
/// blows, of which nobody asks more.
inline constexpr std::size_t most_phases = 100'000;

/// What a law says of an impact of several contacts.
struct MultiOutcome {
  std::vector<double> impulse;         ///< P [N s], contact by contact as in the problem
  std::vector<double> velocity;        ///< v+ [m/s]
  std::vector<EnergyLedger> contacts;  ///< the work at each contact
  EnergyLedger energy;                 ///< their sum
  std::vector<ContactMode> modes;      ///< one a contact
  Verdicts flags;
  std::vector<MultiPhase> phases;   ///< `lzb` only, in order of their ends; the first `most_phases`
  std::size_t phases_left_out = 0;  ///< those beyond
  double tolerance = 0.;      ///< relative, to which it was computed; 0: exact but for rounding
  double residual = 0.;       ///< of the complementarity problem, relative: `moreau`
  std::size_t steps = 0;      ///< of integration, pivots or sweeps
  std::size_t collapsed = 0;  ///< `lzb`: contacts in ever smaller blows, ended at once
  std::vector<std::vector<double>> solutions;  ///< v+ of every one where there are several found

  [[nodiscard]] Verdict verdict() const { return flags.gravest(); }
  bool operator==(const MultiOutcome&) const = default;
};

/// The ledger of a law that knows impulses and velocities and nothing of the time between, by
/// 1/2 P.(v+ + v-), contact by contact, and whether it gains energy. Fills `contacts`, `energy` and
/// the flag.
void settle_algebraically(const MultiProblem& problem, MultiOutcome& outcome);

/// The sum of the contacts' ledgers.
[[nodiscard]] EnergyLedger sum(const std::vector<EnergyLedger>& contacts);

/// The outcome of contacts that all separate or rest, or have no solution: nothing changes.
[[nodiscard]] MultiOutcome unchanged(const MultiProblem& problem, Verdict why);

}  // namespace carom
