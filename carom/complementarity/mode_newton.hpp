// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>

#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// Newton's method within given modes.
///
/// Each contact that pushes keeps on its branch: the normal impulse is free (or held at the floor),
/// with stick also the tangential one; slip keeps P_T = -mu P_n d, in space with d free to turn.
/// What must vanish is xi_n (not at the floor), xi_T in stick, and in space the part of xi_T across
/// d. In the plane that is linear, and one step solves it. Cones hold whatever the step.
class ModeNewton {
 public:
  /// Modes as the natural map of P and xi would have them: closed where P_n - xi_n > f, sticking
  /// where P_T - xi_T lies within mu P_n. Returns whether any changed.
  bool choose_modes(const ScaledFriction& s, std::span<const double> P, std::span<const double> xi);

  /// Modes as given, with directions of slip from P, or from xi where P has none.
  void set_modes(const ScaledFriction& s, std::span<const FrictionMode> modes,
                 std::span<const double> P, std::span<const double> xi);

  /// One step from P, and xi = G P + b after it. False where the equations are singular.
  bool step(const ScaledFriction& s, std::span<double> P, std::span<double> xi);

  /// Do P and xi satisfy the inequalities of the modes? Up to `slack`.
  [[nodiscard]] bool consistent(const ScaledFriction& s, std::span<const double> P,
                                std::span<const double> xi, double slack) const;

  /// The modes as the result tells them.
  void tell_modes(const ScaledFriction& s, std::span<const double> P,
                  std::span<FrictionMode> modes) const;

 private:
  /// A contact's branch, its unknowns and equations: P changes by `free` y, and `test` xi + extra y
  /// = 0 at the unknown numbered 1 (the turn of d).
  struct Branch {
    bool at_floor = true;  // P_n = f
    bool sticks = false;
    double d1 = 0.;  // direction of slip
    double d2 = 0.;
    std::uint8_t unknowns = 0;
    std::uint32_t first = 0;
    std::array<double, 9> free{};  // components x unknowns, by unknowns
    std::array<double, 9> test{};  // unknowns x components
    double extra = 0.;             // at the last unknown

    [[nodiscard]] bool same(const Branch& o) const {
      return at_floor == o.at_floor && sticks == o.sticks;
    }
  };

  void conform(const ScaledFriction& s, std::span<double> P) const;
  void number_unknowns(const ScaledFriction& s, std::span<const double> P,
                       std::span<const double> xi);
  bool solve_dense(const ScaledFriction& s);
  bool solve_sparse(const ScaledFriction& s);
  template <std::size_t d, class Put>
  void assemble(const ScaledFriction& s, const Put& put) const;

  std::vector<Branch> branches_;
  std::size_t unknowns_ = 0;
  std::vector<double> matrix_;
  std::vector<double> right_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> sparse_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu_;
};

}  // namespace carom::complementarity
