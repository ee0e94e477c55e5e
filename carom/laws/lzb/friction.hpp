// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include <carom/laws/lzb/model.hpp>

/// Friction of several contacts with given normal forces.
namespace carom::lzb {

/// Contacts with identical tangential directions and slip form a group with one friction state.
/// Only the sum of their friction is defined. It is distributed in proportion to the limits mu_s
/// F_n.
struct Groups {
  std::vector<std::uint32_t> of;                     ///< the group of each contact
  std::vector<std::vector<std::uint32_t>> contacts;  ///< contacts of each group, ascending

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
};

[[nodiscard]] Groups make_groups(const Model& model);

enum class Sliding : std::uint8_t {
  none,   ///< open
  slip,   ///< friction mu F_n against the slip
  stick,  ///< friction that keeps slip zero
  creep,  ///< in space: slip that has just begun, along its own rate
};

/// Friction state of a group.
struct Friction {
  Sliding sliding = Sliding::none;
  std::array<double, 2>
      direction{};     ///< direction of slip: in the plane +-1 and 0; in space where it began
  double offset = 0.;  ///< in space, added to slip along `direction` where it began at zero
};

/// Friction rates at zero slip: the f that minimizes f.A.f/2 + f.b over the discs (in the plane
/// intervals) |f_g| <= limit_g. The rate of slip, A f + b, is unique even if f is not.
struct ZeroSlip {
  std::size_t width = 1;           ///< components of one group's friction: 1 plane, 2 space
  Eigen::MatrixXd A;               ///< tangential block of G, group by group
  Eigen::VectorXd b;               ///< rate of slip without f
  Eigen::VectorXd f;               ///< solution
  Eigen::VectorXd rate;            ///< A f + b
  double scale = 0.;               ///< scale of rates: fractions below `negligible` count as zero
  std::vector<std::size_t> begin;  ///< of each column of A in `row`: see find_pattern
  std::vector<Eigen::Index> row;   ///< of its entries

  static constexpr double negligible = 1e-11;

  [[nodiscard]] std::size_t groups() const { return static_cast<std::size_t>(b.size()) / width; }
  /// Block Gauss-Seidel with a direct solution for each disc, from the current f. If it converges
  /// slowly: Newton's method.
  void solve(const std::vector<double>& limits);
  [[nodiscard]] bool slips(std::size_t g) const;
  /// Finds the entries of A that are not zero.
  void find_pattern();
  /// Semismooth Newton steps from the current f, while they reduce the residual. Returns whether it
  /// is solved.
  bool polish(const std::vector<double>& limits);
  /// Newton steps along the central path (interior point), for the few problems in which the other
  /// methods stall.
  void follow_central_path(const std::vector<double>& limits);
  [[nodiscard]] double size_of(const Eigen::VectorXd& x, std::size_t g) const;
};

/// Determines which groups at zero slip begin to slip. Stick persists while a distribution of
/// friction within mu_s exists. Otherwise the group that exceeds its limit most, relative to the
/// limit, is released to mu, and so on. Returns for each group whether it is released.
/// `problem.rate` then has the rates of slip.
[[nodiscard]] std::vector<bool> break_loose(ZeroSlip& problem,
                                            const std::vector<double>& static_limits,
                                            const std::vector<double>& kinetic_limits);

}  // namespace carom::lzb
