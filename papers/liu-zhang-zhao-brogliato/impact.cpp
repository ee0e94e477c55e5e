// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/laws/lzb.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr std::size_t D = 3;

/// The impulses of some contacts under `lzb` from velocities v of all, added to P; the others do
/// nothing.
void strike(const std::vector<std::size_t>& contacts, const Eigen::MatrixXd& G,
            const Eigen::VectorXd& v, const Case& c, Eigen::VectorXd& P) {
  std::vector<std::size_t> at;  // components
  ContactProblem problem;
  for (const std::size_t i : contacts) {
    at.insert(at.end(), {2 * i, 2 * i + 1});
    problem.surfaces.push_back(c.surfaces[i]);
  }
  for (const std::size_t j : at) problem.approach.push_back(v[static_cast<Eigen::Index>(j)]);
  problem.G = BlockMatrix::from_dense(G(at, at), 2);
  const Outcome o = solve_lzb(problem, {.tolerance = 1e-11});
  P(at) += Eigen::Map<const Eigen::VectorXd>(o.impulse.data(), std::ssize(at));
}

/// D alone, P_t = +mu P_n along the slip that the normal impulse begins, if it begins any. The
/// slope of v_n is then constant, so that every hypothesis gives v_n+ = -e v_n-.
void drive(const Eigen::MatrixXd& G, const Eigen::VectorXd& v, const Surface& s,
           Eigen::VectorXd& P) {
  const double ratio = G(6, 7) == 0. ? 0. : times_sign(s.friction, G(6, 7));
  P(6) = -(1. + s.restitution) * v(6) / (G(6, 6) + ratio * G(6, 7));
  P(7) = ratio * P(6);
}

}  // namespace

DiscBall system_of(const Case& c, double radius) {
  return {.ball_mass = ball().mass,
          .disc_mass = disc().mass,
          .radius = radius,
          .half_thickness = disc().half_thickness,
          .height = c.height,
          .ball_velocity = {c.velocity, 0.}};
}

Course course_of(const Case& c, const SolveOptions& options) {
  Course course{.at = at_impact(system_of(c))};
  course.outcome = solve_lzb({.G = course.at.contact.G,
                              .approach = course.at.contact.approach,
                              .surfaces = {c.surfaces.begin(), c.surfaces.end()}},
                             options, &course.trace);
  course.after = velocity_after(*course.at.configuration, course.outcome.impulse);
  return course;
}

Velocities velocities_of(const std::vector<double>& u, double radius) {
  return {.v1 = u[2] + (radius - gauge) * u[4], .spin = u[4], .v2 = u[2], .rise = u[3]};
}

Reading variant(double radius) { return {.ground_waits = true, .drives = true, .radius = radius}; }

Velocities velocities_by(const Reading& reading, const Case& c) {
  const MultiAtImpact at = at_impact(system_of(c, reading.radius));
  const Eigen::MatrixXd G = at.contact.G.dense();
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(at.contact.approach.data(), G.rows());
  Eigen::VectorXd P = Eigen::VectorXd::Zero(G.rows());
  std::vector<std::size_t> together = reading.ground;
  if (!reading.ground_waits) {
    together.push_back(D);
  } else {
    if (reading.drives) {
      drive(G, v, c.surfaces[D], P);
    } else {
      strike({D}, G, v, c, P);
    }
    v += G * P;
  }
  strike(together, G, v, c, P);
  return velocities_of(velocity_after(*at.configuration, {P.begin(), P.end()}), reading.radius);
}

double off_from_print(const Case& c, const Velocities& v) {
  const Velocities& p = c.numerical;
  const double v1 = c.number == 9 ? 0. : std::abs((v.v1 - p.v1) / p.v2);
  return std::max({v1, std::abs(v.spin / p.spin - 1.), std::abs(v.v2 / p.v2 - 1.)});
}

Nearest nearest_reading(const Case& c) {
  Nearest best;
  const auto attempt = [&](const Reading& reading, Case with) {
    for (const auto& points : {std::vector<std::size_t>{0, 1, 2}, {0, 2}, {1}}) {
      for (const int row : {2, 5, 6}) {
        for (const double e : {c.surfaces[0].restitution, c.surfaces[D].restitution, 0.}) {
          Surface ground = case_of(row).surfaces[0];
          ground.restitution = e;
          std::fill_n(with.surfaces.begin(), D, ground);
          Reading r = reading;
          r.ground = points;
          const double off = off_from_print(c, velocities_by(r, with));
          ++best.tried;
          if (off >= best.off) continue;
          best.off = off;
          best.reading = r;
        }
      }
    }
  };
  Case smooth = c;
  smooth.surfaces[D].friction = smooth.surfaces[D].static_friction = 0.;
  for (const double radius : {disc().radius, variant().radius}) {
    for (const bool waits : {false, true}) {
      for (const Case& with : {c, smooth}) attempt({.ground_waits = waits, .radius = radius}, with);
    }
    attempt(variant(radius), c);
  }
  return best;
}

}  // namespace carom::papers::disc_ball
