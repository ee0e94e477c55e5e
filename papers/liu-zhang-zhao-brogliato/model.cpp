// SPDX-License-Identifier: Apache-2.0
// Section 2: kinematics and the law of impact.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include <carom/laws/energetic.hpp>
#include <carom/laws/lzb.hpp>
#include <carom/motion/disc_model.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- eqs 2.1 to 2.9 -----------------------------------------------------------------------------

motion::State state_at(double theta, double spin) {
  motion::State s;
  s.q = Eigen::Vector3d(0.01, 0.04, theta);
  s.u = Eigen::Vector3d(0.2, -0.1, spin);
  return s;
}

/// Rows of W, and of N, against the gradients of what they are the directions of, by central
/// differences: the largest difference relative to the radius, over A, B, C and some angles.
struct Gradients {
  double normal = 0.;
  double bias = 0.;
};
Gradients gradients_of_ground() {
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  constexpr double step = 1e-5;
  constexpr double spin = -3.;
  Gradients worst;
  motion::ContactMotion now, before, after;
  now.W.resize(3, 3);
  before.W.resize(3, 3);
  after.W.resize(3, 3);
  for (double theta = 0.1; theta < 3.; theta += 0.25) {
    for (std::size_t i = 0; i < 3; ++i) {
      model.contact(i, state_at(theta, spin), now);
      const double rate = (model.gap(i, state_at(theta + step, spin)) -
                           model.gap(i, state_at(theta - step, spin))) /
                          (2. * step);
      worst.normal = largest(worst.normal, std::abs(rate - now.W(2, 0)) / disc_radius);
      // S^n and S^t: the rates of W^T u and N^T u where u stays.
      model.contact(i, state_at(theta - step * spin, spin), before);
      model.contact(i, state_at(theta + step * spin, spin), after);
      for (const Eigen::Index k : {0, 1}) {
        const double bias = (after.velocity(k) - before.velocity(k)) / (2. * step);
        worst.bias =
            largest(worst.bias, std::abs(bias - now.bias(k)) / (disc_radius * spin * spin));
      }
    }
  }
  return worst;
}

/// The same of D: delta_D = (z_b - z_d) c - (y_b + r_b - y_d) s - h [eq. 2.1].
double gradient_of_D() {
  constexpr double step = 1e-5;
  double worst = 0.;
  for (double theta = 0.1; theta < 3.; theta += 0.25) {
    const double b = 0.0065, s = std::sin(theta), c = std::cos(theta);
    const double Y = b * c - half_thickness * s;  // from the disc's centre to D
    const double Z = b * s + half_thickness * c;
    const auto gap = [&](double angle) {
      return Z * std::cos(angle) - Y * std::sin(angle) - half_thickness;
    };
    const double rate = (gap(theta + step) - gap(theta - step)) / (2. * step);
    const MultiAtImpact at = at_impact(DiscBall{.ball_mass = ball_mass,
                                                .disc_mass = disc_mass,
                                                .radius = disc_radius,
                                                .half_thickness = half_thickness,
                                                .height = b,
                                                .angle = theta,
                                                .ball_velocity = {0.3, 0.}});
    const Eigen::MatrixXd W = at.configuration->W;
    worst =
        largest({worst, std::abs(gap(theta)) / disc_radius, std::abs(rate - W(4, 6)) / disc_radius,
                 std::abs(W(0, 6) + s), std::abs(W(1, 6) - c)});
  }
  return worst;
}

Part kinematics_part() {
  const Gradients ground = gradients_of_ground();
  const double D = gradient_of_D();
  return {
      .id = "Eqs 2.1-2.9",
      .title = "Gaps, directions and their rates",
      .text =
          "The system `disc-ball` and the disc of `carom simulate` use the paper's W and N. "
          "They are compared with differences of the gaps at angles from 0.1 to 2.85 rad.",
      .statements = {
          {.says = "W holds the gradients of the gaps, at A, B, C and D (eqs 2.1-2.3)",
           .holds = ground.normal < 1e-8 && D < 1e-8,
           .found = fmt::format("largest difference {:.1e} of r at A, B, C, {:.1e} at D",
                                ground.normal, D)},
          {.says = "S^n and S^t are the rates of W^T q' and N^T q' where q' stays (eqs 2.8, 2.9)",
           .holds = ground.bias < 1e-8,
           .found = fmt::format("largest difference {:.1e} of r theta'^2", ground.bias)}}};
}

// --- eqs 2.23 to 2.34 ---------------------------------------------------------------------------

/// Largest relative deviation from F = (a+1)^(a/(a+1)) k^(1/(a+1)) E^(a/(a+1)) [eq. 2.27] along the
/// impact of a case, where a contact holds a thousandth of the largest energy or more.
double off_the_energy_rule(const DiscBallCase& c) {
  const DiscBallSurfaces surfaces = surfaces_of(c);
  const MultiAtImpact at = at_impact(system_of(c));
  MultiTrace trace;
  (void)solve_lzb({.G = at.contact.G,
                   .approach = at.contact.approach,
                   .surfaces = {surfaces.begin(), surfaces.end()}},
                  {.tolerance = 1e-10}, &trace);
  const double most = *std::max_element(trace.energy.begin(), trace.energy.end());
  double worst = 0.;
  for (std::size_t i = 0; i < trace.energy.size(); ++i) {
    if (trace.energy[i] < 1e-3 * most) continue;
    const MultiSurface& s = surfaces[i % trace.contacts];
    const double p = 1. / (s.exponent + 1.);
    const double F = std::pow(s.exponent + 1., s.exponent * p) * std::pow(s.stiffness, p) *
                     std::pow(trace.energy[i], s.exponent * p);
    worst = largest(worst, std::abs(trace.force[i] - F) / F);
  }
  return worst;
}

