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
/// for all contacts together [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.15-2.21]. Couples at
/// contacts obey the same law with the spin w and their own bounds:
///
///     a = G F + N M + b,    w' = N^T F + R M + c
///     spin along d:    M = -d_r F_n d
///     zero spin:       |M| <= d_r F_n with w' = 0, or M = -d_r F_n d with w' = s d, s >= 0
///
/// Spins are multiplied by a length and couples and d_r divided by it, so that all are velocities,
/// forces and ratios of forces.
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

/// A couple at one of the contacts: of rolling or of drilling friction.
struct AccelerationSpin {
  std::size_t contact = 0;            ///< its place
  std::size_t first = 0;              ///< of its entries in c
  std::size_t size = 1;               ///< their number: 1, or 2 for rolling in space
  double bound = 0.;                  ///< of |M|/F_n
  bool turns = false;                 ///< its spin is not zero
  std::array<double, 2> direction{};  ///< of that spin
  bool leaves_rest = false;           ///< the couple has just reached its bound
  bool starts_turning = false;        ///< along `direction`, just released
};

/// What a spin does next.
struct SpinDecision {
  bool held = false;                  ///< the spin stays zero
  std::array<double, 2> direction{};  ///< of the spin that is not held
};

struct AccelerationProblem {
  std::size_t components = 2;
  Matrix G;  ///< [1/kg]
  Vector b;  ///< accelerations without contact forces [m/s^2]
  std::vector<AccelerationContact> contacts;
  double scale = 0.;    ///< reference acceleration for rounding [m/s^2]
  bool counts = false;  ///< whether other solutions are looked for, see `several`
  Matrix N{};           ///< [1/kg]
  Matrix R{};           ///< [1/kg]
  Vector c{};           ///< accelerations of spins without contact forces [m/s^2]
  std::vector<AccelerationSpin> spins{};
};

/// The ratio F_T/F_n if stick has no normal force.
inline constexpr double beyond_all_friction = std::numeric_limits<double>::infinity();

struct AccelerationAnswer {
  bool found = false;
  bool several = false;               ///< there are solutions with other accelerations; false
                                      ///< where they are not looked for
  std::vector<std::size_t> failed{};  ///< contacts that have no solution, if it is not found: those
                                      ///< of one island, coupled by inertia
  std::vector<ContactStatus> status;
  Vector force;               ///< ordered by contact [N]
  Vector acceleration;        ///< a [m/s^2]
  std::vector<double> ratio;  ///< F_T/F_n that stick needs or would need, where slip is zero, also
                              ///< where it would have to pull; else 0
  std::vector<SpinDecision> spins{};
  Vector couple{};  ///< M [N]
};

[[nodiscard]] AccelerationAnswer solve(const AccelerationProblem& problem);

/// The same for contacts that inertia couples.
[[nodiscard]] AccelerationAnswer solve_island(AccelerationProblem problem);

/// The problem of some of the contacts, the others being open.
[[nodiscard]] AccelerationProblem part(const AccelerationProblem& problem,
                                       const std::vector<std::size_t>& kept);

/// Forces and accelerations for given modes of all contacts. Returns false if there are none.
[[nodiscard]] bool solve_in_modes(const AccelerationProblem& problem,
                                  const std::vector<ContactStatus>& status, Vector& force,
                                  Vector& acceleration);

/// Whether they satisfy all inequalities.
[[nodiscard]] bool is_solution(const AccelerationProblem& problem,
                               const std::vector<ContactStatus>& status, const Vector& force,
                               const Vector& acceleration, bool static_limit);

/// The same with couples: spin_modes.cpp. @pre all contacts are coupled by inertia
[[nodiscard]] AccelerationAnswer solve_with_spins(const AccelerationProblem& problem);

/// The problem of forces alone, with all spins that are zero held, and others turning as they do.
/// Its G is not symmetric.
[[nodiscard]] AccelerationProblem without_spins(const AccelerationProblem& problem);

/// Tolerance of accelerations.
[[nodiscard]] double acceleration_slack(const AccelerationProblem& problem);

/// gap'' = A F + B of sliding contact: the force -B/A counts as diverging where A is below this,
/// relative to G_nn. A few digits of the force are left there.
inline constexpr double diverging = 1e-10;

/// gap'' = A F + B of a contact that slips along d. The forces of other contacts are part of B.
struct SlipCoefficients {
  double A = 0.;  ///< [1/kg]
  double B = 0.;  ///< [m/s^2]
};
[[nodiscard]] SlipCoefficients slip_coefficients(const AccelerationProblem& problem,
                                                 std::size_t contact, const Vector& force);

}  // namespace carom::motion
