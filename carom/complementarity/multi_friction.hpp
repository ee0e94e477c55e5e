// SPDX-License-Identifier: Apache-2.0
#pragma once

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
/// contact by contact, with G symmetric positive semidefinite, mu >= 0 and a least normal impulse
/// f >= 0, zero but for the second stage of Poisson's law. One component a contact: frictionless;
/// two: the plane; three: space, with Sgn(x) = x/|x|, and the unit disc at zero.
namespace carom::complementarity {

/// The problem. What it refers to must outlive it.
struct FrictionProblem {
  const BlockMatrix& G;
  std::span<const double> b;           ///< G.size() numbers
  std::span<const double> mu;          ///< one a contact; ignored with one component
  std::span<const double> floor = {};  ///< f, one a contact; empty: zero
};

enum class FrictionSolver : std::uint8_t {
  automatic,     ///< newton; where it does not converge lemke, enumeration, ever smaller shifts
  enumeration,   ///< mode by mode; up to 8 contacts in the plane
  lemke,         ///< pivoting on the copositive form; not in space
  gauss_seidel,  ///< contact by contact, each solved exactly; ended by one step of newton
  newton,        ///< sweeps of gauss_seidel that find the modes, and Newton's method within them
};

struct FrictionOptions {
  FrictionSolver solver = FrictionSolver::automatic;
  double tolerance = 1e-10;     ///< of the residual
  std::size_t most_sweeps = 0;  ///< over the contacts, or pivots; 0: the solver's own
};

enum class FrictionStatus : std::uint8_t {
  solved,
  no_solution,    ///< shown by enumeration, or by pivoting to a ray
  not_converged,  ///< the residual says how far
};

/// Which branch of the laws a contact is on.
enum class FrictionMode : std::uint8_t {
  open,    ///< P_n = f = 0
  stick,   ///< xi_T = 0
  slip,    ///< |P_T| = mu P_n, against xi_T
  closed,  ///< frictionless, xi_n = 0
};

struct FrictionResult {
  FrictionStatus status = FrictionStatus::not_converged;
  std::vector<double> P;   ///< P_n >= f and |P_T| <= mu P_n exactly
  std::vector<double> xi;  ///< exactly zero where the mode says so
  std::vector<FrictionMode> modes;
  double residual = 0.;   ///< see `residual`
  std::size_t steps = 0;  ///< sweeps or pivots
};

/// How far P is from a solution, relative: the largest entry of the natural map,
///
///     min(P_n - f, xi_n)  and  P_T - (P_T - xi_T cut to the disc of radius mu P_n),
///
/// in units in which the largest diagonal entry of each contact's block and the largest entry of b
/// are about one, divided by the largest entry of P (within 1 and 1024). It does not depend on
/// units.
[[nodiscard]] double residual(const FrictionProblem& problem, std::span<const double> P);

/// Solves problems. An object keeps its workspace: a problem of the size of an earlier one
/// allocates little.
class MultiFriction {
 public:
  MultiFriction();
  ~MultiFriction();
  MultiFriction(MultiFriction&&) noexcept;
  MultiFriction& operator=(MultiFriction&&) noexcept;

  /// The result stays as it is until the next call. Several solutions: one of them.
  const FrictionResult& solve(const FrictionProblem& problem, const FrictionOptions& options = {});

 private:
  struct Workspace;
  std::unique_ptr<Workspace> work_;
};

/// The same with a workspace of its own.
[[nodiscard]] FrictionResult solve_friction(const FrictionProblem& problem,
                                            const FrictionOptions& options = {});

/// More planar contacts are not enumerated.
inline constexpr std::size_t most_enumerated = 8;

/// Every solution, distinct by xi, of a problem with one or two components and up to
/// `most_enumerated` contacts, over all modes. Impulses that a singular G leaves undetermined are
/// the least by the sum of their squares; so they are of `MultiFriction` with as few contacts.
[[nodiscard]] std::vector<FrictionResult> all_solutions(const FrictionProblem& problem);

}  // namespace carom::complementarity