struct AgainstEnergetic {
  double velocity = 0.;  ///< largest difference, relative to the approach
  double ratio = 0.;     ///< of works against e^2, largest
};

/// One contact: `lzb` against the exact process ended by the energetic hypothesis.
AgainstEnergetic one_contact(int problems) {
  std::mt19937_64 random(20130541);
  const auto between = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random() >> 11U) * 0x1p-53;
  };
  AgainstEnergetic worst;
  for (int k = 0; k < problems; ++k) {
    const double tt = between(0.5, 3.);
    const double nt = between(-0.9, 0.9) * std::sqrt(tt);
    const double e = between(0.1, 1.), mu = between(0.05, 0.5);
    const Vec2 v{.n = -1., .t = between(-3., 3.)};
    const PlanarProblem planar{
        .G = {.nn = 1., .nt = nt, .tt = tt},
        .approach = v,
        .surface = {.restitution = e, .friction = mu, .static_friction = mu}};
    const PlanarOutcome exact = Energetic{}(planar);
    Eigen::Matrix2d G;
    G << 1., nt, nt, tt;
    const MultiOutcome o = solve_lzb(
        {.G = BlockMatrix::from_dense(G, 2),
         .approach = {v.n, v.t},
         .surfaces = {{.restitution = e, .friction = mu, .static_friction = mu, .stiffness = 1e6}}},
        {.tolerance = 1e-11});
    const double size = std::hypot(v.n, v.t);
    worst.velocity = largest({worst.velocity, std::abs(o.velocity[0] - exact.velocity.n) / size,
                              std::abs(o.velocity[1] - exact.velocity.t) / size});
    const StageWork work = o.contacts[0].stages.value_or(StageWork{});
    worst.ratio = largest(worst.ratio, std::abs(-work.restitution / work.compression - e * e));
  }
  return worst;
}

/// The disc and the ball without friction, all contacts with one e: the change of energy relative
/// to what there was, and the largest |v_n+| relative to v_b.
std::array<double, 2> without_friction(double e) {
  const DiscBallCase& c = disc_ball_case(4);
  DiscBallSurfaces surfaces = surfaces_of(c);
  for (MultiSurface& s : surfaces) {
    s.restitution = e;
    s.friction = s.static_friction = 0.;
  }
  const MultiAtImpact at = at_impact(system_of(c));
  const MultiOutcome o = solve_lzb({.G = at.contact.G,
                                    .approach = at.contact.approach,
                                    .surfaces = {surfaces.begin(), surfaces.end()}},
                                   {.tolerance = 1e-11});
  double fastest = 0.;
  for (std::size_t i = 0; i < 4; ++i) {
    if (o.impulse[2 * i] > 0.) fastest = largest(fastest, std::abs(o.velocity[2 * i]));
  }
  const double before = kinetic_energy(*at.configuration, at.configuration->u);
  const double after =
      kinetic_energy(*at.configuration, velocity_after(*at.configuration, o.impulse));
  return {after / before - 1., fastest / c.velocity};
}

Part law_part() {
  double rule = 0.;
  for (const int n : {2, 5, 8}) rule = largest(rule, off_the_energy_rule(disc_ball_case(n)));
  const AgainstEnergetic one = one_contact(200);
  const auto elastic = without_friction(1.);
  const auto plastic = without_friction(0.);
  return {
      .id = "Eqs 2.23-2.34",
      .title = "The law of multiple impact, lzb",
      .text =
          "The law follows deformations in place of energies, which starts contacts at rest "
          "by itself. What the paper derives for energies must hold of it.",
      .statements = {
          {.says = "The force at a contact follows from the energy stored there (eq. 2.27), so "
                   "that forces are shared by stiffness and energy (eq. 2.28)",
           .holds = rule < 1e-7,
           .found = fmt::format("along the impacts of cases 2, 5 and 8: off by {:.1e}", rule)},
          {.says = "For one contact e is the energetic coefficient: the work ratio is e^2 "
                   "(eq. 2.34)",
           .holds = one.velocity < 1e-7 && one.ratio < 1e-7,
           .found = fmt::format("200 random contacts with friction: velocities equal those of "
                                "`energetic` to {:.1e}, work ratios equal e^2 to {:.1e}",
                                one.velocity, one.ratio)},
          {.says = "With e = 1 everything that was stored is released",
           .holds = std::abs(elastic[0]) < 1e-8,
           .found = fmt::format("case 4 without friction: energy changes by {:.1e}", elastic[0])},
          {.says = "With e = 0 contacts stay together",
           .holds = plastic[1] < 1e-8 && plastic[0] < 0.,
           .found = fmt::format("case 4 without friction: v_n+ of those that pushed up to {:.1e} "
                                "v_b, energy changes by {:.4f}",
                                plastic[1], plastic[0])}}};
}

}  // namespace

std::vector<Part> model_parts() { return {kinematics_part(), law_part()}; }

}  // namespace carom::papers::disc_ball
