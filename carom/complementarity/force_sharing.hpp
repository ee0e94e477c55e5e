// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace carom::complementarity {

/// Where the unknown forces of one closed contact stand in x.
struct SharingContact {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t normal = none;      ///< row of F_n; none: it is given
  double given = 0.;              ///< that F_n [N]
  std::size_t tangential = none;  ///< first row of F_T if the contact sticks
  std::size_t components = 0;     ///< rows of F_T: 1 in the plane, 2 in space
  double mu = 0.;                 ///< bound of |F_T|/F_n if it sticks
};

/// Distribution of forces over hyperstatic contacts: all x with K x = f, K singular, give the same
/// accelerations at the contacts. Each contact restricts x: F_n >= 0 where it slides, |F_T| <= mu
/// F_n where it sticks. The excess of a distribution is the largest of -F_n and |F_T| - mu F_n.
///
///     least:      the x with the least sum of squares within all restrictions
///     innermost:  the x with the least excess
///
/// The least excess is a continuous function of the problem, unlike the friction ratio of a single
/// contact, which is undefined where others can take over its force: stick persists while it is not
/// positive.
///
/// With x = x_0 + N z, x_0 the least-squares solution of least norm and N a basis of the kernel of
/// K, both are convex problems in few unknowns. They are solved by the logarithmic barrier method
/// [Boyd & Vandenberghe 2004, Sec. 11.3], where a cone |v| <= w has the barrier -log(w^2 - |v|^2).
class ForceSharing {
 public:
  /// Finds x_0 and N. Returns false if the numbers are not finite.
  /// @param K  r x r, row-major
  /// @param singular  pivots below this, relative, count as zero
  bool read(std::span<const double> K, std::span<const double> f, double singular);

  /// Columns N: changes of x that change no acceleration at the contacts.
  [[nodiscard]] const Eigen::MatrixXd& kernel() const { return N_; }

  /// Finds a distribution within all restrictions, or the innermost if there is none.
  /// @param near  one that was within them before. Where the one next to it is, too, it is taken:
  ///   any such distribution proves that the modes hold.
  /// @param searches  whether the innermost is searched for if neither is; otherwise the better one
  ///   of x_0 and the one next to `near` is taken
  void share(std::span<const SharingContact> contacts, std::span<const double> near = {},
             bool searches = true);

  /// Finds the least, after `share`.
  void find_least(std::span<const SharingContact> contacts);

  /// Equal to `inner` before find_least, and where no distribution is within the restrictions.
  [[nodiscard]] std::span<const double> least() const { return {least_.data(), size()}; }
  [[nodiscard]] std::span<const double> inner() const { return {inner_.data(), size()}; }
  /// Its excess [N]; a negative value may be above the least possible.
  [[nodiscard]] double excess() const { return excess_; }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(least_.size()); }
  [[nodiscard]] double excess_of(const Eigen::VectorXd& x,
                                 std::span<const SharingContact> contacts) const;
  void find_innermost(std::span<const SharingContact> contacts);

  Eigen::VectorXd x0_;
  Eigen::MatrixXd N_;
  double unit_ = 1.;  ///< largest entry of x_0 [N]
  Eigen::VectorXd least_;
  Eigen::VectorXd inner_;
  double excess_ = 0.;
};

}  // namespace carom::complementarity
