// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/core/linear_system.hpp>
#include <carom/impact/spatial/problem.hpp>

/// The system equations of [Brach 1998] in contact space: six equations for three impulses P and
/// three couples M, linear for given coefficients:
///
///     v+ = v + G P + C M,    Omega = omega + C^T P + S M    (of body 1 relative to 2; eqs 1-2)
///     v_n+ = -e_n v_n                                                        (eq. 5)
///     P_j = mu_j P_n    or    v_j+ = -e_j v_j,    j = t, t'                  (eqs 6-7, or 3)
///     e_mj M_j = (1 + e_mj) I_j Omega_j    or    M_j = (M_j/P_n) P_n,   j = n, t, t'    (eq. 4)
namespace carom {

/// The coefficients of all six equations.
struct BrachNumbers {
  double e_n = 0.;
  bool by_ratio = true;  ///< the pair below is mu_t, mu_t'; else e_t, e_t'
  std::array<double, 2> tangential{};
  bool by_moment_ratio = false;  ///< the triple below is M_j/P_n [m]; else e_m
  std::array<double, 3> moment{-1., -1., -1.};
};

/// Solution of the system equations.
struct BrachState {
  Vec3 impulse;
  Vec3 velocity;  ///< v+
  Vec3 couple;    ///< on the first body
  Vec3 spin;      ///< relative, after the impact
  bool regular = false;
};

/// Whether a couple acts. If the problem has no spin, none does.
[[nodiscard]] bool has_couples(const SpatialProblem& problem);

/// Adds the moment coefficients of the problem's surface.
[[nodiscard]] BrachNumbers with_moments(const SpatialProblem& problem, double e_n, bool by_ratio,
                                        const std::array<double, 2>& tangential);

/// The six equations, scaled so that the result does not depend on units: P_j and M_j in units of
/// 1/sqrt(G_jj) and 1/sqrt(S_jj), velocities and spins in units of sqrt(G_jj) and sqrt(S_jj).
class BrachSystem {
 public:
  using Matrix = LinearSystem<6>::Matrix;
  using Vector = LinearSystem<6>::Vector;

  BrachSystem(const SpatialProblem& problem, const BrachNumbers& numbers);

  /// Row k as a function of its own coefficient x: (row + (x - x_now) slope).z = right + (x -
  /// x_now) shift.
  struct Derivative {
    Vector slope{};
    double shift = 0.;
  };
  [[nodiscard]] Derivative derivative(std::size_t row) const;

  [[nodiscard]] const Matrix& matrix() const { return matrix_; }
  [[nodiscard]] const Vector& right() const { return right_; }
  [[nodiscard]] const Vector& scale() const { return scale_; }        ///< units of P_j and M_j
  [[nodiscard]] const Matrix& mobility() const { return mobility_; }  ///< [G C; C^T S], scaled
  [[nodiscard]] const Vector& approach() const { return approach_; }  ///< (v, omega), scaled
  [[nodiscard]] BrachState state(const Vector& scaled) const;

 private:
  const SpatialProblem& problem_;
  BrachNumbers numbers_;
  Vector scale_{};                   // P_j = scale_j times the scaled P_j, likewise M_j
  std::array<double, 3> inertia_{};  // I_j S_jj
  Matrix mobility_{};
  Vector approach_{};
  Matrix matrix_{};
  Vector right_{};
};

/// Solves them. The result is not `regular` if the equations do not determine impulse and couple.
[[nodiscard]] BrachState solve_brach(const SpatialProblem& problem, const BrachNumbers& numbers);

/// The impulse ratios that end slip at a given e_n, mu_t0 and mu_t'0 of [Brach 1998, Sec. 3].
struct CriticalRatios {
  std::array<double, 2> ratio{};  ///< valid if they exist
  bool exist = false;             ///< slip can be ended by an impulse that pushes
  /// The direction in which friction opposes the slip, even if it cannot end it; not of unit
  /// length. It is along `ratio` if that exists, and zero if there is no slip.
  std::array<double, 2> direction{};
};

/// @param e_n  0 gives the ratios of the greatest energy loss [Brach 1998, eq. 10]
[[nodiscard]] CriticalRatios critical_ratios(const SpatialProblem& problem, double e_n);

}  // namespace carom
