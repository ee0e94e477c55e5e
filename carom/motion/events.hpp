// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/verdict.hpp>
#include <carom/mechanics/model.hpp>

/// Events of a motion.
namespace carom::motion {

/// Mode of a contact between events.
enum class Touch : std::uint8_t {
  open,
  slip,
  stick,
};

/// Mode of a contact, with the direction of slip: +1 or -1 along t in the plane; a unit vector in
/// space.
struct ContactStatus {
  Touch touch = Touch::open;
  std::array<double, 2> direction{};  ///< of slip; zero unless slipping

  bool operator==(const ContactStatus&) const = default;
};

/// "open", "stick", "slip+", "slip-" in the plane; "slip" in space.
[[nodiscard]] std::string name(const ContactStatus& status, std::size_t components);

enum class EventKind : std::uint8_t {
  start,
  impact,             ///< one contact, or several together
  impact_to_contact,  ///< last impact of a sequence: the remaining velocity is removed, contact
                      ///< begins
  accumulation,       ///< Zeno point: infinitely many impacts are skipped, contact begins
  slip_to_stick,
  stick_to_slip,
  slip_to_slip,  ///< through zero slip, without sticking
  roll_to_rest,  ///< with rolling friction: rolling stops
  rest_to_roll,
  roll_to_roll,   ///< through zero, without resting
  drill_to_rest,  ///< with drilling friction: spin about the normal stops
  rest_to_drill,
  drill_to_drill,
  lift_off,
  touch_down,       ///< a gap closes with zero speed, or that of a compliant contact
  painleve,         ///< rigid contact has no force, or several solutions
  stepping_begins,  ///< steps take over, see automatic.hpp
  stepping_ends,
  end,
};

[[nodiscard]] std::string_view name(EventKind kind);

/// Why rigid contact has no unique solution, with gap'' = A F + B at the slipping contact.
enum class Paradox : std::uint8_t { none, inconsistent, indeterminate, diverging };

struct Event {
  double time = 0.;
  EventKind kind = EventKind::start;
  std::vector<std::size_t> contacts;  ///< the contacts involved
  std::vector<ContactStatus> from;    ///< mode of each of them before
  std::vector<ContactStatus> to;      ///< mode of each of them after
  double energy_change = 0.;          ///< by an impact, or by dropped velocity [J]
  std::vector<double> impulse{};      ///< of an impact, ordered by contact [N s]
  Verdicts flags{};                   ///< of the law
  double ratio = 0.;                  ///< F_t/F_n that stick needs, which decided between stick and
                                      ///< slip; infinite where stick has no normal force
  double A = 0.;                      ///< gap'' = A F + B if `paradox` is not none [1/kg]
  double B = 0.;                      ///< [m/s^2]
  Paradox paradox = Paradox::none;
  double approach = 0.;     ///< speed at which a compliant contact touches [m/s]
  double passed_over = 0.;  ///< duration of the skipped impacts [s]
  std::string note{};       ///< further information, e.g. why a run ended

  /// Forgets everything, but keeps its memory.
  void clear();
};

/// Names of the contacts of a run, by number.
class ContactNames {
 public:
  explicit ContactNames(const Model& model, const std::vector<ContactId>& found = {})
      : model_(&model), found_(found) {}

  /// See Recorder::contact.
  void add(std::size_t number, const ContactId& id) {
    const std::size_t i = number - model_->contacts();
    if (i >= found_.size()) found_.resize(i + 1);
    found_[i] = id;
  }
  [[nodiscard]] std::size_t size() const { return model_->contacts() + found_.size(); }
  [[nodiscard]] ContactId id(std::size_t i) const {
    const std::size_t known = model_->contacts();
    return i < known ? model_->contact_id(i) : found_[i - known];
  }
  [[nodiscard]] std::string operator[](std::size_t i) const { return model_->contact_name(id(i)); }
  [[nodiscard]] const Model& model() const { return *model_; }

 private:
  const Model* model_;
  std::vector<ContactId> found_;
};

/// Adds to the note of an event, after what other impacts of the same instant noted.
void append_note(Event& event, std::string_view note);

/// Energy account since the start [J]; losses are negative.
struct EnergyAccount {
  double kinetic_start = 0.;
  double potential_start = 0.;
  double kinetic = 0.;
  double potential = 0.;
  std::vector<double> impacts;   ///< by contact, work of all impulses
  std::vector<double> friction;  ///< by contact, between impacts
  double drives = 0.;
  double dampers = 0.;
  double dropped = 0.;      ///< removed where contact begins, and at Zeno points
  double corrections = 0.;  ///< where positions are corrected: of potential energy, and of kinetic
                            ///< energy where bodies turn at given spins

  /// Residual of the account: zero up to the tolerance.
  [[nodiscard]] double gap() const;
};

/// A point of the trajectory.
struct Sample {
  const State& state;
  const std::vector<ContactStatus>& contacts;
  const std::vector<double>& force;     ///< ordered by contact, n then tangential [N]
  const std::vector<double>& velocity;  ///< of the contacts, in the same order [m/s]
  const std::vector<double>& gap;       ///< [m]; NaN of an open contact that was found
  double kinetic = 0.;                  ///< [J]
  double potential = 0.;                ///< [J]
  const EnergyAccount& energy;          ///< since the start
  // Of closed contacts with rolling or drilling friction, three numbers for each contact: about the
  // plane's normal (the first) in the plane, about n, t1 and t2 in space; else 0. Empty if there
  // are none.
  std::span<const double> couple{};  ///< [N m]
  std::span<const double> spin{};    ///< relative spin [rad/s]
};

/// The state before or after an event.
enum class Side : std::uint8_t { before, after };

struct Progress;

/// Receives events and samples in order. The trajectory is not stored elsewhere.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;
  /// A contact that was found, beyond those that the model knows from the start, before anything
  /// that has its number. Numbers ascend. A run that is continued tells them again. The number of a
  /// contact that has not touched may be taken over: it is then told with the new contact.
  virtual void contact(std::size_t /*number*/, const ContactId& /*id*/) {}
  virtual void event(const Event& event) = 0;
  /// The first instant, and then at the sample interval.
  virtual void sample(const Sample& sample) = 0;
  /// The last instant, unless it was passed to `sample` already. However the run ends, this comes
  /// after all samples. A run that is continued from its progress does not have this sample.
  virtual void last(const Sample& sample) { this->sample(sample); }
  /// If true, `side` is called just before and just after everything that may lead to events. The
  /// start is an event, too; the end has only a state before it.
  [[nodiscard]] virtual bool wants_sides() const { return false; }
  virtual void side(const Sample& /*sample*/, Side /*side*/) {}
  /// Called between steps, samples and parts of a search; true ends the run at once.
  virtual bool stop() { return false; }
  /// If true, `progress` is called with the state from which the run can be continued. Asked
  /// between steps, when all events and samples up to this state were reported.
  virtual bool wants_progress() { return false; }
  virtual void progress(const Progress& /*progress*/) {}
};

}  // namespace carom::motion
