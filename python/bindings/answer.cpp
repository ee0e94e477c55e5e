// SPDX-License-Identifier: Apache-2.0
// What a law says, as Python sees it.
#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/report/outcome_json.hpp>
#include <carom/study/quantity.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

study::OutcomeView view_of(const Answer& a) {
  return {.law = a.law,
          .problem = &a.problem(),
          .outcome = &a.outcome,
          .energy_before = a.system->energy_before(),
          .system = a.system->has_velocities() ? a.system.get() : nullptr,
          .after = a.system->has_velocities() ? &a.after : nullptr,
          .joints = a.joints};
}

/// The rows of velocity of all contacts, or those of spin.
py::object rows_of(const Answer& a, const std::vector<double>& all, bool of_spin) {
  const ContactProblem& p = a.problem();
  if (p.spin_rows == 0) return of_spin ? py::object(py::none()) : array_of(all);
  const std::size_t rows = p.G.components(), d = p.components();
  std::vector<double> some;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if ((k % rows >= d) == of_spin) some.push_back(all[k]);
  }
  return array_of(some);
}

/// All that the stream says of an outcome, as JSON.
std::string record(const Answer& a) {
  report::JsonWriter json;
  json.begin_object();
  report::write_outcome(json, {.id = {},
                               .law_name = a.law->name,
                               .law = *a.law,
                               .system = *a.system,
                               .outcome = a.outcome,
                               .velocity_after = a.system->has_velocities() ? &a.after : nullptr,
                               .joints = a.joints});
  json.end_object();
  return json.take();
}

py::object shown_value(const study::Quantity& q, const study::OutcomeView& view, std::size_t i) {
  if (q.categories != nullptr) return py::str(study::category_of(q, view, i));
  if (q.get == nullptr) return py::str(q.text(view, i));
  return py::float_(study::value_of(q, view, i));
}

/// A row of the table, one that has words only, too.
const study::Quantity& find(std::string_view name) {
  for (const study::Quantity& q : study::quantities()) {
    if (q.name == name) return q;
  }
  return study::find_quantity(name, "quantity");  // throws
}

/// The values of "NAME", or the one of "NAME:OF": a number or word where there is one.
py::object quantity(const Answer& a, const std::string& name) {
  const std::size_t colon = name.find(':');
  const study::Quantity& q = find(std::string_view(name).substr(0, colon));
  if (q.over == study::Over::pair) {
    throw InputError("quantity", std::string(q.name) + " is of two laws; compare the outcomes");
  }
  const ContactKind kind = kind_of(a.problem());
  if (q.refuses != nullptr && !q.refuses(kind).empty()) {
    throw InputError("quantity", std::string(q.refuses(kind)));
  }
  const study::OutcomeView view = view_of(a);
  const auto entries = study::entries_of(q, a.problem(), view.system);
  py::list values;
  std::string known;
  for (const study::QuantityEntry& e : entries) {
    if (colon == std::string::npos) {
      values.append(shown_value(q, view, e.index));
    } else if (e.key == name.substr(colon + 1)) {
      return shown_value(q, view, e.index);
    }
    known += (known.empty() ? "" : ", ") + e.key;
  }
  if (colon != std::string::npos) {
    throw InputError("quantity", "unknown '" + name + "'; known: " + known);
  }
  if (entries.size() == 1) return values[0];
  if (q.categories == nullptr && q.get != nullptr) {
    return py::module_::import("numpy").attr("array")(values);
  }
  return values;
}

/// Rows of what is shown of any outcome: (name, of, unit, value after, value before or None).
py::list rows(const Answer& a) {
  const study::OutcomeView view = view_of(a);
  const bool several = a.problem().contacts() > 1;
  py::list out;
  for (const study::Quantity& q : study::quantities()) {
    if ((several ? q.several : q.shown) != study::Shown::tables) continue;
    if (q.over == study::Over::pair) continue;
    if (q.refuses != nullptr && !q.refuses(kind_of(a.problem())).empty()) continue;
    for (const study::QuantityEntry& e : study::entries_of(q, a.problem(), view.system)) {
      const py::object value = q.text != nullptr ? py::object(py::str(q.text(view, e.index)))
                                                 : shown_value(q, view, e.index);
      py::object before = py::none();
      if (q.before != nullptr) before = py::float_(q.before(view, e.index));
      out.append(py::make_tuple(std::string(q.label), e.of, e.unit, value, before, q.if_any));
    }
  }
  return out;
}

}  // namespace

void add_answer(py::module_& m) {
  py::class_<Answer>(m, "Answer", "What one law says of one impact.")
      .def_property_readonly("law", [](const Answer& a) { return std::string(a.law->name); })
      .def_property_readonly("note", [](const Answer& a) { return a.note; })
      .def_property_readonly("impulse",
                             [](const Answer& a) { return rows_of(a, a.outcome.impulse, false); })
      .def_property_readonly("couple",
                             [](const Answer& a) { return rows_of(a, a.outcome.impulse, true); })
      .def_property_readonly("spin",
                             [](const Answer& a) { return rows_of(a, a.outcome.velocity, true); })
      .def_property_readonly("velocity",
                             [](const Answer& a) { return rows_of(a, a.outcome.velocity, false); })
      .def_property_readonly("velocity_after",
                             [](const Answer& a) -> py::object {
                               if (!a.system->has_velocities()) return py::none();
                               return array_of(a.after);
                             })
      .def_property_readonly("velocity_before",
                             [](const Answer& a) -> py::object {
                               if (!a.system->has_velocities()) return py::none();
                               return array_of(a.system->u);
                             })
      .def_property_readonly("coordinates",
                             [](const Answer& a) {
                               py::list all;
                               for (const Coordinate& c : a.system->coordinates) {
                                 all.append(py::make_tuple(c.name, c.unit));
                               }
                               return all;
                             })
      .def_property_readonly(
          "approach", [](const Answer& a) { return rows_of(a, a.problem().approach, false); })
      .def_property_readonly("inverse_inertia",
                             [](const Answer& a) {
                               const Matrix G = a.problem().G.dense();
                               const auto n = static_cast<py::ssize_t>(G.rows());
                               py::array_t<double> out({n, n});
                               std::copy_n(G.data(), G.size(), out.mutable_data());  // symmetric
                               return out;
                             })
      .def_property_readonly("contacts", [](const Answer& a) { return a.problem().contacts(); })
      .def_property_readonly("components", [](const Answer& a) { return a.problem().components(); })
      .def_property_readonly("names", [](const Answer& a) { return py::cast(a.system->names); })
      .def_property_readonly("energy_before",
                             [](const Answer& a) { return a.system->energy_before(); })
      .def_property_readonly("verdict",
                             [](const Answer& a) { return std::string(name(a.outcome.verdict())); })
      .def("record", record)
      .def("quantity", quantity)
      .def("rows", rows);
}

}  // namespace carom::python
