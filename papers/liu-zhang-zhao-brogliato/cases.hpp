// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/motion/disc_model.hpp>
#include <papers/engine/computations.hpp>
#include <papers/engine/largest.hpp>

/// [Liu, Zhang, Zhao & Brogliato 2013]: bodies, contacts and impacts as Tables 1 to 4 print them,
/// in SI units, and Hertz's contact.
namespace carom::papers::disc_ball {

inline constexpr double gravity = 9.81;         ///< g [m/s^2]
inline constexpr double gauge = 0.004;          ///< height h_1 of the first laser [m]
inline constexpr double second_gauge = 0.0375;  ///< height h_2 of the second [m]
inline constexpr double sampling_rate = 50e3;   ///< of the lasers [1/s]

/// The rows of a file of this folder: "table-4".
[[nodiscard]] const std::vector<Row>& rows(std::string_view table);

/// A row of Table 1.
struct Body {
  double mass = 0.;
  double radius = 0.;
  double half_thickness = 0.;  ///< h; of the disc only
  double modulus = 0.;         ///< Y; of the disc that of the phenolic paper on its face
  double poisson_ratio = 0.;
};
[[nodiscard]] const Body& ball();
[[nodiscard]] const Body& disc();

/// The disc after the ball has gone.
[[nodiscard]] motion::DiscModel disc_model();
[[nodiscard]] motion::State state_of(const Eigen::Vector3d& q, const Eigen::Vector3d& u);
[[nodiscard]] motion::ContactMotion contact_motion(const motion::Model& model, std::size_t contact,
                                                   const motion::State& state);

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

[[nodiscard]] double softness();                                      ///< 1 - nu^2
[[nodiscard]] double modulus_at_D();                                  ///< E*, steel on paper [Pa]
[[nodiscard]] double modulus_on_ground();                             ///< E*, steel on steel [Pa]
[[nodiscard]] double hertz_stiffness(double modulus, double radius);  ///< k [N/m^1.5]

/// T_c v_b^(1/5) = 2.87 (m*^2/(R E*^2))^(1/5) of ball and disc [eq. 4.1], [m^(1/5) s^(4/5)].
[[nodiscard]] double hertz_time(double modulus, double radius);
/// k_Tc from Table 1, and as printed.
[[nodiscard]] double time_constant();
[[nodiscard]] double printed_time_constant();

// --- Comparing and drawing -----------------------------------------------------------------------

/// By how much a differs from b, relative.
[[nodiscard]] inline double off(double a, double b) { return std::abs(a / b - 1.); }

/// df/dx by a central difference.
template <class F>
[[nodiscard]] double slope(const F& f, double x, double step) {
  return (f(x + step) - f(x - step)) / (2. * step);
}

/// The largest of f over all of a range.
template <class Range, class F>
[[nodiscard]] double largest_of(const Range& range, const F& f) {
  double most = 0.;
  for (const auto& x : range) most = largest(most, f(x));
  return most;
}

/// A series through (x, y) of each of a range.
template <class Range, class X, class Y>
[[nodiscard]] Series through(Series s, const Range& range, const X& x, const Y& y) {
  for (const auto& at : range) {
    s.x.push_back(std::invoke(x, at));
    s.y.push_back(std::invoke(y, at));
  }
  return s;
}

/// One of so many.
template <class T>
[[nodiscard]] std::vector<T> every(std::size_t step, const std::vector<T>& all) {
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

// Topic by topic: tables, statements, pictures and errata.
[[nodiscard]] Computations kinematics();  ///< eqs 2.1 to 2.21
[[nodiscard]] Computations law();         ///< eqs 2.23 to 2.37
[[nodiscard]] Computations painleve();    ///< eqs 2.38 to 2.43
[[nodiscard]] Computations inputs();      ///< Tables 1 to 3, eqs 3.3 and 4.1
[[nodiscard]] Computations friction();    ///< Fig. 4
[[nodiscard]] Computations velocities();  ///< Table 4
[[nodiscard]] Computations patterns();    ///< Fig. 5, Table 5
[[nodiscard]] Computations motions();     ///< Figs 6 to 8

}  // namespace carom::papers::disc_ball
