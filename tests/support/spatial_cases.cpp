// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_cases.hpp>

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include <support/spatial_pairs.hpp>

namespace carom::test {
namespace {

using nlohmann::json;
using World = std::array<double, 3>;

Vec3 triple(const json& j) { return {.n = j.at(0), .t1 = j.at(1), .t2 = j.at(2)}; }
World world(const json& j) { return j.get<World>(); }

std::array<std::optional<double>, 2> optional_pair(const json& j) {
  std::array<std::optional<double>, 2> pair;
  for (std::size_t i = 0; i < 2; ++i) {
    if (j.at(i).is_number()) pair[i] = j.at(i).get<double>();
  }
  return pair;
}

SpatialSurface surface_of(const json& j) {
  SpatialSurface s;
  s.restitution = j.at("restitution");
  s.friction = j.value("friction", 0.);
  s.static_friction = j.value("static_friction", s.friction);
  if (j.contains("impulse_ratio"))
    s.impulse_ratio = j.at("impulse_ratio").get<std::array<double, 2>>();
  if (j.contains("tangential_coefficient")) {
    s.tangential_coefficient = j.at("tangential_coefficient").get<std::array<double, 2>>();
  }
  if (j.contains("moment_coefficients")) {
    s.moment_coefficients = j.at("moment_coefficients").get<std::array<double, 3>>();
  }
  return s;
}

SpatialProblem problem_of(const json& p) {
  SpatialProblem problem;
  if (p.contains("bodies")) {
    std::vector<SpatialBody> bodies;
    for (const json& b : p.at("bodies")) {
      bodies.push_back({.mass = b.at("mass"),
                        .inertia = b.at("inertia").get<Mat3>(),
                        .contact_offset = world(b.at("contact_offset")),
                        .velocity = world(b.at("velocity")),
                        .spin = world(b.at("spin"))});
    }
    const json& f = p.at("frame");
    problem = contact_space(
        bodies, {world(f.at("normal")), world(f.at("tangent1")), world(f.at("tangent2"))});
  } else {
    problem.G = symmetric(p.at("inverse_inertia").get<Mat3>());
    problem.approach = triple(p.at("approach"));
  }
  problem.surface = surface_of(p.at("surface"));
  return problem;
}

SpatialCase case_of(const json& c) {
  const json& p = c.at("problem");
  const json& expect = c.at("expect");
  const json& extra = c.at("extra");
  SpatialCase r;
  r.id = c.at("id");
  r.law = p.at("law");
  if (p.contains("options") && p.at("options").at("hypothesis") == "energetic")
    r.law += ":energetic";
  r.problem = problem_of(p);
  r.impulse = triple(expect.at("impulse"));
  r.velocity = triple(expect.at("velocity"));
  if (expect.contains("couple")) r.couple = triple(expect.at("couple"));
  if (expect.contains("mode")) r.mode = expect.at("mode").dump();
  for (const auto& [key, value] : expect.at("energy").items()) r.ledger[key] = value.get<double>();
  if (extra.contains("phases")) {
    for (const json& phase : extra.at("phases")) {
      r.phases.emplace_back(
          phase.at("stage").get<std::string>() + " " + phase.at("type").get<std::string>(),
          triple(phase.at("velocity_end")));
    }
  }
  for (const char* key :
       {"equivalent_mu", "equivalent_e_t", "critical_mu_at_e_n", "critical_mu_at_e_n_zero"}) {
    if (extra.contains(key)) r.pairs[key] = optional_pair(extra.at(key));
  }
  if (extra.contains("e_n_max_for_T_L_nonneg"))
    r.e_n_max = extra.at("e_n_max_for_T_L_nonneg").get<double>();
  if (extra.contains("sliding_throughout"))
    r.slides_throughout = extra.at("sliding_throughout").get<bool>();
  r.tolerance = c.at("tolerance");
  return r;
}

}  // namespace

const std::vector<SpatialCase>& spatial_cases() {
  static const std::vector<SpatialCase> all = [] {
    std::ifstream in(CAROM_TEST_DATA "/reference/spatial.json");
    if (!in) throw std::runtime_error("cannot read tests/reference/spatial.json");
    std::vector<SpatialCase> cases;
    const json file = json::parse(in);
    for (const json& c : file.at("cases")) {
      const std::string law = c.at("problem").at("law");
      if (law == "brach" || law == "sun-baruh") cases.push_back(case_of(c));
    }
    return cases;
  }();
  return all;
}

}  // namespace carom::test
