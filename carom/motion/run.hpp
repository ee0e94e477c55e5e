// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/complementarity/force_sharing.hpp>
#include <carom/core/dense_system.hpp>
#include <carom/core/runge_kutta.hpp>
#include <carom/laws/workspace.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/motion/acceleration.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/simulation.hpp>

namespace carom::motion {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// gap'' = A F + B of sliding contact: the force -B/A counts as diverging where A is below this,
/// relative to G_nn. A few digits of the force are left there.
inline constexpr double diverging = 1e-10;

[[nodiscard]] inline bool gives_no_answer(Verdicts flags) {
  return flags.has(Verdict::no_solution) || flags.has(Verdict::not_converged);
}

/// Why a smooth segment ends.
enum class TriggerKind : std::uint8_t {
  none,
  closes,      ///< a gap closes
  lifts,       ///< a normal force vanishes
  stops,       ///< slip vanishes
  limit,       ///< static friction is exhausted
  diverges,    ///< A -> 0+: the normal force diverges
  turns,       ///< a compliant contact changes between loading and unloading
  releases,    ///< a compliant contact has returned its energy
  hands_over,  ///< the closest points leave the features of a contact
  jumps,       ///< a prescribed acceleration jumps
  spin_stops,  ///< rolling or drilling vanishes
  spin_limit,  ///< the couple that holds it is exhausted
  model_end,   ///< the end condition of the model
};

/// Couples of a contact with rolling and drilling friction.
enum class Turning : std::uint8_t { rolling, drilling };
inline constexpr std::array turnings{Turning::rolling, Turning::drilling};

struct Trigger {
  TriggerKind kind = TriggerKind::none;
  std::size_t contact = nowhere;
  double time = infinite;
  Turning turning = Turning::rolling;  ///< that stops or starts
};

/// Modes of rolling and drilling at a closed contact.
struct SpinStatus {
  struct Mode {
    bool held = false;                  ///< the spin is zero and stays so
    bool released = false;              ///< it was so until just now
    std::array<double, 2> direction{};  ///< of the spin that is not held
    std::array<double, 2> at_start{};   ///< spin at the start of the step, times a length [m/s]

    bool operator==(const Mode&) const = default;
  };
  std::array<Mode, turnings.size()> modes{};

  [[nodiscard]] Mode& operator[](Turning t) { return modes[static_cast<std::size_t>(t)]; }
  [[nodiscard]] const Mode& operator[](Turning t) const {
    return modes[static_cast<std::size_t>(t)];
  }
};

/// Reference scales, and the tolerances derived from them.
struct Scales {
  explicit Scales(const Model& model);
  double length;        ///< [m]
  double acceleration;  ///< [m/s^2]
  double speed;         ///< sqrt(a L) [m/s]
  double time;          ///< sqrt(L/a) [s]
  double closed;        ///< a gap up to this counts as closed [m]
  double sunk;          ///< a gap below minus this has closed [m]
  double still;         ///< a speed up to this counts as zero [m/s]
  double faint;         ///< slower impacts are below the resolution of positions [m/s]
};

/// Part of the reach that may be used up before near contacts are listed anew: half of it, less
/// what paths bend within a step.
inline constexpr double used_reach = 0.4;

/// A step in which the directions of slip are unknowns: see creep.cpp. Allocates only when it
/// grows.
struct CreepStep {
  bool active = false;                 ///< whether the last step was such a step
  double start = 0.;                   ///< [s]
  double h = 0.;                       ///< [s]
  std::vector<std::size_t> contacts;   ///< those that slip with friction
  std::vector<std::size_t> starts;     ///< places of those whose slip starts
  std::vector<double> slip;            ///< |v_T| of each at the start [m/s]
  std::vector<double> horizon;         ///< time until it would vanish, or infinity [s]
  std::vector<double> turning;         ///< Lambda, by rows [m/s^2]
  std::vector<std::uint8_t> is_start;  ///< 1 if slip is zero or negligible and grows
  std::vector<std::array<double, 2>> middle;
  std::vector<std::array<double, 2>> first;       ///< directions at the start
  std::vector<std::array<double, 2>> directions;  ///< by stage, that at the start first
  std::vector<double> rates;                      ///< by stage, that at the start first
  std::vector<double> values;                     ///< by stage
  std::vector<std::array<double, 3>> limits;  ///< d.v_T, e.v_T and the rounding of v_T, by stage
  DenseSystem system;
  // A run that ends within a step is resumed from the start of the step.
  bool ended_within = false;
  std::vector<double> creeping_before;
  std::vector<double> shared_before;
  std::vector<ContactStatus> status_before;
};

/// One event-driven run. Its integration state is at the start of the next smooth step. The visible
/// state may be later, within that step, so that a run in pieces takes the same steps.
class Run {
 public:
  Run(const Model& model, const std::vector<Surface>& surfaces, const Options& options);

