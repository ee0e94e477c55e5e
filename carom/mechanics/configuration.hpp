// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <carom/core/planar.hpp>
#include <carom/impact/planar/problem.hpp>

namespace carom {

/// Name and unit of a generalized velocity, for reports.
struct Coordinate {
  std::string name;  ///< "u_x"
  std::string unit;  ///< "m/s"
};

/// Velocity of the contact at u = 0: supports that move with a prescribed velocity.
struct SupportDrift {
  Vec2 velocity;       ///< (normal, tangential) [m/s]
  double spin = 0.;    ///< of the first body relative to the second [rad/s]
  bool moves = false;  ///< there are such supports; 1/2 u^T M u is then not the kinetic energy
};

/// A system at the instant of a planar impact: the data from which contact space is computed.
struct Configuration {
  Eigen::MatrixXd mass;        ///< M, symmetric positive definite
  Eigen::MatrixXd directions;  ///< W = (w_n, w_t): a column for each direction of the contact
  Eigen::VectorXd velocity;    ///< u-
  std::vector<Coordinate> coordinates;  ///< one for each entry of u
  Eigen::VectorXd spin_direction{};     ///< W_r: relative spin = W_r.u + drift; empty: none known
  SupportDrift drift{};                 ///< of supports that move
};

/// The same impact in contact space.
struct ContactSpace {
  Sym2 G;          ///< W^T M^-1 W [1/kg]
  Vec2 approach;   ///< W^T u- [m/s]
  SpinRow spin{};  ///< zero if the system has no spin
};

/// Reduces to contact space. Throws InputError if M is not symmetric positive definite, sizes do
/// not match or a number is not finite. `prefix` is put before the names of the fields.
[[nodiscard]] ContactSpace contact_space(const Configuration& c, const std::string& prefix = "");

/// u+ = u- + M^-1 (W P + W_r M), with M the couple [N m s].
[[nodiscard]] Eigen::VectorXd velocity_after(const Configuration& c, const Vec2& impulse,
                                             double couple = 0.);

/// T = 1/2 u^T M u [J].
[[nodiscard]] double kinetic_energy(const Configuration& c, const Eigen::VectorXd& velocity);

}  // namespace carom
