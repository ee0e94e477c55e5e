// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/disc_ball.hpp>

#include <cmath>
#include <string>

#include <carom/core/error.hpp>

namespace carom {
namespace {

void require_finite_pair(const std::array<double, 2>& v, const std::string& field) {
  require_finite(v[0], field + "[0]");
  require_finite(v[1], field + "[1]");
}

void validate(const DiscBall& s) {
  require_positive(s.ball_mass, "ball_mass");
  require_positive(s.disc_mass, "disc_mass");
  require_positive(s.radius, "radius");
  require_positive(s.half_thickness, "half_thickness");
  if (!(std::abs(s.height) < s.radius)) {
    throw InputError("height", s.height, "within the disc, of magnitude below its radius");
  }
  if (!(s.angle > 0. && s.angle < std::numbers::pi)) {
    throw InputError("angle", s.angle, "in (0, pi) rad");
  }
  require_finite_pair(s.ball_velocity, "ball_velocity");
  require_finite_pair(s.disc_velocity, "disc_velocity");
  require_finite(s.disc_spin, "disc_spin");
}

}  // namespace

SystemAtImpact at_impact(const DiscBall& d) {
  validate(d);
  const bool upright = d.angle == 0.5 * std::numbers::pi;  // the computed cosine would not be zero
  const double s = upright ? 1. : std::sin(d.angle);
  const double c = upright ? 0. : std::cos(d.angle);
  const double r = d.radius;
  const double h = d.half_thickness;

  // W and N [eqs 2.3, 2.7], columns normal and tangential of A, B, C, D.
  const double directions[5][8] = {
      {0., 0., 0., 0., 0., 0., -s, -c},
      {0., 0., 0., 0., 0., 0., c, -s},
      {0., 1., 0., 1., 0., 1., s, c},
      {1., 0., 1., 0., 1., 0., -c, s},
      {h * s - r * c, h * c + r * s, -r * c, r * s, -h * s - r * c, r * s - h * c, -d.height, -h}};
  // M [eq. 2.14]; I = m_d r^2/4 + m_d h^2/3.
  const double inertia = d.disc_mass * (r * r / 4. + h * h / 3.);
  const double masses[5] = {d.ball_mass, d.ball_mass, d.disc_mass, d.disc_mass, inertia};

  SystemAtImpact k;
  k.names = {"A", "B", "C", "D"};
  k.M.resize(5, 5);
  k.W.resize(5, 8);
  for (int i = 0; i < 5; ++i) {
    k.M.insert(i, i) = masses[i];
    for (int j = 0; j < 8; ++j) {
      if (directions[i][j] != 0.) k.W.insert(i, j) = directions[i][j];
    }
  }
  k.u = {d.ball_velocity[0], d.ball_velocity[1], d.disc_velocity[0], d.disc_velocity[1],
         d.disc_spin};
  k.coordinates = {{"ball.v_y", "m/s"},
                   {"ball.v_z", "m/s"},
                   {"disc.v_y", "m/s"},
                   {"disc.v_z", "m/s"},
                   {"disc.spin", "rad/s"}};
  return reduced(std::move(k), 2);
}

}  // namespace carom
