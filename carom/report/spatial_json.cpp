// SPDX-License-Identifier: Apache-2.0
#include <carom/report/spatial_json.hpp>

#include <array>
#include <optional>

#include <carom/impact/spatial_coefficients.hpp>
#include <carom/laws/spatial_moreau.hpp>
#include <carom/report/json_parts.hpp>

namespace carom::report {
namespace {

void append_phases(std::string& out, const SpatialPhases& phases) {
  append_key(out, "phases");
  out += '[';
  for (const SpatialPhase& phase : phases) {
    if (&phase != phases.begin()) out += ',';
    out += "{\"stage\":\"";
    out += name(phase.stage);
    out += "\",\"motion\":\"";
    out += name(phase.motion);
    out += "\",\"impulse\":";
    append_triple(out, phase.impulse);
    append_key(out, "velocity");
    append_triple(out, phase.velocity);
    out += '}';
  }
  out += ']';
  if (phases.counted() > phases.size()) {
    append_key(out, "phases_counted");
    out += std::to_string(phases.counted());
  }
}

template <std::size_t n>
void append_row(std::string& out, const std::optional<std::array<double, n>>& row) {
  if (!row) {
    out += "null";
    return;
  }
  out += '[';
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) out += ',';
    append_number(out, (*row)[i]);
  }
  out += ']';
}

void append_brach(std::string& out, const SpatialRecord& r) {
  const SpatialBrachCoefficients b = brach_coefficients(r.problem, r.outcome);
  append_key(out, "brach_coefficients");
  out += "{\"e_n\":";
  append_optional(out, b.e_n);
  append_key(out, "e_t");
  out += '[';
  append_optional(out, b.e_t[0]);
  out += ',';
  append_optional(out, b.e_t[1]);
  out += ']';
  append_key(out, "impulse_ratio");
  append_row(out, b.impulse_ratio);
  append_key(out, "moment_ratio");
  append_row(out, b.moment_ratio);
  append_key(out, "critical_impulse_ratio");
  append_row(out, b.critical_ratio);
  append_key(out, "critical_impulse_ratio_without_rebound");
  append_row(out, b.critical_ratio_without_rebound);
  out += '}';
}

/// All answers of `moreau`, where there are several.
void append_solutions(std::string& out, const SpatialRecord& r) {
  if (!r.outcome.flags.has(Verdict::several_solutions)) return;
  const Hypothesis hypothesis =
      r.law.name == "moreau:poisson" ? Hypothesis::poisson : Hypothesis::newton;
  append_key(out, "solutions");
  out += '[';
  for (const SpatialMoreauSolution& s : moreau_solutions(r.problem, hypothesis)) {
    if (out.back() != '[') out += ',';
    out += "{\"mode\":";
    append_text(out, s.mode == Mode::stick  ? "stick"
                     : s.mode == Mode::slip ? "slip"
                                            : "no-impulse");
    append_key(out, "impulse");
    append_triple(out, s.impulse);
    append_key(out, "velocity");
    append_triple(out, s.velocity);
    out += '}';
  }
  out += ']';
}

void append_distance(std::string& out, const study::Distance& d) {
  append_key(out, "against");
  out += "{\"law\":";
  append_text(out, d.from);
  append_key(out, "distance");
  append_optional(out, d.relative);
  append_key(out, "same_mode");
  out += !d.same_mode ? "null" : *d.same_mode ? "true" : "false";
  out += '}';
}

}  // namespace

void append_triple(std::string& out, const Vec3& v) { append_triple(out, World3{v.n, v.t1, v.t2}); }

void append_triple(std::string& out, const World3& v) {
  out += '[';
  append_number(out, v[0]);
  out += ',';
  append_number(out, v[1]);
  out += ',';
  append_number(out, v[2]);
  out += ']';
}

void append_state(std::string& out, const study::BodyState& body) {
  out += "\"velocity\":";
  append_triple(out, body.motion.velocity);
  append_key(out, "spin");
  append_triple(out, body.motion.spin);
  append_key(out, "translation");
  append_number(out, body.energy.translation);
  append_key(out, "rotation");
  append_number(out, body.energy.rotation);
}

void append_outcome(std::string& out, const SpatialRecord& r) {
  const SpatialOutcome& o = r.outcome;
  const LawInfo& about = *answering(r.law, in_space)->info;
  const bool couples = about.knows("moment_coefficients");
  append_head(out, r.id, r.law_name);
  append_key(out, "impulse");
  append_triple(out, o.impulse);
  append_key(out, "velocity");
  append_triple(out, o.velocity);
  append_key(out, "mode");
  append_mode(out, mode_label(about, o.mode), about.labels);
  append_verdict(out, o.flags);
  append_energy(out, o.energy, couples);
  append_phases(out, o.phases);
  append_equivalent(out, study::equivalent_restitution(r.problem, o));
  append_brach(out, r);
  append_solutions(out, r);
  if (couples) {
    append_key(out, "couple");
    append_triple(out, o.couple);
  }
  if (o.tolerance > 0.) {
    append_key(out, "tolerance");
    append_number(out, o.tolerance);
  }
  if (!r.bodies.empty()) {
    append_key(out, "bodies");
    out += '[';
    for (const study::BodyState& body : r.bodies) {
      out += &body != r.bodies.data() ? ",{" : "{";
      append_state(out, body);
      out += '}';
    }
    out += ']';
  }
  if (r.distance != nullptr) append_distance(out, *r.distance);
  if (const auto note = cannot_honour(about, r.problem.surface, 3)) {
    append_key(out, "note");
    append_text(out, *note);
  }
  out += '}';
}

}  // namespace carom::report
