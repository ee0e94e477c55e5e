// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <carom/motion/events.hpp>

/// Decides which closed contacts stick, slip or open: the complementarity problem of accelerations
///
///     a = G F + b,    0 <= F_n  _|_  a_n >= 0,
///     slip along d:    F_T = -mu F_n d
///     zero slip:       |F_T| <= mu_s F_n with a_T = 0, or F_T = -mu F_n d with a_T = s d, s >= 0
///
/// for all contacts together [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.15-2.21].
namespace carom::motion {

/// Changes of forces that change accelerations by less, relative, do not change the motion: as much
/// as singular pivots may leave.
inline constexpr double indifferent = 1e-9;

/// One closed contact whose normal velocity is zero.
struct AccelerationContact {
  bool slips = false;                 ///< its slip is not zero
  std::array<double, 2> direction{};  ///< of that slip; in the plane the first entry is +1 or -1
  double mu = 0.;
  double mu_s = 0.;
  std::optional<double> normal{};  ///< a normal force that is given: compliant contact [N]
  bool starts_open = false;        ///< of two solutions, prefer the one in which it opens
  bool leaves_stick = false;       ///< it has just reached the static friction limit
  bool starts_slipping = false;    ///< along `direction`, just released
};

struct AccelerationProblem {
  std::size_t components = 2;
  Matrix G;  ///< [1/kg]
  Vector b;  ///< accelerations without contact forces [m/s^2]
  std::vector<AccelerationContact> contacts;
  double scale = 0.;  ///< reference acceleration for rounding [m/s^2]
};

/// The ratio F_T/F_n if stick has no normal force.
inline constexpr double beyond_all_friction = std::numeric_limits<double>::infinity();

struct AccelerationAnswer {
  bool found = false;
  bool several = false;               ///< there are solutions with other accelerations
  std::vector<std::size_t> failed{};  ///< contacts that have no solution, if it is not found: those
                                      ///< of one island, coupled by inertia
  std::vector<ContactStatus> status;
  Vector force;               ///< ordered by contact [N]
  Vector acceleration;        ///< a [m/s^2]
  std::vector<double> ratio;  ///< F_T/F_n that stick needs or would need, where slip is zero, also
                              ///< where it would have to pull; else 0
};

[[nodiscard]] AccelerationAnswer solve(const AccelerationProblem& problem);

/// Forces and accelerations for given modes of all contacts. Returns false if there are none.
[[nodiscard]] bool solve_in_modes(const AccelerationProblem& problem,
                                  const std::vector<ContactStatus>& status, Vector& force,
                                  Vector& acceleration);

/// Whether they satisfy all inequalities.
[[nodiscard]] bool is_solution(const AccelerationProblem& problem,
                               const std::vector<ContactStatus>& status, const Vector& force,
                               const Vector& acceleration, bool static_limit);

/// gap'' = A F + B of a contact that slips along d. The forces of other contacts are part of B.
struct SlipCoefficients {
  double A = 0.;  ///< [1/kg]
  double B = 0.;  ///< [m/s^2]
};
[[nodiscard]] SlipCoefficients slip_coefficients(const AccelerationProblem& problem,
                                                 std::size_t contact, const Vector& force);

}  // namespace carom::motion
