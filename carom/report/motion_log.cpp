// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_log.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <carom/report/law_words.hpp>

namespace carom::report {
namespace {

using motion::Event;
using motion::EventKind;
using motion::Model;

std::string names_of(const Event& e, const Model& model) {
  std::vector<std::string> names;
  for (const std::size_t i : e.contacts) names.push_back(model.contact_name(i));
  return join(names);
}

/// "slip+ -> stick", contact by contact where they differ.
std::string change_text(const Event& e, const Model& model) {
  std::string text;
  for (std::size_t k = 0; k < e.contacts.size() && k < e.from.size() && k < e.to.size(); ++k) {
    if (k > 0) text += ", ";
    text += fmt::format("{}: {} -> {}", model.contact_name(e.contacts[k]),
                        name(e.from[k], model.components()), name(e.to[k], model.components()));
  }
  return text;
}

std::string impulse_text(const Event& e, std::size_t components) {
  std::string text;
  for (std::size_t k = 0; k * components < e.impulse.size(); ++k) {
    text += (text.empty() ? "" : ", ") + figure(e.impulse[k * components]);
  }
  return text;
}

std::string impact_text(const Event& e, const Model& model) {
  std::string text =
      names_of(e, model) + (e.contacts.size() > 1 ? ": impact together" : ": impact");
  if (!e.impulse.empty()) {
    text += fmt::format(", normal impulse {} N s", impulse_text(e, model.components()));
  }
  text += fmt::format(", energy {} J", figure(e.energy_change));
  if (!e.flags.empty()) text += " [" + verdict_text(e.flags) + "]";
  return text;
}

std::string paradox_text(const Event& e, const Model& model) {
  const char* what = "";
  switch (e.paradox) {
    case motion::Paradox::inconsistent:
      what = "no rigid contact force exists (inconsistent)";
      break;
    case motion::Paradox::indeterminate:
      what = "rigid contact may hold or lift (indeterminate)";
      break;
    case motion::Paradox::diverging:
      what = "the contact force grows beyond bounds (A -> 0)";
      break;
    case motion::Paradox::none:
      what = "several or no contact forces";
      break;
  }
  return fmt::format("{}: Painleve, {}; gap'' = {} F + {}", names_of(e, model), what, figure(e.A),
                     figure(e.B));
}

/// What stick needs, or would have needed.
std::string ratio_text(const Event& e) {
  if (std::isinf(e.ratio)) return "stick has no force";
  const bool sticks = e.kind == EventKind::slip_to_stick;
  return fmt::format("{} F_t/F_n = {}", sticks ? "needs" : "stick would need", figure(e.ratio));
}

std::string core_text(const Event& e, const Model& model) {
  switch (e.kind) {
    case EventKind::start:
      return e.contacts.empty() ? "start" : "start, " + change_text(e, model);
    case EventKind::impact:
      return impact_text(e, model);
    case EventKind::impact_to_contact:
      return fmt::format("{} (the impacts end; {} J removed)", change_text(e, model),
                         figure(-e.energy_change));
    case EventKind::accumulation:
      return fmt::format("{} (infinitely many impacts passed over; {} J dropped)",
                         change_text(e, model), figure(-e.energy_change));
    case EventKind::slip_to_stick:
    case EventKind::stick_to_slip:
    case EventKind::slip_to_slip:
      return fmt::format("{} ({})", change_text(e, model), ratio_text(e));
    case EventKind::lift_off:
      return names_of(e, model) + (e.contacts.size() > 1 ? ": lift off" : ": lifts off");
    case EventKind::touch_down:
      return change_text(e, model) + " (touches without speed)";
    case EventKind::painleve:
      return paradox_text(e, model);
    case EventKind::end:
      return "end";
  }
  return "";
}

void add_state(std::string& out, const Model& model, const motion::Summary& s, const Page& page) {
  const motion::State& state = s.progress.state;
  const auto entry = [](const motion::Vector& v, std::size_t i) {
    return figure(v(static_cast<Eigen::Index>(i)));
  };
  if (model.positions() == model.velocities()) {
    Table table({"position", "velocity"});
    table.rule();
    for (std::size_t i = 0; i < model.positions(); ++i) {
      table.row(model.position_name(i), {{entry(state.q, i), false}, {entry(state.u, i), false}});
    }
    out += table.text(page.colour, page.width);
    return;
  }
  Table positions({"position"});  // a quaternion has more entries than a spin
  positions.rule();
  for (std::size_t i = 0; i < model.positions(); ++i) {
    positions.row(model.position_name(i), {{entry(state.q, i), false}});
  }
  Table velocities({"velocity"});
  velocities.rule();
  for (std::size_t i = 0; i < model.velocities(); ++i) {
    velocities.row(model.velocity_name(i), {{entry(state.u, i), false}});
  }
  out += positions.text(page.colour, page.width) + '\n' + velocities.text(page.colour, page.width);
}

void add_energy(std::string& out, const Model& model, const motion::EnergyAccount& e,
                const Page& page) {
  Table table({"energy [J]"});
  table.rule();
  const auto row = [&](const std::string& label, double value) {
    table.row(label, {{figure(value), false}});
  };
  row("kinetic, at the start", e.kinetic_start);
  row("potential, at the start", e.potential_start);
  for (std::size_t i = 0; i < e.impacts.size(); ++i) {
    if (e.impacts[i] != 0.) row("  impacts at " + model.contact_name(i), e.impacts[i]);
  }
  for (std::size_t i = 0; i < e.friction.size(); ++i) {
    if (e.friction[i] != 0.) row("  friction at " + model.contact_name(i), e.friction[i]);
  }
  if (e.drives != 0.) row("  drives", e.drives);
  if (e.dampers != 0.) row("  dampers", e.dampers);
  if (e.dropped != 0.) row("  dropped where contact begins", e.dropped);
  row("kinetic, at the end", e.kinetic);
  row("potential, at the end", e.potential);
  row("unaccounted for", e.gap());
  out += table.text(page.colour, page.width);
}

std::string ending_text(const motion::Summary& s) {
  switch (s.ending) {
    case motion::Ending::time:
      return "the end time is reached";
    case motion::Ending::model:
    case motion::Ending::failed:
      return s.reason;
    case motion::Ending::events:
      return "as many events as were asked for";
    case motion::Ending::stopped:
      return "stopped";
  }
  return "";
}

}  // namespace

std::string event_text(const Event& e, const Model& model) {
  const std::string text = core_text(e, model);
  if (e.note.empty()) return text;
  return e.kind == EventKind::end ? text + ": " + e.note : text + "; " + e.note;
}

std::string event_line(const Event& e, const Model& model) {
  return fmt::format("{:>13.9f} s  {}", e.time, event_text(e, model));
}

std::string motion_summary(const Model& model, const motion::Summary& s, const Page& page) {
  std::string out =
      fmt::format("{} s: {}. {} events, {} impacts, {} steps.\n", figure(s.progress.state.time),
                  ending_text(s), s.progress.events, s.progress.impacts, s.progress.steps);
  std::string touching;
  for (std::size_t i = 0; i < s.progress.contacts.size(); ++i) {
    if (s.progress.contacts[i].touch == motion::Touch::open) continue;
    touching += fmt::format("{}{} {}", touching.empty() ? "" : ", ", model.contact_name(i),
                            name(s.progress.contacts[i], model.components()));
  }
  out += "In contact: " + (touching.empty() ? "nothing" : touching) + ".\n\n";
  add_state(out, model, s, page);
  out += '\n';
  add_energy(out, model, s.progress.energy, page);
  return out;
}

void LogLines::add(std::string line) {
  if (first_.size() < most_) {
    first_.push_back(std::move(line));
  } else if (last_.size() < most_) {
    last_.push_back(std::move(line));
  } else {
    last_[(count_ - most_) % most_] = std::move(line);
  }
  ++count_;
}

std::string LogLines::text() const {
  std::string out;
  for (const std::string& line : first_) out += line + '\n';
  if (count_ <= 2 * most_) {
    for (const std::string& line : last_) out += line + '\n';
    return out;
  }
  out += fmt::format("  ... {} more ...\n", count_ - 2 * most_);
  const std::size_t oldest = (count_ - most_) % most_;
  for (std::size_t k = 0; k < most_; ++k) out += last_[(oldest + k) % most_] + '\n';
  return out;
}

}  // namespace carom::report
