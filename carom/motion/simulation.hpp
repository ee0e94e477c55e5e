// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/laws/table.hpp>
#include <carom/motion/events.hpp>

/// Event-driven motion through impacts, contact, stick and slip.
namespace carom::motion {

/// How a sequence of infinitely many impacts in finite time ends.
enum class Settling : std::uint8_t {
  contact_time,  ///< when v_n+/(a T_c) < 1, with T_c the duration of an impact
                 ///< [Liu, Zhang, Zhao & Brogliato 2013, eq. 2.37]
  accumulation,  ///< at the Zeno point, extrapolated
  none,          ///< it does not end
};

/// Source of T_c.
enum class ContactTime : std::uint8_t {
  local,  ///< Hertz's, of this impact, from stiffness and the speed at the contact
  given,  ///< a number
};

/// What happens if rigid contact has two solutions: F = 0 and F > 0.
enum class Indeterminate : std::uint8_t { lift_off, impact };

/// Default limit of the steps of `lzb` for one impact in motion. Then `moreau` answers, and the
/// event says so. It is about twice what ordinary impacts need: 53 steps for a rod in a corner (2
/// contacts), 82 for five balls in a row, 238 for a stack of boxes. A step of many contacts that
/// stick in space takes 0.5 ms.
[[nodiscard]] constexpr std::size_t default_lzb_steps(std::size_t contacts) {
  return 50 + 25 * contacts;
}

/// Gaps at the start up to this part of the reference length, open or overlapping, are closed where
/// the contact then rests. A larger overlap is refused.
inline constexpr double start_tolerance = 1e-6;

struct Options {
  double end_time = 1.;         ///< [s]
  double tolerance = 1e-9;      ///< relative, of integration
  double sample_interval = 0.;  ///< between samples [s]; 0: at the integrator's own steps
  std::size_t most_events = 0;  ///< limit of events; 0: no limit
  /// Limit of end_time/sample_interval. A run that would exceed it is refused before it starts.
  std::size_t most_samples = 10'000'000;

  Settling settling = Settling::accumulation;
  ContactTime contact_time = ContactTime::local;
  double given_contact_time = 0.;  ///< T_c [s] if it is given
  Indeterminate indeterminate = Indeterminate::lift_off;

  // The law for impacts at one contact, in the plane or in space, and the one for several.
  const Law* law = nullptr;        ///< of impacts at one contact; null: energetic
  const Law* several = nullptr;    ///< of impacts at several; null: lzb
  SolveOptions law_options{};      ///< of `law`
  SolveOptions several_options{};  ///< of `several`; most_steps = 0: default_lzb_steps

  /// Contacts whose force is k (-gap)^a with hysteresis, instead of rigid; empty: none.
  std::vector<bool> compliant{};
};

enum class Ending : std::uint8_t { time, model, events, stopped, failed };

/// The state of a run, from which it can be continued.
struct Progress {
  State state;
  std::vector<ContactStatus> contacts;
  EnergyAccount energy;
  std::size_t events = 0;
  std::size_t impacts = 0;
  std::size_t steps = 0;
  std::size_t other_law = 0;     ///< impacts that another law answered than the one chosen
  std::vector<double> memory{};  ///< of compliant contacts and of recent impacts

  // Samples are at whole multiples of the interval.
  double sample_interval = -1.;  ///< to which `next_sample` belongs; negative: none [s]
  double next_sample = 0.;       ///< [s]
  double last_sample = -std::numeric_limits<double>::infinity();  ///< reported last [s]
};

struct Summary {
  Progress progress;
  Ending ending = Ending::time;
  std::string reason;  ///< description of a failure or of the end condition of the model
};

/// Closes gaps up to `start_tolerance` of the reference length where the contact then rests, by the
/// smallest displacement in the mass metric; the start event reports it. Throws InputError if the
/// start is invalid: an overlap is larger, a mass matrix is not positive definite, or a number is
/// not finite. The field is one of the model's names.
[[nodiscard]] Progress start(const Model& model, const State& state,
                             const std::vector<Surface>& surfaces, const Options& options);

/// Continues from `progress` to the end. A run in pieces takes the same steps as an uninterrupted
/// one (tested bit by bit on a bouncing ball).
[[nodiscard]] Summary simulate(const Model& model, const std::vector<Surface>& surfaces,
                               const Options& options, const Progress& progress,
                               Recorder& recorder);

}  // namespace carom::motion
