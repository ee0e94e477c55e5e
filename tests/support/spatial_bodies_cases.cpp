// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_bodies_cases.hpp>

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

Vec3 triple(const json& j) { return {.n = j.at(0), .t1 = j.at(1), .t2 = j.at(2)}; }

std::vector<SpatialMotion> motions(const json& bodies) {
  std::vector<SpatialMotion> all;
  for (const json& b : bodies) {
    all.push_back({.velocity = b.at("velocity").get<World3>(), .spin = b.at("spin").get<World3>()});
  }
  return all;
}

SpatialBody body(const json& j) {
  return {.mass = j.at("mass"),
          .inertia = j.at("inertia").get<Mat3>(),
          .contact_offset = j.at("contact_offset").get<World3>(),
          .velocity = j.at("velocity").get<World3>(),
          .spin = j.at("spin").get<World3>()};
}

SpatialBodiesCase read_case(const json& c) {
  const json& p = c.at("problem");
  const json& form = p.contains("bodies") ? p : c.at("bodies_form");
  const json& frame = form.at("frame");
  const json& expect = c.at("expect");
  SpatialBodiesCase r;
  r.id = c.at("id");
  r.law = p.at("law");
  r.bodies.first = body(form.at("bodies").at(0));
  if (form.at("bodies").size() > 1) r.bodies.second = body(form.at("bodies").at(1));
  r.bodies.frame = {.normal = frame.at("normal").get<World3>(),
                    .tangent1 = frame.at("tangent1").get<World3>(),
                    .tangent2 = frame.at("tangent2").get<World3>()};
  if (p.contains("inverse_inertia")) {
    r.contact = SpatialProblem{.G = symmetric(p.at("inverse_inertia").get<Mat3>()),
                               .approach = triple(p.at("approach")),
                               .surface = {}};
  }
  r.impulse = triple(expect.at("impulse"));
  r.velocity = triple(expect.at("velocity"));
  if (expect.contains("couple")) r.couple = triple(expect.at("couple"));
  r.change = expect.at("energy").at("change");
  r.after = motions(expect.at("bodies"));
  r.tolerance = c.at("tolerance");
  r.line = p.dump();
  json by_bodies = p;
  by_bodies.erase("inverse_inertia");
  by_bodies.erase("approach");
  by_bodies["bodies"] = form.at("bodies");
  by_bodies["frame"] = frame;
  r.line_by_bodies = by_bodies.dump();
  return r;
}

}  // namespace

const std::vector<SpatialBodiesCase>& spatial_bodies_cases() {
  static const std::vector<SpatialBodiesCase> cases = [] {
    std::ifstream in(CAROM_TEST_DATA "/reference/spatial.json");
    if (!in) throw std::runtime_error("cannot read tests/reference/spatial.json");
    std::vector<SpatialBodiesCase> all;
    const json file = json::parse(in);
    for (const json& c : file.at("cases")) all.push_back(read_case(c));
    return all;
  }();
  return cases;
}

SpatialOutcomeLine parse_spatial_outcome(const std::string& line) {
  const json j = json::parse(line);
  SpatialOutcomeLine o;
  if (j.contains("id") && j.at("id").is_string()) o.id = j.at("id");
  if (j.contains("error")) {
    o.error_field = j.at("error").at("field").get<std::string>();
    o.error_message = j.at("error").at("message").get<std::string>();
    return o;
  }
  o.law = j.at("law");
  o.impulse = triple(j.at("impulse"));
  o.velocity = triple(j.at("velocity"));
  if (j.contains("couple")) o.couple = triple(j.at("couple"));
  o.change = j.at("energy").at("change");
  o.mode = j.at("mode").is_string() ? j.at("mode").get<std::string>() : j.at("mode").dump();
  o.verdict = j.at("verdict");
  o.phases = j.at("phases").size();
  if (j.contains("bodies")) o.bodies = motions(j.at("bodies"));
  return o;
}

}  // namespace carom::test
