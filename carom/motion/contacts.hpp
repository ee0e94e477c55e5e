// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <carom/motion/events.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/setting.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

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

/// The modes of all contacts, by number.
struct Modes {
  std::vector<ContactStatus> status;
  std::vector<double> creeping;   ///< 1 if the direction of slip is that of the status, else 0
  std::vector<SpinStatus> spins;  ///< empty if no surface has couples
};

/// The contacts of a run by number: their surfaces, their modes, and which are near or closed.
class Contacts {
 public:
  explicit Contacts(const Setting& setting);

  [[nodiscard]] const ContactList& list() const { return list_; }
  [[nodiscard]] ContactList& list() { return list_; }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  [[nodiscard]] const ContactId& operator[](std::size_t i) const { return list_[i]; }
  /// The number of a contact, which is added if it is new; grow() makes room for it.
  [[nodiscard]] std::size_t number_of(const ContactId& id) { return list_.number_of(id); }
  /// @return whether contacts were added since
  bool grow();
  /// Numbers of contacts that have not touched may be taken over: see ContactList::release.
  void release();

  [[nodiscard]] std::size_t surface_of(std::size_t i) const { return surface_of_[i]; }
  [[nodiscard]] const Surface& surface(std::size_t i) const {
    return setting_.surfaces[surface_of_[i]];
  }
  /// Without friction the direction of slip does not matter.
  [[nodiscard]] bool is_smooth(std::size_t i) const {
    return surface(i).friction == 0. && surface(i).static_friction == 0.;
  }
  [[nodiscard]] bool has_couples(std::size_t i) const {
    return setting_.any_couples &&
           (surface(i).rolling_friction() > 0. || surface(i).drilling_friction() > 0.);
  }
  [[nodiscard]] std::string name(std::size_t i) const {
    return setting_.model.contact_name(list_[i]);
  }
  [[nodiscard]] double gap(std::size_t i, const State& state) const {
    return setting_.model.gap(list_[i], state);
  }

  [[nodiscard]] bool is_closed(std::size_t i) const { return modes.status[i].touch != Touch::open; }
  [[nodiscard]] bool slips(std::size_t i) const { return modes.status[i].touch == Touch::slip; }
  [[nodiscard]] bool sticks(std::size_t i) const { return modes.status[i].touch == Touch::stick; }
  /// Whether its slip has a direction of its own: see creep.cpp.
  [[nodiscard]] bool creeps(std::size_t i) const {
    return setting_.components == 3 && modes.creeping[i] != 0. && slips(i);
  }
  /// Modes become what they were. Contacts that were found since are open.
  void restore(const Modes& kept);
  /// Lists `touching` and `spinning`, after modes have changed.
  void note_touching();
  /// Directions of friction become those of the status.
  void follow_status();

  Modes modes;
  std::vector<std::array<double, 2>> slip_at_start;  ///< of the step, by contact [m/s]
  std::vector<std::array<double, 2>> direction;      ///< of friction where slip creeps
  /// Slip that is about to vanish keeps the direction of the status while it is shown.
  bool keeps_directions = false;
  std::vector<std::size_t> active;    ///< within reach, ascending; all closed ones
  std::vector<std::size_t> touching;  ///< closed, ascending
  std::vector<std::size_t> spinning;  ///< those of them with rolling or drilling friction

 private:
  const Setting& setting_;
  ContactList list_;
  std::vector<std::size_t> surface_of_;  ///< by contact
  std::vector<std::size_t> renamed_;     ///< numbers that other contacts have taken over
};

}  // namespace carom::motion