  /// Starts from a given state. Throws InputError.
  void begin(const State& state);
  /// Continues a run.
  void load(const Progress& progress);
  [[nodiscard]] Progress save();
  [[nodiscard]] Summary go(Recorder& recorder);

 private:
  // --- stretch.cpp, equations.cpp: smooth motion
  enum class Advance : std::uint8_t { stepped, event, end_time, failed, stopped };
  [[nodiscard]] bool flying() const;
  [[nodiscard]] Advance step(Trigger& trigger);
  [[nodiscard]] Advance jumped(double time, Trigger& trigger);
  [[nodiscard]] bool rate(double time, std::span<const double> y, std::span<double> dy);
  [[nodiscard]] bool know_course();  ///< of the step from y_ to end_
  [[nodiscard]] bool equations();
  [[nodiscard]] bool solve_equations();
  [[nodiscard]] bool creeps(std::size_t contact) const;
  void note_touching();
  [[nodiscard]] bool solve_for_forces(const ContactSystem::Island& island);
  [[nodiscard]] bool matters(const ContactSystem::Island& island);
  void prepare_scales();
  void indicate(std::vector<double>& values);
  [[nodiscard]] double tolerated(std::size_t slot) const;
  [[nodiscard]] std::array<double, 2> slip_direction(std::size_t contact) const;
  [[nodiscard]] bool slip_falls_too_fast() const;
  [[nodiscard]] double vanishing_slip() const;
  [[nodiscard]] std::size_t slip_that_vanishes(double& left) const;
  void note_slip_at_start();
  void forget_releases();
  void project();
  [[nodiscard]] bool close_touching();
  void shift_positions();
  void project_gaps(const std::vector<std::size_t>& contacts);
  void project_velocities(const std::vector<std::size_t>& contacts);

  // --- spin.cpp: rolling and drilling friction
  /// Components of a spin that one couple resists.
  struct SpinRows {
    std::size_t first = first_spin;
    std::size_t size = 1;
  };
  [[nodiscard]] SpinRows rows_of(Turning turning) const;
  /// The bound of the couple: a length over the reference length.
  [[nodiscard]] double bound_of(std::size_t contact, Turning turning) const;
  [[nodiscard]] bool has_couples(std::size_t contact) const {
    return any_couples_ &&
           (surface(contact).rolling_friction() > 0. || surface(contact).drilling_friction() > 0.);
  }
  void refuse_couples() const;  ///< where the model knows no spins
  void load_spins(const std::vector<std::size_t>& contacts);
  [[nodiscard]] double spin_size(std::size_t contact, Turning turning) const;
  [[nodiscard]] std::array<double, 2> spin_direction(std::size_t contact, Turning turning) const;
  /// The couple of a contact for a normal force 1, and unknowns for what is held.
  [[nodiscard]] std::array<double, 3> couple_of(std::size_t contact) const;
  void add_held_couples(std::size_t contact);
  void note_spins_at_start();
  [[nodiscard]] bool spin_falls_too_fast() const;
  [[nodiscard]] bool spin_that_vanishes(Trigger& trigger, double& left) const;
  void indicate_spins(double* values) const;
  [[nodiscard]] Trigger spin_trigger(std::size_t slot, double time) const;
  void stop_spin(const Trigger& trigger);
  void pose_spins(const Trigger& trigger, const std::vector<SpinStatus>& before);
  void take_spins();
  void name_spin_event(const Trigger& trigger, const std::vector<ContactStatus>& before,
                       const std::vector<SpinStatus>& spins_before, Event& event) const;
  [[nodiscard]] std::size_t indicators() const {
    return 3 * touching_.size() + turnings.size() * spinning_.size() + 1;
  }
  [[nodiscard]] std::vector<double> saved_spins() const;
  [[nodiscard]] bool load_spins_of(const std::vector<double>& numbers);

