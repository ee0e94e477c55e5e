// SPDX-License-Identifier: Apache-2.0
#include <support/multi_moreau_cases.hpp>

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

MultiMoreauCase read(const json& c) {
  const json& p = c.at("problem");
  MultiMoreauCase m;
  m.id = c.at("id");
  m.two_stages = p.contains("options") && p.at("options").at("hypothesis") == "poisson";
  const auto rows = p.at("inverse_inertia").get<std::vector<std::vector<double>>>();
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd G(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      G(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  m.problem.G = BlockMatrix::from_dense(G, p.at("components").get<std::size_t>());
  m.problem.approach = p.at("approach").get<std::vector<double>>();
  for (const json& s : p.at("surfaces")) {
    Surface surface;
    surface.restitution = s.at("restitution");
    surface.friction = surface.static_friction = s.at("friction");
    surface.tangential_restitution = s.value("tangential_restitution", 0.);
    m.problem.surfaces.push_back(surface);
  }
  const json& expect = c.at("expect");
  m.impulse = expect.at("impulse").get<std::vector<double>>();
  m.velocity = expect.at("velocity").get<std::vector<double>>();
  for (const auto& [key, value] : expect.at("energy").items()) {
    if (value.is_array()) m.ledger[key] = value.get<std::vector<double>>();
  }
  m.change = expect.at("energy").at("change");
  m.tolerance = c.at("tolerance");
  return m;
}

}  // namespace

const std::vector<MultiMoreauCase>& multi_moreau_cases() {
  static const std::vector<MultiMoreauCase> cases = [] {
    std::ifstream in(CAROM_TEST_DATA "/reference/own/multi-moreau-own.json");
    if (!in) throw std::runtime_error("cannot read multi-moreau-own.json");
    std::vector<MultiMoreauCase> all;
    const json file = json::parse(in);
    for (const json& c : file.at("cases")) all.push_back(read(c));
    return all;
  }();
  return cases;
}

}  // namespace carom::test
