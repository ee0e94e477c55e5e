// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <carom/core/executor.hpp>
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

/// How motion is computed.
enum class MotionMethod : std::uint8_t {
  events,     ///< event by event: stick, slip and impacts are located
  stepping,   ///< steps of a given length, see stepping.hpp
  automatic,  ///< events, and steps where they follow each other without end
};

/// The step that stepping takes if none is given [s]: 0.005 sqrt(L/g), with the reference length
/// and acceleration of the model.
[[nodiscard]] double default_step(const Model& model);

struct Options;
/// The step that stepping takes, unless it must be shorter [s]: the given one, or the default,
/// shortened so that samples are at the ends of steps.
[[nodiscard]] double nominal_step(const Model& model, const Options& options);

struct Options {
  MotionMethod method = MotionMethod::automatic;
  double step = 0.;             ///< of stepping [s]; 0: default_step
  double rest_speed = -1.;      ///< approach up to this has no restitution [m/s]; < 0: 2 g step,
                                ///< or twice what loads that press a contact more give it
  double residual = 1e-9;       ///< of the contacts of a step, relative; see complementarity
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
  const Law* law = nullptr;      ///< of impacts at one contact; null: energetic
  const Law* several = nullptr;  ///< of impacts at several; null: lzb
  bool keeps_several = false;    ///< it is asked for by name: steps, which know `moreau` alone, do
                                 ///< not take over from events
  SolveOptions law_options{};    ///< of `law`
  SolveOptions several_options{};  ///< of `several`; most_steps = 0: default_lzb_steps

  /// Surfaces of contacts whose force is k (-gap)^a with hysteresis, instead of rigid; empty: none;
  /// one: all alike.
  std::vector<bool> compliant{};

  /// Solves islands of a step at once, where they are large enough; null: one after the other. The
  /// results are the same, bit by bit.
  const Executor* executor = nullptr;
};

enum class Ending : std::uint8_t { time, model, events, stopped, failed };

/// The last impacts, used to detect a Zeno point.
struct ImpactMemory {
  static constexpr std::size_t kept = 6;
  std::vector<double> time = std::vector<double>(kept, 0.);  ///< newest first [s]
  std::vector<double> speed =
      std::vector<double>(kept, 0.);    ///< largest approach speed of each [m/s]
  double count = 0.;                    ///< of all impacts
  std::vector<double> last;             ///< by contact: the count at its last impact
  std::vector<double> slow;             ///< by contact: slow impacts in a row
  std::vector<double> when;             ///< by contact: time of the last of them [s]
  std::vector<double> interval;         ///< by contact: between the last two impacts [s]
  std::vector<double> interval_before;  ///< by contact: between the two before [s]
};

/// Everything that decides how a run goes on, at the start of its next step. What is shown of the
/// run may be later, within that step, so that a run in pieces takes the same steps.
struct Continuation {
  double fresh = 1.;                  ///< 1 until the first event
  double time = 0.;                   ///< [s]
  double step = 0.;                   ///< size of the next trial step [s]
  double stalls = 0.;                 ///< consecutive events without progress in time
  double last_event_time = 0.;        ///< [s]
  double work = 0.;                   ///< by which events are behind steps, see Crowd
  double work_time = 0.;              ///< when that was [s]
  double closed_at_start = 0.;        ///< contacts whose gaps were closed at the start
  double moved_at_start = 0.;         ///< largest distance by which this moved something [m]
  std::vector<double> y;              ///< positions, velocities, works and deformations
  std::vector<double> shown;          ///< the same at what is shown
  std::vector<double> works;          ///< contacts whose friction work is in y
  std::vector<double> impact_work;    ///< by contact, without what is in y [J]
  std::vector<double> friction_work;  ///< the same of friction [J]
  ImpactMemory impacts;
  std::vector<double> creeping;  ///< by contact: 1 if slip has the direction of the status
  std::vector<double> slip;      ///< by contact: slip at the start of the step, two numbers [m/s]
  std::vector<double> spin;      ///< by contact: modes of rolling and drilling, if any has them
  std::vector<double> level;     ///< by compliant contact: gap below which it has a force [m]
  std::vector<double> stage;     ///< by compliant contact: loading, unloading or held
  std::vector<double> peak;      ///< by compliant contact: largest deformation so far [m]
  std::vector<double> shared;  ///< the last distribution of hyperstatic forces, if it is of use [N]
  double depends = 0.;         ///< 1 if events say that the motion depends on how they are shared
  double depends_since = std::numeric_limits<double>::infinity();  ///< what the next event says [s]
  std::vector<double> use;                                         ///< by contact: see ContactList
  double listed_time = 0.;      ///< when near contacts were listed [s]
  std::vector<double> listed;   ///< positions then
  double reach = 0.;            ///< of that list [m]
  std::vector<double> reaches;  ///< the same by pair of bodies [m]
  // Of the automatic method.
  double stepping = 0.;     ///< 1 in a stretch of steps
  double stretch_end = 0.;  ///< of the last one, or the present one [s]
  double stretches = 0.;    ///< how often its length was doubled
  // Of stepping.
  double steps_end = 0.;            ///< of the nominal step that is not complete [s]
  double steps_h = 0.;              ///< length of the last step [s]
  std::vector<double> step_counts;  ///< for the log
  std::vector<double> impulses;     ///< of the last step: fourteen numbers for each contact

