// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <carom/impact/coefficients.hpp>
#include <carom/report/comparison/cells.hpp>
#include <carom/report/comparison/report.hpp>
#include <carom/report/outcome_json.hpp>

namespace carom::report {
namespace {

using study::Answer;
using study::Comparison;
using study::Over;
using study::Quantity;
using study::QuantityEntry;

void write_surface(JsonWriter& out, const ContactProblem& p, std::size_t contact) {
  const Surface& s = p.surfaces[contact];
  out.begin_object();
  for (const Coefficient& k : coefficients()) {
    const auto numbers = k.read(s);
    if (numbers.empty() || (!k.default_is_none && !is_given(s, k.key))) continue;
    if (k.per == NumbersPer::spin_row && p.contacts() > 1) continue;
    if (k.in_space_only && p.components() != 3) continue;
    write_one_or_more(out.key(k.key), numbers.first(k.size(p.components())));
  }
  out.end_object();
}

/// G without the rows of spin: all of it where it is small or full, else what is not zero.
void write_matrix(JsonWriter& out, const ContactProblem& p) {
  const BlockMatrix& G = p.G;
  const std::size_t d = p.components();
  constexpr std::size_t small = 32;
  if (G.size() <= small || G.is_dense()) {
    const auto row_of = [&](std::size_t k) { return k / d * G.components() + k % d; };
    out.begin_array();
    for (std::size_t r = 0; r < p.contacts() * d; ++r) {
      if (r > 0) out.new_line();
      out.begin_array();
      for (std::size_t k = 0; k < p.contacts() * d; ++k) out.number(G(row_of(r), row_of(k)));
      out.end_array();
    }
    out.end_array();
    return;
  }
  out.begin_object().key("triplets").begin_array();
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t e = 0; e < d * d; ++e) {
        if (G.block(i, k)[e] == 0.) continue;
        out.begin_array().integer(i * d + e / d).integer(columns[k] * d + e % d);
        out.number(G.block(i, k)[e]).end_array();
      }
    }
  }
  out.end_array().end_object();
}

void write_problem(JsonWriter& out, const Comparison& c) {
  const ContactProblem& p = c.problem();
  out.member("components", p.components());
  const auto& names = c.system.names;
  if (!names.empty() && !names.front().empty()) out.new_line().key("contacts").texts(names);
  out.new_line();
  write_matrix(out.key("inverse_inertia"), p);
  out.new_line().key("approach").begin_array();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    for (std::size_t k = 0; k < p.components(); ++k) {
      out.number(p.approach[i * p.G.components() + k]);
    }
  }
  out.end_array().new_line();
  if (!has_several(c)) {
    write_surface(out.key("surface"), p, 0);
  } else {
    out.key("surfaces").begin_array();
    for (std::size_t i = 0; i < p.contacts(); ++i) write_surface(out, p, i);
    out.end_array();
  }
  out.member("energy_before", c.energy_before);
}

void write_system(JsonWriter& out, const SystemAtImpact& s) {
  if (!s.has_velocities()) return;
  out.new_line().key("coordinates").begin_array();
  for (const Coordinate& x : s.coordinates) out.text(x.name);
  out.end_array().key("units").begin_array();
  for (const Coordinate& x : s.coordinates) out.text(x.unit);
  out.end_array().key("velocity_before").numbers(s.u);
  if (s.bodies.empty()) return;
  out.new_line().key("bodies_before").begin_array();
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    out.begin_object().member("name", s.bodies[i].name);
    write_body(out, s, i, s.u);
    out.end_object();
  }
  out.end_array();
}

/// Quantities that have no place of their own: a number or a word, or an array of them.
void write_quantities(JsonWriter& out, const Comparison& c, const Answer& a) {
  const study::OutcomeView view = view_of(c, a);
  out.key("quantities").begin_object();
  for (const Quantity& q : study::quantities()) {
    if (q.in_schema || q.get == nullptr || q.over == Over::pair) continue;
    if (q.refuses != nullptr && !q.refuses(kind_of(c.problem())).empty()) continue;
    const auto entries = entries_of(q, c.problem(), &c.system);
    const bool of_vehicles = q.over == Over::vehicle || q.over == Over::crash;
    if (of_vehicles && entries.empty()) continue;
    const auto write = [&](const QuantityEntry& e) {
      const double value = value_of(q, view, e.index);
      if (q.categories != nullptr && !std::isnan(value)) {
        out.text(category_of(q, view, e.index));
      } else {
        out.number(value);  // null where it is not defined
      }
    };
    out.key(q.name);
    if (entries.size() == 1) {
      write(entries.front());
      continue;
    }
    out.begin_array();
    for (const QuantityEntry& e : entries) write(e);
    out.end_array();
  }
  out.end_object();
}

}  // namespace

std::string comparison_json(const scenario::Scenario& s, const Comparison& c,
                            std::string_view more) {
  JsonWriter out;
  out.begin_object();
  out.member("scenario", s.name).member("title", s.title).member("system", s.system_type);
  write_problem(out, c);
  write_system(out, c.system);
  out.new_line().key("outcomes").begin_array();
  for (const Answer& a : c.answers) {
    out.new_line().begin_object();
    write_outcome(out, {.id = "",
                        .law_name = a.law->name,
                        .law = *a.law,
                        .system = c.system,
                        .outcome = a.outcome,
                        .velocity_after = c.system.has_velocities() ? &a.velocity_after : nullptr,
                        .joints = a.joints,
                        .distance = a.distance ? &*a.distance : nullptr});
    write_quantities(out, c, a);
    out.end_object();
  }
  out.end_array().new_line().key("left_out").begin_array();
  for (const study::LeftOut& l : c.left_out) {
    out.begin_object().member("law", l.law->name).member("reason", l.reason).end_object();
  }
  out.end_array();
  return out.take() + std::string(more) + "}\n";
}

}  // namespace carom::report
