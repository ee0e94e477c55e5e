// SPDX-License-Identifier: Apache-2.0
#include <carom/report/multi_json.hpp>

#include <optional>

#include <fmt/format.h>

#include <carom/report/json_parts.hpp>

namespace carom::report {
namespace {

using study::MultiAnswer;
using study::MultiComparison;

/// A list, its entries written by `write(i)`.
template <class Write>
void append_list(std::string& out, std::size_t size, const Write& write) {
  out += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    write(i);
  }
  out += ']';
}

void append_numbers(std::string& out, const std::vector<double>& values) {
  append_list(out, values.size(), [&](std::size_t i) { append_number(out, values[i]); });
}

/// The parts of the ledger are lists, one entry a contact.
void append_ledger(std::string& out, const Outcome& o) {
  const std::size_t n = o.contacts.size();
  append_key(out, "energy");
  out += "{\"change\":";
  append_number(out, o.energy.change);
  const auto part = [&](std::string_view key, const auto& value) {
    append_key(out, key);
    append_list(out, n, [&](std::size_t i) { append_optional(out, value(o.contacts[i].energy)); });
  };
  using Part = std::optional<double>;
  part("normal", [](const EnergyLedger& e) { return Part(e.normal); });
  part("normal_compression",
       [](const EnergyLedger& e) { return e.stages ? Part(e.stages->compression) : std::nullopt; });
  part("normal_restitution",
       [](const EnergyLedger& e) { return e.stages ? Part(e.stages->restitution) : std::nullopt; });
  part("friction", [](const EnergyLedger& e) { return Part(e.friction); });
  out += '}';
}

void append_phase(std::string& out, const Phase& phase, std::size_t components, bool friction) {
  const auto vector = [&](const std::array<double, 3>& v) {
    append_list(out, components, [&](std::size_t c) { append_number(out, v[c]); });
  };
  out += "{\"contact\":" + std::to_string(phase.contact);
  append_key(out, "stage");
  append_text(out, name(phase.stage));
  append_key(out, "motion");
  if (friction) {
    append_text(out, name(phase.motion));
  } else {
    out += "null";
  }
  append_key(out, "time");
  append_number(out, phase.time);
  append_key(out, "impulse");
  vector(phase.impulse);
  append_key(out, "velocity");
  vector(phase.velocity);
  out += '}';
}

void append_surface(std::string& out, const Surface& s, bool stiffness) {
  const auto number = [&](std::string_view key, double value) {
    out += key;
    append_number(out, value);
  };
  number("{\"restitution\":", s.restitution);
  number(",\"friction\":", s.friction);
  number(",\"static_friction\":", s.static_friction);
  number(",\"tangential_restitution\":", s.tangential_restitution);
  if (stiffness) {
    number(",\"stiffness\":", s.stiffness);
    number(",\"exponent\":", s.exponent);
  }
  out += '}';
}

/// G: all of it where it is small or full, else what is not zero.
void append_matrix(std::string& out, const BlockMatrix& G) {
  if (G.size() <= 32 || G.is_dense()) {
    out += '[';
    for (std::size_t r = 0; r < G.size(); ++r) {
      out += r == 0 ? "[" : ",\n[";
      for (std::size_t k = 0; k < G.size(); ++k) {
        if (k > 0) out += ',';
        append_number(out, G(r, k));
      }
      out += ']';
    }
    out += ']';
    return;
  }
  const std::size_t d = G.components();
  out += "{\"triplets\":[";
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t e = 0; e < d * d; ++e) {
        if (G.block(i, k)[e] == 0.) continue;
        if (out.back() != '[') out += ',';
        out += fmt::format("[{},{},", i * d + e / d, columns[k] * d + e % d);
        append_number(out, G.block(i, k)[e]);
        out += ']';
      }
    }
  }
  out += "]}";
}

void append_texts(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (const std::string& t : texts) {
    if (out.back() != '[') out += ',';
    append_text(out, t);
  }
  out += ']';
}

}  // namespace

void append_outcome(std::string& out, const MultiRecord& r) {
  const Outcome& o = r.outcome;
  const std::size_t d = r.problem.components();
  append_head(out, r.id, r.law_name);
  append_key(out, "impulse");
  append_numbers(out, o.impulse);
  append_key(out, "velocity");
  append_numbers(out, o.velocity);
  append_key(out, "mode");
  append_list(out, o.contacts.size(),
              [&](std::size_t i) { append_text(out, name(o.contacts[i].mode)); });
  append_verdict(out, o.flags);
  append_ledger(out, o);
  append_key(out, "phases");
  append_list(out, o.phases.size(),
              [&](std::size_t i) { append_phase(out, o.phases[i], d, d > 1); });
  if (o.phases_left_out > 0) {
    append_key(out, "phases_left_out");
    out += std::to_string(o.phases_left_out);
  }
  if (!o.solutions.empty()) {
    append_key(out, "solutions");
    append_list(out, o.solutions.size(), [&](std::size_t i) {
      out += "{\"velocity\":";
      append_numbers(out, o.solutions[i]);
      out += '}';
    });
  }
  if (o.tolerance > 0.) {
    append_key(out, "tolerance");
    append_number(out, o.tolerance);
  }
  if (!r.law.info->knows("stiffness")) {
    append_key(out, "residual");
    append_number(out, o.residual);
  }
  append_key(out, "steps");
  out += std::to_string(o.steps);
  if (o.collapsed > 0) {
    append_key(out, "collapsed");
    out += std::to_string(o.collapsed);
  }
  if (r.velocity_after != nullptr) {
    append_key(out, "velocity_after");
    append_numbers(out, *r.velocity_after);
  }
  if (!r.note.empty()) {
    append_key(out, "note");
    append_text(out, r.note);
  }
  out += '}';
}

std::string multi_json(const scenario::Scenario& s, const MultiComparison& c,
                       std::string_view more) {
  std::string out = "{\"scenario\":";
  append_text(out, s.name);
  out += ",\"title\":";
  append_text(out, s.title);
  out += ",\"system\":";
  append_text(out, s.system_type);
  out += fmt::format(",\"components\":{},\n\"contacts\":", c.problem.components());
  append_texts(out, c.names);
  out += ",\n\"inverse_inertia\":";
  append_matrix(out, c.problem.G);
  out += ",\n\"approach\":";
  append_numbers(out, c.problem.approach);
  out += ",\n\"surfaces\":[";
  for (const Surface& surface : c.problem.surfaces) {
    if (out.back() != '[') out += ',';
    append_surface(out, surface, s.surfaces.has("stiffness"));
  }
  out += "],\"energy_before\":";
  append_number(out, c.energy_before);
  if (!c.coordinates.empty()) {
    out += ",\n\"coordinates\":";
    append_texts(out, c.coordinates);
    out += ",\"velocity_before\":";
    append_numbers(out, c.velocity_before);
  }
  out += ",\n\"outcomes\":[";
  for (std::size_t i = 0; i < c.answers.size(); ++i) {
    const MultiAnswer& a = c.answers[i];
    out += i == 0 ? "\n" : ",\n";
    append_outcome(
        out, MultiRecord{.id = "",
                         .law_name = a.law->name,
                         .law = *a.law,
                         .problem = c.problem,
                         .outcome = a.outcome,
                         .velocity_after = c.coordinates.empty() ? nullptr : &a.velocity_after,
                         .note = a.note});
  }
  out += "],\n\"left_out\":";
  append_left_out(out, c.left_out);
  out += more;
  out += "}\n";
  return out;
}

}  // namespace carom::report
