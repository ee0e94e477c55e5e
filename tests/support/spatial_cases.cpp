// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_cases.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <support/spatial_problems.hpp>

namespace carom::test {
namespace {

using nlohmann::json;

Vec3 triple(const json& j) {
  return {.n = j.at(0).get<double>(), .t1 = j.at(1).get<double>(), .t2 = j.at(2).get<double>()};
}

Eigen::Vector3d vector(const json& j) {
  return {j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<double>()};
}

Surface surface_of(const json& j) {
  Surface s{.restitution = j.at("restitution"), .friction = j.value("friction", 0.)};
  s.static_friction = j.value("static_friction", s.friction);
  s.tangential_restitution = j.value("tangential_restitution", 0.);
  s.compliance_ratio = j.value("compliance_ratio", s.compliance_ratio);
  if (j.contains("impulse_ratio")) {
    s.set_impulse_ratio(j.at("impulse_ratio").get<std::array<double, 2>>());
  }
  if (j.contains("tangential_coefficient")) {
    s.set_tangential_coefficient(j.at("tangential_coefficient").get<std::array<double, 2>>());
  }
  s.moment = j.value("moment_coefficients", s.moment);
  return s;
}

Sym3 sym3(const Eigen::Matrix3d& m) {
  return {
      .nn = m(0, 0), .n1 = m(0, 1), .n2 = m(0, 2), .t11 = m(1, 1), .t12 = m(1, 2), .t22 = m(2, 2)};
}

/// Contact space of one or two bodies, written out for itself. With the frame's axes as columns of
/// D, an impulse P gives the velocity D P/m and the spin I^-1 (c x D P).
void contact_space_of_bodies(const json& p, SpatialProblem& problem) {
  Eigen::Matrix3d D;
  D << vector(p.at("frame").at("normal")), vector(p.at("frame").at("tangent1")),
      vector(p.at("frame").at("tangent2"));
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d cross = Eigen::Matrix3d::Zero();
  Eigen::Matrix3d spin_G = Eigen::Matrix3d::Zero();
  Eigen::Vector3d v = Eigen::Vector3d::Zero();
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
  Eigen::Vector3d one_over_inertia = Eigen::Vector3d::Zero();
  double side = 1.;
  for (const json& body : p.at("bodies")) {
    Eigen::Matrix3d inertia;
    for (std::size_t i = 0; i < 3; ++i) {
      inertia.row(static_cast<Eigen::Index>(i)) = vector(body.at("inertia").at(i)).transpose();
    }
    const Eigen::Matrix3d mobility = inertia.inverse();
    const Eigen::Vector3d c = vector(body.at("contact_offset"));
    const Eigen::Vector3d w = vector(body.at("spin"));
    Eigen::Matrix3d arm;  // columns c x d
    for (Eigen::Index i = 0; i < 3; ++i) arm.col(i) = c.cross(Eigen::Vector3d(D.col(i)));
    G += D.transpose() * D / body.at("mass").get<double>() + arm.transpose() * mobility * arm;
    cross += arm.transpose() * mobility * D;
    spin_G += D.transpose() * mobility * D;
    v += side * (D.transpose() * (vector(body.at("velocity")) + w.cross(c)));
    spin += side * (D.transpose() * w);
    one_over_inertia += (D.transpose() * inertia * D).diagonal().cwiseInverse();
    side = -1.;
  }
  problem.G = sym3(G);
  problem.approach = {.n = v(0), .t1 = v(1), .t2 = v(2)};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      problem.spin.cross[i][j] = cross(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  problem.spin.G = sym3(spin_G);
  problem.spin.approach = {.n = spin(0), .t1 = spin(1), .t2 = spin(2)};
  problem.spin.inertia = {.n = 1. / one_over_inertia(0),
                          .t1 = 1. / one_over_inertia(1),
                          .t2 = 1. / one_over_inertia(2)};
  problem.spin.known = true;
}

SpatialReferenceCase spatial_case(const json& c) {
  const json& p = c.at("problem");
  const json& expect = c.at("expect");
  SpatialReferenceCase r;
  r.id = c.at("id");
  r.law = p.at("law");
  // As named in the catalogue: "moreau:poisson"; `newton`, moreau's default, has no suffix.
  const json options = p.value("options", json::object());
  for (const auto& [key, value] : options.items()) {
    if (value.is_string() && value != "newton") r.law += ":" + value.get<std::string>();
  }
  r.by_bodies = p.contains("bodies");
  if (r.by_bodies) {
    contact_space_of_bodies(p, r.problem);
  } else {
    const json& G = p.at("inverse_inertia");
    Mat3 m;
    for (std::size_t i = 0; i < 3; ++i) m[i] = G.at(i).get<std::array<double, 3>>();
    r.problem.G = symmetric(m);
    r.problem.approach = triple(p.at("approach"));
  }
  r.problem.surface = surface_of(p.at("surface"));
  r.impulse = triple(expect.at("impulse"));
  r.velocity = triple(expect.at("velocity"));
  if (expect.contains("couple")) r.couple = triple(expect.at("couple"));
  if (expect.contains("mode")) r.mode = expect.at("mode").dump();
  for (const auto& [key, value] : expect.at("energy").items()) r.ledger[key] = value.get<double>();
  r.tolerance = c.at("tolerance");
  for (const auto& [key, value] : c.at("extra").items()) {
    if (value.is_number()) r.extra[key] = {value.get<double>()};
    if (value.is_boolean()) r.extra[key] = {value.get<bool>() ? 1. : 0.};
    if (key == "slider") r.slider = value;
    if (value.is_array() && value.at(0).is_primitive()) {
      for (const json& x : value) r.extra[key].push_back(x.is_number() ? x.get<double>() : NAN);
    }
  }
  for (const json& phase : c.at("extra").value("phases", json::array())) {
    const std::string type = phase.at("type");
    r.phases.push_back({.stage = phase.at("stage"),
                        .motion = type == "stick" ? "stick" : "slip",
                        .p_end = phase.value("p_n_end", static_cast<double>(NAN)),
                        .velocity = triple(phase.at("velocity_end"))});
  }
  r.line = p.dump();
  return r;
}

std::vector<SpatialReferenceCase> read_cases(const std::string& name) {
  std::ifstream in(CAROM_TEST_DATA "/reference/" + name);
  if (!in) throw std::runtime_error("cannot read tests/reference/" + name);
  const json file = json::parse(in);
  std::vector<SpatialReferenceCase> all;
  for (const json& c : file.at("cases")) {
    if (c.at("kind") == "outcome") all.push_back(spatial_case(c));
  }
  return all;
}

struct Scales {
  double velocity;
  double impulse;
};

Scales scales(const SpatialReferenceCase& c) {
  const double p = largest(c.impulse);
  return {.velocity = std::max(largest(c.velocity), largest(c.problem.approach)),
          .impulse = p > 0. ? p : largest(c.problem.approach) / c.problem.G.nn};
}

/// Collects what is further off than the case allows.
class Differences {
 public:
  explicit Differences(double tolerance) : tolerance_(tolerance) { out_.precision(17); }
  void check(const std::string& what, double got, double expected, double scale) {
    const double error = std::abs(got - expected) / scale;
    if (error <= tolerance_) return;
    out_ << what << ": got " << got << ", expected " << expected << " (relative error " << error
         << ", allowed " << tolerance_ << ")\n";
  }
  void check(const std::string& what, const Vec3& got, const Vec3& expected, double scale) {
    check(what + ".n", got.n, expected.n, scale);
    check(what + ".t1", got.t1, expected.t1, scale);
    check(what + ".t2", got.t2, expected.t2, scale);
  }
  std::ostream& say() { return out_; }
  [[nodiscard]] std::string text() const { return out_.str(); }

 private:
  double tolerance_;
  std::ostringstream out_;
};

}  // namespace

const std::vector<SpatialReferenceCase>& spatial_reference_cases() {
  static const std::vector<SpatialReferenceCase> cases = read_cases("spatial.json");
  return cases;
}

const std::vector<SpatialReferenceCase>& compliant_space_cases() {
  static const std::vector<SpatialReferenceCase> cases = [] {
    std::vector<SpatialReferenceCase> all = read_cases("compliant_space.json");
    for (SpatialReferenceCase& c : all) {
      for (const char* stage : {"normal_compression", "normal_restitution"}) {
        c.ledger[stage] = c.extra.at(stage).front();
      }
      c.ledger["friction"] = c.extra.at("tangential_work").front();
    }
    return all;
  }();
  return cases;
}

std::vector<SpatialReferenceCase> spatial_reference_cases(const std::string& law) {
  std::vector<SpatialReferenceCase> chosen;
  for (const SpatialReferenceCase& c : spatial_reference_cases()) {
    if (c.law == law || c.law.starts_with(law + ":")) chosen.push_back(c);
  }
  return chosen;
}

std::string compare(const SpatialReferenceCase& c, const SpatialOutcome& o) {
  const auto [v_scale, p_scale] = scales(c);
  Differences wrong(c.tolerance);
  wrong.check("impulse", o.impulse, c.impulse, p_scale);
  wrong.check("velocity", o.velocity, c.velocity, v_scale);
  if (c.problem.spin.known) {
    wrong.check("couple", o.couple, c.couple, std::max(largest(c.couple), p_scale));
  }
  std::map<std::string, double> ledger{{"change", o.energy.change},
                                       {"normal", o.energy.normal},
                                       {"friction", o.energy.friction},
                                       {"couple", o.energy.couple}};
  if (o.energy.stages) {
    ledger["normal_compression"] = o.energy.stages->compression;
    ledger["normal_restitution"] = o.energy.stages->restitution;
  }
  for (const auto& [key, expected] : c.ledger) {
    if (!ledger.contains(key)) {
      wrong.say() << "energy." << key << " is missing\n";
    } else {
      wrong.check("energy." + key, ledger.at(key), expected, p_scale * v_scale);
    }
  }
  return wrong.text();
}

std::string compare_phases(const SpatialReferenceCase& c, const SpatialOutcome& o) {
  const auto [v_scale, p_scale] = scales(c);
  Differences wrong(c.tolerance);
  if (o.phases.size() != c.phases.size()) {
    wrong.say() << o.phases.size() << " phases, expected " << c.phases.size() << "\n";
    return wrong.text();
  }
  for (std::size_t i = 0; i < c.phases.size(); ++i) {
    const SpatialPhase& got = o.phases[i];
    const SpatialReferencePhase& expected = c.phases[i];
    const std::string where = "phases[" + std::to_string(i) + "]";
    if (name(got.stage) != expected.stage || name(got.motion) != expected.motion) {
      wrong.say() << where << ": " << name(got.stage) << " " << name(got.motion) << ", expected "
                  << expected.stage << " " << expected.motion << "\n";
    }
    if (!std::isnan(expected.p_end)) {
      wrong.check(where + ".impulse.n", got.impulse.n, expected.p_end, p_scale);
    }
    wrong.check(where + ".velocity", got.velocity, expected.velocity, v_scale);
  }
  return wrong.text();
}

}  // namespace carom::test