  // --- creep.cpp: slip so slow that its direction follows the forces
  void prepare_creep(double h);
  [[nodiscard]] bool is_stiff(double h) const;
  [[nodiscard]] bool start_creep(bool creep);  ///< rates at the start of the step
  void find_turning();
  void settle_directions();
  [[nodiscard]] double acceleration_in(std::size_t contact, const std::array<double, 2>& d) const;
  [[nodiscard]] bool creep_step(double h);
  [[nodiscard]] bool turn_stages(double& turn);
  [[nodiscard]] bool correct_first_directions();
  [[nodiscard]] double creep_error() const;
  void keep_directions(bool at_end);
  void follow_status();
  void course_at(double time, std::vector<double>& y, std::size_t entries);

  // --- event_search.cpp: events within a step
  [[nodiscard]] bool first_event(double t1, Trigger& trigger);
  void search_indicator(std::size_t slot, double t1, bool finely, Trigger& trigger);
  [[nodiscard]] double indicator_at(double time, std::size_t slot);
  void state_in_step(double time);  ///< into state_
  [[nodiscard]] double gap_at(double time, std::size_t contact);
  [[nodiscard]] double gap_rate_at(double time, std::size_t contact);
  [[nodiscard]] double margin_at(double time, std::size_t contact);
  [[nodiscard]] bool search_margin(std::size_t contact, double t1, Trigger& trigger);
  /// @param moves  what any point moves at most in the step [m]
  [[nodiscard]] bool search_closing(std::size_t contact, double moves, double t1, Trigger& trigger);
  [[nodiscard]] bool is_in_range(std::size_t contact, double time);
  [[nodiscard]] double enters_range(std::size_t contact, double from, double until);
  [[nodiscard]] bool search_overlap(double t1, Trigger& trigger);

  // --- neighbours.cpp: contacts within reach, and the layout of y
  [[nodiscard]] double usual_reach() const;
  void find_near(double reach);
  void list_near();
  /// Contacts that touch at state_, up to a gap of `reach`, ascending.
  void list_touching(double reach, std::vector<std::size_t>& out);
  [[nodiscard]] bool pair_touches(const BodyPair& pair) const;
  void grow();
  void lay_out();
  void lay_out_works(const std::vector<std::size_t>& contacts);
  void set_layout();
  [[nodiscard]] std::size_t deformation_at(std::size_t k) const { return dampers_at_ + 1 + 2 * k; }
  [[nodiscard]] std::size_t normal_work_at(std::size_t k) const { return deformation_at(k) + 1; }

  // --- flight.cpp: free flight in closed form
  [[nodiscard]] Advance fly(Trigger& trigger);
  [[nodiscard]] double search_flight(const BodyPair& pair, double longest);
  /// Whether a pair touches; `touched_` is one of its contacts then.
  [[nodiscard]] bool touches(const BodyPair& pair, const State& state);
  /// Whether a contact is among those of its pair at state_ that are in range.
  [[nodiscard]] bool lists(const BodyPair& pair, const ContactId& id);
  [[nodiscard]] double first_touch(const BodyPair& pair, double from, double piece);
  [[nodiscard]] double search_flight_end(double longest);
  void flown(double dt);

  // --- start.cpp: small gaps at the start
  [[nodiscard]] bool closes_at_start(std::size_t contact);
  void close_gaps_at_start();
  [[nodiscard]] std::string start_note() const;

  // --- instant.cpp: handling of an event
  [[nodiscard]] bool instant(Trigger trigger);
  [[nodiscard]] bool gather_closed();
  [[nodiscard]] bool decide(const Trigger& trigger);
  void close_neutral_contacts();
  [[nodiscard]] double decided_force(std::size_t contact) const;
  void conclude(Event event, const std::vector<ContactStatus>& before);
  void emit(Event& event);

