// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/disc_ball_table.hpp>

#include <vector>

#include <carom/core/scalar.hpp>
#include <carom/laws/lzb.hpp>

namespace carom::papers {
namespace {

constexpr std::size_t ground_contacts = 3;  // A, B, C
constexpr double accuracy = 1e-11;

/// Of u = (y_b', z_b', y_d', z_d', theta').
DiscBallRow row_of(const std::vector<double>& u, double radius) {
  return {.v1 = u[2] + (radius - gauge) * u[4], .spin = u[4], .v2 = u[2], .rise = u[3]};
}

/// The impulse at D alone where friction drives the slip on, P_t = +mu P_n sgn(v_t). Slip that is
/// zero before begins as the normal impulse begins it, along G_nt, or not at all. The slope of v_n
/// is then constant, so that every hypothesis gives v_n+ = -e v_n-.
std::array<double, 2> reversed_impulse(const BlockMatrix& G, const std::vector<double>& v,
                                       const MultiSurface& surface) {
  const double* block = G.diagonal(ground_contacts);
  const double normal = v[2 * ground_contacts];
  const double slip = v[2 * ground_contacts + 1];
  const double drive = slip != 0. ? slip : block[1];
  const double ratio = drive == 0. ? 0. : times_sign(surface.friction, drive);
  const double P = -(1. + surface.restitution) * normal / (block[0] + ratio * block[1]);
  return {P, ratio * P};
}

/// The contacts on the ground alone, with the velocities `v` of all.
MultiProblem on_the_ground(const BlockMatrix& G, const std::vector<double>& v,
                           const DiscBallSurfaces& surfaces) {
  const auto n = static_cast<Eigen::Index>(2 * ground_contacts);
  return {.G = BlockMatrix::from_dense(G.dense().topLeftCorner(n, n), 2),
          .approach = {v.begin(), v.begin() + n},
          .surfaces = {surfaces.begin(), surfaces.begin() + ground_contacts}};
}

}  // namespace

// W of A, B and C upright is (0, 1, h), (0, 1, 0) and (0, 1, -h) [eq. 2.3].
std::array<double, 3> normal_velocities(const DiscBallRow& row, double half_thickness) {
  return {row.rise + half_thickness * row.spin, row.rise, row.rise - half_thickness * row.spin};
}

DiscBallRow disc_ball_as_written(const DiscBall& system, const DiscBallSurfaces& surfaces) {
  const MultiAtImpact at = at_impact(system);
  const MultiProblem problem{.G = at.contact.G,
                             .approach = at.contact.approach,
                             .surfaces = {surfaces.begin(), surfaces.end()}};
  const MultiOutcome o = solve_lzb(problem, {.tolerance = accuracy});
  return row_of(velocity_after(*at.configuration, o.impulse), system.radius);
}

DiscBallRow disc_ball_variant(DiscBall system, const DiscBallSurfaces& surfaces, double radius) {
  system.radius = radius;
  const MultiAtImpact at = at_impact(system);
  const BlockMatrix& G = at.contact.G;
  std::vector<double> P(G.size(), 0.);
  const auto [normal, tangential] =
      reversed_impulse(G, at.contact.approach, surfaces[ground_contacts]);
  P[2 * ground_contacts] = normal;
  P[2 * ground_contacts + 1] = tangential;
  std::vector<double> v(G.size());
  G.multiply(P, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += at.contact.approach[i];

  const MultiOutcome o = solve_lzb(on_the_ground(G, v, surfaces), {.tolerance = accuracy});
  for (std::size_t i = 0; i < o.impulse.size(); ++i) P[i] = o.impulse[i];
  return row_of(velocity_after(*at.configuration, P), system.radius);
}

}  // namespace carom::papers
