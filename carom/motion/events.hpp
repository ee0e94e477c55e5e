// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/verdict.hpp>
#include <carom/motion/model.hpp>

/// What happens along a motion.
namespace carom::motion {

/// What a contact does between events.
enum class Touch : std::uint8_t {
  open,
  slip,
  stick,
};

/// A contact between events, and in which direction it slips: +1 or -1 along t in the plane; a unit
/// vector in space.
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
  impact_to_contact,  ///< the last impact of many: what velocity is left is removed, contact begins
  accumulation,       ///< infinitely many impacts passed over, contact begins
  slip_to_stick,
  stick_to_slip,
  slip_to_slip,  ///< through zero slip, without sticking
  lift_off,
  touch_down,  ///< a gap closes without speed
  painleve,    ///< rigid contact has no force, or several
  end,
};

[[nodiscard]] std::string_view name(EventKind kind);

/// Why a motion in contact cannot be rigid, with gap'' = A F + B at the contact in slip.
enum class Paradox : std::uint8_t { none, inconsistent, indeterminate, diverging };

struct Event {
  double time = 0.;
  EventKind kind = EventKind::start;
  std::vector<std::size_t> contacts;  ///< those concerned
  std::vector<ContactStatus> from;    ///< of each of them, before
  std::vector<ContactStatus> to;      ///< and after
  double energy_change = 0.;          ///< of an impact, or of what is dropped [J]
  std::vector<double> impulse{};      ///< of an impact, contact by contact [N s]
  Verdicts flags{};                   ///< of the law
  double ratio = 0.;                  ///< F_t/F_n that stick needs, which decided between stick and
                                      ///< slip; infinite where stick has no normal force
  double A = 0.;                      ///< gap'' = A F + B where `paradox` is not none [1/kg]
  double B = 0.;                      ///< [m/s^2]
  Paradox paradox = Paradox::none;
  double passed_over = 0.;  ///< how long infinitely many impacts would have lasted [s]
  std::string note{};       ///< what else is to be said, e.g. why a run ended
};

/// Where the energy went since the start [J]; losses are negative.
struct EnergyAccount {
  double kinetic_start = 0.;
  double potential_start = 0.;
  double kinetic = 0.;
  double potential = 0.;
  std::vector<double> impacts;   ///< by contact, all impulses' work
  std::vector<double> friction;  ///< by contact, outside of impacts
  double drives = 0.;
  double dampers = 0.;
  double dropped = 0.;  ///< removed where contact begins, and where impacts were passed over

  /// What does not close: zero but for the tolerance.
  [[nodiscard]] double gap() const;
};

/// A point of the trajectory.
struct Sample {
  const State& state;
  const std::vector<ContactStatus>& contacts;
  const std::vector<double>& force;     ///< contact by contact, n then tangential [N]
  const std::vector<double>& velocity;  ///< of the contacts, likewise [m/s]
  const std::vector<double>& gap;       ///< [m]
  double kinetic = 0.;                  ///< [J]
  double potential = 0.;                ///< [J]
  const EnergyAccount& energy;          ///< since the start
};

/// An event lies between two states.
enum class Side : std::uint8_t { before, after };

/// Told what happens, in order. The trajectory is not kept anywhere else.
class Recorder {
 public:
  Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  virtual ~Recorder() = default;
  virtual void event(const Event& event) = 0;
  virtual void sample(const Sample& sample) = 0;
  /// If true, `side` is called just before and just after whatever may lead to events. The start is
  /// an event too; the end has only a state before it.
  [[nodiscard]] virtual bool wants_sides() const { return false; }
  virtual void side(const Sample& /*sample*/, Side /*side*/) {}
  /// Asked between steps; true ends the run at once.
  virtual bool stop() { return false; }
};

}  // namespace carom::motion
