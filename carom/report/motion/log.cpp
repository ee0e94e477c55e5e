// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/log.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/law_words.hpp>

namespace carom::report {
namespace {

using motion::ContactNames;
using motion::Event;
using motion::EventKind;

// What the short form of a log and a summary shows of many.
constexpr std::size_t most_names = 4;      ///< contacts in one line
constexpr std::size_t most_touching = 12;  ///< contacts whose state at the end is printed
constexpr std::size_t most_rows = 36;   ///< positions, and entries of the account, printed in full
constexpr std::size_t first_rows = 12;  ///< of more positions: those of the first bodies
constexpr std::size_t largest_works = 3;  ///< of more entries: the largest of each kind

/// Names, and in brief of many the first and how many others there are.
std::string some_of(std::vector<std::string> names, bool full) {
  if (!full && names.size() > most_names) {
    const std::size_t others = names.size() - (most_names - 1);
    names.resize(most_names - 1);
    names.push_back(fmt::format("{} others", others));
  }
  return join(names);
}

std::string names_of(const Event& e, const ContactNames& all, const Wording& w) {
  std::vector<std::string> names;
  for (const std::size_t i : e.contacts) names.push_back(all[i]);
  return some_of(std::move(names), w.full);
}

/// "slip+ -> stick", contact by contact; in brief without those that go on as they were.
std::string change_text(const Event& e, const ContactNames& names, const Wording& w) {
  std::string text;
  std::size_t changes = 0;
  for (std::size_t k = 0; k < e.contacts.size() && k < e.from.size() && k < e.to.size(); ++k) {
    const std::string from = name(e.from[k], names.model().components());
    const std::string to = name(e.to[k], names.model().components());
    if (!w.full && from == to && e.kind != EventKind::slip_to_slip) continue;
    if (++changes > most_names && !w.full) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}: {} -> {}", names[e.contacts[k]], from, to);
  }
  if (changes > most_names && !w.full) {
    const std::size_t more = changes - most_names;
    text += fmt::format(" and {} other{}", more, more == 1 ? "" : "s");
  }
  if (!text.empty() || e.contacts.empty()) return text;
  return names_of(e, names, w) + ": as before";
}

/// "normal impulse 0.1, 0.2 N s", and in brief of many only the largest.
std::string impulse_text(const Event& e, std::size_t components, const Wording& w) {
  std::string text;
  double most = 0.;
  for (std::size_t k = 0; k * components < e.impulse.size(); ++k) {
    text += (text.empty() ? "" : ", ") + w.number(e.impulse[k * components]);
    most = std::max(most, e.impulse[k * components]);
  }
  if (w.full || e.impulse.size() <= most_names * components) return "normal impulse " + text;
  return "normal impulses up to " + w.number(most);
}

std::string impact_text(const Event& e, const ContactNames& names, const Wording& w) {
  std::string text =
      names_of(e, names, w) + (e.contacts.size() > 1 ? ": impact together" : ": impact");
  if (!e.impulse.empty()) {
    text += fmt::format(", {} N s", impulse_text(e, names.model().components(), w));
  }
  text += fmt::format(", energy {} J", w.joules(e.energy_change));
  return text;
}

std::string paradox_text(const Event& e, const ContactNames& names, const Wording& w) {
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
  return fmt::format("{}: Painleve, {}; gap'' = {} F {} {}", names_of(e, names, w), what,
                     w.number(e.A), e.B < 0. ? "-" : "+", w.number(std::abs(e.B)));
}

/// What stick needs, or would have needed.
std::string ratio_text(const Event& e, const Wording& w) {
  if (std::isinf(e.ratio)) return "stick has no force";
  const bool sticks = e.kind == EventKind::slip_to_stick;
  return fmt::format("{} F_t/F_n = {}", sticks ? "needs" : "stick would need", w.number(e.ratio));
}

/// Does a contact begin as another one ends? A body that slides over an edge touches on.
bool is_passed_on(const Event& e) {
  return std::any_of(e.to.begin(), e.to.end(),
                     [](const auto& status) { return status.touch != motion::Touch::open; });
}

std::string core_text(const Event& e, const ContactNames& names, const Wording& w) {
  switch (e.kind) {
    case EventKind::start:
      return e.contacts.empty() ? "start" : "start, " + change_text(e, names, w);
    case EventKind::impact:
      return impact_text(e, names, w);
    case EventKind::impact_to_contact:
      return fmt::format("{} (the impacts end; {} J removed)", change_text(e, names, w),
                         w.joules(-e.energy_change));
    case EventKind::accumulation:
      return fmt::format("{} (infinitely many impacts within {} s skipped; {} J dropped)",
                         change_text(e, names, w), w.number(e.passed_over),
                         w.joules(-e.energy_change));
    case EventKind::slip_to_stick:
    case EventKind::stick_to_slip:
    case EventKind::slip_to_slip:
      return fmt::format("{} ({})", change_text(e, names, w), ratio_text(e, w));
    case EventKind::roll_to_rest:
      return names_of(e, names, w) + ": rolling stops";
    case EventKind::rest_to_roll:
      return names_of(e, names, w) + ": rolling starts";
    case EventKind::roll_to_roll:
      return names_of(e, names, w) + ": rolling reverses";
    case EventKind::drill_to_rest:
      return names_of(e, names, w) + ": drilling stops";
    case EventKind::rest_to_drill:
      return names_of(e, names, w) + ": drilling starts";
    case EventKind::drill_to_drill:
      return names_of(e, names, w) + ": drilling reverses";
    case EventKind::lift_off:
      if (is_passed_on(e)) return change_text(e, names, w);
      return names_of(e, names, w) + (e.contacts.size() > 1 ? ": lift off" : ": lifts off");
    case EventKind::touch_down:
      if (!(e.approach > 0.)) return change_text(e, names, w) + " (touches without speed)";
      return fmt::format("{} (touches at {} m/s)", change_text(e, names, w), w.number(e.approach));
    case EventKind::painleve:
      return paradox_text(e, names, w);
    case EventKind::stepping_begins:
      return "steps take over";
    case EventKind::stepping_ends:
      return "events again";
    case EventKind::end:
      return "end";
  }
  return "";
}

/// Below this, relative to what the system has of its kind, a number is rounding's.
constexpr double rounding = 1e-12;
/// Below this, relative to the largest, an entry of the energy account is integration's.
constexpr double integration = 1e-9;

std::string state_text(double value, std::string_view unit, double metre, double radian,
                       const Wording& w) {
  const double scale = unit == "m" ? metre : unit == "rad" ? radian : 1.;
  return !w.full && std::abs(value) < rounding * scale ? "0" : shortest(value);
}

std::string with_unit(const std::string& name, std::string_view unit, const char* per = "") {
  return unit.empty() ? name : fmt::format("{} [{}{}]", name, unit, per);
}

/// The rows of coordinates with such names that are printed: all, or in brief of many those of the
/// first bodies. What stands before the last point of a name is a body.
template <class NameOf>
std::size_t rows_shown(std::size_t count, const NameOf& name_of, const Wording& w) {
  if (w.full || count <= most_rows) return count;
  const auto body = [&](std::size_t i) {
    const std::string name = name_of(i);
    return name.substr(0, name.rfind('.'));
  };
  std::size_t shown = first_rows;
  while (shown < count && body(shown) == body(shown - 1)) ++shown;
  return shown;
}

std::string left_out(std::size_t count, std::size_t shown) {
  return shown == count ? "" : fmt::format("... {} more; --full prints all\n", count - shown);
}

void add_state(std::string& out, const Model& model, const motion::Summary& s, const Page& page,
               const Wording& w) {
  const State& state = s.progress.state;
  const double L = model.length_scale();
  const double rate = std::sqrt(model.acceleration_scale() / L);
  const auto position = [&](std::size_t i) {
    return state_text(state.q(static_cast<Eigen::Index>(i)), model.position_unit(i), L, 1., w);
  };
  const auto velocity = [&](std::size_t i) {
    return state_text(state.u(static_cast<Eigen::Index>(i)), model.velocity_unit(i), L * rate, rate,
                      w);
  };
  const std::size_t places = rows_shown(
      model.positions(), [&](std::size_t i) { return model.position_name(i); }, w);
  if (model.positions() == model.velocities()) {
    Table table({"position", "velocity, per s"});
    table.rule();
    for (std::size_t i = 0; i < places; ++i) {
      table.row(with_unit(model.position_name(i), model.position_unit(i)),
                {{position(i), false}, {velocity(i), false}});
    }
    out += table.text(page.colour, page.width) + left_out(model.positions(), places);
    return;
  }
  Table positions({"position"});  // a quaternion has more entries than a spin
  positions.rule();
  for (std::size_t i = 0; i < places; ++i) {
    positions.row(with_unit(model.position_name(i), model.position_unit(i)),
                  {{position(i), false}});
  }
  Table velocities({"velocity"});
  velocities.rule();
  const std::size_t rates = rows_shown(
      model.velocities(), [&](std::size_t i) { return model.velocity_name(i); }, w);
  for (std::size_t i = 0; i < rates; ++i) {
    velocities.row(with_unit(model.velocity_name(i), model.velocity_unit(i), "/s"),
                   {{velocity(i), false}});
  }
  out += positions.text(page.colour, page.width) + left_out(model.positions(), places) + '\n' +
         velocities.text(page.colour, page.width) + left_out(model.velocities(), rates);
}

double largest(const motion::EnergyAccount& e) {
  double most = 0.;
  const auto see = [&](double x) { most = std::max(most, std::abs(x)); };
  for (const double x : {e.kinetic_start, e.potential_start, e.kinetic, e.potential, e.drives,
                         e.dampers, e.dropped, e.corrections}) {
    see(x);
  }
  for (const double x : e.impacts) see(x);
  for (const double x : e.friction) see(x);
  return most;
}

/// The entries of largest size, in order of size.
std::vector<std::size_t> largest_of(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto few = order.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), largest_works));
  std::partial_sort(order.begin(), few, order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(x[a]) != std::abs(x[b]) ? std::abs(x[a]) > std::abs(x[b]) : a < b;
  });
  order.erase(few, order.end());
  return order;
}

