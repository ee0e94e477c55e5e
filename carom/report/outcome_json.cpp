// SPDX-License-Identifier: Apache-2.0
#include <carom/report/outcome_json.hpp>

#include <span>
#include <vector>

namespace carom::report {
namespace {

void append_pair(std::string& out, const Vec2& v) {
  out += '[';
  append_number(out, v.n);
  out += ',';
  append_number(out, v.t);
  out += ']';
}

void append_phases(std::string& out, std::span<const PlanarPhase> phases) {
  append_key(out, "phases");
  out += '[';
  for (const PlanarPhase& phase : phases) {
    if (&phase != phases.data()) out += ',';
    out += "{\"stage\":\"";
    out += name(phase.stage);
    out += "\",\"motion\":\"";
    out += name(phase.motion);
    out += "\",\"impulse\":";
    append_pair(out, phase.impulse);
    append_key(out, "velocity");
    append_pair(out, phase.velocity);
    out += '}';
  }
  out += ']';
}

void append_labels(std::string& out, const OutcomeRecord& r) {
  append_key(out, "labels");
  const auto regime = payr_glocker_regime(r.problem, r.outcome);
  out += "{\"payr_glocker_regime\":\"";
  out += regime_name(regime);
  out += '"';
  if (const auto mode = sun_baruh_mode(r.outcome)) {
    append_key(out, "sun_baruh_mode");
    out += std::to_string(*mode);
  }
  if (const auto c = shen_townsend_case(r.outcome)) {
    append_key(out, "shen_townsend_case");
    append_text(out, name(*c));
  }
  if (r.law_name == "walton") {
    append_key(out, "walton_contact");
    append_text(out, regime == Mode::no_impulse ? "none"
                     : regime == Mode::stick    ? "rolling"
                                                : "sliding");
  }
  out += '}';
}

/// In Brach's coefficients, with the impulse ratio of each phase where there are phases.
void append_brach(std::string& out, const OutcomeRecord& r, std::span<const PlanarPhase> phases) {
  const BrachCoefficients b = brach_coefficients(r.problem, r.outcome);
  append_key(out, "brach_coefficients");
  out += "{\"e_n\":";
  append_optional(out, b.e_n);
  append_key(out, "e_t");
  append_optional(out, b.e_t);
  append_key(out, "impulse_ratio");
  append_optional(out, b.impulse_ratio);
  append_key(out, "critical_impulse_ratio");
  append_optional(out, b.critical_ratio);
  if (b.e_m) {
    append_key(out, "e_m");
    append_number(out, *b.e_m);
  }
  if (!phases.empty()) {
    append_key(out, "impulse_ratio_by_phase");
    out += '[';
    for (const double ratio : partial_impulse_ratios(phases)) {
      if (out.back() != '[') out += ',';
      append_number(out, ratio);
    }
    out += ']';
  }
  out += '}';
}

void append_solutions(std::string& out, const OutcomeRecord& r) {
  const auto* law = std::get_if<Moreau>(&r.law);
  if (law == nullptr || !r.outcome.flags.has(Verdict::several_solutions)) return;
  append_key(out, "solutions");
  out += '[';
  const MoreauSolutions all = moreau_solutions(r.problem, law->hypothesis);
  for (const MoreauSolution& s : all) {
    if (&s != all.begin()) out += ',';
    out += "{\"mode\":";
    append_text(out, regime_name(s.mode));
    append_key(out, "impulse");
    append_pair(out, s.impulse);
    append_key(out, "velocity");
    append_pair(out, s.velocity);
    out += '}';
  }
  out += ']';
}

void append_velocity_after(std::string& out, const Eigen::VectorXd& u) {
  append_key(out, "velocity_after");
  out += '[';
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    if (i > 0) out += ',';
    append_number(out, u(i));
  }
  out += ']';
}

void append_bodies(std::string& out, const Eigen::VectorXd& u) {
  append_key(out, "bodies");
  out += '[';
  for (Eigen::Index i = 0; i + 2 < u.size(); i += 3) {
    if (i > 0) out += ',';
    out += "{\"velocity\":";
    append_pair(out, {.n = u(i), .t = u(i + 1)});
    append_key(out, "spin");
    append_number(out, u(i + 2));
    out += '}';
  }
  out += ']';
}

void append_joints(std::string& out, const std::vector<JointRecord>& joints) {
  if (joints.empty()) return;
  append_key(out, "joints");
  out += '[';
  for (const JointRecord& joint : joints) {
    if (&joint != &joints.front()) out += ',';
    out += "{\"name\":";
    append_text(out, joint.name);
    append_key(out, "impulse");
    append_pair(out, {.n = joint.impulse.impulse[0], .t = joint.impulse.impulse[1]});
    append_key(out, "couple");
    append_number(out, joint.impulse.couple);
    out += '}';
  }
  out += ']';
}

}  // namespace

void append_outcome(std::string& out, const OutcomeRecord& r) {
  const PlanarOutcome& o = r.outcome;
  append_head(out, r.id, r.law_name);
  append_key(out, "impulse");
  append_pair(out, o.impulse);
  append_key(out, "velocity");
  append_pair(out, o.velocity);
  append_key(out, "mode");
  append_mode(out, mode_label(info(r.law), o.mode, o.slider), info(r.law).labels);
  append_verdict(out, o.flags);
  append_energy(out, o.energy, info(r.law).knows("moment_coefficients"));
  std::vector<PlanarPhase> many;  // only `compliant` has more than the outcome holds
  std::span<const PlanarPhase> phases(o.phases.begin(), o.phases.size());
  if (info(r.law).labels == Labels::slider) {
    many = all_phases(r.law, r.problem, o);
    phases = many;
  }
  append_phases(out, phases);
  append_labels(out, r);
  append_equivalent(out, equivalent_restitution(r.problem, o, phases));
  append_brach(out, r, phases);
  if (info(r.law).knows("moment_coefficients")) {
    append_key(out, "couple");
    append_number(out, o.couple);
  }
  append_solutions(out, r);
  if (r.velocity_after != nullptr) {
    if (r.by_bodies) {
      append_bodies(out, *r.velocity_after);
    } else {
      append_velocity_after(out, *r.velocity_after);
    }
  }
  append_joints(out, r.joints);
  if (const auto note = cannot_honour(info(r.law), r.problem.surface, 1)) {
    append_key(out, "note");
    append_text(out, *note);
  }
  out += '}';
}

void append_error(std::string& out, std::string_view id, std::string_view field,
                  std::string_view message, std::size_t line) {
  out += "{\"id\":";
  out += id;
  if (line > 0) {
    append_key(out, "line");
    out += std::to_string(line);
  }
  append_key(out, "error");
  out += "{\"field\":";
  append_text(out, field);
  append_key(out, "message");
  append_text(out, message);
  out += "}}";
}

}  // namespace carom::report
