// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/complementarity/block_lu.hpp>
#include <carom/complementarity/friction/scaled.hpp>
#include <carom/core/dense_system.hpp>

namespace carom::complementarity {

/// Semismooth Newton method: one Newton step for given modes.
///
/// Each contact with an impulse stays on its branch. The normal impulse is an unknown (or fixed at
/// the floor); in stick the tangential impulse is an unknown, too. Slip keeps P_T = -mu P_n d,
/// where in space the direction d is an unknown. The equations are xi_n = 0 (not at the floor),
/// xi_T = 0 in stick, and in space that the component of xi_T perpendicular to d vanishes. In the
/// plane the equations are linear, and one step solves them. The cones hold after every step.
class ModeNewton {
 public:
  /// Added to a diagonal of about one: a singular G is solved to six digits, and one that is not
  /// loses none that a second step does not give back.
  static constexpr double least_shift = 1e-10;
  /// Where all pivots are above this, no shift is needed: rounding changes the solution by 2e-10,
  /// about as much as the least shift would.
  static constexpr double good_pivot = 1e-6;

  /// Chooses the modes by the natural map of P and xi: closed if P_n - xi_n > f, sticking if P_T -
  /// xi_T lies within mu P_n. Returns whether any mode changed.
  bool choose_modes(const ScaledFriction& s, std::span<const double> P, std::span<const double> xi);

  /// Sets the given modes, with directions of slip from P, or from xi if P has none.
  void set_modes(const ScaledFriction& s, std::span<const FrictionMode> modes,
                 std::span<const double> P, std::span<const double> xi);

  /// One step from P. On entry and exit xi = G P + b. Returns false if the equations are singular.
  /// @param shift  added to the diagonal, which is about one. It limits the step if G is singular
  /// or
  ///   nearly so. Repeated steps still converge. The least shift is omitted if a full G is far from
  ///   singular.
  bool step(const ScaledFriction& s, std::span<double> P, std::span<double> xi,
            double shift = least_shift);

  /// Writes the modes as reported in the result.
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

  /// The branch of a contact, its unknowns and equations: P changes by `free` y, and `test` xi +
  /// extra y = 0 at unknown 1 (the rotation of d).
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
  struct Column {  // an unknown of the dense equations
    std::size_t at = 0;
    std::array<double, 3> free{};
  };
  std::vector<Column> columns_;
  std::vector<double> row_;
  DenseSystem system_;
  std::vector<double> right_;
  std::vector<double> padded_;       // the right-hand side by blocks
  std::vector<std::uint8_t> moves_;  // whether the contact has any unknowns
  BlockLu lu_;
};

}  // namespace carom::complementarity