  // --- impacts.cpp
  [[nodiscard]] bool impact(Event& event, std::size_t without_collision);
  [[nodiscard]] bool strike_one(std::size_t contact, bool without_collision, Event& event);
  [[nodiscard]] bool strike_several(const std::vector<std::size_t>& contacts, Event& event);
  [[nodiscard]] bool strike_in_turn(const std::vector<std::size_t>& contacts,
                                    const ContactProblem& all, Event& event);
  void apply_impulse(const std::vector<std::size_t>& contacts, const Vector& impulse);

  // --- settling.cpp
  void remember_impact(const Event& event, double speed);
  void count_slow_impacts(const std::vector<std::size_t>& contacts);
  [[nodiscard]] bool settle_by_contact_time(Event& event);
  /// The speed up to which contacts that strike now come to rest; zero: they rebound.
  [[nodiscard]] double settling_speed() const;
  [[nodiscard]] bool stop_by_impulses(const std::vector<std::size_t>& contacts);
  /// @param approach  whether contacts approach; otherwise slip slower than `speed` stops
  void settle(Event& event, double speed, bool approach, const char* why);
  /// A speed above all slip of several closed contacts without forces, if they are so slow that
  /// they may stop instead of striking; otherwise zero.
  /// @param everywhere  whether all slip must be slow, or any
  [[nodiscard]] double slow_slip(bool everywhere) const;
  [[nodiscard]] double contact_time(std::size_t contact, double speed);
  [[nodiscard]] double acceleration_from_rest(std::size_t contact);
  [[nodiscard]] bool accumulates(std::vector<std::size_t>& contacts, double& remaining) const;
  [[nodiscard]] bool accumulate();

  // --- painleve.cpp
  /// A case in which rigid contact has no unique solution.
  struct Conflict {
    Paradox paradox = Paradox::none;
    std::size_t contact = nowhere;
    double A = 0.;
    double B = 0.;
    bool needs_impact = false;
  };
  void find_conflict(const Trigger& trigger);
  [[nodiscard]] bool strike_without_collision(const std::vector<std::size_t>& contacts,
                                              Event& event);
  [[nodiscard]] double jamming_friction(std::size_t contact) const;

  // --- compliant_contact.cpp
  [[nodiscard]] bool is_compliant(std::size_t i) const { return compliant_[i] != nowhere; }
  [[nodiscard]] double compliant_force(std::size_t contact) const;
  [[nodiscard]] double compliant_rate(std::size_t contact, double normal_velocity) const;
  [[nodiscard]] double level(std::size_t i) const {
    return is_compliant(i) ? level_[compliant_[i]] : 0.;
  }
  enum class Stage : std::uint8_t { loading, unloading, held };
  [[nodiscard]] Stage stage_of(std::size_t i) const {
    return static_cast<Stage>(static_cast<int>(stage_[compliant_[i]]));
  }
  /// Whether the force is known from the deformation.
  [[nodiscard]] bool is_spring(std::size_t i) const {
    return is_compliant(i) && stage_of(i) != Stage::held;
  }
  [[nodiscard]] bool is_held(std::size_t i) const {
    return is_compliant(i) && stage_of(i) == Stage::held;
  }
  void set_stage(std::size_t contact, Stage stage, double deformation);
  void recover_levels();
  void release(std::size_t contact);
  void release_held();
  [[nodiscard]] bool rests_at_release(std::size_t contact);
  void hold(std::size_t contact, Event& event);
  /// @param settled  set if the contact is held from now on
  void apply_compliant_trigger(const Trigger& trigger, std::optional<Event>& settled);

