// SPDX-License-Identifier: Apache-2.0
// Derivatives against differences, away from the edges between modes.
#include <support/generators.hpp>

#include <array>
#include <cmath>

#include <carom/study/sensitivity.hpp>

namespace carom::test {
namespace {

using study::Sensitivity;

/// The problem with one of the inputs that a sensitivity names moved by `step`.
PlanarProblem moved(const PlanarProblem& p, const std::string& input, double step) {
  PlanarProblem q = p;
  Surface& s = q.surface;
  if (input == "approach, normal") q.approach.n += step;
  if (input == "approach, slip") q.approach.t += step;
  if (input == "restitution") s.restitution += step;
  if (input == "friction") {
    const bool follows = s.static_friction == s.friction;
    s.friction += step;
    if (follows) s.static_friction = s.friction;
  }
  if (input == "static_friction") s.static_friction += step;
  if (input == "tangential_restitution") s.tangential_restitution += step;
  if (input == "compliance_ratio") s.compliance_ratio += step;
  if (input == "impulse_ratio" || input == "tangential_coefficient") s.tangential[0] += step;
  if (input == "moment_coefficients") s.moment[0] += step;
  return q;
}

std::vector<double> outputs(const PlanarOutcome& o, bool couples) {
  std::vector<double> y{o.impulse.n, o.impulse.t, o.velocity.n, o.velocity.t};
  if (couples) y.push_back(o.couple);
  y.push_back(o.energy.change);
  return y;
}

/// An outcome with all its phases.
struct Answer {
  PlanarOutcome o;
  std::vector<PlanarPhase> phases;
};

Answer answer_of(const Law& law, const PlanarProblem& p) {
  Answer t;
  t.o = solve(planar_kernel(law), p);
  t.phases = all_phases(planar_kernel(law), p, t.o);
  return t;
}

/// Do two outcomes come from the same branch of the law?
bool alike(const Answer& a, const Answer& b) {
  const bool same_phases =
      std::equal(a.phases.begin(), a.phases.end(), b.phases.begin(), b.phases.end(),
                 [](const PlanarPhase& x, const PlanarPhase& y) {
                   return x.stage == y.stage && x.motion == y.motion;
                 });
  return a.o.mode == b.o.mode && a.o.slider == b.o.slider && a.o.flags == b.o.flags &&
         same_phases && (a.o.impulse.t < 0.) == (b.o.impulse.t < 0.);
}

/// Does a little more or less friction change the branch? Then rounding may have, too.
bool at_an_edge(const Law& law, const PlanarProblem& p, const Answer& t) {
  for (const double factor : {1. - 1e-7, 1. + 1e-7}) {
    PlanarProblem q = p;
    q.surface.friction *= factor;
    q.surface.static_friction *= factor;
    if (!alike(answer_of(law, q), t)) return true;
  }
  return false;
}

/// What a derivative of each output is small against: outputs over inputs.
std::vector<double> scales(const PlanarProblem& p, const PlanarOutcome& o, bool couples) {
  const double v = velocity_scale(p, o.impulse, o.velocity);
  const double P = o.impulse.n + std::abs(o.impulse.t);
  std::vector<double> s{P, P, v, v};
  if (couples) s.push_back(std::abs(o.couple) + P);
  s.push_back(P * v);
  return s;
}

/// Compares by differences with steps h and h/2, extrapolated; skips where the branch changes.
void compare(const Law& law, const PlanarProblem& p) {
  const Sensitivity s = study::sensitivity(law, p);
  const Answer answer = answer_of(law, p);
  const PlanarOutcome& o = answer.o;
  const bool couples =
      info(planar_kernel(law)).knows("moment_coefficients") && p.surface.has_couples(1);
  if (at_an_edge(law, p, answer)) return;
  if (s.outputs.empty()) {
    RC_ASSERT(!(o.impulse.n > 0.));
    return;
  }
  const auto y = outputs(o, couples);
  RC_ASSERT(y.size() == s.outputs.size());
  const auto scale = scales(p, o, couples);
  for (std::size_t i = 0; i < y.size(); ++i) {
    RC_ASSERT(s.outputs[i].value == y[i]);
  }
  for (std::size_t j = 0; j < s.inputs.size(); ++j) {
    const double size = std::max(std::abs(s.inputs[j].value), 1e-2);
    std::array<std::vector<double>, 2> difference;
    bool same = true;
    for (int k = 0; k < 2; ++k) {
      const double h = (k == 0 ? 1e-4 : 0.5e-4) * size;
      const auto above = answer_of(law, moved(p, s.inputs[j].name, h));
      const auto below = answer_of(law, moved(p, s.inputs[j].name, -h));
      same = same && alike(above, answer) && alike(below, answer);
      const auto a = outputs(above.o, couples);
      const auto b = outputs(below.o, couples);
      same = same && a.size() == y.size() && b.size() == y.size();
      if (!same) break;
      for (std::size_t i = 0; i < y.size(); ++i) {
        difference[static_cast<std::size_t>(k)].push_back((a[i] - b[i]) / (2. * h));
      }
    }
    if (!same) continue;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double limit = (4. * difference[1][i] - difference[0][i]) / 3.;
      // Differences that do not settle are too near to an edge or a pole to judge by.
      const double unsettled = std::abs(difference[1][i] - difference[0][i]);
      const double exact = s.absolute(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      RC_ASSERT(std::isfinite(exact));
      const double allowed = 1e-5 * scale[i] / size + unsettled;
      if (!(std::abs(exact - limit) <= allowed)) {
        RC_FAIL(std::string(law.name) + ": d(" + s.outputs[i].name + ")/d(" + s.inputs[j].name +
                ") = " + std::to_string(exact) + ", by differences " + std::to_string(limit));
      }
    }
  }
}

/// Away from the corners of the coefficients' ranges, so that both sides exist.
PlanarProblem inside(PlanarProblem p) {
  p.surface.restitution = 0.05 + 0.9 * p.surface.restitution;
  p.surface.tangential_restitution = 0.05 + 0.9 * p.surface.tangential_restitution;
  const bool apart = p.surface.static_friction > p.surface.friction * 1.001;
  p.surface.friction += 0.02;
  p.surface.static_friction = apart ? p.surface.static_friction + 0.04 : p.surface.friction;
  return p;
}

RC_GTEST_PROP(Sensitivity, EveryLawAgreesWithDifferences, ()) {
  auto p = inside(*problems({.static_friction = true, .tangential_restitution = true}));
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.995);
  p.surface.compliance_ratio = std::pow(10., *thousandths(-1500, 1500)) * p.G.tt / p.G.nn;
  for (const Law& law : laws_for(in_the_plane)) compare(law, p);
}

RC_GTEST_PROP(Sensitivity, BrachsOwnCoefficientsToo, ()) {
  auto p = inside(*problems({.static_friction = false}));
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.995);
  p.spin = {.nr = 0.3 * p.G.nn, .tr = -0.2 * p.G.tt, .rr = p.G.nn + p.G.tt, .approach = 0.7};
  p.surface.moment[0] = *thousandths(-950, 0);
  const Law& brach = *find_law("brach");
  compare(brach, p);
  PlanarProblem ratio = p;
  ratio.surface.set_impulse_ratio({*thousandths(-1000, 1000), 0.});
  compare(brach, ratio);
  PlanarProblem velocity = p;
  velocity.surface.set_tangential_coefficient({*thousandths(-1000, 1000), 0.});
  compare(brach, velocity);
}

