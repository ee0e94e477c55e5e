// SPDX-License-Identifier: Apache-2.0
// Errata of the equations of motion and of friction, L1 to L7, L14 and L15.
#include <algorithm>
#include <cmath>

#include <carom/laws/energetic.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double step = 1e-6;  // of differences [rad]

motion::ContactMotion contact_A(double theta, double v_y = 0., double spin = 0.) {
  return contact_motion(disc_model(), 0, state_of({0., disc().radius, theta}, {v_y, 0., spin}));
}

/// y of the point of the rim that is A, from the mass centre.
double place_of_A(double theta) {
  return -disc().radius * std::cos(theta) + disc().half_thickness * std::sin(theta);
}

Found slip_without_velocity() {
  const double theta = 1.2, v = 0.1, spin = -2.;
  const double moved = v + spin * slope(place_of_A, theta, step);
  const motion::ContactMotion A = contact_A(theta, v, spin);
  return {off(A.velocity(1), moved) < 1e-7 && off(A.W(2, 1), moved) > 0.1,
          {{"moved", moved}, {"velocity", A.velocity(1)}, {"lever", A.W(2, 1)}}};
}

Found derivative_of_velocity() {
  const double theta = 1.2, spin = -2.;
  const auto velocity = [](double angle, double rate) { return rate * contact_A(angle).W(2, 1); };
  const double place = slope(place_of_A, theta, step);
  const double by_rate = slope([&](double rate) { return velocity(theta, rate); }, spin, step);
  const double by_angle = slope([&](double angle) { return velocity(angle, spin); }, theta, step);
  return {off(by_rate, place) < 1e-6 && off(by_angle, place) > 0.1,
          {{"place", place}, {"by_rate", by_rate}, {"by_angle", by_angle}}};
}

Found mass_matrix() {
  DiscBall d = system_of(case_of(4));
  d.ball_velocity = {0.3, -0.1};
  d.disc_velocity = {0.2, 0.05};
  d.disc_spin = -2.;
  const MultiConfiguration system = *at_impact(d).configuration;
  const double T = kinetic_energy(system, system.u);
  const double sum = 0.5 * (d.ball_mass * (0.09 + 0.01) + d.disc_mass * (0.04 + 0.0025) +
                            disc_model().inertia() * 4.);
  return {system.M.rows() == 5 && off(T, sum) < 1e-12,
          {{"velocities", system.M.rows()}, {"T", T}, {"sum", sum}}};
}

/// Forces of the disc's model of motion against -dU/dq.
Found gravity_vector() {
  const motion::DiscModel model = disc_model();
  const motion::State s = state_of({0.1, 0.04, 1.2}, {0., 0., 0.});
  motion::Matrix M(3, 3);
  motion::Vector force(3);
  model.dynamics(s, M, force);
  double worst = 0.;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto potential = [&](double shift) {
      motion::State moved = s;
      moved.q(i) += shift;
      return model.potential_energy(moved);
    };
    worst = largest(worst, std::abs(force(i) + slope(potential, 0., 1e-4)));
  }
  const auto velocities = at_impact(system_of(case_of(2))).configuration->M.rows();
  return {velocities == 5 && force(0) == 0. && force(2) == 0. &&
              std::abs(force(1) + disc().mass * gravity) < 1e-12 && worst < 1e-9,
          {{"velocities", velocities},
           {"y", force(0)},
           {"z", force(1)},
           {"theta", force(2)},
           {"worst", worst}}};
}

/// Power of friction for each newton of F_n in the middle of slip back, by the sign of v_t and by
/// that of the tangent, which is fixed.
Found friction_sign() {
  const DiscRun& run = run_of(2, From::impact);
  const double time = 0.5 * (run.story.at(2).from + run.story.at(2).to);
  const auto back = std::find_if(run.samples.begin(), run.samples.end(),
                                 [&](const Sample& s) { return s.time >= time; });
  const double by_slip = back->ratio * back->slip;
  const double by_tangent = -case_of(2).surfaces[0].friction * back->slip;
  return {back->slip < 0. && by_slip < 0. && by_tangent > 0.,
          {{"slip", back->slip}, {"takes", -by_slip}, {"gives", by_tangent}}};
}

Found static_limit() {
  const MultiSurface& s = case_of(2).surfaces[0];
  const PlanarProblem p{
      .G = {.nn = 1., .nt = 0.8, .tt = 1.},
      .approach = {.n = -1., .t = 0.},
      .surface = {
          .restitution = 0.5, .friction = s.friction, .static_friction = s.static_friction}};
  const double needed = -p.G.nt / p.G.tt;
  const PlanarOutcome o = Energetic{}(p);
  return {needed <= s.static_friction && std::abs(needed) > s.static_friction &&
              std::abs(o.velocity.t) > 0.1,
          {{"mu_s", s.static_friction},
           {"needed", needed},
           {"slip", o.velocity.t},
           {"ratio", o.impulse.t / o.impulse.n}}};
}

Found direction_of_slip() {
  double ratio = 0., direction = 0.;
  for (const motion::Event& e : run_of(2, From::impact).events) {
    if (e.kind != motion::EventKind::stick_to_slip) continue;
    ratio = e.ratio;
    direction = e.to.at(0).direction[0];
  }
  return {ratio * direction < 0., {{"ratio", ratio}, {"direction", direction}}};
}

Found shared_stick() {
  const Eigen::MatrixXd W = at_impact(system_of(case_of(2))).configuration->W;
  const double upright = std::max((W.col(1) - W.col(3)).cwiseAbs().maxCoeff(),
                                  (W.col(3) - W.col(5)).cwiseAbs().maxCoeff());
  const double tilted = contact_A(1.5).W(2, 1) - disc().radius * std::sin(1.5);
  return {upright == 0. && tilted > 1e-5, {{"upright", upright}, {"tilted", tilted}}};
}

Found lever() {
  const double theta = 1.3, s = std::sin(theta), c = std::cos(theta);
  const double r = disc().radius, h = disc().half_thickness;
  const auto mobility = [](double arm) {
    return 1. / disc().mass + arm * arm / disc_model().inertia();
  };
  const double G = mobility(contact_A(theta).W(2, 0));
  const double corrected = mobility(h * s - r * c), printed = mobility(h * c - r * s);
  return {off(corrected, G) < 1e-12 && off(printed, G) > 0.1,
          {{"G", G}, {"corrected", corrected}, {"printed", printed}}};
}

}  // namespace

Computations equation_errata() {
  return {.checks = {{"L1", slip_without_velocity},
                     {"L2", derivative_of_velocity},
                     {"L3", mass_matrix},
                     {"L4", gravity_vector},
                     {"L5", friction_sign},
                     {"L6", static_limit},
                     {"L7", direction_of_slip},
                     {"L14", shared_stick},
                     {"L15", lever}}};
}

}  // namespace carom::papers::disc_ball
