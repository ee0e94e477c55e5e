// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/friction/local.hpp>
#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/modes/newton.hpp>

namespace carom::complementarity {

/// Nonlinear block Gauss-Seidel: solves one contact after the other in closed form while the others
/// are fixed. With many contacts and a full G it over-relaxes. Every few sweeps it tries Newton's
/// method with the current modes, which converges if they are right. Otherwise the better of the
/// two results is continued.
class FrictionSweeps {
 public:
  /// @param accelerated  if false, Newton's method only polishes a result that sweeps alone brought
  ///   to the tolerance
  bool solve(const ScaledFriction& s, const FrictionOptions& options, bool accelerated);

  /// The same from a P that may be near a solution: tries Newton's method first.
  bool resume(const ScaledFriction& s, const FrictionOptions& options, std::span<const double> P);

  [[nodiscard]] std::span<double> P() { return P_; }
  [[nodiscard]] std::span<double> xi() { return xi_; }
  [[nodiscard]] std::span<const FrictionMode> modes() const { return modes_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double residual() const { return residual_; }

 private:
  void start(const ScaledFriction& s);
  bool sweep(const ScaledFriction& s);
  template <std::size_t d>
  bool sweep_of(const ScaledFriction& s);
  template <std::size_t d>
  bool sweep_full(const ScaledFriction& s);
  bool try_newton(const ScaledFriction& s, double tolerance);
  bool newton_steps(const ScaledFriction& s, double tolerance);
  bool damped_newton(const ScaledFriction& s, double tolerance);
  [[nodiscard]] double sweeps_left(double before, double tolerance) const;
  [[nodiscard]] static double newton_cost(const ScaledFriction& s);
  bool polished(const ScaledFriction& s, double tolerance);
  void cut_to_cones(const ScaledFriction& s);
  bool go_on(const ScaledFriction& s, const FrictionOptions& options, bool accelerated);

  std::vector<LocalFriction> local_;
  std::vector<FrictionMode> modes_;
  std::vector<double> P_;
  AlignedVector xi_;
  std::vector<double> trial_;
  AlignedVector trial_xi_;
  std::vector<FrictionMode> kept_;
  ModeNewton newton_;
  double relaxation_ = 1.;
  std::size_t count_ = 0;
  double residual_ = 0.;
};

}  // namespace carom::complementarity
