// SPDX-License-Identifier: Apache-2.0
// Section 2, eqs 2.23 to 2.37 and 3.4: the law of impact and its end in contact.
#include <algorithm>
#include <numbers>

#include <carom/laws/energetic.hpp>
#include <carom/laws/lzb/lzb.hpp>
#include <carom/mechanics/ball_chain.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr std::size_t A = 0, D = 3;

/// Case 4 without friction, all contacts with one e: the change of energy relative to what there
/// was, and the largest |v_n+| of those that pushed relative to v_b.
Found without_friction(double e) {
  Case c = case_of(4);
  for (Surface& s : c.surfaces) s = {.restitution = e, .stiffness = s.stiffness};
  const Course course = course_of(c, {.tolerance = 1e-11});
  double fastest = 0.;
  for (std::size_t i = 0; i < 4; ++i) {
    if (course.outcome.impulse[2 * i] <= 0.) continue;
    fastest = largest(fastest, std::abs(course.outcome.velocity[2 * i]) / c.velocity);
  }
  const SystemAtImpact& system = course.at;
  const double change = system.kinetic_energy(course.after) / system.kinetic_energy(system.u) - 1.;
  return {e == 1. ? std::abs(change) < 1e-8 : fastest < 1e-8 && change < 0.,
          {{"change", change}, {"fastest", fastest}}};
}

// --- Along the course of an impact ---------------------------------------------------------------

const Course& course_2() {
  static const Course course = course_of(case_of(2), {.tolerance = 1e-10});
  return course;
}

/// Of a contact, sample by sample.
std::vector<double> column(const std::vector<double>& all, std::size_t contact) {
  std::vector<double> one;
  for (std::size_t k = contact; k < all.size(); k += 4) one.push_back(all[k]);
  return one;
}

std::size_t place_of_most(const std::vector<double>& x) {
  return static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
}

/// The integral of y dx from the beginning to each sample.
std::vector<double> integral(const std::vector<double>& y, const std::vector<double>& x) {
  std::vector<double> sum{0.};
  for (std::size_t i = 1; i < x.size(); ++i) {
    sum.push_back(sum.back() + 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]));
  }
  return sum;
}

/// (k_A/k_D)^(1/(a+1)), of Hertz's contact.
double share_of_stiffness() {
  const auto& s = case_of(2).surfaces;
  return std::pow(s[A].stiffness / s[D].stiffness, 0.4);
}

/// A of case 2 by explicit steps of eqs 2.28 and 2.31 for A and D without friction, until D is
/// deepest.
struct EnergyForm {
  double impulse = 0.;
  double energy = 0.;
  double velocity = 0.;
};
EnergyForm by_energies(double energy_of_A) {
  const Case& c = case_of(2);
  const auto G = at_impact(system_of(c)).problem.G.dense();
  const double step = 1e-4 * c.velocity / G(6, 6);
  EnergyForm a{.energy = energy_of_A};
  double v_D = -c.velocity, E_D = 0.;
  while (v_D < 0.) {
    const double share = E_D > 0. ? share_of_stiffness() * std::pow(a.energy / E_D, 0.6) : 0.;
    const double e = a.velocity > 0. ? c.surfaces[A].restitution : 1.;
    E_D -= v_D * step;
    a.energy = std::max(0., a.energy - a.velocity * share * step / (e * e));
    a.impulse += share * step;
    a.velocity += (G(0, 0) * share + G(0, 6)) * step;
    v_D += (G(6, 0) * share + G(6, 6)) * step;
  }
  return a;
}

// --- Eqs 2.36 and 2.37: from impacts to contact --------------------------------------------------

/// The change of v_A in a free fall of T_c after the impact of case 4, over g T_c. What turning
/// adds to it is (h c + r s) theta'^2/g.
Found fall() {
  const Case& c = case_of(4);
  const Velocities v = velocities_by({}, c);
  const DiscModel model = disc_model();
  const State from = state_of({0., disc().radius, 0.5 * std::numbers::pi}, {v.v2, v.rise, v.spin});
  State to = from;
  const double T = printed_time_constant() * std::pow(c.velocity, -0.2);
  model.fly(from, T, to);
  const double change =
      (contact_motion(model, A, to).velocity(0) - contact_motion(model, A, from).velocity(0)) /
      (gravity * T);
  const double corrected = disc().radius * v.spin * v.spin / gravity;
  const double printed = corrected / disc().mass;
  return {std::abs(1. + change - corrected) < 1e-3 && std::abs(1. + change - printed) > 0.05,
          {{"change", change},
           {"formula", corrected - 1.},
           {"turning", 1. + change},
           {"corrected", corrected},
           {"printed", printed}}};
}

}  // namespace

