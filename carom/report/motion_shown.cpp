// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_shown.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>

namespace carom::report {
namespace {

constexpr std::size_t most_of_a_unit = 6;
constexpr std::size_t most_contacts = 4;
constexpr std::size_t of_one_body = 7;  // a position and a quaternion

/// Is `part` all of a name, or its beginning up to a point, a minus or a space?
bool names(std::string_view part, std::string_view name) {
  if (!name.starts_with(part)) return false;
  if (name.size() == part.size()) return true;
  return std::string_view(".- ").find(name[part.size()]) != std::string_view::npos;
}

void add(std::vector<std::size_t>& list, std::size_t i) {
  if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
}

}  // namespace

Shown usually_shown(const motion::Model& model, const MotionHistory& history) {
  Shown shown;
  std::map<std::string_view, std::size_t> count;
  for (std::size_t i = 0; i < model.positions(); ++i) {
    const std::string_view unit = model.position_unit(i);
    if (unit.empty() && model.positions() > of_one_body) continue;
    if (++count[unit] <= most_of_a_unit) shown.positions.push_back(i);
  }
  std::vector<std::pair<double, std::size_t>> used;
  for (std::size_t i = 0; i < history.phases().size(); ++i) {
    double touching = 0.;
    for (const auto& p : history.phases()[i]) touching += p.to - p.from;
    if (touching > 0. || !history.impacts()[i].empty()) used.emplace_back(-touching, i);
  }
  std::sort(used.begin(), used.end());
  for (std::size_t k = 0; k < std::min(used.size(), most_contacts); ++k) {
    shown.contacts.push_back(used[k].second);
  }
  std::sort(shown.contacts.begin(), shown.contacts.end());
  const bool all_positions = shown.positions.size() == model.positions();
  const bool all_contacts = shown.contacts.size() == used.size();
  if (!all_positions) {
    shown.note += fmt::format("{} of {} positions", shown.positions.size(), model.positions());
  }
  if (!all_contacts) {
    shown.note += fmt::format("{}{} of {} contacts that touch", all_positions ? "" : " and ",
                              shown.contacts.size(), used.size());
  }
  if (!shown.note.empty()) shown.note = "drawn are " + shown.note + "; --show NAME,... chooses";
  return shown;
}

Shown shown_by_name(const motion::Model& model, const std::vector<std::string>& wanted,
                    std::string_view field) {
  Shown shown;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.positions(); ++i) known.push_back(model.position_name(i));
  for (std::size_t i = 0; i < model.contacts(); ++i) known.push_back(model.contact_name(i));
  for (const std::string& name : wanted) {
    bool found = false;
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (name.empty() || !names(name, known[k])) continue;
      found = true;
      if (k < model.positions()) {
        add(shown.positions, k);
      } else {
        add(shown.contacts, k - model.positions());
      }
    }
    if (found) continue;
    const std::vector<std::string_view> views(known.begin(), known.end());
    throw InputError(std::string(field),
                     "unknown position or contact '" + name + "'" + did_you_mean(name, views));
  }
  return shown;
}

}  // namespace carom::report
