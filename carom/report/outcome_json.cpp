// SPDX-License-Identifier: Apache-2.0
#include <carom/report/outcome_json.hpp>

#include <array>
#include <optional>

#include <carom/impact/outcome_words.hpp>

namespace carom::report {
namespace {

/// The rows of velocity, without those of spin.
void write_components(JsonWriter& out, const ContactProblem& p, std::span<const double> rows) {
  out.begin_array();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    for (std::size_t c = 0; c < p.components(); ++c) out.number(rows[i * p.G.components() + c]);
  }
  out.end_array();
}

/// A value of one contact, or an array with one for each. @param write  writes that of contact i
template <class Write>
void write_contacts(JsonWriter& out, std::size_t contacts, const Write& write) {
  if (contacts == 1) {
    write(std::size_t{0});
    return;
  }
  out.begin_array();
  for (std::size_t i = 0; i < contacts; ++i) write(i);
  out.end_array();
}

/// A number from 0 to 6, a name, or null.
void write_mode(JsonWriter& out, std::string_view label) {
  if (label.empty()) {
    out.null();
  } else if (label.size() == 1 && label[0] >= '0' && label[0] <= '6') {
    out.raw(label);
  } else {
    out.text(label);
  }
}

void write_verdict(JsonWriter& out, const Verdicts& flags) {
  out.member("verdict", name(flags.gravest())).key("flags").begin_array();
  flags.for_each_name([&](std::string_view flag) { out.text(flag); });
  out.end_array();
}

void write_energy(JsonWriter& out, const Outcome& o, bool couples) {
  using Part = std::optional<double>;
  out.key("energy").begin_object().member("change", o.energy.change);
  const auto part = [&](std::string_view key, const auto& value) {
    out.key(key);
    write_contacts(out, o.contacts.size(),
                   [&](std::size_t i) { out.number(Part(value(o.contacts[i].energy))); });
  };
  part("normal", [](const EnergyLedger& e) { return e.normal; });
  part("normal_compression",
       [](const EnergyLedger& e) { return e.stages ? Part(e.stages->compression) : Part(); });
  part("normal_restitution",
       [](const EnergyLedger& e) { return e.stages ? Part(e.stages->restitution) : Part(); });
  part("friction", [](const EnergyLedger& e) { return e.friction; });
  if (couples) part("couple", [](const EnergyLedger& e) { return e.couple; });
  out.end_object();
}

void write_phases(JsonWriter& out, const ContactProblem& p, const Outcome& o) {
  const bool timed = !o.phases.empty() && o.phases.back().time > 0.;
  out.key("phases").begin_array();
  for (const Phase& phase : o.phases) {
    out.begin_object();
    if (p.contacts() > 1) out.member("contact", phase.contact);
    out.member("stage", name(phase.stage)).key("motion");
    const std::string_view motion = motion_name(p, phase);
    motion.empty() ? out.null() : out.text(motion);
    if (timed) out.member("time", phase.time);
    out.key("impulse").numbers({phase.impulse.data(), p.components()});
    out.key("velocity").numbers({phase.velocity.data(), p.components()});
    out.end_object();
  }
  out.end_array();
  if (o.phases_left_out > 0) out.member("phases_left_out", o.phases_left_out);
}

void write_labels(JsonWriter& out, const OutcomeRecord& r) {
  const auto labels = published_labels(r.system.problem, r.outcome);
  if (labels.empty()) return;
  out.key("labels").begin_object();
  for (const PublishedLabel& l : labels) {
    out.key(l.key);
    l.number ? out.raw(l.text) : out.text(l.text);
  }
  if (!r.law.contact_label.empty()) {
    const std::string_view regime = labels.begin()->text;
    out.member(r.law.contact_label, regime == "no-impulse" ? "none"
                                    : regime == "stick"    ? "rolling"
                                                           : "sliding");
  }
  out.end_object();
}

/// The impulse ratio of each phase by itself: what friction did in it.
void write_phase_ratios(JsonWriter& out, const ContactProblem& p, const Outcome& o) {
  if (o.phases.empty()) return;
  out.key("impulse_ratio_by_phase").begin_array();
  std::array<double, 3> before{};
  for (const Phase& phase : o.phases) {
    std::array<double, 3> ratio{};
    const double normal = phase.impulse[0] - before[0];
    for (std::size_t c = 1; c < p.components(); ++c) {
      ratio[c] = normal > 0. ? (phase.impulse[c] - before[c]) / normal : 0.;
    }
    write_one_or_more(out, {ratio.data() + 1, p.components() - 1});
    before = phase.impulse;
  }
  out.end_array();
}

/// What hypotheses and [Brach 1998] would measure at one contact.
void write_measured(JsonWriter& out, const OutcomeRecord& r) {
  const auto brach = brach_entries(r.system.problem, r.outcome);
  if (brach.empty()) return;
  const EquivalentRestitution e = equivalent_restitution(r.system.problem, r.outcome, 0);
  out.key("equivalent_restitution").begin_object();
  out.key("newton").number(e.newton);
  out.key("poisson").number(e.poisson);
  out.key("energetic").number(e.energetic).end_object();
  out.key("brach_coefficients").begin_object();
  for (const BrachEntry& entry : brach) {
    out.key(entry.key);
    if (entry.size == 1 || (entry.whole && !entry.values[0])) {
      out.number(entry.values[0]);
      continue;
    }
    out.begin_array();
    for (std::size_t i = 0; i < entry.size; ++i) out.number(entry.values[i]);
    out.end_array();
  }
  write_phase_ratios(out, r.system.problem, r.outcome);
  out.end_object();
}

void write_couple(JsonWriter& out, const ContactProblem& p, const Outcome& o) {
  std::array<double, 3> couple{};
  for (std::size_t k = 0; k < p.spin_rows; ++k) couple[k] = o.impulse[p.components() + k];
  write_one_or_more(out.key("couple"), {couple.data(), couple_size(p.components())});
}

void write_solutions(JsonWriter& out, const Outcome& o) {
  if (o.solutions.empty()) return;
  out.key("solutions").begin_array();
  for (const Solution& s : o.solutions) {
    out.begin_object();
    if (!s.modes.empty()) out.member("mode", name(s.modes.front()));
    if (!s.impulse.empty()) out.key("impulse").numbers(s.impulse);
    out.key("velocity").numbers(s.velocity).end_object();
  }
  out.end_array();
}

/// How it was computed, where there is no closed form.
void write_statistics(JsonWriter& out, const OutcomeRecord& r) {
  const Outcome& o = r.outcome;
  if (o.tolerance > 0.) out.member("tolerance", o.tolerance);
  if (o.contacts.size() == 1 && o.steps == 0) return;
  if (!r.law.has_course) out.member("residual", o.residual);
  out.member("steps", o.steps);
  if (o.collapsed > 0) out.member("collapsed", o.collapsed);
}

void write_joints(JsonWriter& out, const OutcomeRecord& r) {
  if (r.joints.empty()) return;
  out.key("joints").begin_array();
  for (std::size_t i = 0; i < r.joints.size(); ++i) {
    out.begin_object().member("name", links_of(r.system)[i].name);
    out.key("impulse").numbers(r.joints[i].impulse);
    out.member("couple", r.joints[i].couple).end_object();
  }
  out.end_array();
}

void write_system(JsonWriter& out, const OutcomeRecord& r) {
  if (r.velocity_after == nullptr) return;
  out.key("velocity_after").numbers(*r.velocity_after);
  if (r.system.bodies.empty()) return;
  out.key("bodies").begin_array();
  for (std::size_t i = 0; i < r.system.bodies.size(); ++i) {
    out.begin_object();
    write_body(out, r.system, i, *r.velocity_after);
    out.end_object();
  }
  out.end_array();
}

void write_distance(JsonWriter& out, const study::Distance& d) {
  out.key("against").begin_object().member("law", d.from);
  out.key("distance").number(d.relative).key("same_mode");
  d.same_mode ? out.boolean(*d.same_mode) : out.null();
  out.end_object();
}

}  // namespace