  /// Calls f(name, value) for each number and each list of numbers.
  template <class Self, class F>
  static void visit(Self& self, const F& f) {
    f("fresh", self.fresh);
    f("next_time", self.time);
    f("step", self.step);
    f("stalls", self.stalls);
    f("last_event_time", self.last_event_time);
    f("work", self.work);
    f("work_time", self.work_time);
    f("closed_at_start", self.closed_at_start);
    f("moved_at_start", self.moved_at_start);
    f("y", self.y);
    f("shown", self.shown);
    f("works", self.works);
    f("earlier_impact_work", self.impact_work);
    f("earlier_friction_work", self.friction_work);
    f("impact_times", self.impacts.time);
    f("impact_speeds", self.impacts.speed);
    f("impact_count", self.impacts.count);
    f("last_impacts", self.impacts.last);
    f("slow_impacts", self.impacts.slow);
    f("slow_times", self.impacts.when);
    f("slow_intervals", self.impacts.interval);
    f("slow_intervals_before", self.impacts.interval_before);
    f("creeping", self.creeping);
    f("slip", self.slip);
    f("spin", self.spin);
    f("level", self.level);
    f("stage", self.stage);
    f("peak", self.peak);
    f("shared", self.shared);
    f("depends", self.depends);
    f("depends_since", self.depends_since);
    f("use", self.use);
    f("listed_time", self.listed_time);
    f("listed", self.listed);
    f("reach", self.reach);
    f("reaches", self.reaches);
    f("stepping", self.stepping);
    f("stretch_end", self.stretch_end);
    f("stretches", self.stretches);
    f("steps_end", self.steps_end);
    f("steps_h", self.steps_h);
    f("step_counts", self.step_counts);
    f("impulses", self.impulses);
  }
};

/// The state of a run, from which it can be continued.
struct Progress {
  State state;
  std::vector<ContactId> found{};  ///< contacts beyond those that the model knows from the start
  std::vector<ContactStatus> contacts;
  EnergyAccount energy;
  std::size_t events = 0;
  std::size_t impacts = 0;
  std::size_t steps = 0;
  std::size_t other_law = 0;  ///< impacts that another law answered than the one chosen
  Continuation next{};

  // Samples are at whole multiples of the interval.
  double sample_interval = -1.;  ///< to which `next_sample` belongs; negative: none [s]
  double next_sample = 0.;       ///< [s]
  double last_sample = -std::numeric_limits<double>::infinity();  ///< reported last [s]
};

/// Why a run cannot go on.
enum class Failure : std::uint8_t {
  none,
  mass_matrix,      ///< is not positive definite
  no_acceleration,  ///< that is finite
  step_size,        ///< accelerations change too fast for any step
  no_forces,        ///< neither forces nor impulses satisfy Coulomb's law
  no_outcome,       ///< a law of impacts has none
  endless_impacts,  ///< impacts at one instant do not end
  stalled,          ///< events follow each other without time advancing
  crowded,          ///< events take too much work, or too many contacts touch: steps take over
  crushed,          ///< bodies overlap however short a step is
};
/// "stalled"
[[nodiscard]] std::string_view name(Failure failure);

struct Summary {
  Progress progress;
  Ending ending = Ending::time;
  Failure failure = Failure::none;  ///< if it failed
  std::string reason;  ///< description of a failure or of the end condition of the model
};

/// @param surfaces  one for each of the model's surfaces, or one for all
///
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
