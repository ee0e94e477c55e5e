// SPDX-License-Identifier: Apache-2.0
#include <support/multi_cases.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

Surface surface_of(const json& j) {
  Surface s;
  s.restitution = j.at("restitution");
  s.friction = j.value("friction", 0.);
  s.static_friction = j.value("static_friction", s.friction);
  s.tangential_restitution = j.value("tangential_restitution", 0.);
  s.stiffness = j.value("stiffness", s.stiffness);
  s.exponent = j.value("exponent", s.exponent);
  return s;
}

/// Null is NaN.
std::vector<double> numbers(const json& j) {
  std::vector<double> all;
  for (const json& x : j) {
    all.push_back(x.is_null() ? std::numeric_limits<double>::quiet_NaN() : x.get<double>());
  }
  return all;
}

ContactProblem problem_of(const json& p) {
  const json& rows = p.at("inverse_inertia");
  const auto n = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd G(n, n);
  for (Eigen::Index r = 0; r < n; ++r) {
    for (Eigen::Index c = 0; c < n; ++c) {
      G(r, c) = rows.at(static_cast<std::size_t>(r)).at(static_cast<std::size_t>(c));
    }
  }
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G, p.at("components").get<std::size_t>());
  problem.approach = numbers(p.at("approach"));
  if (p.contains("surfaces")) {
    for (const json& s : p.at("surfaces")) problem.surfaces.push_back(surface_of(s));
  } else {
    problem.surfaces.assign(problem.contacts(), surface_of(p.at("surface")));
  }
  return problem;
}

MultiReferenceCase read_case(const json& c) {
  const json& p = c.at("problem");
  const json& expect = c.at("expect");
  MultiReferenceCase r;
  r.id = c.at("id");
  r.law = p.at("law");
  const json options = p.value("options", json::object());
  if (const auto hypothesis = options.find("hypothesis");
      hypothesis != options.end() && *hypothesis != "newton") {
    r.law += ":" + hypothesis->get<std::string>();
  }
  r.options.tolerance = options.value("tolerance", 0.);
  r.problem = problem_of(p);
  r.impulse = numbers(expect.at("impulse"));
  r.velocity = numbers(expect.at("velocity"));
  for (const json& s : expect.value("tangential_impulse_sums", json::array())) {
    const json& sum = s.at("sum");
    r.sums.push_back({.contacts = s.at("contacts").get<std::vector<std::size_t>>(),
                      .sum = sum.is_array() ? numbers(sum) : std::vector{sum.get<double>()}});
  }
  if (expect.contains("energy")) r.change = expect.at("energy").at("change");
  if (c.contains("normal_work")) r.normal_work = numbers(c.at("normal_work"));
  if (c.contains("friction_work")) r.friction_work = numbers(c.at("friction_work"));
  r.tolerance = c.at("tolerance");
  r.line = p.dump();
  return r;
}

double largest(const std::vector<double>& all) {
  double most = 0.;
  for (const double x : all) {
    if (!std::isnan(x)) most = std::max(most, std::abs(x));
  }
  return most;
}

}  // namespace

std::vector<MultiReferenceCase> read_multi_cases(const std::string& file) {
  std::ifstream in(std::string(CAROM_TEST_DATA) + "/" + file);
  if (!in) throw std::runtime_error("cannot read tests/" + file);
  const json all = json::parse(in);
  std::vector<MultiReferenceCase> cases;
  for (const json& c : all.at("cases")) cases.push_back(read_case(c));
  return cases;
}

const std::vector<MultiReferenceCase>& multi_cases() {
  static const std::vector<MultiReferenceCase> cases = read_multi_cases("reference/multi.json");
  return cases;
}

double multi_error(const MultiReferenceCase& r, const Outcome& o) {
  const std::size_t d = r.problem.components();
  const double velocity = std::max(largest(r.velocity), largest(r.problem.approach));
  double impulse = largest(r.impulse);
  for (const TangentialSum& s : r.sums) impulse = std::max(impulse, largest(s.sum));
  if (!(impulse > 0.)) impulse = velocity / r.problem.G.diagonal(0)[0];
  double worst = 0.;
  const auto compare = [&worst](double expected, double found, double scale) {
    if (std::isnan(expected)) return;
    const double error = std::abs(found - expected) / scale;
    worst = error >= 0. ? std::max(worst, error) : std::numeric_limits<double>::infinity();
  };
  for (std::size_t k = 0; k < r.velocity.size(); ++k) {
    compare(r.velocity[k], o.velocity.at(k), velocity);
    compare(r.impulse[k], o.impulse.at(k), impulse);
  }
  for (const TangentialSum& s : r.sums) {
    for (std::size_t t = 0; t < s.sum.size(); ++t) {
      double sum = 0.;
      for (const std::size_t i : s.contacts) sum += o.impulse.at(i * d + 1 + t);
      compare(s.sum[t], sum, impulse);
    }
  }
  const double energy = impulse * velocity;
  compare(r.change, o.energy.change, energy);
  for (std::size_t i = 0; i < r.normal_work.size(); ++i) {
    compare(r.normal_work[i], o.contacts.at(i).energy.normal, energy);
  }
  for (std::size_t i = 0; i < r.friction_work.size(); ++i) {
    compare(r.friction_work[i], o.contacts.at(i).energy.friction, energy);
  }
  return worst;
}

}  // namespace carom::test