void write_one_or_more(JsonWriter& out, std::span<const double> numbers) {
  numbers.size() == 1 ? out.number(numbers[0]) : out.numbers(numbers);
}

void write_body(JsonWriter& out, const SystemAtImpact& system, std::size_t body,
                std::span<const double> u) {
  const BodyCoordinates& b = system.bodies[body];
  const KineticParts energy = system.energy(body, u);
  out.key("velocity").numbers(u.subspan(b.first, b.translations));
  write_one_or_more(out.key("spin"), u.subspan(b.first + b.translations, b.rotations));
  out.member("translation", energy.translation).member("rotation", energy.rotation);
}

void write_outcome(JsonWriter& out, const OutcomeRecord& r) {
  const ContactProblem& p = r.system.problem;
  const Outcome& o = r.outcome;
  const bool couples = info_for(r.law, kind_of(p)).knows("moment_coefficients");
  if (!r.id.empty()) out.key("id").raw(r.id);
  out.member("law", r.law_name);
  write_components(out.key("impulse"), p, o.impulse);
  write_components(out.key("velocity"), p, o.velocity);
  out.key("mode");
  write_contacts(out, p.contacts(),
                 [&](std::size_t i) { write_mode(out, mode_label(r.law, p, o, i)); });
  write_verdict(out, o.flags);
  write_energy(out, o, couples);
  write_phases(out, p, o);
  write_labels(out, r);
  write_measured(out, r);
  if (couples) write_couple(out, p, o);
  write_solutions(out, o);
  write_statistics(out, r);
  write_system(out, r);
  write_joints(out, r);
  if (r.distance != nullptr) write_distance(out, *r.distance);
  if (const auto note = cannot_honour(r.law, p)) out.member("note", *note);
}

void append_error(std::string& out, std::string_view id, std::string_view field,
                  std::string_view message, std::size_t line) {
  JsonWriter json(out);
  json.begin_object().key("id").raw(id);
  if (line > 0) json.member("line", line);
  json.key("error").begin_object().member("field", field).member("message", message);
  json.end_object().end_object();
}

}  // namespace carom::report