void add_energy(std::string& out, const ContactNames& names, const motion::EnergyAccount& e,
                const Page& page, const Wording& w) {
  Table table({"energy [J]"});
  table.rule();
  const double least = w.full ? 0. : integration * largest(e);
  const auto row = [&](const std::string& label, double value) {
    table.row(label,
              {{std::abs(value) < rounding * largest(e) && !w.full ? "0" : figure(value), false}});
  };
  const auto if_any = [&](const std::string& label, double value) {
    if (value != 0. && std::abs(value) >= least) row("  " + label, value);
  };
  row("kinetic, at the start", e.kinetic_start);
  row("potential, at the start", e.potential_start);
  const auto is_seen = [&](double x) { return x != 0. && std::abs(x) >= least; };
  const auto seen = std::count_if(e.impacts.begin(), e.impacts.end(), is_seen) +
                    std::count_if(e.friction.begin(), e.friction.end(), is_seen);
  const auto works = [&](const std::string& kind, const std::vector<double>& of) {
    if (w.full || static_cast<std::size_t>(seen) <= most_rows) {
      for (std::size_t i = 0; i < of.size(); ++i) if_any(kind + " at " + names[i], of[i]);
      return;
    }
    if_any(fmt::format("{} at {} contacts", kind, std::count_if(of.begin(), of.end(), is_seen)),
           std::accumulate(of.begin(), of.end(), 0.));
    for (const std::size_t i : largest_of(of)) if_any("  most at " + names[i], of[i]);
  };
  works("impacts", e.impacts);
  works("friction", e.friction);
  if_any("drives", e.drives);
  if_any("dampers", e.dampers);
  if_any("dropped where contact begins", e.dropped);
  if_any("position corrections", e.corrections);
  row("kinetic, at the end", e.kinetic);
  row("potential, at the end", e.potential);
  table.row("unaccounted for", {{w.number(e.gap()), false}});
  out += table.text(page.colour, page.width);
}

