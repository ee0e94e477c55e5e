// SPDX-License-Identifier: Apache-2.0
// Section 2: kinematics and the law of impact.
#include <algorithm>
#include <cmath>

#include <carom/laws/energetic.hpp>
#include <carom/laws/lzb.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- Eqs 2.1 to 2.9: directions against central differences --------------------------------------

constexpr double step = 1e-5;  // [rad]
constexpr double spin = -3.;   // [rad/s]

motion::State state_at(double theta) { return state_of({0.01, 0.04, theta}, {0.2, -0.1, spin}); }

double over_angles(const std::function<double(double)>& off) {
  double worst = 0.;
  for (double theta = 0.1; theta < 3.; theta += 0.25) worst = largest(worst, off(theta));
  return worst;
}

/// delta_D = (z_b - z_d) c - (y_b + r_b - y_d) s - h [eq. 2.1].
double off_at_D(double theta) {
  DiscBall system = system_of(case_of(4));
  system.angle = theta;
  const double b = system.height, h = system.half_thickness;
  const double s = std::sin(theta), c = std::cos(theta);
  const double Y = b * c - h * s;  // from the disc's centre to D
  const double Z = b * s + h * c;
  const auto gap = [&](double angle) { return Z * std::cos(angle) - Y * std::sin(angle) - h; };
  const double rate = (gap(theta + step) - gap(theta - step)) / (2. * step);
  const Eigen::MatrixXd W = at_impact(system).configuration->W;
  return largest({std::abs(gap(theta)) / disc().radius, std::abs(rate - W(4, 6)) / disc().radius,
                  std::abs(W(0, 6) + s), std::abs(W(1, 6) - c)});
}

/// W of A, B and C against the rates of their gaps.
double off_on_ground(double theta) {
  const motion::DiscModel model = disc_model();
  double off = 0.;
  for (std::size_t i = 0; i < 3; ++i) {
    const double rate =
        (model.gap(i, state_at(theta + step)) - model.gap(i, state_at(theta - step))) / (2. * step);
    const double lever = contact_motion(model, i, state_at(theta)).W(2, 0);
    off = largest(off, std::abs(rate - lever) / disc().radius);
  }
  return off;
}

/// S^n and S^t of A, B and C against the rates of W^T u and N^T u where u stays.
double off_of_rates(double theta) {
  const motion::DiscModel model = disc_model();
  double off = 0.;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = [&](double angle) { return contact_motion(model, i, state_at(angle)); };
    const auto before = at(theta - step * spin), now = at(theta), after = at(theta + step * spin);
    for (const Eigen::Index k : {0, 1}) {
      const double bias = (after.velocity(k) - before.velocity(k)) / (2. * step);
      off = largest(off, std::abs(bias - now.bias(k)) / (disc().radius * spin * spin));
    }
  }
  return off;
}

Found gradients() {
  const double ground = over_angles(off_on_ground), D = over_angles(off_at_D);
  return {ground < 1e-8 && D < 1e-8, {{"ground", ground}, {"D", D}}};
}

Found rates() {
  const double worst = over_angles(off_of_rates);
  return {worst < 1e-8, {{"worst", worst}}};
}

// --- Eqs 2.23 to 2.34 ----------------------------------------------------------------------------

/// F = (a+1)^(a/(a+1)) k^(1/(a+1)) E^(a/(a+1)) [eq. 2.27] along the impacts of some cases, where a
/// contact holds a thousandth of the largest energy or more.
Found force_from_energy() {
  double worst = 0.;
  for (const int number : {2, 5, 8}) {
    const Case& c = case_of(number);
    const MultiTrace trace = course_of(c, {.tolerance = 1e-10}).trace;
    const double most = *std::max_element(trace.energy.begin(), trace.energy.end());
    for (std::size_t i = 0; i < trace.energy.size(); ++i) {
      if (trace.energy[i] < 1e-3 * most) continue;
      const MultiSurface& s = c.surfaces[i % trace.contacts];
      const double p = 1. / (s.exponent + 1.);
      const double F = std::pow(s.exponent + 1., s.exponent * p) * std::pow(s.stiffness, p) *
                       std::pow(trace.energy[i], s.exponent * p);
      worst = largest(worst, std::abs(trace.force[i] - F) / F);
    }
  }
  return {worst < 1e-7, {{"worst", worst}}};
}

/// One contact: `lzb` against the exact process ended by the energetic hypothesis.
Found one_contact() {
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
    const MultiOutcome o = solve_lzb(
        {.G = BlockMatrix::from_dense(G, 2),
         .approach = {v.n, v.t},
         .surfaces = {{.restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1e6}}},
        {.tolerance = 1e-11});
    const double size = std::hypot(v.n, v.t);
    velocity = largest({velocity, std::abs(o.velocity[0] - exact.velocity.n) / size,
                        std::abs(o.velocity[1] - exact.velocity.t) / size});
    const StageWork work = o.contacts[0].stages.value_or(StageWork{});
    work_ratio = largest(work_ratio, std::abs(-work.restitution / work.compression - e * e));
  }
  return {velocity < 1e-7 && work_ratio < 1e-7,
          {{"problems", problems}, {"velocity", velocity}, {"ratio", work_ratio}}};
}

/// Case 4 without friction, all contacts with one e: the change of energy relative to what there
/// was, and the largest |v_n+| of those that pushed relative to v_b.
struct Frictionless {
  double change = 0.;
  double fastest = 0.;
};
Frictionless without_friction(double e) {
  Case c = case_of(4);
  for (MultiSurface& s : c.surfaces) {
    s.restitution = e;
    s.friction = s.static_friction = 0.;
  }
  const Course course = course_of(c, {.tolerance = 1e-11});
  double fastest = 0.;
  for (std::size_t i = 0; i < 4; ++i) {
    if (course.outcome.impulse[2 * i] <= 0.) continue;
    fastest = largest(fastest, std::abs(course.outcome.velocity[2 * i]));
  }
  const MultiConfiguration& system = *course.at.configuration;
  return {.change = kinetic_energy(system, course.after) / kinetic_energy(system, system.u) - 1.,
          .fastest = fastest / c.velocity};
}

Found elastic() {
  const double change = without_friction(1.).change;
  return {std::abs(change) < 1e-8, {{"change", change}}};
}

Found plastic() {
  const auto [change, fastest] = without_friction(0.);
  return {fastest < 1e-8 && change < 0., {{"change", change}, {"fastest", fastest}}};
}

}  // namespace

Computations model() {
  return {.checks = {{"gradients", gradients},
                     {"rates", rates},
                     {"force-from-energy", force_from_energy},
                     {"one-contact", one_contact},
                     {"elastic", elastic},
                     {"plastic", plastic}}};
}

}  // namespace carom::papers::disc_ball
