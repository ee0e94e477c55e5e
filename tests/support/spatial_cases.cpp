// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_cases.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace carom {

std::ostream& operator<<(std::ostream& out, const SpatialProblem& p) {
  out.precision(17);
  const auto vec = [&](const char* name, const Vec3& v) {
    out << name << " = (" << v.n << ", " << v.t1 << ", " << v.t2 << ") ";
  };
  out << "{G = [" << p.G.nn << ", " << p.G.n1 << ", " << p.G.n2 << ", " << p.G.t11 << ", "
      << p.G.t12 << ", " << p.G.t22 << "] ";
  vec("v", p.approach);
  vec("omega", p.spin.approach);
  const auto& s = p.surface;
  out << "e = " << s.restitution << " mu = " << s.friction << " mu_s = " << s.static_friction
      << " eps_T = " << s.tangential_restitution << " e_m = [" << s.moment_coefficients[0] << ", "
      << s.moment_coefficients[1] << ", " << s.moment_coefficients[2] << "]";
  if (s.impulse_ratio) {
    out << " mu_t = [" << (*s.impulse_ratio)[0] << ", " << (*s.impulse_ratio)[1] << "]";
  }
  if (s.tangential_coefficient) {
    out << " e_t = [" << (*s.tangential_coefficient)[0] << ", " << (*s.tangential_coefficient)[1]
        << "]";
  }
  return out << "}";
}

}  // namespace carom

namespace carom::test {
namespace {

using nlohmann::json;
using World = std::array<double, 3>;

Vec3 triple(const json& j) { return {.n = j.at(0), .t1 = j.at(1), .t2 = j.at(2)}; }
World world(const json& j) { return j.get<World>(); }

World cross(const World& a, const World& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double inner(const World& a, const World& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

World times(const Mat3& m, const World& x) {
  return {inner(m[0], x), inner(m[1], x), inner(m[2], x)};
}

/// Of a symmetric matrix, by cofactors.
Mat3 inverse(const Mat3& m) {
  const World c0 = cross(m[1], m[2]);
  const World c1 = cross(m[2], m[0]);
  const World c2 = cross(m[0], m[1]);
  const double det = inner(m[0], c0);
  Mat3 r{};
  for (std::size_t i = 0; i < 3; ++i) r[i] = {c0[i] / det, c1[i] / det, c2[i] / det};
  return r;
}

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

SpatialProblem contact_space(const std::vector<SpatialBody>& bodies, const Mat3& frame) {
  Mat3 G{};
  Mat3 S{};
  World v{};
  World w{};
  World inertia{};  // sum of 1/I_jj
  SpatialProblem p;
  double side = 1.;
  for (const SpatialBody& body : bodies) {
    const Mat3 freed = inverse(body.inertia);
    const World carried = cross(body.spin, body.contact_offset);
    for (std::size_t i = 0; i < 3; ++i) {
      const World arm = cross(body.contact_offset, frame[i]);
      const World turned = times(freed, arm);
      const World spun = times(freed, frame[i]);
      v[i] += side * (inner(frame[i], body.velocity) + inner(frame[i], carried));
      w[i] += side * inner(frame[i], body.spin);
      inertia[i] += 1. / inner(frame[i], times(body.inertia, frame[i]));
      for (std::size_t j = 0; j < 3; ++j) {
        G[i][j] += inner(frame[i], frame[j]) / body.mass +
                   inner(turned, cross(body.contact_offset, frame[j]));
        S[i][j] += inner(spun, frame[j]);
        p.spin.cross[i][j] += inner(turned, frame[j]);
      }
    }
    side = -1.;
  }
  p.G = {G[0][0], G[0][1], G[0][2], G[1][1], G[1][2], G[2][2]};
  p.approach = {v[0], v[1], v[2]};
  p.spin.G = {S[0][0], S[0][1], S[0][2], S[1][1], S[1][2], S[2][2]};
  p.spin.approach = {w[0], w[1], w[2]};
  p.spin.inertia = {1. / inertia[0], 1. / inertia[1], 1. / inertia[2]};
  p.spin.known = true;
  return p;
}

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

double largest(const Vec3& v) { return std::max({std::abs(v.n), std::abs(v.t1), std::abs(v.t2)}); }

double velocity_scale(const SpatialProblem& p, const Vec3& P, const Vec3& M, const Vec3& v) {
  const Vec3 size{std::abs(P.n), std::abs(P.t1), std::abs(P.t2)};
  const Sym3 G{p.G.nn, std::abs(p.G.n1), std::abs(p.G.n2), p.G.t11, std::abs(p.G.t12), p.G.t22};
  Mat3 C = p.spin.cross;
  for (auto& row : C) {
    for (double& x : row) x = std::abs(x);
  }
  const Vec3 turn{std::abs(M.n), std::abs(M.t1), std::abs(M.t2)};
  return std::max({largest(p.approach), largest(v), largest(G * size), largest(C * turn)});
}

double momentum_residual(const SpatialProblem& p, const Vec3& P, const Vec3& M, const Vec3& v) {
  return largest(p.approach + p.G * P + p.spin.cross * M - v) / velocity_scale(p, P, M, v);
}

}  // namespace carom::test
