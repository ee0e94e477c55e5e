// SPDX-License-Identifier: Apache-2.0
#include <carom/report/comparison/cells.hpp>

#include <algorithm>
#include <cmath>

#include <carom/report/table.hpp>

namespace carom::report {
namespace {

/// Work below this share of the energy before is only rounding, and shown as none.
constexpr double rounding_of_work = 1e-12;

}  // namespace

using study::Answer;
using study::Comparison;
using study::Over;
using study::Quantity;
using study::QuantityEntry;
using study::Shown;

bool is_of_contacts(Over over) {
  return over == Over::contact || over == Over::component || over == Over::spin;
}

bool has_several(const Comparison& c) { return c.problem().contacts() > 1; }

bool is_shown(const Quantity& q, const Comparison& c, Shown where) {
  if (q.refuses != nullptr && !q.refuses(kind_of(c.problem())).empty()) return false;
  return (has_several(c) ? q.several : q.shown) >= where;
}

std::string cell(const Comparison& c, const Answer& a, const QuantityEntry& e) {
  const Quantity& q = *e.quantity;
  const study::OutcomeView view = view_of(c, a);
  if (q.is_text()) {
    const std::string text =
        q.text != nullptr ? q.text(view, e.index) : category_of(q, view, e.index);
    return text.empty() ? "-" : text;
  }
  double value = q.get(view, e.index);
  if (std::isnan(value)) return "-";
  if (q.unit == "J" && std::abs(value) <= rounding_of_work * c.energy_before) value = 0.;
  if (q.unit == "%" && std::abs(value) <= 100. * rounding_of_work) value = 0.;
  return figure(value);
}

bool any(const Comparison& c, const QuantityEntry& e) {
  return std::any_of(c.answers.begin(), c.answers.end(), [&](const Answer& a) {
    const std::string text = cell(c, a, e);
    return text != "-" && !(e.quantity->if_any && text == "0");
  });
}

}  // namespace carom::report
