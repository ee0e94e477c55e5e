// SPDX-License-Identifier: Apache-2.0
// Errata of the equations of motion and of friction, L1 to L7, L14 and L15, each with a computation
// that shows it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/laws/energetic.hpp>
#include <carom/motion/disc_model.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double step = 1e-6;  // of difference quotients [rad]

bool near(double a, double b, double scale, double tolerance) {
  return std::abs(a - b) <= tolerance * std::abs(scale);
}

motion::ContactMotion contact_A(double theta, double v_y, double spin) {
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  motion::State s;
  s.q = Eigen::Vector3d(0., disc_radius, theta);
  s.u = Eigen::Vector3d(v_y, 0., spin);
  motion::ContactMotion A;
  A.W.resize(3, 3);
  model.contact(0, s, A);
  return A;
}

/// y of the point of the rim that is A, from the mass centre: -r cos(theta) + h sin(theta) [m].
double place_of_A(double theta) {
  return -disc_radius * std::cos(theta) + half_thickness * std::sin(theta);
}

Erratum slip_without_velocity() {
  const double theta = 1.2, v = 0.1, spin = -2.;
  const double moved =
      v + spin * (place_of_A(theta + step) - place_of_A(theta - step)) / (2. * step);
  const motion::ContactMotion A = contact_A(theta, v, spin);
  return {
      .id = "L1",
      .reason = Reason::scan,
      .where = "Eq. 2.6",
      .printed = "v_t = [N_A N_B N_C N_D]^T",
      .corrected = "v_t = [N_A N_B N_C N_D]^T q'",
      .shown = fmt::format("disc at theta = 1.2 with y' = 0.1 m/s, theta' = -2 rad/s: A moves at "
                           "{:.6f} m/s by differences of its place, N_A . q' = {:.6f}; N_A alone "
                           "holds a 1 and a length, {:.6f} m",
                           moved, A.velocity(1), A.W(2, 1)),
      .holds = near(moved, A.velocity(1), v, 1e-7) && !near(A.W(2, 1), moved, moved, 0.1)};
}

Erratum derivative_of_velocity() {
  const double theta = 1.2, spin = -2.;
  const auto velocity = [](double angle, double rate) {
    return rate * contact_A(angle, 0., 0.).W(2, 1);
  };
  const double place = (place_of_A(theta + step) - place_of_A(theta - step)) / (2. * step);
  const double by_rate =
      (velocity(theta, spin + step) - velocity(theta, spin - step)) / (2. * step);
  const double by_angle =
      (velocity(theta + step, spin) - velocity(theta - step, spin)) / (2. * step);
  return {.id = "L2",
          .reason = Reason::scan,
          .where = "before eq. 2.12",
          .printed = "dr_i/dq_i = dr_i'/dq_i",
          .corrected = "dr_i/dq_j = dr_i'/dq_j'",
          .shown = fmt::format("y of A at theta = 1.2, theta' = -2: dy/dtheta = {:.6f} m, "
                               "dy'/dtheta' = {:.6f} m, dy'/dtheta = {:.6f} m/s",
                               place, by_rate, by_angle),
          .holds = near(place, by_rate, place, 1e-6) && !near(place, by_angle, place, 0.1)};
}

Erratum mass_matrix() {
  DiscBallCase c = disc_ball_case(4);
  DiscBall d = system_of(c);
  d.ball_velocity = {0.3, -0.1};
  d.disc_velocity = {0.2, 0.05};
  d.disc_spin = -2.;
  const MultiAtImpact at = at_impact(d);
  const double T = kinetic_energy(*at.configuration, at.configuration->u);
  const double I =
      disc_mass * (disc_radius * disc_radius / 4. + half_thickness * half_thickness / 3.);
  const double sum = 0.5 * (ball_mass * (0.09 + 0.01) + disc_mass * (0.04 + 0.0025) + I * 4.);
  const auto size = at.configuration->M.rows();
  return {
      .id = "L3",
      .reason = Reason::scan,
      .where = "Eq. 2.14, M",
      .printed = "diag(m_b, m_b, m_d, m_d, m_d, I), six entries",
      .corrected = "diag(m_b, m_b, m_d, m_d, I)",
      .shown = fmt::format("there are {} velocities; 1/2 q'.M q' = {:.8f} J is the kinetic energy "
                           "of the bodies, {:.8f} J",
                           size, T, sum),
      .holds = size == 5 && near(T, sum, sum, 1e-12)};
}

