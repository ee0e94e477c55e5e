// SPDX-License-Identifier: Apache-2.0
#include <support/multi_systems_cases.hpp>

#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

Eigen::VectorXd vector(const json& j) {
  Eigen::VectorXd v(static_cast<Eigen::Index>(j.size()));
  for (std::size_t i = 0; i < j.size(); ++i) v(static_cast<Eigen::Index>(i)) = j[i].get<double>();
  return v;
}

Eigen::MatrixXd matrix(const json& j) {
  Eigen::MatrixXd m(static_cast<Eigen::Index>(j.size()), static_cast<Eigen::Index>(j.at(0).size()));
  for (std::size_t i = 0; i < j.size(); ++i) m.row(static_cast<Eigen::Index>(i)) = vector(j[i]);
  return m;
}

std::string sparse_line(json problem) {
  json triplets = json::array();
  const json& G = problem.at("inverse_inertia");
  for (std::size_t i = 0; i < G.size(); ++i) {
    for (std::size_t j = i; j < G.size(); ++j) {  // above the diagonal stands for below
      if (G[i][j] != 0.) triplets.push_back({i, j, G[i][j]});
    }
  }
  problem["contacts"] = problem.at("surfaces").size();
  problem["inverse_inertia"] = json{{"triplets", triplets}};
  return problem.dump();
}

MultiSystemCase read(const json& c) {
  const json& problem = c.at("problem");
  const json& system = c.at("generalized");
  MultiSystemCase s;
  s.id = c.at("id");
  s.components = problem.at("components");
  s.G = matrix(problem.at("inverse_inertia"));
  s.approach = vector(problem.at("approach"));
  s.mass = matrix(system.at("mass"));
  s.directions = matrix(system.at("directions"));
  s.velocity = vector(system.at("velocity"));
  s.velocity_after = vector(system.at("velocity_after"));
  for (const json& x : c.at("expect").at("impulse")) {
    if (x.is_null()) {
      s.impulse.clear();
      break;
    }
    s.impulse.push_back(x);
  }
  if (c.contains("paper")) s.height = 1e-3 * c.at("paper").at("b_mm").get<double>();
  s.line = problem.dump();
  json generalized = problem;
  generalized.erase("inverse_inertia");
  generalized.erase("approach");
  for (const char* key : {"mass", "directions", "velocity"}) generalized[key] = system.at(key);
  s.generalized = generalized.dump();
  s.sparse = sparse_line(problem);
  return s;
}

}  // namespace

const std::vector<MultiSystemCase>& multi_system_cases() {
  static const std::vector<MultiSystemCase> all = [] {
    std::ifstream in(CAROM_TEST_DATA "/reference/multi.json");
    std::vector<MultiSystemCase> cases;
    const json file = json::parse(in);
    for (const json& c : file.at("cases")) cases.push_back(read(c));
    return cases;
  }();
  return all;
}

const MultiSystemCase& multi_system_case(const std::string& id) {
  for (const MultiSystemCase& c : multi_system_cases()) {
    if (c.id == id) return c;
  }
  throw std::out_of_range(id);
}

}  // namespace carom::test
