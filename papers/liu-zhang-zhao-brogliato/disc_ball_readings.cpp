// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/disc_ball_readings.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <carom/laws/lzb.hpp>

namespace carom::papers {
namespace {

constexpr double accuracy = 1e-9;
constexpr std::size_t D = 3;

/// The impulses of some contacts under `lzb` from velocities `v` of all; the others do nothing.
/// Adds them to P.
void strike(const Eigen::MatrixXd& G, const std::vector<double>& v,
            const DiscBallSurfaces& surfaces, const std::vector<std::size_t>& contacts,
            Eigen::VectorXd& P) {
  const auto n = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd part(2 * n, 2 * n);
  MultiProblem problem;
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t a = contacts[static_cast<std::size_t>(i)];
    problem.approach.insert(problem.approach.end(), {v[2 * a], v[2 * a + 1]});
    problem.surfaces.push_back(surfaces[a]);
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto b = static_cast<Eigen::Index>(contacts[static_cast<std::size_t>(j)]);
      part.block<2, 2>(2 * i, 2 * j) = G.block<2, 2>(2 * static_cast<Eigen::Index>(a), 2 * b);
    }
  }
  problem.G = BlockMatrix::from_dense(part, 2);
  const MultiOutcome o = solve_lzb(problem, {.tolerance = accuracy});
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto a = static_cast<Eigen::Index>(contacts[static_cast<std::size_t>(i)]);
    P(2 * a) += o.impulse[static_cast<std::size_t>(2 * i)];
    P(2 * a + 1) += o.impulse[static_cast<std::size_t>(2 * i + 1)];
  }
}

/// D alone, its friction along the slip that the blow begins.
void strike_along(const Eigen::MatrixXd& G, const std::vector<double>& v, const MultiSurface& s,
                  Eigen::VectorXd& P) {
  const double ratio = std::copysign(s.friction, G(6, 7));
  P(6) = -(1. + s.restitution) * v[6] / (G(6, 6) + ratio * G(6, 7));
  P(7) = ratio * P(6);
}

DiscBallSurfaces surfaces_by(const DiscBallCase& c, const DiscBallReading& reading) {
  DiscBallSurfaces s = surfaces_of(c);
  for (std::size_t i = 0; i < D; ++i) {
    s[i].friction = reading.friction;
    s[i].static_friction = reading.static_friction;
    s[i].restitution = reading.restitution;
  }
  if (reading.at_D == FrictionAtD::along) s[D].friction = reading.friction_at_D;
  if (reading.at_D == FrictionAtD::none) s[D].friction = s[D].static_friction = 0.;
  return s;
}

}  // namespace

DiscBallRow disc_ball_by(const DiscBallCase& c, const DiscBallReading& reading) {
  DiscBall system = system_of(c);
  system.radius = reading.radius;
  const MultiAtImpact at = at_impact(system);
  const Eigen::MatrixXd G = at.contact.G.dense();
  const DiscBallSurfaces surfaces = surfaces_by(c, reading);
  std::vector<std::size_t> ground;
  for (std::size_t i = 0; i < D; ++i) {
    if (reading.points[i]) ground.push_back(i);
  }
  Eigen::VectorXd P = Eigen::VectorXd::Zero(8);
  std::vector<double> v = at.contact.approach;
  if (reading.ground_waits) {
    if (reading.at_D == FrictionAtD::along) {
      strike_along(G, v, surfaces[D], P);
    } else {
      strike(G, v, surfaces, {D}, P);
    }
    const Eigen::VectorXd change = G * P;
    for (std::size_t i = 0; i < 8; ++i) v[i] += change(static_cast<Eigen::Index>(i));
  } else {
    ground.push_back(D);
  }
  strike(G, v, surfaces, ground, P);
  const std::vector<double> u =
      velocity_after(*at.configuration, std::vector<double>(P.begin(), P.end()));
  return {.v1 = u[2] + (reading.radius - gauge) * u[4], .spin = u[4], .v2 = u[2], .rise = u[3]};
}

double off_from_print(const DiscBallCase& c, const DiscBallRow& row) {
  const DiscBallRow p = c.printed();
  const double v1 = c.number == 9 ? 0. : std::abs((row.v1 - p.v1) / p.v2);
  return std::max({v1, std::abs(row.spin / p.spin - 1.), std::abs(row.v2 / p.v2 - 1.)});
}

NearestReading nearest_reading(const DiscBallCase& c) {
  constexpr std::array<std::array<bool, 3>, 3> points{
      {{true, true, true}, {true, false, true}, {false, true, false}}};
  NearestReading best;
  const auto attempt = [&](const DiscBallReading& r) {
    ++best.tried;
    const double off = off_from_print(c, disc_ball_by(c, r));
    if (off < best.off) {
      best.off = off;
      best.reading = r;
    }
  };
  for (const bool waits : {false, true}) {
    for (const FrictionAtD at_D : {FrictionAtD::opposes, FrictionAtD::none, FrictionAtD::along}) {
      if (at_D == FrictionAtD::along && !waits) continue;
      for (const double radius : {disc_radius, variant_radius}) {
        for (const auto& which : points) {
          for (const int row : {2, 5, 6}) {
            for (const double e : {0.9064, 0.7043, 0.}) {
              attempt({.ground_waits = waits,
                       .at_D = at_D,
                       .radius = radius,
                       .points = which,
                       .friction = disc_ball_case(row).friction,
                       .static_friction = disc_ball_case(row).static_friction,
                       .restitution = e});
            }
          }
        }
      }
    }
  }
  return best;
}

}  // namespace carom::papers
