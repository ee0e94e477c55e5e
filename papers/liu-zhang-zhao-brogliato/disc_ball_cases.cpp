// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>

#include <cmath>
#include <stdexcept>

#include <papers/engine/judgement.hpp>

namespace carom::papers {
namespace {

constexpr std::array<DiscBallCase, 9> cases{{
    {1, 0., 0.292, 0.14, 0.15, "0"},
    {2,
     0.0020,
     0.275,
     0.14,
     0.15,
     "0.053",
     {"0.0918", "-0.7208", "0.1160"},
     {0.0895, -0.6324, 0.1095}},
    {3,
     0.0045,
     0.285,
     0.14,
     0.15,
     "0.12",
     {"0.0660", "-1.5743", "0.1188"},
     {0.0625, -1.5985, 0.1142}},
    {4,
     0.0065,
     0.284,
     0.14,
     0.15,
     "0.173",
     {"0.0427", "-2.2012", "0.1166"},
     {0.0415, -2.1750, 0.1135}},
    {5,
     0.0095,
     0.433,
     0.185,
     0.23,
     "0.253",
     {"0.0184", "-4.5943", "0.1725"},
     {0.0194, -4.5613, 0.1722}},
    {6,
     0.0155,
     0.311,
     0.17,
     0.23,
     "0.413",
     {"-0.0559", "-5.4828", "0.1280"},
     {-0.0796, -6.0726, 0.1206}},
    {7,
     0.0185,
     0.305,
     0.14,
     0.15,
     "0.493",
     {"0.0521", "-4.7004", "0.1056"},
     {-0.0485, -4.6367, 0.1025}},
    {8,
     -0.0025,
     0.353,
     0.14,
     0.15,
     "-0.067",
     {"0.1750", "0.8854", "0.1453"},
     {0.1733, 0.9205, 0.1413}},
    {9,
     -0.0065,
     0.293,
     0.14,
     0.15,
     "-0.173",
     {"0.1670", "1.7274", "0.1170"},
     {0.1683, 1.6234, 0.1143}},
}};

}  // namespace

DiscBallRow DiscBallCase::printed() const {
  DiscBallRow row{.v1 = parse_printed(numerical[0]).value,
                  .spin = parse_printed(numerical[1]).value,
                  .v2 = parse_printed(numerical[2]).value};
  if (number == 7) row.v1 = -row.v1;  // as v_2 + (h_2 - h_1) theta' has it
  return row;
}

std::span<const DiscBallCase> disc_ball_cases() { return cases; }

const DiscBallCase& disc_ball_case(int number) {
  if (number < 1 || number > 9) throw std::invalid_argument("cases are 1 to 9");
  return cases[static_cast<std::size_t>(number - 1)];
}

DiscBall system_of(const DiscBallCase& c) {
  return {.ball_mass = ball_mass,
          .disc_mass = disc_mass,
          .radius = disc_radius,
          .half_thickness = half_thickness,
          .height = c.height,
          .ball_velocity = {c.velocity, 0.}};
}

// Table 3.
DiscBallSurfaces surfaces_of(const DiscBallCase& c) {
  const MultiSurface ground{.restitution = 0.9064,
                            .friction = c.friction,
                            .static_friction = c.static_friction,
                            .stiffness = 2.9217e10};
  const MultiSurface D{
      .restitution = 0.7043, .friction = 0.07, .static_friction = 0.075, .stiffness = 1.9640e8};
  return {ground, ground, ground, D};
}

double contact_modulus(double modulus1, double modulus2) {
  const double softness = 1. - poisson_ratio * poisson_ratio;
  return 1. / (softness / modulus1 + softness / modulus2);
}

double hertz_stiffness(double contact_modulus, double radius) {
  return 4. / 3. * contact_modulus * std::sqrt(radius);
}

double reduced_mass() { return ball_mass * disc_mass / (ball_mass + disc_mass); }

// T_c = 2.87 (m*^2/(r_b E*^2 v_b))^(1/5) [eq. 4.1].
double contact_time_constant() {
  const double E = contact_modulus(steel_modulus, paper_modulus);
  const double m = reduced_mass();
  return 2.87 * std::pow(m * m / (ball_radius * E * E), 0.2);
}

double printed_contact_time(double ball_velocity) {
  return printed_time_constant * std::pow(ball_velocity, -0.2);
}

}  // namespace carom::papers
