// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

#include <papers/liu-zhang-zhao-brogliato/disc_ball_table.hpp>

/// The nine experiments of [Liu, Zhang, Zhao & Brogliato 2013] and their parameters, as printed.
namespace carom::papers {

// Table 1.
inline constexpr double ball_mass = 0.06924;     ///< m_b [kg]
inline constexpr double disc_mass = 0.20969;     ///< m_d [kg]
inline constexpr double ball_radius = 0.0125;    ///< r_b [m]
inline constexpr double disc_radius = 0.0375;    ///< r [m]
inline constexpr double half_thickness = 0.003;  ///< h [m]
inline constexpr double steel_modulus = 206e9;   ///< Y_s [Pa]
inline constexpr double paper_modulus = 1.20e9;  ///< Y_p of the phenolic paper on the face [Pa]
inline constexpr double poisson_ratio = 0.3;     ///< of both
inline constexpr double gravity = 9.81;          ///< g [m/s^2]
inline constexpr double second_gauge = 0.0375;   ///< height h_2 of the second laser [m]
inline constexpr double sampling_rate = 50e3;    ///< of the lasers [1/s]

/// A row of Tables 2 and 4, with the coefficients that Table 3 gives it.
struct DiscBallCase {
  int number = 0;
  double height = 0.;                           ///< b [m]
  double velocity = 0.;                         ///< v_b of the ball [m/s]
  double friction = 0.;                         ///< mu on the ground
  double static_friction = 0.;                  ///< mu_s on the ground
  std::string_view ratio{};                     ///< b/r as printed
  std::array<std::string_view, 3> numerical{};  ///< v_1, theta' and v_2 as printed; none of case 1
  std::array<double, 3> measured{};             ///< the means of the trials

  /// Of the numerical values, as numbers, with the sign that case 7 lost. @pre they are printed
  [[nodiscard]] DiscBallRow printed() const;
};

/// Cases 1 to 9.
[[nodiscard]] std::span<const DiscBallCase> disc_ball_cases();
[[nodiscard]] const DiscBallCase& disc_ball_case(int number);

[[nodiscard]] DiscBall system_of(const DiscBallCase& c);
[[nodiscard]] DiscBallSurfaces surfaces_of(const DiscBallCase& c);

// --- Hertz's contact ----------------------------------------------------------------------------

/// 1/E* = (1 - nu^2)/Y_1 + (1 - nu^2)/Y_2 [Pa].
[[nodiscard]] double contact_modulus(double modulus1, double modulus2);
/// k = 4/3 E* sqrt(radius) [N/m^1.5].
[[nodiscard]] double hertz_stiffness(double contact_modulus, double radius);
/// m_b m_d/(m_b + m_d) [kg].
[[nodiscard]] double reduced_mass();

/// k_Tc of T_c = k_Tc v_b^(-1/5), from Table 1, and as printed [m^(1/5) s^(4/5)].
[[nodiscard]] double contact_time_constant();
inline constexpr double printed_time_constant = 4.7531e-4;
/// T_c [s] with the constant as printed.
[[nodiscard]] double printed_contact_time(double ball_velocity);

}  // namespace carom::papers
