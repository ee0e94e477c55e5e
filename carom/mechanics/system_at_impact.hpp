// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include <carom/core/planar.hpp>
#include <carom/core/spatial.hpp>
#include <carom/impact/contact_problem.hpp>

namespace carom {

struct Linkage;
struct Vehicles;

/// Name and unit of a generalized velocity, for reports.
struct Coordinate {
  std::string name;  ///< "u_x"
  std::string unit;  ///< "m/s"
};

/// A body whose velocities are among the coordinates: those of the mass centre, then the spins.
struct BodyCoordinates {
  std::string name;
  std::size_t first = 0;         ///< the first of its coordinates
  std::size_t translations = 2;  ///< 2 in the plane, 3 in space
  std::size_t rotations = 1;     ///< 1 in the plane, 3 in space
};

/// A body's kinetic energy [J].
struct KineticParts {
  double translation = 0.;
  double rotation = 0.;

  [[nodiscard]] double total() const { return translation + rotation; }
};

/// A system at the instant of impact, whatever it is made of: the problem that laws solve, and the
/// way back from impulses to the system's own velocities. Each system has a function `at_impact`
/// that makes it, and so has a model in a state.
struct SystemAtImpact {
  ContactProblem problem;            ///< its surfaces are filled in by whoever knows them
  std::vector<std::string> names{};  ///< of the contacts; the only one may have none

  // Generalized coordinates. All are empty where contact space alone is known.
  std::vector<double> u{};                 ///< velocities before
  std::vector<Coordinate> coordinates{};   ///< of the velocities, "ball.v_x" [m/s]
  Eigen::SparseMatrix<double> M{};         ///< mass matrix
  Eigen::SparseMatrix<double> W{};         ///< a column for each component of each contact
  Eigen::MatrixXd W_spin{};                ///< of one contact: relative spin = W_spin^T u; empty:
                                           ///< not known
  std::vector<double> support_velocity{};  ///< of what the contacts push against, contact space;
                                           ///< empty: no support moves, and 1/2 u.M.u is all the
                                           ///< kinetic energy
  Eigen::MatrixXd response{};     ///< M^-1 (W, W_spin) where M may be singular; empty: from M
  bool first_moves_free = false;  ///< the first two coordinates move the first body as a whole
  std::vector<BodyCoordinates> bodies{};       ///< that the coordinates belong to, for reports
  std::shared_ptr<const Linkage> linkage{};    ///< if it is one
  std::shared_ptr<const Vehicles> vehicles{};  ///< if they are

  [[nodiscard]] bool has_velocities() const { return !u.empty(); }

  /// Forgets all but the problem, whose memory is reused.
  void forget_system();

  /// u+ = u- + M^-1 (W P + W_spin C). @param impulse  as in an Outcome: P, then couples C
  [[nodiscard]] std::vector<double> velocity_after(std::span<const double> impulse) const;
  [[nodiscard]] std::vector<double> velocity_after(const Vec2& P) const {
    return velocity_after(std::array{P.n, P.t});
  }
  [[nodiscard]] std::vector<double> velocity_after(const Vec3& P) const {
    return velocity_after(std::array{P.n, P.t1, P.t2});
  }

  [[nodiscard]] bool knows_kinetic_energy() const {
    return has_velocities() && support_velocity.empty();
  }

  /// Before the impact [J]: kinetic energy, or where it is not known that of the contacts, which
  /// is the most that impulses there could take away.
  [[nodiscard]] double energy_before() const;

  /// 1/2 u.M.u [J].
  [[nodiscard]] double kinetic_energy(std::span<const double> velocities) const;
  /// The part of one of the bodies.
  [[nodiscard]] KineticParts energy(std::size_t body, std::span<const double> velocities) const;
};

/// Sets the problem from M, W, u, W_spin and the supports: G = W^T M^-1 W, v = W^T u - that of the
/// supports. Throws InputError under `mass` (which must be symmetric positive definite),
/// `directions`, `velocity` or `support_velocity`.
/// @param components  of each contact: 1 frictionless, 2 plane, 3 space
[[nodiscard]] SystemAtImpact reduced(SystemAtImpact system, std::size_t components);

/// Of M, W and u. `coordinates` may stay empty.
[[nodiscard]] SystemAtImpact at_impact(const Eigen::MatrixXd& M, const Eigen::MatrixXd& W,
                                       std::vector<double> u, std::size_t components = 2,
                                       std::vector<std::string> names = {""});

/// As given; otherwise "body", or "body 1" and "body 2".
[[nodiscard]] std::string body_name(const std::string& given, Eigen::Index i, Eigen::Index bodies);

/// "1", "2", ...: default names of contacts.
[[nodiscard]] std::vector<std::string> numbered(std::size_t contacts);

}  // namespace carom
