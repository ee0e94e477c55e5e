// SPDX-License-Identifier: Apache-2.0
#include <support/reference_cases.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

json parse_file(const std::string& name) {
  std::ifstream in(CAROM_TEST_DATA "/reference/" + name);
  if (!in) throw std::runtime_error("cannot read tests/reference/" + name);
  return json::parse(in);
}

/// The cases that came with the reference, then those in own/.
const std::vector<json>& planar_cases() {
  static const std::vector<json> all = [] {
    std::vector<json> cases;
    for (const char* name : {"planar.json", "own/planar-own.json"}) {
      const json file = parse_file(name);
      cases.insert(cases.end(), file.at("cases").begin(), file.at("cases").end());
    }
    return cases;
  }();
  return all;
}

Vec2 pair(const json& j) { return {.n = j.at(0).get<double>(), .t = j.at(1).get<double>()}; }

std::string mode_text(const json& mode) {
  return mode.is_string() ? mode.get<std::string>() : mode.dump();
}

Surface surface_of(const json& j) {
  Surface s{.restitution = j.at("restitution"), .friction = j.value("friction", 0.)};
  s.compliance_ratio = j.value("compliance_ratio", s.compliance_ratio);
  s.moment[0] = j.value("moment_coefficients", s.moment[0]);
  if (j.contains("impulse_ratio")) s.set_impulse_ratio({j.at("impulse_ratio").get<double>(), 0.});
  if (j.contains("tangential_coefficient")) {
    s.set_tangential_coefficient({j.at("tangential_coefficient").get<double>(), 0.});
  }
  s.static_friction = j.value("static_friction", s.friction);
  s.tangential_restitution = j.value("tangential_restitution", 0.);
  return s;
}

void numbers_into(const json& from, std::map<std::string, double>& into) {
  for (const auto& [key, value] : from.items()) {
    if (value.is_number()) into[key] = value.get<double>();
  }
}

/// Contact space of one or two bodies, written out for itself: each adds (d.d)/m + (c x d)^2/I.
void contact_space_of_bodies(const json& p, PlanarProblem& problem) {
  const auto cross = [](const Vec2& a, const Vec2& b) { return a.n * b.t - a.t * b.n; };
  const Vec2 normal = pair(p.at("frame").at("normal"));  // (x, y)
  const Vec2 tangent = pair(p.at("frame").at("tangent1"));
  double side = 1.;
  for (const json& body : p.at("bodies")) {
    const double m = body.at("mass");
    const double I = body.at("inertia");
    const double spin = body.at("spin");
    const Vec2 c = pair(body.at("contact_offset"));
    const Vec2 u = pair(body.at("velocity"));
    const Vec2 v{.n = u.n - spin * c.t, .t = u.t + spin * c.n};
    const double c_n = cross(c, normal);
    const double c_t = cross(c, tangent);
    problem.G.nn += 1. / m + c_n * c_n / I;
    problem.G.nt += c_n * c_t / I;
    problem.G.tt += 1. / m + c_t * c_t / I;
    problem.approach.n += side * dot(normal, v);
    problem.approach.t += side * dot(tangent, v);
    problem.spin.nr += c_n / I;
    problem.spin.tr += c_t / I;
    problem.spin.rr += 1. / I;
    problem.spin.approach += side * spin;
    side = -1.;
  }
}

ReferenceCase outcome_case(const json& c) {
  const json& p = c.at("problem");
  const json& expect = c.at("expect");
  ReferenceCase r;
  r.id = c.at("id");
  r.law = p.at("law");
  r.law_in_line = r.law;
  const json options = p.value("options", json::object());
  for (const auto& [key, value] : options.items()) {
    // As named in the catalogue: "moreau:poisson", "conventional:rebound"; the default has no
    // suffix.
    const std::string option = value.get<std::string>();
    const bool usual = option == "newton" || option == "approach";
    if (!usual) r.law += ":" + option;
  }
  if (p.contains("bodies")) {
    contact_space_of_bodies(p, r.problem);
  } else {
    const json& G = p.at("inverse_inertia");
    r.problem.G = {.nn = G.at(0).at(0), .nt = G.at(0).at(1), .tt = G.at(1).at(1)};
    r.problem.approach = pair(p.at("approach"));
  }
  r.by_bodies = p.contains("bodies");
  if (expect.contains("couple")) r.couple = expect.at("couple").get<double>();
  r.problem.surface = surface_of(p.at("surface"));
  r.impulse = pair(expect.at("impulse"));
  r.velocity = pair(expect.at("velocity"));
  r.mode = mode_text(expect.at("mode"));
  r.change = expect.at("energy").at("change");
  numbers_into(expect.at("energy"), r.ledger);
  r.tolerance = c.at("tolerance");
  numbers_into(c.at("extra"), r.extra);
  for (const auto& [key, value] : c.at("extra").items()) {
    if (value.is_array() && value.at(0).is_number())
      r.extra_arrays[key] = value.get<std::vector<double>>();
    if (value.is_string()) r.extra_text[key] = value.get<std::string>();
  }
  if (c.contains("system")) {
    numbers_into(c.at("system"), r.system);
    r.system_type = c.at("system").at("type");
  }
  r.line = p.dump();
  return r;
}

