// SPDX-License-Identifier: Apache-2.0
#include <carom/study/quantity.hpp>

#include <cmath>
#include <deque>
#include <mutex>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/outcome_words.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/study/quantity_rows.hpp>

namespace carom::study {
namespace {

/// Quantities from outside, which stay where they are once registered.
struct Registered {
  std::mutex mutex;
  std::deque<Quantity> quantities;
};

Registered& registered() {
  static Registered all;
  return all;
}

const std::string& contact_name(const SystemAtImpact* system, std::size_t i) {
  static const std::string none;
  return system != nullptr && i < system->names.size() ? system->names[i] : none;
}

std::size_t vehicles_of(const SystemAtImpact* system) {
  return system != nullptr && system->vehicles != nullptr ? system->vehicles->each.size() : 0;
}

}  // namespace

Quantities quantities() {
  // Verdict and accuracy stand last.
  const auto table = built_in_quantities();
  Quantities all(table.begin(), table.end() - 2);
  const auto crash = vehicle_quantities();
  all.insert(all.end(), crash.begin(), crash.end());
  const std::lock_guard lock(registered().mutex);
  all.insert(all.end(), registered().quantities.begin(), registered().quantities.end());
  all.insert(all.end(), table.end() - 2, table.end());
  return all;
}

const Quantity& register_quantity(const Quantity& quantity) {
  for (const Quantity& q : quantities()) {
    if (q.name != quantity.name) continue;
    throw InputError("name", "there is a quantity '" + std::string(q.name) + "' already");
  }
  if (quantity.get == nullptr) {
    throw InputError("quantity", "'" + std::string(quantity.name) + "' needs `get`");
  }
  const std::lock_guard lock(registered().mutex);
  return registered().quantities.emplace_back(quantity);
}

const Quantity& find_quantity(std::string_view name, std::string_view field) {
  std::vector<std::string_view> names;
  for (const Quantity& q : quantities()) {
    if (q.get == nullptr) continue;
    if (q.name == name) return q;
    names.push_back(q.name);
  }
  throw InputError(std::string(field),
                   "unknown quantity '" + std::string(name) + "'" + did_you_mean(name, names));
}

double value_of(const Quantity& q, const OutcomeView& view, std::size_t i) {
  return !q.always && has_no_answer(*view.outcome) ? undefined : q.get(view, i);
}

std::string category_of(const Quantity& q, const OutcomeView& view, std::size_t i) {
  const double index = value_of(q, view, i);
  if (std::isnan(index)) return "";
  const ContactKind kind = kind_of(*view.problem);
  const auto all = q.categories(info_for(*view.law, kind), kind);
  const auto k = static_cast<std::size_t>(index);
  return k < all.size() ? all[k].label : "";
}

std::vector<QuantityEntry> entries_of(const Quantity& q, const ContactProblem& p,
                                      const SystemAtImpact* system) {
  std::vector<QuantityEntry> all;
  // Of several contacts the name comes first.
  const auto contact_of = [&](std::size_t i) {
    return p.contacts() > 1 ? contact_name(system, i) : std::string();
  };
  const auto add = [&](std::size_t contact, const std::string& first, std::string_view second = {},
                       const std::string& unit = {}) {
    const bool both = !first.empty() && !second.empty();
    all.push_back({.quantity = &q,
                   .index = all.size(),
                   .contact = contact,
                   .of = first + (both ? ", " : "") + std::string(second),
                   .key = first + (both ? ":" : "") + std::string(second),
                   .unit = unit.empty() ? std::string(q.unit) : unit});
  };
  switch (q.over) {
    case Over::impact:
    case Over::pair:
      add(0, "");
      break;
    case Over::contact:
      for (std::size_t i = 0; i < p.contacts(); ++i) add(i, contact_of(i));
      break;
    case Over::component:
      for (std::size_t i = 0; i < p.contacts(); ++i) {
        for (std::size_t c = 0; c < p.components(); ++c) {
          add(i, contact_of(i), component_name(p.components(), c));
        }
      }
      break;
    case Over::spin:
      for (std::size_t i = 0; i < p.contacts(); ++i) {
        for (std::size_t r = 0; r < p.spin_rows; ++r) {
          add(i, contact_of(i), spin_name(p.spin_rows, r));
        }
      }
      break;
    case Over::coordinate:
      for (std::size_t i = 0; system != nullptr && i < system->u.size(); ++i) {
        const auto& names = system->coordinates;
        add(0, i < names.size() ? names[i].name : "u_" + std::to_string(i + 1), {},
            i < names.size() ? names[i].unit : "");
      }
      break;
    case Over::body:
      for (std::size_t i = 0; system != nullptr && i < system->bodies.size(); ++i) {
        add(0, system->bodies[i].name);
      }
      break;
    case Over::joint:
      for (std::size_t i = 0; system != nullptr && i < links_of(*system).size(); ++i) {
        add(0, links_of(*system)[i].name);
      }
      break;
    case Over::vehicle:
      for (std::size_t i = 0; i < vehicles_of(system); ++i) add(0, system->bodies[i].name);
      break;
    case Over::crash:
      if (vehicles_of(system) > 0) add(0, "");
      break;
  }
  return all;
}

}  // namespace carom::study