Computations law() {
  Computations paper;
  // F = (a+1)^(a/(a+1)) k^(1/(a+1)) E^(a/(a+1)) [eq. 2.27] along the impacts of some cases, where a
  // contact holds a thousandth of the largest energy or more.
  paper.checks["force-from-energy"] = []() -> Found {
    double worst = 0.;
    for (const int number : {2, 5, 8}) {
      const Case& c = case_of(number);
      const carom::Course trace = course_of(c, {.tolerance = 1e-10}).trace;
      const double most = *std::max_element(trace.energy.begin(), trace.energy.end());
      for (std::size_t i = 0; i < trace.energy.size(); ++i) {
        if (trace.energy[i] < 1e-3 * most) continue;
        const Surface& s = c.surfaces[i % trace.contacts];
        const double p = 1. / (s.exponent + 1.);
        const double F = std::pow(s.exponent + 1., s.exponent * p) * std::pow(s.stiffness, p) *
                         std::pow(trace.energy[i], s.exponent * p);
        worst = largest(worst, std::abs(trace.force[i] - F) / F);
      }
    }
    return {worst < 1e-7, {{"worst", worst}}};
  };
  // One contact: `lzb` against the exact process ended by the energetic hypothesis.
  paper.checks["one-contact"] = []() -> Found {
    FixedRandom random(20130541);
    constexpr int problems = 200;
    double velocity = 0., work_ratio = 0.;
    for (int k = 0; k < problems; ++k) {
      const double tt = random(0.5, 3.);
      const double nt = random(-0.9, 0.9) * std::sqrt(tt);
      const double e = random(0.1, 1.), mu = random(0.05, 0.5);
      const Vec2 v{.n = -1., .t = random(-3., 3.)};
      const PlanarOutcome exact =
          Energetic{}({.G = {.nn = 1., .nt = nt, .tt = tt},
                       .approach = v,
                       .surface = {.restitution = e, .friction = mu, .static_friction = mu}});
      Eigen::Matrix2d G;
      G << 1., nt, nt, tt;
      const Outcome o = solve_lzb(
          {.G = BlockMatrix::from_dense(G, 2),
           .approach = {v.n, v.t},
           .surfaces =
               {{.restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1e6}}},
          {.tolerance = 1e-11});
      const double size = std::hypot(v.n, v.t);
      velocity = largest({velocity, std::abs(o.velocity[0] - exact.velocity.n) / size,
                          std::abs(o.velocity[1] - exact.velocity.t) / size});
      const StageWork work = o.contacts[0].energy.stages.value_or(StageWork{});
      work_ratio = largest(work_ratio, std::abs(-work.restitution / work.compression - e * e));
    }
    return {velocity < 1e-7 && work_ratio < 1e-7,
            {{"problems", problems}, {"velocity", velocity}, {"ratio", work_ratio}}};
  };
  paper.checks["elastic"] = [] { return without_friction(1.); };
  paper.checks["plastic"] = [] { return without_friction(0.); };
  paper.checks["L8"] = []() -> Found {
    const auto& E = course_2().trace.energy;
    const double ends = std::max(*std::max_element(E.begin(), E.begin() + 4),
                                 *std::max_element(E.end() - 4, E.end()));
    const auto at_D = column(E, D);
    const double most = *std::max_element(at_D.begin(), at_D.end());
    return {ends < 1e-6 * most, {{"most", most}}};
  };
  // F^(1/a + 1)/(1/a + 1) = -a k^(1/a) times the work of D, at its deepest.
  paper.checks["L9"] = []() -> Found {
    const carom::Course& t = course_2().trace;
    const Surface& s = case_of(2).surfaces[D];
    const std::size_t deepest = place_of_most(column(t.energy, D));
    const auto P = column(t.impulse, D);
    const double F = column(t.force, D)[deepest];
    const double work = -integral(column(t.velocity, D), P)[deepest];
    const double left = std::pow(F, 1. / s.exponent + 1.) / (1. / s.exponent + 1.);
    const double right = s.exponent * std::pow(s.stiffness, 1. / s.exponent) * work;
    return {off(right, left) < 1e-3,
            {{"F", F}, {"P", P[deepest]}, {"work", work}, {"right", right}, {"left", left}}};
  };
  paper.checks["L10"] = []() -> Found {
    const carom::Course& t = course_2().trace;
    const auto E_A = column(t.energy, A), E_D = column(t.energy, D);
    std::size_t i = 0;
    while (i + 1 < t.samples() && !(E_A[i] > 1e-9 && E_D[i] > 1e-9)) ++i;
    const double ratio = column(t.force, A)[i] / column(t.force, D)[i];
    const double printed = std::pow(E_A[i] / E_D[i], 0.6);
    const double corrected = share_of_stiffness() * printed;
    return {off(corrected, ratio) < 1e-6 && off(printed, ratio) > 0.1,
            {{"ratio", ratio}, {"corrected", corrected}, {"printed", printed}}};
  };
  paper.checks["L11"] = []() -> Found {
    const Course c = course_of(case_of(1), {.tolerance = 1e-10});
    const auto E = column(c.trace.energy, D);
    const double most = E[place_of_most(E)];
    const StageWork w = c.outcome.contacts[D].energy.stages.value_or(StageWork{});
    const double e = case_of(1).surfaces[D].restitution;
    return {off(-w.compression, most) < 1e-3 &&
                std::abs(w.restitution + e * e * w.compression) < 1e-8 * most,
            {{"most", most}, {"compression", w.compression}, {"restitution", w.restitution}}};
  };
  paper.checks["L12"] = []() -> Found {
    const EnergyForm empty = by_energies(0.), seeded = by_energies(1e-15);
    const Case& c = case_of(2);
    const BlockMatrix& G = course_2().at.problem.G;
    const double alone = (1. + c.surfaces[D].restitution) * c.velocity / G(6, 6);
    const double into = G(0, 6) * alone;  // v_A where A never pushes
    const double P = course_2().outcome.impulse[0], v = course_2().outcome.velocity[0];
    return {empty.energy == 0. && empty.impulse == 0. && empty.velocity < 0. &&
                seeded.impulse > 0. && seeded.velocity > empty.velocity && into < 0. && P > 0. &&
                v > 0.,
            {{"into", into},
             {"P", P},
             {"v", v},
             {"energy", empty.energy},
             {"impulse", empty.impulse},
             {"velocity", empty.velocity},
             {"seeded", seeded.impulse}}};
  };
  paper.checks["L13"] = []() -> Found {
    const ContactProblem chain =
        at_impact(BallChain{.masses = {1., 0.1, 1.}, .velocities = {1., 0., 0.}}).problem;
    const Outcome o =
        solve_lzb({.G = chain.G,
                   .approach = chain.approach,
                   .surfaces = std::vector<Surface>(2, {.restitution = 1., .stiffness = 1e6})});
    std::size_t compressions = 0;
    bool released = true;
    for (const Phase& p : o.phases) {
      if (p.contact != 0) continue;
      if (p.stage == Stage::compression && released) ++compressions;
      released = p.stage == Stage::restitution;
    }
    return {compressions >= 2 && std::abs(o.energy.change) < 1e-8, {{"count", compressions}}};
  };
  paper.checks["L16"] = fall;
  paper.checks["L17"] = fall;
  // delta_D is the integral of its velocity over the reconstructed time.
  paper.checks["L22"] = []() -> Found {
    const carom::Course t = course_of(case_of(2)).trace;
    const auto delta = integral(column(t.velocity, D), t.time);
    const auto at =
        static_cast<std::size_t>(std::min_element(delta.begin(), delta.end()) - delta.begin());
    const double F = column(t.force, D)[at];
    const double corrected = case_of(2).surfaces[D].stiffness * std::pow(-delta[at], 1.5);
    return {delta[at] < 0. && off(corrected, F) < 5e-3,
            {{"delta", 1e6 * delta[at]}, {"F", F}, {"corrected", corrected}}};
  };
  return paper;
}

}  // namespace carom::papers::disc_ball