DerivedCase derived_case(const json& c) {
  DerivedCase d;
  d.id = c.at("id");
  numbers_into(c.at("inputs"), d.inputs);
  for (const char* key : {"phi_deg", "theta_deg"}) {
    if (c.at("inputs").contains(key))
      d.angles_deg = c.at("inputs").at(key).get<std::vector<double>>();
  }
  for (const auto& [key, value] : c.at("expect").items()) {
    const json row = value.is_array() ? value : json::array({value});
    for (const json& x : row) {
      d.expect[key].push_back(x.is_null() ? std::nullopt : std::optional(x.get<double>()));
    }
  }
  return d;
}

}  // namespace

const std::vector<ReferenceCase>& reference_cases() {
  static const std::vector<ReferenceCase> cases = [] {
    std::vector<ReferenceCase> all;
    for (const json& c : planar_cases()) {
      if (c.at("kind") == "outcome") all.push_back(outcome_case(c));
    }
    return all;
  }();
  return cases;
}

const std::vector<DerivedCase>& derived_cases() {
  static const std::vector<DerivedCase> cases = [] {
    std::vector<DerivedCase> all;
    for (const json& c : planar_cases()) {
      if (c.at("kind") == "derived") all.push_back(derived_case(c));
    }
    return all;
  }();
  return cases;
}

OutcomeLine parse_outcome(const std::string& line) {
  const json j = json::parse(line);
  OutcomeLine o;
  if (j.contains("id") && j.at("id").is_string()) o.id = j.at("id");
  if (j.contains("error")) {
    o.error_field = j.at("error").at("field").get<std::string>();
    o.error_message = j.at("error").at("message").get<std::string>();
    return o;
  }
  o.law = j.at("law");
  o.impulse = pair(j.at("impulse"));
  o.velocity = pair(j.at("velocity"));
  o.mode = mode_text(j.at("mode"));
  o.verdict = j.at("verdict");
  o.flags = j.at("flags").get<std::vector<std::string>>();
  numbers_into(j.at("energy"), o.energy);
  o.phases = j.at("phases").size();
  if (j.contains("solutions")) o.solutions = j.at("solutions").size();
  if (j.contains("velocity_after")) {
    o.velocity_after = j.at("velocity_after").get<std::vector<double>>();
  }
  if (j.contains("bodies")) {
    for (const json& b : j.at("bodies")) {
      o.bodies.push_back({b.at("velocity").at(0), b.at("velocity").at(1), b.at("spin")});
    }
  }
  if (j.contains("labels")) {
    for (const auto& [key, value] : j.at("labels").items()) {
      o.labels[key] = value.is_string() ? value.get<std::string>() : value.dump();
    }
  }
  return o;
}

bool is_json(const std::string& text) { return json::accept(text); }

std::string compare(const ReferenceCase& c, const Vec2& impulse, const Vec2& velocity,
                    const std::map<std::string, double>& energy) {
  const auto largest = [](const Vec2& v) { return std::max(std::abs(v.n), std::abs(v.t)); };
  const double v_scale = std::max(largest(c.velocity), largest(c.problem.approach));
  const double p_expected = largest(c.impulse);
  const double p_scale =
      p_expected > 0. ? p_expected : largest(c.problem.approach) / c.problem.G.nn;
  const double e_scale = p_scale * v_scale;
  std::ostringstream wrong;
  const auto check = [&](const std::string& what, double got, double expected, double scale) {
    const double error = std::abs(got - expected) / scale;
    if (!(error <= c.tolerance)) {
      wrong << what << ": got " << got << ", expected " << expected << " (relative error " << error
            << ", allowed " << c.tolerance << ")\n";
    }
  };
  check("impulse.n", impulse.n, c.impulse.n, p_scale);
  check("impulse.t", impulse.t, c.impulse.t, p_scale);
  check("velocity.n", velocity.n, c.velocity.n, v_scale);
  check("velocity.t", velocity.t, c.velocity.t, v_scale);
  for (const auto& [key, expected] : c.ledger) {
    if (!energy.contains(key)) {
      wrong << "energy." << key << " is missing\n";
    } else {
      check("energy." + key, energy.at(key), expected, e_scale);
    }
  }
  return wrong.str();
}

}  // namespace carom::test
