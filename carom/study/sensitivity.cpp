// SPDX-License-Identifier: Apache-2.0
// The one file that includes Ceres' Jet.
#include <carom/study/sensitivity.hpp>

#include <array>
#include <cassert>

#include <ceres/jet.h>

namespace ceres {

/// What carom/core/circular.hpp asks of a scalar.
template <class T, int N>
double value_of(const Jet<T, N>& x) {
  return x.a;
}

}  // namespace ceres

namespace carom::study {
namespace {

constexpr int most_inputs = 8;
using Jet = ceres::Jet<double, most_inputs>;

/// All that a kernel may depend on, each with its derivative by itself.
struct Variables {
  BasicVec2<Jet> v;
  Jet e, mu, mu_s, eps_t, eta2, tangential, e_m;
  std::vector<NamedNumber> inputs;

  Jet input(std::string name, std::string unit, double value) {
    assert(inputs.size() < most_inputs);
    inputs.push_back({.name = std::move(name), .unit = std::move(unit), .value = value});
    return Jet(value, static_cast<int>(inputs.size()) - 1);
  }
};

Variables variables(const PlanarLaw& law, const PlanarProblem& p) {
  const LawInfo& about = info(law);
  Variables x;
  const Surface& s = p.surface;
  x.v = {.n = x.input("approach, normal", "m/s", p.approach.n),
         .t = x.input("approach, slip", "m/s", p.approach.t)};
  x.e = x.input("restitution", "", s.restitution);
  const bool brach = about.knows("impulse_ratio");
  if (brach && s.impulse_ratio) {
    x.tangential = x.input("impulse_ratio", "", (*s.impulse_ratio)[0]);
  } else if (brach && s.tangential_coefficient) {
    x.tangential = x.input("tangential_coefficient", "", (*s.tangential_coefficient)[0]);
  } else {
    x.mu = x.input("friction", "", s.friction);
    x.tangential = x.mu;
  }
  x.mu_s = x.mu;
  if (about.knows("static_friction") && s.static_friction > s.friction) {
    x.mu_s = x.input("static_friction", "", s.static_friction);
  }
  if (about.knows("tangential_restitution")) {
    x.eps_t = x.input("tangential_restitution", "", s.tangential_restitution);
  }
  if (about.knows("compliance_ratio")) {
    x.eta2 = x.input("compliance_ratio", "", s.compliance_ratio);
  }
  x.e_m = Jet(s.moment_coefficients[0]);
  if (about.knows("moment_coefficients") && s.has_couples(1)) {
    x.e_m = x.input("moment_coefficients", "", s.moment_coefficients[0]);
  }
  return x;
}

struct Totals {
  BasicVec2<Jet> impulse;
  BasicVec2<Jet> velocity;
  Jet couple{};
  Jet spin{};  ///< relative, after
};

using SymJet = BasicSym2<Jet>;

template <Hypothesis hypothesis>
Totals process(const SymJet& G, const Variables& x) {
  const auto r = routh_totals<hypothesis>(G, x.v, x.e, x.mu, x.mu_s);
  return {.impulse = r.impulse, .velocity = r.velocity};
}

// One for each law of the catalogue; a law without one does not compile.
Totals totals(const Newton&, const SymJet& G, const Variables& x, const PlanarProblem&) {
  return process<Hypothesis::newton>(G, x);
}
Totals totals(const Poisson&, const SymJet& G, const Variables& x, const PlanarProblem&) {
  return process<Hypothesis::poisson>(G, x);
}
Totals totals(const Energetic&, const SymJet& G, const Variables& x, const PlanarProblem&) {
  return process<Hypothesis::energetic>(G, x);
}
Totals totals(const Moreau& law, const SymJet& G, const Variables& x, const PlanarProblem&) {
  if (law.hypothesis == Hypothesis::newton) {
    const auto r = moreau_totals(G, x.v, x.e, x.eps_t, x.mu);
    return {.impulse = r.impulse, .velocity = r.velocity};
  }
  const auto c = moreau_totals(G, x.v, Jet(0.), Jet(0.), x.mu);
  const auto r = moreau_expansion(G, c.velocity, Jet(x.e * c.impulse.n), x.mu);
  return {.impulse = c.impulse + r.impulse, .velocity = r.velocity};
}
Totals totals(const Brach&, const SymJet& G, const Variables& x, const PlanarProblem& p) {
  const BasicSpinRow<Jet> row{.nr = Jet(p.spin.nr),
                              .tr = Jet(p.spin.tr),
                              .rr = Jet(p.spin.rr),
                              .approach = Jet(p.spin.approach)};
  const auto r = brach_totals(G, x.v, row, x.e, brach_rule(p.surface).rule, x.tangential, x.e_m);
  return {.impulse = r.impulse, .velocity = r.velocity, .couple = r.couple, .spin = r.spin};
}
Totals totals(const Compliant&, const SymJet& G, const Variables& x, const PlanarProblem&) {
  const auto r = compliant_totals(G, x.v, x.e, x.mu, x.eta2);
  return {.impulse = r.state.impulse, .velocity = r.state.velocity};
}
Totals totals(const Conventional& law, const SymJet& G, const Variables& x, const PlanarProblem&) {
  const auto r = law.friction_opposes == FrictionOpposes::approach
                     ? conventional_totals<FrictionOpposes::approach>(G, x.v, x.e, x.mu, x.mu_s)
                     : conventional_totals<FrictionOpposes::rebound>(G, x.v, x.e, x.mu, x.mu_s);
  return {.impulse = r.impulse, .velocity = r.velocity};
}

}  // namespace

std::optional<double> Sensitivity::relative(Eigen::Index output, Eigen::Index input) const {
  const double y = outputs[static_cast<std::size_t>(output)].value;
  const double x = inputs[static_cast<std::size_t>(input)].value;
  if (x == 0. || y == 0.) return std::nullopt;
  return absolute(output, input) * (x / y);
}

Sensitivity sensitivity(const Law& law, const PlanarProblem& p) {
  Sensitivity s;
  s.law = &law;
  const PlanarLaw& kernel = planar_kernel(law);
  const PlanarOutcome o = solve(kernel, p);
  s.verdict = o.verdict();
  if (!(o.impulse.n > 0.)) return s;
  const Variables x = variables(kernel, p);
  const SymJet G{.nn = Jet(p.G.nn), .nt = Jet(p.G.nt), .tt = Jet(p.G.tt)};
  const Totals t = std::visit([&](const auto& l) { return totals(l, G, x, p); }, kernel);
  const Jet half(0.5);
  const Jet change =
      half * dot(t.impulse, x.v + t.velocity) + half * (t.couple * (Jet(p.spin.approach) + t.spin));
  s.inputs = x.inputs;
  std::vector<Jet> results;
  // Values as the law itself gives them: a Jet's may differ in the last digit.
  const auto output = [&](const char* name, const char* unit, const Jet& jet, double value) {
    s.outputs.push_back({.name = name, .unit = unit, .value = value});
    results.push_back(jet);
  };
  output("impulse, normal", "N s", t.impulse.n, o.impulse.n);
  output("impulse, tangential", "N s", t.impulse.t, o.impulse.t);
  output("velocity after, normal", "m/s", t.velocity.n, o.velocity.n);
  output("velocity after, slip", "m/s", t.velocity.t, o.velocity.t);
  const bool couples = info(kernel).knows("moment_coefficients") && p.surface.has_couples(1);
  if (couples) output("couple", "N m s", t.couple, o.couple);
  output("energy change", "J", change, o.energy.change);
  const auto rows = static_cast<Eigen::Index>(results.size());
  const auto columns = static_cast<Eigen::Index>(s.inputs.size());
  s.absolute.resize(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    s.absolute.row(i) = results[static_cast<std::size_t>(i)].v.head(columns).transpose();
  }
  return s;
}

}  // namespace carom::study