  // --- simulation.cpp
  void take(std::span<const double> y, double time);  ///< into state_
  void store_velocity();                              ///< state_.u into y_
  enum class Told : std::uint8_t { sample, before, after, last };
  void sample(double time, const std::vector<double>& y, Told kind = Told::sample);
  void tell_side(Side side) {
    if (!recorder_->wants_sides()) return;
    sample(time_, y_, side == Side::before ? Told::before : Told::after);
  }
  void account_at(const std::vector<double>& y, EnergyAccount& account) const;
  /// Writes the requested samples up to `time`; at(t, y) fills y. If it is stopped, the last sample
  /// is the visible state: a run that continues repeats the step without these samples.
  /// @return false if it was stopped
  template <class At>
  [[nodiscard]] bool sample_until(double time, const At& at) {
    while (next_sample_ <= time) {
      const double t = next_sample_;
      at(t, sampled_);
      sample(t, sampled_);
      find_next_sample(t);
      if (!stops()) continue;
      record_visible(t, sampled_);
      return false;
    }
    return true;
  }
  void sample_passed_over(double start, const std::vector<double>& from,
                          std::vector<ContactStatus> modes);
  [[nodiscard]] bool stops();  ///< whether the recorder ends the run
  void find_next_sample(double after);
  bool fail(Failure failure, std::string reason);
  void forget_failure() {
    failure_ = Failure::none;
    reason_.clear();
  }
  bool fail_acceleration();
  bool fail_stalled(std::size_t contact);
  void record_visible(double time, const std::vector<double>& y);
  /// Without friction the direction of slip does not matter.
  [[nodiscard]] bool is_smooth(std::size_t i) const {
    return surface(i).friction == 0. && surface(i).static_friction == 0.;
  }
  [[nodiscard]] const Surface& surface(std::size_t i) const { return surfaces_[surface_of_[i]]; }
  [[nodiscard]] std::string contact_name(std::size_t i) const {
    return model_.contact_name(contacts_[i]);
  }
  [[nodiscard]] double gap(std::size_t i) const { return model_.gap(contacts_[i], state_); }
  void tell_contacts();  ///< to the recorder, those that were found
  [[nodiscard]] bool is_closed(std::size_t i) const { return status_[i].touch != Touch::open; }

  const Model& model_;
  const std::vector<Surface>& surfaces_;
  const Options& options_;
  Recorder* recorder_ = nullptr;
  const Scales scales_;
  const std::size_t positions_;
  const std::size_t velocities_;
  const std::size_t components_;
  const std::size_t drives_at_;  ///< in y; see lay_out()
  const std::size_t dampers_at_;
  ContactList contacts_;
  std::vector<std::size_t> surface_of_;  ///< by contact
  std::vector<std::size_t> compliant_;   ///< index among the compliant contacts, or nowhere
  std::size_t compliant_count_ = 0;
  std::vector<std::size_t> works_;    ///< contacts whose friction work is in y
  std::vector<std::size_t> work_at_;  ///< its place there, by contact, or nowhere
  std::size_t last_works_ = 0;
  std::size_t size_ = 0;    ///< of y
  std::size_t moving_ = 0;  ///< entries on which gaps depend, the first ones

  // Contacts within reach.
  State listed_;                       ///< when they were listed
  double reach_ = 0.;                  ///< [m]
  std::vector<BodyPair> pairs_;        ///< within reach
  std::vector<BodyPair> flying_;       ///< all that may meet in free flight
  std::vector<std::size_t> active_;    ///< contacts within reach, ascending; all closed ones
  std::vector<std::size_t> touching_;  ///< closed contacts, ascending
  std::vector<std::size_t> spinning_;  ///< those of them with rolling or drilling friction
  std::vector<NearContact> near_contacts_;
  std::vector<NearContact> listed_contacts_;
  std::vector<BodyPair> landing_;  ///< pairs that strike now
  ContactId touched_;

  // The integration state.
  double time_ = 0.;
  std::vector<double> y_;
  double h_ = 0.;  ///< size of the next trial step
  std::vector<ContactStatus> status_;
  ImpactMemory memory_;
  std::vector<double> level_;      ///< gap below which a compliant contact has a force
  std::vector<double> stage_;      ///< of compliant contacts, a Stage
  std::vector<double> peak_;       ///< their largest deformation so far [m]
  std::vector<SpinStatus> spins_;  ///< empty if no surface has couples
  std::vector<double> creeping_;   ///< 1 if the direction of slip is that of the status, else 0
  double stalls_ = 0.;             ///< consecutive events without progress in time
  double last_event_time_ = -infinite;
  double closed_at_start_ = 0.;  ///< contacts whose gaps were closed at the start
  double moved_at_start_ = 0.;   ///< largest distance by which this moved something [m]
  EnergyAccount account_;
  std::size_t events_ = 0;
  std::size_t impacts_ = 0;
  std::size_t steps_ = 0;
  std::size_t other_law_ = 0;  ///< impacts that another law answered than the one chosen

