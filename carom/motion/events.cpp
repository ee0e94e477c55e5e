// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/events.hpp>

#include <numeric>

namespace carom::motion {

std::string name(const ContactStatus& status, std::size_t components) {
  switch (status.touch) {
    case Touch::open:
      return "open";
    case Touch::stick:
      return "stick";
    case Touch::slip:
      break;
  }
  if (components != 2) return "slip";
  return status.direction[0] < 0. ? "slip-" : "slip+";
}

std::string_view name(EventKind kind) {
  switch (kind) {
    case EventKind::start:
      return "start";
    case EventKind::impact:
      return "impact";
    case EventKind::impact_to_contact:
      return "impact-to-contact";
    case EventKind::accumulation:
      return "accumulation";
    case EventKind::slip_to_stick:
      return "slip-to-stick";
    case EventKind::stick_to_slip:
      return "stick-to-slip";
    case EventKind::slip_to_slip:
      return "slip-to-slip";
    case EventKind::roll_to_rest:
      return "roll-to-rest";
    case EventKind::rest_to_roll:
      return "rest-to-roll";
    case EventKind::roll_to_roll:
      return "roll-to-roll";
    case EventKind::drill_to_rest:
      return "drill-to-rest";
    case EventKind::rest_to_drill:
      return "rest-to-drill";
    case EventKind::drill_to_drill:
      return "drill-to-drill";
    case EventKind::lift_off:
      return "lift-off";
    case EventKind::touch_down:
      return "touch-down";
    case EventKind::painleve:
      return "painleve";
    case EventKind::stepping_begins:
      return "stepping-begins";
    case EventKind::stepping_ends:
      return "stepping-ends";
    case EventKind::end:
      return "end";
  }
  return "";
}

void Event::clear() {
  time = energy_change = ratio = A = B = approach = passed_over = 0.;
  kind = EventKind::start;
  flags = {};
  paradox = Paradox::none;
  contacts.clear();
  from.clear();
  to.clear();
  impulse.clear();
  note.clear();
}

void append_note(Event& event, std::string_view note) {
  if (!event.note.empty()) event.note += "; ";
  event.note += note;
}

double EnergyAccount::gap() const {
  const double by_contact = std::accumulate(impacts.begin(), impacts.end(), 0.) +
                            std::accumulate(friction.begin(), friction.end(), 0.);
  return (kinetic - kinetic_start) + (potential - potential_start) -
         (by_contact + drives + dampers + dropped + corrections);
}

}  // namespace carom::motion