std::string time_column(double time, const Wording& w) {
  return fmt::format("{:>{}.{}f} s  ", time, w.decimals + 4, w.decimals);
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

/// "A stick, B slip+", or in brief of many "40 contacts, of which 31 stick and 9 slip".
std::string touching_text(const std::vector<motion::ContactStatus>& contacts,
                          const ContactNames& names, const Wording& w) {
  std::string text;
  std::size_t sticks = 0;
  std::size_t slips = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts[i].touch == motion::Touch::open) continue;
    ++(contacts[i].touch == motion::Touch::stick ? sticks : slips);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", names[i],
                        name(contacts[i], names.model().components()));
  }
  if (text.empty()) return "nothing";
  if (w.full || sticks + slips <= most_touching) return text;
  return fmt::format("{} contacts, of which {} stick and {} slip", sticks + slips, sticks, slips);
}

}  // namespace

Wording Wording::full_digits() { return {.full = true}; }

Wording Wording::brief(double end_time, double energy) {
  const double magnitude = end_time > 0. ? std::floor(std::log10(end_time)) : 0.;
  return {.full = false,
          .decimals = static_cast<int>(std::clamp(6. - magnitude, 3., 15.)),
          .energy = energy};
}

std::string Wording::number(double x) const {
  return full || x == 0. ? figure(x) : fmt::format("{:.4g}", x);
}

