// SPDX-License-Identifier: Apache-2.0
// Section 2, eqs 2.1 to 2.21 and 2.35: directions, equations of motion and friction.
#include <algorithm>

#include <carom/laws/energetic.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- Directions against central differences ------------------------------------------------------

constexpr double step = 1e-5;  // [rad]
constexpr double rate = -3.;   // of theta [rad/s]
constexpr std::array<std::size_t, 3> ABC{0, 1, 2};

double over_angles(double (*apart)(double)) { return greatest(steps(0.1, 3., 0.25), apart); }

State state_at(double theta) { return state_of({0.01, 0.04, theta}, {0.2, -0.1, rate}); }

/// W of A, B and C, relative to r.
double gradients_apart(double theta) {
  const DiscModel model = disc_model();
  return greatest(ABC, [&](std::size_t i) {
    const auto gap = [&](double angle) { return model.gap_of(i, state_at(angle)); };
    const double lever = contact_motion(model, i, state_at(theta)).W(2, 0);
    return std::abs(slope(gap, theta, step) - lever) / disc().radius;
  });
}

/// W of D: delta_D = (z_b - z_d) c - (y_b + r_b - y_d) s - h [eq. 2.1].
double gradient_apart_at_D(double theta) {
  DiscBall system = system_of(case_of(4));
  system.angle = theta;
  const double b = system.height, h = system.half_thickness;
  const double s = std::sin(theta), c = std::cos(theta);
  const double Y = b * c - h * s, Z = b * s + h * c;  // from the disc's centre to D
  const auto gap = [&](double angle) { return Z * std::cos(angle) - Y * std::sin(angle) - h; };
  const Eigen::MatrixXd W = at_impact(system).W;
  return largest({std::abs(gap(theta)) / disc().radius,
                  std::abs(slope(gap, theta, step) - W(4, 6)) / disc().radius,
                  std::abs(W(0, 6) + s), std::abs(W(1, 6) - c)});
}

/// S^n and S^t of A, B and C, relative to r theta'^2.
double rates_apart(double theta) {
  const DiscModel model = disc_model();
  return greatest(ABC, [&](std::size_t i) {
    const auto at = [&](double time) {
      return contact_motion(model, i, state_at(theta + time * rate));
    };
    const Eigen::Vector3d bias = (at(step).velocity - at(-step).velocity) / (2. * step);
    const Eigen::Vector2d apart = (bias - at(0.).bias).head<2>();
    return apart.cwiseAbs().maxCoeff() / (disc().radius * rate * rate);
  });
}

// --- Equations of motion -------------------------------------------------------------------------

ContactMotion contact_A(double theta, double v_y = 0., double spin = 0.) {
  return contact_motion(disc_model(), 0, state_of({0., disc().radius, theta}, {v_y, 0., spin}));
}

/// dy/dtheta of the point of the rim that is A, from the mass centre.
double rate_of_place(double theta) {
  const auto place = [](double angle) {
    return -disc().radius * std::cos(angle) + disc().half_thickness * std::sin(angle);
  };
  return slope(place, theta, 1e-6);
}

/// W_A.M^-1 W_A.
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