// At e = 0 all derivatives are finite, and by e they are those from above.
RC_GTEST_PROP(Sensitivity, IsFiniteAndOneSidedWithoutRestitution, ()) {
  auto p = inside(*problems({.static_friction = false}));
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.9);
  // Where slip can pull a compliant contact in, it chatters for e -> 0 and has no derivative.
  if (p.G.nt != 0.) {
    p.surface.friction = std::min(p.surface.friction, 0.9 * p.G.nn / std::abs(p.G.nt));
    p.surface.static_friction = p.surface.friction;
  }
  p.surface.restitution = 0.;
  p.surface.compliance_ratio = std::pow(10., *thousandths(-500, 1500)) * p.G.tt / p.G.nn;
  for (const Law& law : laws_for(in_the_plane)) {
    const Sensitivity s = study::sensitivity(law, p);
    RC_ASSERT(s.absolute.allFinite());
    const bool couples = false;
    RC_ASSERT(s.inputs[2].name == "restitution");
    const double h = 1e-6;
    const Answer answer = answer_of(law, p);
    const PlanarOutcome& o = answer.o;
    const auto above = solve(planar_kernel(law), moved(p, "restitution", h));
    if (above.flags != o.flags || above.mode != o.mode || at_an_edge(law, p, answer)) continue;
    const auto y = outputs(o, couples);
    const auto y_above = outputs(above, couples);
    const auto scale = scales(p, o, couples);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double by_difference = (y_above[i] - y[i]) / h;
      const double exact = s.absolute(static_cast<Eigen::Index>(i), 2);
      if (!(std::abs(exact - by_difference) <= 2e-3 * (scale[i] + std::abs(exact)))) {
        RC_FAIL(std::string(law.name) + ": d(" + s.outputs[i].name + ")/de = " +
                std::to_string(exact) + ", by difference " + std::to_string(by_difference));
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
