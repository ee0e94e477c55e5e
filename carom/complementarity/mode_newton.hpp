// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/complementarity/block_lu.hpp>
#include <carom/complementarity/scaled_friction.hpp>
#include <carom/core/dense_system.hpp>

namespace carom::complementarity {

/// Newton's method within given modes.
///
/// Each contact that pushes keeps on its branch: the normal impulse is free (or held at the floor),
/// with stick also the tangential one; slip keeps P_T = -mu P_n d, in space with d free to turn.
/// What must vanish is xi_n (not at the floor), xi_T in stick, and in space the part of xi_T across
/// d. In the plane that is linear, and one step solves it. Cones hold whatever the step.
class ModeNewton {
 public:
  /// Added to a diagonal of about one: a singular G is solved to six digits, and one that is not
  /// loses none that a second step does not give back.
  static constexpr double least_shift = 1e-10;
  /// Where all pivots are above this, no shift is needed: rounding changes the solution by 2e-10,
  /// about as much as the least shift would.
  static constexpr double good_pivot = 1e-6;

  /// Modes as the natural map of P and xi would have them: closed where P_n - xi_n > f, sticking
  /// where P_T - xi_T lies within mu P_n. Returns whether any changed.
  bool choose_modes(const ScaledFriction& s, std::span<const double> P, std::span<const double> xi);

  /// Modes as given, with directions of slip from P, or from xi where P has none.
  void set_modes(const ScaledFriction& s, std::span<const FrictionMode> modes,
                 std::span<const double> P, std::span<const double> xi);

  /// One step from P with xi = G P + b, before and after it. False where the equations are
  /// singular.
  /// @param shift  added to the diagonal, which is about one: where G is singular, or nearly, the
  ///               step is kept from going far for little. Steps repeated converge all the same.
  ///               The least one is left out where a full G is seen to be far from singular.
  bool step(const ScaledFriction& s, std::span<double> P, std::span<double> xi,
            double shift = least_shift);

  /// Do P and xi satisfy the inequalities of the modes? Up to `slack`.
  [[nodiscard]] bool consistent(const ScaledFriction& s, std::span<const double> P,
                                std::span<const double> xi, double slack) const;

  /// The modes as the result tells them.
  void tell_modes(const ScaledFriction& s, std::span<const double> P,
                  std::span<FrictionMode> modes) const;

 private:
  struct Mode {
    bool at_floor = true;  // P_n = f
    bool sticks = false;
    double d1 = 0.;  // direction of slip
    double d2 = 0.;

    [[nodiscard]] bool same(const Mode& o) const {
      return at_floor == o.at_floor && sticks == o.sticks;
    }
  };

  /// A contact's branch, its unknowns and equations: P changes by `free` y, and `test` xi + extra y
  /// = 0 at the unknown numbered 1 (the turn of d).
  struct Branch : Mode {
    std::uint8_t unknowns = 0;
    std::uint32_t first = 0;
    std::array<double, 9> free{};  // components x unknowns, by unknowns
    std::array<double, 9> test{};  // unknowns x components
    double extra = 0.;             // at the last unknown
  };

  template <std::size_t d>
  bool step_of(const ScaledFriction& s, std::span<double> P, std::span<double> xi);
  template <std::size_t d>
  bool conform(const ScaledFriction& s, std::span<double> P) const;
  template <std::size_t d>
  void number_unknowns(const ScaledFriction& s, std::span<const double> P,
                       std::span<const double> xi);
  bool solve_full(const ScaledFriction& s);
  bool solve_sparse(const ScaledFriction& s);
  template <std::size_t d>
  void block_of(const Branch& row, const Branch& column, const double* G, double* block) const;
  template <std::size_t d>
  void assemble(const ScaledFriction& s);
  template <std::size_t d>
  bool solve_blocks(const ScaledFriction& s);

  std::vector<Branch> branches_;
  std::size_t unknowns_ = 0;
  double shift_ = least_shift;
  struct Column {  // an unknown of the full equations
    std::size_t at = 0;
    std::array<double, 3> free{};
  };
  std::vector<Column> columns_;
  std::vector<double> row_;
  DenseSystem system_;
  std::vector<double> right_;
  std::vector<double> padded_;       // the right-hand side by blocks
  std::vector<std::uint8_t> moves_;  // has the contact any unknowns?
  BlockLu lu_;
};

}  // namespace carom::complementarity
