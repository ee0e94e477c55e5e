// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdlib>
#include <span>

#include <carom/impact/contact_problem.hpp>
#include <carom/mechanics/disc_model.hpp>
#include <papers/engine/measures.hpp>

/// [Liu, Zhang, Zhao & Brogliato 2013]: bodies, contacts and impacts as Tables 1 to 4 print them,
/// in SI units, and Hertz's contact.
namespace carom::papers::disc_ball {

inline constexpr double gravity = 9.81;         ///< g [m/s^2]
inline constexpr double gauge = 0.004;          ///< height h_1 of the first laser [m]
inline constexpr double second_gauge = 0.0375;  ///< height h_2 of the second [m]
inline constexpr double sampling_rate = 50e3;   ///< of the lasers [1/s]

/// The rows of a file of this folder: "table-4".
[[nodiscard]] inline const std::vector<Row>& rows(std::string_view table) {
  return printed_rows("liu-zhang-zhao-brogliato/" + std::string(table));
}

/// A row of Table 1.
struct Body {
  double mass = 0.;
  double radius = 0.;
  double half_thickness = 0.;  ///< h; of the disc only
  double modulus = 0.;         ///< Y; of the disc that of the phenolic paper on its face
  double poisson_ratio = 0.;
};

/// The number that a cell begins with: 1.20 of "1.20 (paper on its face)", 0 of "-".
[[nodiscard]] inline double leading(const Row& row, std::string_view column) {
  return std::strtod(row.text(column).c_str(), nullptr);
}

[[nodiscard]] inline Body body_of(const Row& row) {
  return {.mass = row.number("mass [g]") / 1e3,
          .radius = row.number("radius [mm]") / 1e3,
          .half_thickness = leading(row, "thickness [mm]") / 2e3,
          .modulus = leading(row, "Y [GPa]") * 1e9,
          .poisson_ratio = row.number("nu")};
}

[[nodiscard]] inline const Body& ball() {
  static const Body body = body_of(rows("table-1")[0]);
  return body;
}

[[nodiscard]] inline const Body& disc() {
  static const Body body = body_of(rows("table-1")[1]);
  return body;
}

/// The disc after the ball has gone.
[[nodiscard]] inline DiscModel disc_model() {
  return DiscModel({.mass = disc().mass,
                    .radius = disc().radius,
                    .half_thickness = disc().half_thickness,
                    .gravity = gravity});
}
[[nodiscard]] inline State state_of(const Eigen::Vector3d& q, const Eigen::Vector3d& u) {
  return {.q = q, .u = u};
}
[[nodiscard]] inline ContactMotion contact_motion(const Model& model, std::size_t contact,
                                                  const State& state) {
  ContactMotion m;
  model.contact(model.contact_id(contact), state, m);
  return m;
}

/// The disc's velocities after the impact.
struct Velocities {
  double v1 = 0.;    ///< of the gauged point, h_1 above the ground
  double spin = 0.;  ///< rate of theta
  double v2 = 0.;    ///< of the mass centre
  double rise = 0.;  ///< of the mass centre, upwards; not printed

  /// In the order of Table 4.
  [[nodiscard]] std::array<double, 3> printed() const { return {v1, spin, v2}; }
};

/// An impact of Tables 2 and 4, with the coefficients that Table 3 gives it.
struct Case {
  int number = 0;
  double height = 0.;                 ///< b
  double velocity = 0.;               ///< v_b of the ball
  std::array<Surface, 4> surfaces{};  ///< at A, B, C, D
  Velocities numerical{};             ///< with the sign that v_1 of case 7 lost (L30)
  std::array<double, 3> measured{};   ///< v_1, theta', v_2: means of the trials
  std::array<double, 3> up{};         ///< from there to the largest value measured
  std::array<double, 3> down{};       ///< and to the least, with the zero that case 3 lost (L29)

  /// Is x among the values measured of that quantity?
  [[nodiscard]] bool was_measured(std::size_t quantity, double x) const {
    return measured[quantity] - down[quantity] <= x && x <= measured[quantity] + up[quantity];
  }
};
[[nodiscard]] std::span<const Case> all_cases();  ///< 1 to 9
[[nodiscard]] std::span<const Case> cases();      ///< 2 to 9: off the centre, in Table 4
[[nodiscard]] const Case& case_of(int number);

// --- Hertz's contact: 1/E* is the sum of (1 - nu^2)/Y, k = 4/3 E* sqrt(R) ------------------------

/// 1 - nu^2
[[nodiscard]] inline double softness() { return 1. - ball().poisson_ratio * ball().poisson_ratio; }
/// E*, steel on paper [Pa]
[[nodiscard]] inline double modulus_at_D() {
  return 1. / (softness() / ball().modulus + softness() / disc().modulus);
}
/// E*, steel on steel [Pa]
[[nodiscard]] inline double modulus_on_ground() {
  return 1. / (softness() / ball().modulus + softness() / ball().modulus);
}
/// k [N/m^1.5]
[[nodiscard]] inline double hertz_stiffness(double modulus, double radius) {
  return 4. / 3. * modulus * std::sqrt(radius);
}

/// T_c v_b^(1/5) = 2.87 (m*^2/(R E*^2))^(1/5) of ball and disc [eq. 4.1], [m^(1/5) s^(4/5)].
[[nodiscard]] inline double hertz_time(double modulus, double radius) {
  const double m = ball().mass * disc().mass / (ball().mass + disc().mass);
  return 2.87 * std::pow(m * m / (radius * modulus * modulus), 0.2);
}
/// k_Tc from Table 1, and as printed.
[[nodiscard]] inline double time_constant() { return hertz_time(modulus_at_D(), ball().radius); }
[[nodiscard]] inline double printed_time_constant() {
  return rows("time-constant")[0].number("k_Tc [m^0.2 s^0.8]");
}

/// One of so many.
template <class T>
[[nodiscard]] std::vector<T> every(std::size_t step, const std::vector<T>& all) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

// --- Painlevé's paradox of a disc that slides on the point A of its rim [eqs 2.38-2.43] ---------

/// mu from which gap'' = A F + B has A < 0, from the contact inverse inertia; infinity: none.
[[nodiscard]] double critical_friction(double r_over_h, double theta);

/// theta' above which B > 0: A of this disc lifts off [eq. 2.43] [rad/s].
[[nodiscard]] double detaching_spin(double theta);

/// r/h of the shape that needs least friction, upright.
[[nodiscard]] double easiest_shape();

// Topic by topic: tables, statements, pictures and errata.
[[nodiscard]] Computations kinematics();  ///< eqs 2.1 to 2.21
[[nodiscard]] Computations law();         ///< eqs 2.23 to 2.37
[[nodiscard]] Computations friction();    ///< eqs 2.38 to 2.43, Fig. 4
[[nodiscard]] Computations tables();      ///< Tables 1 to 4, eqs 3.3 and 4.1
[[nodiscard]] Computations patterns();    ///< Fig. 5, Table 5
[[nodiscard]] Computations motions();     ///< Figs 6 to 8

}  // namespace carom::papers::disc_ball
