// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/motion/model.hpp>

namespace carom::motion {

/// Eigen's indices are signed.
[[nodiscard]] constexpr Eigen::Index ix(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// A model at one state: M factored, accelerations without contact forces, and contacts on demand.
class Mechanics {
 public:
  explicit Mechanics(const Model& model);

  /// Evaluates a state. Returns false if M is not positive definite or a number is not finite.
  [[nodiscard]] bool at(const State& state);

  /// The motion of a contact at that state.
  const ContactMotion& load(std::size_t contact, const State& state);
  [[nodiscard]] const ContactMotion& motion(std::size_t contact) const { return motion_[contact]; }

  /// x <- M^-1 x, of `velocities()` numbers.
  void solve_mass(double* x) const;

  [[nodiscard]] double kinetic(const Vector& u) const;                           ///< 1/2 u.M.u [J]
  [[nodiscard]] double mass_entry(std::size_t j) const { return diagonal_[j]; }  ///< M_jj
  [[nodiscard]] const Vector& force() const { return h_; }                       ///< h
  [[nodiscard]] const Vector& free() const { return free_; }                     ///< M^-1 h

  /// W^T M^-1 W of some contacts, all components, and their accelerations without contact forces,
  /// W^T M^-1 h + bias. @pre they were loaded
  void contact_space(const std::vector<std::size_t>& contacts, Matrix& G, Vector& b);

  /// M^-1 W of the last contact_space, a column for each component.
  [[nodiscard]] const Matrix& mobility() const { return mobility_; }

  const Model& model;
  const std::size_t n;           ///< velocities
  const std::size_t components;  ///< of a contact

 private:
  Matrix M_;  ///< its Cholesky factor, below the diagonal and on it
  Vector h_;
  Vector free_;
  std::vector<Eigen::Index> first_;  ///< the first column of each row of the factor
  std::vector<double> diagonal_;
  std::vector<ContactMotion> motion_;
  Matrix mobility_;
};

/// A pivot below this times the largest entry of its row counts as zero: contacts that share
/// directions.
inline constexpr double singular_pivot = 1e-11;

/// Result of solving a small system.
enum class Solved : std::uint8_t {
  uniquely,
  shared,  ///< singular: least-norm least-squares solution
  not_at_all,
};

/// Solves K x = rhs, of size r, by elimination; if K is singular, the least-norm least-squares
/// solution. K is row-major. rhs is overwritten by x.
[[nodiscard]] Solved solve_small(const std::vector<double>& K, std::vector<double>& rhs,
                                 std::size_t r);

}  // namespace carom::motion
