// SPDX-License-Identifier: Apache-2.0
// The tables of laws, coefficients and quantities as lists of dicts.
#include <string_view>

#include <carom/impact/coefficients.hpp>
#include <carom/laws/table.hpp>
#include <carom/study/quantity.hpp>

#include "bindings.hpp"

namespace carom::python {
namespace {

py::str text(std::string_view s) { return {s.data(), s.size()}; }

py::list contacts_of(const Law& law) {
  py::list kinds;
  if (answering(law, in_the_plane) != nullptr) kinds.append("plane");
  if (answering(law, in_space) != nullptr) kinds.append("space");
  if (answering(law, several_contacts) != nullptr) kinds.append("several");
  return kinds;
}

/// The law whose description holds for this one.
const LawInfo* info_of(const Law& law) {
  for (const ContactKind kind : {in_the_plane, in_space, several_contacts}) {
    if (answering(law, kind) != nullptr) return &info_for(law, kind);
  }
  return law.info;
}

py::list law_table() {
  py::list out;
  for (const Law& law : laws()) {
    py::dict row;
    const LawInfo* const info = info_of(law);
    row["name"] = text(law.name);
    row["summary"] = text(law.summary.empty() ? info->summary : law.summary);
    row["contacts"] = contacts_of(law);
    row["assumptions"] = text(info->assumptions);
    row["source"] = text(info->source);
    row["in_space"] = text(info->in_space);
    row["with_several"] = text(info->with_several);
    py::list parameters;
    for (const LawParameter& p : info->parameters) {
      py::dict entry;
      entry["key"] = text(p.key);
      entry["symbol"] = text(p.symbol);
      entry["meaning"] = text(p.meaning);
      entry["allowed"] = text(p.allowed);
      entry["default"] = text(p.fallback);
      parameters.append(entry);
    }
    row["parameters"] = parameters;
    row["parallel"] = law.parallel;
    out.append(row);
  }
  return out;
}

py::list coefficient_table() {
  py::list out;
  for (const Coefficient& c : coefficients()) {
    py::dict row;
    row["name"] = text(c.key);
    row["label"] = text(c.label);
    row["symbol"] = text(c.symbol);
    row["unit"] = text(c.unit);
    row["allowed"] = text(c.allowed);
    row["numbers"] = py::make_tuple(c.size(2), c.size(3));
    row["in_space_only"] = c.in_space_only;
    row["in_motion_only"] = c.in_motion_only;
    out.append(row);
  }
  return out;
}

constexpr std::string_view over_name(study::Over over) {
  switch (over) {
    case study::Over::impact:
      return "impact";
    case study::Over::contact:
      return "contact";
    case study::Over::component:
      return "component";
    case study::Over::spin:
      return "spin";
    case study::Over::coordinate:
      return "coordinate";
    case study::Over::body:
      return "body";
    case study::Over::joint:
      return "joint";
    case study::Over::vehicle:
      return "vehicle";
    case study::Over::crash:
      return "crash";
    case study::Over::pair:
      return "pair of laws";
  }
  return "";
}

py::list quantity_table() {
  py::list out;
  for (const study::Quantity& q : study::quantities()) {
    py::dict row;
    row["name"] = text(q.name);
    row["label"] = text(q.label);
    row["symbol"] = text(q.symbol);
    row["unit"] = text(q.unit);
    row["meaning"] = text(q.meaning);
    row["over"] = text(over_name(q.over));
    row["is_text"] = q.is_text();
    out.append(row);
  }
  return out;
}

}  // namespace

void add_tables(py::module_& m) {
  m.def("laws", law_table);
  m.def("coefficients", coefficient_table);
  m.def("quantities", quantity_table);
}

}  // namespace carom::python