Erratum gravity_vector() {
  constexpr double small = 1e-4;  // [m], [rad]
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  motion::State s;
  s.q = Eigen::Vector3d(0.1, 0.04, 1.2);
  s.u = Eigen::Vector3d::Zero();
  motion::Matrix M(3, 3);
  motion::Vector force(3);
  model.dynamics(s, M, force);
  double off = 0.;  // from -dU/dq of the disc's model
  for (Eigen::Index i = 0; i < 3; ++i) {
    motion::State up = s, down = s;
    up.q(i) += small;
    down.q(i) -= small;
    const double slope = (model.potential_energy(up) - model.potential_energy(down)) / (2. * small);
    off = largest(off, std::abs(force(i) + slope));
  }
  const auto velocities = at_impact(system_of(disc_ball_case(2))).configuration->M.rows();
  return {
      .id = "L4",
      .reason = Reason::scan,
      .where = "Eq. 2.14, G",
      .printed = "[0, -m_b g, 0 -m_d g, 0], four entries",
      .corrected = "[0, -m_b g, 0, -m_d g, 0]",
      .shown = fmt::format("there are {} velocities, three of them the disc's; the forces of its "
                           "model of motion are {:g}, {:.5f} N and {:g} N m, and -dU/dq of its "
                           "potential energy by differences the same to {:.0e}",
                           velocities, force(0), force(1), force(2), off),
      .holds = velocities == 5 && force(0) == 0. && force(2) == 0. &&
               near(force(1), -disc_mass * gravity, 1., 1e-12) && off < 1e-9};
}

// --- friction -----------------------------------------------------------------------------------

/// The sample in the middle of a stretch of case 2.
struct Middle {
  double slip = 0.;
  double ratio = 0.;
};
Middle middle_of(const DiscRun& run, std::size_t stretch) {
  const double time = 0.5 * (run.story.at(stretch).from + run.story.at(stretch).to);
  const auto at = std::lower_bound(run.time.begin(), run.time.end(), time) - run.time.begin();
  const auto i = static_cast<std::size_t>(at);
  return {.slip = run.slip.at(i), .ratio = run.ratio.at(i)};
}

Erratum friction_sign(const DiscRun& run) {
  const Middle back = middle_of(run, 2);
  const double by_slip = back.ratio * back.slip;
  const double by_tangent = -disc_ball_case(2).friction * back.slip;  // sign(tau) = +1 always
  return {.id = "L5",
          .reason = Reason::misprint,
          .where = "Eq. 2.20, slip",
          .printed = "F_t = -mu F_n sign(tau_i)",
          .corrected = "F_t = -mu F_n sign(v_t)",
          .shown =
              fmt::format("case 2, slip back at {:.5f} m/s: with the sign of v_t friction takes "
                          "{:.5f} W from the disc for each N of F_n; the tangent tau = j is fixed, "
                          "and its sign would give it {:.5f} W",
                          back.slip, -by_slip, by_tangent),
          .holds = back.slip < 0. && by_slip < 0. && by_tangent > 0.};
}

