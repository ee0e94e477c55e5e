// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <carom/complementarity/friction/local.hpp>
#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/friction/velocity_newton.hpp>

namespace carom::complementarity {

/// Many contacts with friction, whose G = W^T M^-1 W is known by its factors alone:
///
///     u = u_0 + M^-1 W P,    xi = W^T u + c,
///
/// with the laws of multi.hpp for xi and P. A contact moves one or two ranges of u. Couples M at a
/// contact are bounded by its normal impulse: -M in d P_n Sgn(s), with s = S^T u the relative spin.
/// Components of a spin that share a bound (rolling in space) are one vector.
///
/// Nonlinear block Gauss-Seidel on u, one contact after the other in closed form. Sweeps are
/// accelerated by momentum with restarts [Nesterov 1983; O'Donoghue & Candes 2015]. What a few
/// sweeps do not solve is solved by VelocityNewton if all bodies are free, and otherwise, or if it
/// fails, as a MultiFriction, with G.
class FactoredFriction {
 public:
  /// A range of u, and how a contact acts on it.
  struct Side {
    std::size_t begin = 0;
    std::size_t size = 0;  ///< 0: none
  };
  struct Contact {
    std::array<Side, 2> sides{};
    double mu = 0.;
    std::array<double, 3> c{};  ///< xi - W^T u, one number a component
    double rolling = 0.;        ///< bound of the couple about the tangents, over P_n
    double drilling = 0.;       ///< about the normal; in the plane there is rolling alone
    bool turns = false;         ///< whether S was given
  };

  /// Removes all contacts. @param components  of each: 2 or 3
  void clear(std::size_t components);
  /// Adds a contact, without impulse.
  /// @param W  rows of both sides, then those of the next component
  /// @param Y  M^-1 W, alike
  void add(const Contact& contact, const double* W, const double* Y);
  /// The same of its spin: about the plane's normal, or about n, t1 and t2. @pre follows its add
  void add_spin(const double* S, const double* Y);
  /// Adds contacts of another problem, with their impulses, in the given order: an island, to be
  /// solved while others are.
  void add_island(const FactoredFriction& from, std::span<const std::size_t> island);

  [[nodiscard]] std::size_t size() const { return contacts_.size(); }
  [[nodiscard]] Contact& contact(std::size_t i) { return contacts_[i]; }
  [[nodiscard]] const Contact& contact(std::size_t i) const { return contacts_[i]; }
  /// Impulse of a contact: to be read, and to be set as an initial guess.
  [[nodiscard]] double* impulse(std::size_t i) { return &P_[i * d_]; }
  [[nodiscard]] const double* impulse(std::size_t i) const { return &P_[i * d_]; }
  [[nodiscard]] double* couple(std::size_t i) { return &M_[i * spins_]; }
  [[nodiscard]] const double* couple(std::size_t i) const { return &M_[i * spins_]; }
  [[nodiscard]] std::size_t spins() const { return spins_; }

  struct Options {
    double tolerance = 1e-8;   ///< of the residual, see multi.hpp
    double acceptable = 1e-6;  ///< residual with which the search may end where it gains no more
    bool roughly = false;      ///< a few sweeps alone
  };
  struct Result {
    bool converged = false;  ///< to what is acceptable
    double residual = 0.;
    std::size_t sweeps = 0;
    std::size_t rounds = 0;   ///< of VelocityNewton
    std::size_t steps = 0;    ///< Newton steps of it
    bool formed = false;      ///< whether G was needed
    bool unsolvable = false;  ///< proved to have no solution, see FrictionStatus
  };
  /// Solves an island: contacts that share ranges of u with each other alone. Warm starts from
  /// their impulses. Contacts are solved in the given order.
  /// @param u  without impulses; those of the solution are added
  Result solve(std::span<const std::size_t> island, std::span<double> u, const Options& options);

  /// xi of a contact at u.
  void velocity(std::size_t i, std::span<const double> u, double* xi) const;
  void spin(std::size_t i, std::span<const double> u, double* s) const;
  /// Its diagonal block of G, by rows.
  [[nodiscard]] const double* diagonal(std::size_t i) const { return &diagonal_[i * d_ * d_]; }
  /// u += M^-1 W P, and the same of couples
  void push(std::size_t i, const double* P, std::span<double> u) const;
  void push_couple(std::size_t i, const double* M, std::span<double> u) const;

