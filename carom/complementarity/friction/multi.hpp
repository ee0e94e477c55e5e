// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <carom/core/block_matrix.hpp>

/// Several unilateral contacts with Coulomb friction at once:
///
///     xi = G P + b,    0 <= P_n - f  _|_  xi_n >= 0,    -P_T in mu P_n Sgn(xi_T)
///
/// for each contact, with G symmetric positive semidefinite, mu >= 0 and a lower bound f >= 0 of
/// the normal impulse, which is zero except in the second stage of Poisson's law. One component per
/// contact: frictionless; two: the plane; three: space, with Sgn(x) = x/|x|, and the unit disc at
/// zero.
namespace carom::complementarity {

/// What is given at a contact in advance, as it is where bodies move while forces are sought.
struct Prescription {
  bool slides = false;  ///< P_T = -mu P_n d, whatever xi_T is
  std::array<double, 2>
      direction{};      ///< d, a unit vector; in the plane its first entry is +1 or -1
  bool pushes = false;  ///< P_n = f, whatever xi_n is: a compliant contact
};

/// The problem. It holds references, which must outlive it.
struct FrictionProblem {
  const BlockMatrix& G;
  std::span<const double> b;                      ///< G.size() numbers
  std::span<const double> mu;                     ///< one per contact; ignored with one component
  std::span<const double> floor = {};             ///< f, one per contact; empty: zero
  std::span<const Prescription> prescribed = {};  ///< one per contact; empty: nothing
};

enum class FrictionSolver : std::uint8_t {
  automatic,     ///< newton; if it does not converge: lemke, enumeration, proximal point
  enumeration,   ///< all modes; up to 8 contacts in the plane
  lemke,         ///< Lemke's method on the copositive form; not in space
  gauss_seidel,  ///< nonlinear block Gauss-Seidel; polished by one step of newton
  newton,        ///< gauss_seidel to find the modes, and the semismooth Newton method
};

struct FrictionOptions {
  FrictionSolver solver = FrictionSolver::automatic;
  double tolerance = 1e-10;         ///< of the residual
  std::size_t most_sweeps = 0;      ///< limit of sweeps or pivots; 0: the default of the solver
  std::span<const double> guess{};  ///< impulses near the solution; empty: none
};

enum class FrictionStatus : std::uint8_t {
  solved,
  no_solution,    ///< proved, by enumeration or as in infeasibility.hpp
  not_converged,  ///< none was found, see the residual; there may be none
};

/// Branch of the laws for one contact.
enum class FrictionMode : std::uint8_t {
  open,    ///< P_n = f = 0
  stick,   ///< xi_T = 0
  slip,    ///< |P_T| = mu P_n, against xi_T
  closed,  ///< frictionless, xi_n = 0
};

struct FrictionResult {
  FrictionStatus status = FrictionStatus::not_converged;
  std::vector<double> P;   ///< P_n >= f and |P_T| <= mu P_n, without tolerance
  std::vector<double> xi;  ///< 0. where the mode requires it
  std::vector<FrictionMode> modes;
  double residual = 0.;   ///< see `residual`
  std::size_t steps = 0;  ///< sweeps or pivots
};

/// How far P is from a solution, relative: the largest entry of the natural map,
///
///     min(P_n - f, xi_n)  and  P_T - (P_T - xi_T cut to the disc of radius mu P_n),
///
/// in units in which the largest diagonal entry of each contact's block and the largest entry of b
/// are about one, divided by the largest entry of P (limited to 1..1024). It does not depend on the
/// units of the problem.
[[nodiscard]] double residual(const FrictionProblem& problem, std::span<const double> P);

/// Solver with a workspace, which is made by the first call. A problem of the same size and pattern
/// as an earlier one allocates nothing, unless the sweeps do not converge (Lemke's method, proximal
/// point) or there is no solution.
class MultiFriction {
 public:
  MultiFriction() noexcept;
  ~MultiFriction();
  MultiFriction(MultiFriction&&) noexcept;
  MultiFriction& operator=(MultiFriction&&) noexcept;

  /// The result is valid until the next call. If there are several solutions, one of them is
  /// returned.
  const FrictionResult& solve(const FrictionProblem& problem, const FrictionOptions& options = {});

  /// All solutions, distinct in xi, of a problem with one or two components and up to
  /// `most_enumerated` contacts. Impulses that a singular G leaves undetermined have the least sum
  /// of squares. Valid until the next call; the caller may reorder them.
  [[nodiscard]] std::span<FrictionResult> all_solutions(const FrictionProblem& problem);

 private:
  struct Workspace;
  Workspace& workspace();
  std::unique_ptr<Workspace> work_;
};

/// The same with a temporary workspace.
[[nodiscard]] FrictionResult solve_friction(const FrictionProblem& problem,
                                            const FrictionOptions& options = {});

/// Largest number of planar contacts that are enumerated.
inline constexpr std::size_t most_enumerated = 8;

/// The same with a temporary workspace.
[[nodiscard]] std::vector<FrictionResult> all_solutions(const FrictionProblem& problem);

}  // namespace carom::complementarity