std::string Wording::joules(double x) const {
  return !full && std::abs(x) < rounding * energy ? "0" : number(x);
}

std::string event_text(const Event& e, const ContactNames& names, const Wording& w) {
  std::string text = core_text(e, names, w);
  if (!e.flags.empty()) text += " [" + verdict_text(e.flags) + "]";
  if (!e.note.empty()) text += (e.kind == EventKind::end ? ": " : "; ") + e.note;
  return text;
}

std::string event_line(const Event& e, const ContactNames& names, const Wording& w) {
  return time_column(e.time, w) + event_text(e, names, w);
}

std::optional<StepCounts> step_counts(const motion::Progress& p) {
  const std::vector<double>& c = p.next.step_counts;
  if (c.size() != 6) return {};
  const auto count = [&](std::size_t i) { return static_cast<std::size_t>(c[i]); };
  return StepCounts{.steps = count(0),
                    .shortened = count(1),
                    .repeated = count(2),
                    .sweeps = count(3),
                    .formed = count(4),
                    .not_converged = count(5)};
}

std::string motion_summary(const Model& model, const motion::Summary& s, const Page& page,
                           const Wording& w) {
  const ContactNames names(model, s.progress.found);
  std::string out =
      fmt::format("{} s: {}. {} events, {} impacts, {} steps.\n", shortest(s.progress.state.time),
                  ending_text(s), s.progress.events, s.progress.impacts, s.progress.steps);
  if (const auto c = step_counts(s.progress)) {
    out += fmt::format(
        "Stepping: {} steps, {} shortened; {} islands repeated with less restitution, {} not "
        "converged.\n",
        c->steps, c->shortened, c->repeated, c->not_converged);
  }
  if (s.progress.other_law > 0) {
    out += fmt::format(
        "{} of the impacts had no outcome under the chosen law and were solved by "
        "another; the log names it.\n",
        s.progress.other_law);
  }
  out += "In contact: " + touching_text(s.progress.contacts, names, w) + ".\n\n";
  add_state(out, model, s, page, w);
  out += '\n';
  add_energy(out, names, s.progress.energy, page, w);
  return out;
}

void Story::add(const Event& e) {
  const bool plain = e.kind == EventKind::impact && e.flags.empty() && e.note.empty();
  if (wording_.full || !plain) {
    tell_rest();
    shown_ = 0;
    lines_.add(event_line(e, names_, wording_));
    return;
  }
  if (shown_ < impacts_in_a_row) {
    ++shown_;
    lines_.add(event_line(e, names_, wording_));
    return;
  }
  ++held_;
  held_energy_ += e.energy_change;
  held_time_ = e.time;
  if (held_ == 1) held_line_ = event_line(e, names_, wording_);
  for (const std::size_t i : e.contacts) {
    if (std::find(held_contacts_.begin(), held_contacts_.end(), i) == held_contacts_.end()) {
      held_contacts_.push_back(i);
    }
  }
}

// Of those that were held back.
void Story::tell_rest() {
  if (held_ == 1) lines_.add(held_line_);
  if (held_ > 1) {
    std::sort(held_contacts_.begin(), held_contacts_.end());
    std::vector<std::string> names;
    for (const std::size_t i : held_contacts_) names.push_back(names_[i]);
    const std::string where =
        names.size() > most_names ? std::to_string(names.size()) + " contacts" : join(names);
    lines_.add(time_column(held_time_, wording_) +
               fmt::format("{} more impacts by now, at {}, energy {} J in all", held_, where,
                           wording_.joules(held_energy_)));
  }
  held_ = 0;
  held_energy_ = 0.;
  held_contacts_.clear();
}

std::string Story::text() {
  tell_rest();
  return lines_.text();
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