 private:
  /// Up to so many contacts pivoting and enumeration are tried where Newton's method fails.
  static constexpr std::size_t few_contacts = 12;
  /// Newton steps after which an attempt is given up.
  static constexpr std::size_t most_steps = 600;
  /// A residual above this after plain rounds is that of a problem without a solution.
  static constexpr double hopeless = 1e-2;

  struct Place {
    std::size_t W = 0;  ///< of W in data_; Y follows
    std::size_t S = 0;  ///< of S
    std::uint32_t rows = 0;
  };
  /// What multiplies impulses and velocities of a contact in its residual.
  struct Scale {
    double impulse = 1.;
    double velocity = 1.;
  };
  template <class F>
  void with_rows(const F& f) const;
  template <std::size_t d, std::size_t k>
  double visit(std::size_t i, std::size_t at, double* u, bool change);
  template <std::size_t d>
  double turn(std::size_t i, double* u, bool change);
  template <std::size_t d, std::size_t k>
  double pass(std::span<const std::size_t> island, double* u, bool change);
  double pass(std::span<const std::size_t> island, double* u, bool change);
  void find_unit(std::span<const std::size_t> island, std::span<const double> u, double tolerance);
  void push_all(std::span<const std::size_t> island, std::span<double> u) const;
  template <std::size_t d, std::size_t k>
  void go_on(std::span<const std::size_t> island, double* u, double momentum);
  void extrapolate(std::span<const std::size_t> island, double* u, double& k);
  void sweep(std::span<const std::size_t> island, std::span<double> u, std::size_t most,
             const Options& options, Result& result);
  void keep(std::span<const std::size_t> island, const Result& result);
  void give_back(std::span<const std::size_t> island, std::span<double> u, Result& result);
  void forget(std::span<const std::size_t> island, std::span<double> u);
  void make_velocities(std::span<const std::size_t> island, std::span<double> u) const;
  void load_newton(std::span<const std::size_t> island, std::span<const double> u);
  void unload_newton(std::span<const std::size_t> island, std::span<double> u);
  [[nodiscard]] bool try_velocities(std::span<const std::size_t> island, std::span<double> u,
                                    const Options& options, bool guessed, Result& result);
  void try_rest(std::span<const std::size_t> island, std::span<double> u, const Options& options,
                bool solvable, Result& result);
  void solve_velocities(std::span<const std::size_t> island, std::span<double> u,
                        const Options& options, Result& result);
  void polish(std::span<const std::size_t> island, std::span<double> u, const Options& options,
              Result& result);
  [[nodiscard]] static double sufficient(std::span<const std::size_t> island,
                                         const Options& options);
  void descend(std::span<const std::size_t> island, std::span<double> u, const Options& options,
               int misses, Result& result);
  [[nodiscard]] double spin_scale(std::size_t i, std::size_t component) const;
  FrictionStatus solve_formed(std::span<const std::size_t> island, std::span<double> u,
                              const Options& options);
  void form(std::span<const std::size_t> island);

  std::size_t d_ = 2;
  std::size_t spins_ = 1;
  std::vector<Contact> contacts_;
  std::vector<Place> places_;
  std::vector<double> data_;
  std::vector<double> diagonal_;
  std::vector<double> spin_diagonal_;
  std::vector<LocalFriction> local_;
  std::vector<double> P_;
  std::vector<double> M_;
  std::vector<Scale> scales_;      ///< of the island's contacts
  std::vector<double> changed_;    ///< by how much the last sweep changed P
  std::vector<double> direction_;  ///< of search
  std::size_t fixed_ = 0;          ///< rows of each side if all have the same, 3 or 6; else 0
  double unit_ = 1.;
  double along_ = 0.;    ///< what the last pass changed, along the direction of search
  double largest_ = 1.;  ///< impulse of the last pass, scaled, up to a limit
  VelocityNewton newton_;
  std::vector<std::uint32_t> number_;  ///< of bodies in the island, by u
  std::vector<std::size_t> bodies_;    ///< where they begin in u
  std::vector<double> free_u_;         ///< u without impulses
  std::vector<double> body_u_;
  std::vector<double> kept_P_;     ///< of descents, with the least residual
  std::vector<double> reached_P_;  ///< of the last descent that reached its solution
  std::vector<double> kept_;       ///< P and M with the least residual
  double least_residual_ = 0.;
  MultiFriction multi_;
  std::vector<BlockMatrix::Triplet> triplets_;
  std::vector<double> free_;
  std::vector<double> bounds_;
};

}  // namespace carom::complementarity