Computations kinematics() {
  Computations paper;
  paper.checks["gradients"] = []() -> Found {
    const double ground = over_angles(gradients_apart), D = over_angles(gradient_apart_at_D);
    return {ground < 1e-8 && D < 1e-8, {{"ground", ground}, {"D", D}}};
  };
  paper.checks["rates"] = []() -> Found {
    const double worst = over_angles(rates_apart);
    return {worst < 1e-8, {{"worst", worst}}};
  };
  paper.checks["L1"] = []() -> Found {
    const double theta = 1.2, v = 0.1, spin = -2.;
    const double moved = v + spin * rate_of_place(theta);
    const ContactMotion A = contact_A(theta, v, spin);
    return {off(A.velocity(1), moved) < 1e-7 && off(A.W(2, 1), moved) > 0.1,
            {{"moved", moved}, {"velocity", A.velocity(1)}, {"lever", A.W(2, 1)}}};
  };
  paper.checks["L2"] = []() -> Found {
    const double theta = 1.2, spin = -2.;
    const auto by_rate = [&](double x) { return x * contact_A(theta).W(2, 1); };
    const auto by_angle = [&](double x) { return spin * contact_A(x).W(2, 1); };
    const double place = rate_of_place(theta);
    const double right = slope(by_rate, spin, 1e-6), wrong = slope(by_angle, theta, 1e-6);
    return {off(right, place) < 1e-6 && off(wrong, place) > 0.1,
            {{"place", place}, {"by_rate", right}, {"by_angle", wrong}}};
  };
  paper.checks["L3"] = []() -> Found {
    DiscBall d = system_of(case_of(4));
    d.ball_velocity = {0.3, -0.1};
    d.disc_velocity = {0.2, 0.05};
    d.disc_spin = -2.;
    const SystemAtImpact system = at_impact(d);
    const double T = system.kinetic_energy(system.u);
    const double sum = 0.5 * (d.ball_mass * (0.09 + 0.01) + d.disc_mass * (0.04 + 0.0025) +
                              disc_model().inertia() * 4.);
    return {system.M.rows() == 5 && off(T, sum) < 1e-12,
            {{"velocities", system.M.rows()}, {"T", T}, {"sum", sum}}};
  };
  // Forces of the disc's model of motion against -dU/dq.
  paper.checks["L4"] = []() -> Found {
    const DiscModel model = disc_model();
    const State s = state_of({0.1, 0.04, 1.2}, {0., 0., 0.});
    MassMatrix M(model.blocks());
    Vector F(3);
    model.dynamics(s, M, F);
    const double worst = greatest(std::array{0, 1, 2}, [&](Eigen::Index i) {
      const auto potential = [&](double shift) {
        State moved = s;
        moved.q(i) += shift;
        return model.potential_energy(moved);
      };
      return std::abs(F(i) + slope(potential, 0., 1e-4));
    });
    const auto n = at_impact(system_of(case_of(2))).M.rows();
    return {n == 5 && F(0) == 0. && F(2) == 0. && std::abs(F(1) + disc().mass * gravity) < 1e-12 &&
                worst < 1e-9,
            {{"velocities", n}, {"y", F(0)}, {"z", F(1)}, {"theta", F(2)}, {"worst", worst}}};
  };
  // Power of friction for each newton of F_n in the middle of slip back, by the sign of v_t and by
  // that of the tangent, which is fixed.
  paper.checks["L5"] = []() -> Found {
    const DiscRun& run = run_of(2, From::impact);
    const double time = 0.5 * (run.story.at(2).from + run.story.at(2).to);
    const auto back = std::find_if(run.samples.begin(), run.samples.end(),
                                   [&](const Sample& s) { return s.time >= time; });
    const double by_slip = back->ratio * back->slip;
    const double by_tangent = -case_of(2).surfaces[0].friction * back->slip;
    return {back->slip < 0. && by_slip < 0. && by_tangent > 0.,
            {{"slip", back->slip}, {"takes", -by_slip}, {"gives", by_tangent}}};
  };
  paper.checks["L6"] = []() -> Found {
    const double mu = case_of(2).surfaces[0].friction,
                 mu_s = case_of(2).surfaces[0].static_friction;
    const Sym2 G{.nn = 1., .nt = 0.8, .tt = 1.};
    const PlanarOutcome o =
        Energetic{}({.G = G,
                     .approach = {.n = -1., .t = 0.},
                     .surface = {.restitution = 0.5, .friction = mu, .static_friction = mu_s}});
    const double needed = -G.nt / G.tt, ratio = o.impulse.t / o.impulse.n;
    return {needed <= mu_s && std::abs(needed) > mu_s && std::abs(o.velocity.t) > 0.1,
            {{"mu_s", mu_s}, {"needed", needed}, {"slip", o.velocity.t}, {"ratio", ratio}}};
  };
  paper.checks["L7"] = []() -> Found {
    double ratio = 0., direction = 0.;
    for (const motion::Event& e : run_of(2, From::impact).events) {
      if (e.kind != motion::EventKind::stick_to_slip) continue;
      ratio = e.ratio;
      direction = e.to.at(0).direction[0];
    }
    return {ratio * direction < 0., {{"ratio", ratio}, {"direction", direction}}};
  };
  paper.checks["L14"] = []() -> Found {
    const Eigen::MatrixXd W = at_impact(system_of(case_of(2))).W;
    const double upright = largest((W.col(1) - W.col(3)).cwiseAbs().maxCoeff(),
                                   (W.col(3) - W.col(5)).cwiseAbs().maxCoeff());
    const double tilted = contact_A(1.5).W(2, 1) - disc().radius * std::sin(1.5);
    return {upright == 0. && tilted > 1e-5, {{"upright", upright}, {"tilted", tilted}}};
  };
  paper.checks["L15"] = lever;
  return paper;
}

}  // namespace carom::papers::disc_ball