Erratum static_limit() {
  const PlanarProblem p{.G = {.nn = 1., .nt = 0.8, .tt = 1.},
                        .approach = {.n = -1., .t = 0.},
                        .surface = {.restitution = 0.5, .friction = 0.14, .static_friction = 0.15}};
  const double needed = -p.G.nt / p.G.tt;
  const PlanarOutcome o = Energetic{}(p);
  return {.id = "L6",
          .reason = Reason::misprint,
          .where = "Eq. 2.20, stick, and the ratios after it",
          .printed = "F_t <= mu_s F_n",
          .corrected = "|F_t| <= mu_s F_n",
          .shown =
              fmt::format("G = [1 .8; .8 1], no slip before, mu_s = 0.15: stick needs F_t/F_n = "
                          "{:.1f}, which the printed test lets pass; the exact process slips, v_t+ "
                          "= {:.4f} with P_t/P_n = {:.2f}",
                          needed, o.velocity.t, o.impulse.t / o.impulse.n),
          .holds = needed <= 0.15 && std::abs(needed) > 0.15 && std::abs(o.velocity.t) > 0.1};
}

Erratum direction_of_slip(const DiscRun& run) {
  double ratio = 0., direction = 0.;
  for (const motion::Event& e : run.events) {
    if (e.kind != motion::EventKind::stick_to_slip) continue;
    ratio = e.ratio;
    direction = e.to.at(0).direction[0];
  }
  return {.id = "L7",
          .reason = Reason::misprint,
          .where = "after eq. 2.21",
          .printed = "slip begins in the direction of the largest static friction force",
          .corrected = "slip begins against it: friction keeps its sign",
          .shown = fmt::format("case 2: stick ends at F_t/F_n = {:+.3f}, and A slips along {:+.0f}",
                               ratio, direction),
          .holds = ratio * direction < 0.};
}

Erratum shared_stick() {
  const MultiAtImpact at = at_impact(system_of(disc_ball_case(2)));
  const Eigen::MatrixXd W = at.configuration->W;
  const double difference = std::max((W.col(1) - W.col(3)).cwiseAbs().maxCoeff(),
                                     (W.col(3) - W.col(5)).cwiseAbs().maxCoeff());
  const double tilted = contact_A(1.5, 0., 0.).W(2, 1) - disc_radius * std::sin(1.5);
  return {.id = "L14",
          .reason = Reason::reading,
          .where = "Eqs 2.7 and 2.21",
          .printed = "forces of stick follow from v_t' = 0 at each contact",
          .corrected =
              "A, B and C have one tangential direction when upright: only the sum of their "
              "forces is defined, up to mu_s times the sum of F_n",
          .shown =
              fmt::format("N_A, N_B and N_C differ by {:g} at theta = pi/2, by {:.1e} m at 1.5 rad",
                          difference, tilted),
          .holds = difference == 0. && tilted > 1e-5};
}

Erratum lever() {
  const double I =
      disc_mass * (disc_radius * disc_radius / 4. + half_thickness * half_thickness / 3.);
  const double theta = 1.3, s = std::sin(theta), c = std::cos(theta);
  const motion::ContactMotion A = contact_A(theta, 0., 0.);
  const double G = 1. / disc_mass + A.W(2, 0) * A.W(2, 0) / I;
  const double printed = 1. / disc_mass + std::pow(half_thickness * c - disc_radius * s, 2) / I;
  const double corrected = 1. / disc_mass + std::pow(half_thickness * s - disc_radius * c, 2) / I;
  return {.id = "L15",
          .reason = Reason::misprint,
          .where = "Eq. 2.35",
          .printed = "(h cos - r sin)^2/I",
          .corrected = "(h sin - r cos)^2/I, as in eq. 2.36",
          .shown = fmt::format(
              "theta = 1.3: W_A.M^-1 W_A = {:.4f} 1/kg; corrected {:.4f}, printed {:.4f}", G,
              corrected, printed),
          .holds = near(G, corrected, G, 1e-12) && !near(G, printed, G, 0.1)};
}

}  // namespace

std::vector<Erratum> equation_errata() {
  const DiscRun two = run_disc(disc_ball_case(2), StartFrom::impact);
  return {slip_without_velocity(), derivative_of_velocity(), mass_matrix(),
          gravity_vector(),        friction_sign(two),       static_limit(),
          direction_of_slip(two),  shared_stick(),           lever()};
}

}  // namespace carom::papers::disc_ball