  // The visible state.
  double visible_time_ = 0.;
  std::vector<double> visible_;
  double sample_interval_ = -1.;  ///< to which next_sample_ belongs
  double next_sample_ = 0.;
  double last_sample_ = -infinite;  ///< reported last

  // Workspace.
  Mechanics mechanics_;
  State state_;
  State unit_state_;
  RungeKutta<MeanError> ode_;
  std::vector<double> end_;         ///< of the step
  std::vector<double> force_;       ///< contact by contact
  std::vector<double> slip_A_;      ///< gap'' = A F + B of what slips
  std::vector<double> unit_force_;  ///< acceleration scale over G_nn
  Vector acceleration_;
  Vector q_rate_;
  Vector scratch_;
  ContactSystem system_;
  std::vector<complementarity::SharingContact> sharing_;  ///< closed contacts of an island
  complementarity::ForceSharing shared_;
  std::vector<double> right_;   ///< right-hand sides of an island
  std::vector<double> near_;    ///< the last distribution of hyperstatic forces
  std::vector<double> warm_;    ///< that of an island
  std::vector<double> inner_;   ///< unknowns of a distribution of forces within the cones
  std::vector<double> couple_;  ///< over the reference length, three for each contact
  std::vector<double> held_couple_;
  std::vector<double> sample_couple_;
  std::vector<double> sample_spin_;
  std::vector<Mechanics::SpinRow> spin_rows_;
  std::vector<double> held_force_;  ///< the same as force_, which decides whether the modes hold
  std::vector<double> turns_;       ///< of directions, and their equations; see creep.cpp
  std::vector<double> turn_matrix_;
  std::vector<double> allowed_;  ///< error of each entry
  std::vector<double> dy_;
  std::vector<double> trial_;
  std::vector<double> sampled_;
  std::vector<double> shown_;  ///< the sample, on the constraints
  std::vector<double> sample_gap_;
  std::vector<double> sample_velocity_;
  EnergyAccount sample_energy_;
  std::vector<double> at_start_;  ///< indicators
  std::vector<double> at_end_;
  std::vector<double> least_;  ///< least over the stages
  std::vector<double> trial_indicators_;
  std::vector<double> deformation_;  ///< of compliant contacts, at state_ [m]
  /// A state within a step.
  struct Instant {
    double time = infinite;
    std::vector<double> y;
  };
  static constexpr std::size_t most_instants = 16;
  std::vector<Instant> instants_;  ///< the last ones that were asked for
  std::size_t next_instant_ = 0;
  State step_start_;
  State step_end_;
  double latest_ = infinite;       ///< the last instant before a jump of accelerations [s]
  std::size_t told_contacts_ = 0;  ///< to the recorder
  std::vector<std::array<double, 2>> slip_at_start_;
  std::vector<std::array<double, 2>> creep_direction_;
  CreepStep creep_;
  std::vector<std::size_t> closed_;  ///< by gap
  std::vector<std::size_t>
      candidate_;  ///< closed, rigid and with zero normal velocity, or compliant with a force
  AccelerationProblem problem_;
  AccelerationAnswer answer_;
  Conflict conflict_;
  std::vector<double> approach_;  ///< normal velocities before an impact, by contact
  State take_off_;
  Matrix G_;
  Vector b_;
  Workspace workspace_;
  ContactProblem one_impact_;  ///< at one contact
  Outcome one_outcome_;
  std::vector<double> ratio_;  ///< needed for stick, by contact
  std::string reason_;

  // Flags, which stand together.
  bool any_couples_ = false;  ///< whether any surface has rolling or drilling friction
  bool fresh_ = true;         ///< no event has occurred yet
  bool stopped_ = false;
  bool shows_forces_ = false;    ///< whether forces are about to be reported
  bool shared_in_step_ = false;  ///< whether an island was hyperstatic
  bool is_warm_ = false;         ///< whether `near_` is of use
  bool watch_ = false;           ///< whether rates record the least indicators
  Failure failure_ = Failure::none;
};

}  // namespace carom::motion
