// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/shown.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>

namespace carom::report {
namespace {

constexpr std::array<std::string_view, 6> views = {"scene",     "path",     "top",
                                                   "positions", "contacts", "energy"};
constexpr std::size_t most_of_a_unit = 6;
constexpr std::size_t most_contacts = 4;
constexpr std::size_t of_many_contacts = 2;
constexpr std::size_t too_many_contacts = 24;  ///< any two of more say little

/// Is `part` all of a name, or its beginning up to a point, a minus or a space?
bool names(std::string_view part, std::string_view name) {
  if (!name.starts_with(part)) return false;
  if (name.size() == part.size()) return true;
  return std::string_view(".- ").find(name[part.size()]) != std::string_view::npos;
}

template <class Item>
bool has(const std::vector<Item>& list, const Item& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

template <class Item>
void add(std::vector<Item>& list, const Item& item) {
  if (!has(list, item)) list.push_back(item);
}

bool in_space(const scenario::MotionScenario& s) { return s.model->components() == 3; }

/// What these views show of positions and contacts, with a note of what they leave out.
Shown usually_shown_in(std::vector<std::string> chosen, const scenario::MotionScenario& s,
                       const MotionHistory& history) {
  const Model& model = *s.model;
  Shown shown;
  shown.views = std::move(chosen);
  std::map<std::string_view, std::size_t> count;
  std::size_t changing = 0;
  const auto points = history.points();
  for (std::size_t i = 0; i < model.positions(); ++i) {
    const std::string_view unit = model.position_unit(i);
    const double little = 1e-9 * (unit == "m" ? model.length_scale() : 1.);
    if (unit.empty() || std::all_of(points.begin(), points.end(), [&](const auto* p) {
          return std::abs(p->q[i] - points.front()->q[i]) <= little;
        })) {
      continue;
    }
    ++changing;
    if (++count[unit] <= most_of_a_unit) shown.positions.push_back(i);
  }
  if (shown.positions.empty()) shown.positions.push_back(0);
  for (std::size_t i = 0; in_space(s) && s.drawing.bodies.size() == 1 && i < 3; ++i) {
    shown.velocities.push_back(3 + i);
  }
  std::vector<std::size_t> used = touching(history);
  const std::size_t touched = used.size();
  if (touched > most_contacts) used.resize(touched > too_many_contacts ? 0 : of_many_contacts);
  std::sort(used.begin(), used.end());
  shown.contacts = std::move(used);
  const bool all_positions =
      shown.positions.size() >= changing || !has<std::string>(shown.views, "positions");
  if (!all_positions) {
    shown.note += fmt::format("{} of {} positions", shown.positions.size(), changing);
  }
  if (!shown.contacts.empty() && shown.contacts.size() < touched &&
      has<std::string>(shown.views, "contacts")) {
    shown.note += fmt::format("{}the velocities of {} of {} contacts that touch",
                              all_positions ? "" : " and ", shown.contacts.size(), touched);
  }
  if (!shown.note.empty()) shown.note = "shown: " + shown.note + "; --show NAME,... selects others";
  return shown;
}

}  // namespace

Shown usually_shown(const scenario::MotionScenario& s, const MotionHistory& history) {
  std::vector<std::string> usual = {"scene", "positions", "contacts", "energy"};
  if (in_space(s)) usual.insert(usual.begin() + 1, "top");
  return usually_shown_in(std::move(usual), s, history);
}

Shown shown_by_name(const scenario::MotionScenario& s, const MotionHistory& history,
                    const std::vector<std::string>& wanted, std::string_view field) {
  const Model& model = *s.model;
  Shown shown;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.positions(); ++i) known.push_back(model.position_name(i));
  const motion::ContactNames contacts(model, history.found());
  for (std::size_t i = 0; i < contacts.size(); ++i) known.push_back(contacts[i]);
  const std::size_t coordinates = known.size();
  for (const auto& o : s.drawing.outlines) add(known, o.body);
  for (const auto& b : s.drawing.bodies) known.push_back(b.body);
  const std::size_t named = known.size();
  for (std::size_t i = 0; i < model.velocities(); ++i) known.push_back(model.velocity_name(i));
  const std::size_t moving = known.size();
  for (const std::string_view view : views) {
    if (view != "top" || in_space(s)) known.emplace_back(view);
  }
  bool views_named = false;
  for (const std::string& name : wanted) {
    bool found = false;
    // A body's name chooses what the views show; any other name has a view of its own.
    const bool of_body = std::any_of(known.begin() + static_cast<std::ptrdiff_t>(coordinates),
                                     known.begin() + static_cast<std::ptrdiff_t>(named),
                                     [&](const std::string& body) { return names(name, body); });
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (name.empty() || (k < named ? !names(name, known[k]) : found || name != known[k])) {
        continue;
      }
      found = true;
      if (k < model.positions()) {
        add(shown.positions, k);
        if (!of_body) add<std::string>(shown.views, "positions");
      } else if (k < coordinates) {
        add(shown.contacts, k - model.positions());
        if (!of_body) add<std::string>(shown.views, "contacts");
      } else if (k < named) {
        add(shown.bodies, known[k]);
      } else if (k < moving) {
        add(shown.velocities, k - named);
        add<std::string>(shown.views, "positions");
      } else {
        views_named = true;
        add(shown.views, known[k]);
      }
    }
    if (found) continue;
    if (name == "top") throw InputError(std::string(field), "top is for motions in space");
    const std::vector<std::string_view> all(known.begin(), known.end());
    throw InputError(std::string(field), "unknown position, velocity, contact, body or view '" +
                                             name + "'" + did_you_mean(name, all));
  }
  const bool coordinates_named = !shown.positions.empty() || !shown.velocities.empty();
  const bool of_names = coordinates_named || !shown.contacts.empty() || !shown.bodies.empty();
  const bool only_energy = shown.views.size() == 1 && shown.views.front() == "energy";
  if (!views_named || (only_energy && of_names)) {
    shown.views.clear();
    if (coordinates_named) shown.views.emplace_back("positions");
    if (!shown.contacts.empty()) shown.views.emplace_back("contacts");
    shown.views.emplace_back("energy");
  }
  Shown usual = usually_shown_in(shown.views, s, history);
  if (!coordinates_named) {
    shown.positions = std::move(usual.positions);
    shown.velocities = std::move(usual.velocities);
  }
  if (shown.contacts.empty()) shown.contacts = std::move(usual.contacts);
  if (!of_names) shown.note = std::move(usual.note);
  return shown;
}

std::vector<std::size_t> touching(const MotionHistory& history) {
  struct Used {
    double work;   ///< of impacts and friction [J]
    double lasts;  ///< [s]
    std::size_t contact;
  };
  std::vector<Used> used;
  const MotionHistory::Point* const last = history.last_point();
  for (std::size_t i = 0; i < history.phases().size() && last != nullptr; ++i) {
    double lasts = 0.;
    for (const auto& p : history.phases()[i]) lasts += p.to - p.from;
    if (!(lasts > 0.) && history.impacts()[i].empty()) continue;
    const MotionHistory::Energy& e = last->energy;
    used.push_back({std::abs(e.impacts.at(i, 0.)) + std::abs(e.friction.at(i, 0.)), lasts, i});
  }
  std::stable_sort(used.begin(), used.end(), [](const Used& a, const Used& b) {
    return a.work != b.work ? a.work > b.work : a.lasts > b.lasts;
  });
  std::vector<std::size_t> contacts;
  for (const Used& u : used) contacts.push_back(u.contact);
  return contacts;
}

}  // namespace carom::report
