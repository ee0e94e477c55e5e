// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/core/radau.hpp>
#include <carom/core/spatial.hpp>
#include <carom/core/tangent.hpp>

/// Slip of the slider of one compliant contact in space. The tangential force is F_T = -mu F_n s
/// with a unit vector s that turns. With the normal impulse p as the independent variable, u =
/// F_n^2, b = G_Tn and A = G_TT:
///
///     dP_T/dp = -mu s        dv/dp = G (1, -mu s)        du/dp = -2 k_n v_n
///     ds/dp = (k_t/mu) (v_T.s')/u s',    s' = s turned by a quarter
///
/// The rate of the direction is singular where F_n -> 0, and stiff where the tangential spring is
/// (lambda = |v_T|/(mu eta^2 |v_n|) >> 1): s then follows the direction of v_T. At the first
/// contact, u = 0, everything is a power series in p. At separation s is in general a power of the
/// impulse that is left, so that a step there is uniform in its logarithm.
namespace carom::springs {

/// What does not change while the slider slips.
struct SlidingContact {
  Sym3 G;                    ///< contact inverse inertia
  double friction = 0.;      ///< mu > 0
  double tangential_k = 1.;  ///< k_t, in units of the stiffness of compression
};

/// A point of the slip.
struct SlipPoint {
  Vec3 impulse;        ///< P since the start of the impact
  Vec3 velocity;       ///< v
  Tangent direction;   ///< s, of unit length
  double square = 0.;  ///< u = F_n^2, in units of the stiffness of compression
};

/// How the normal impulse grows along a step, for x from 0 to 1: by length x, or, towards the end
/// of the impact, by length (1 - exp(-rate x)).
struct Reach {
  double length = 0.;
  double rate = 0.;  ///< 0: linear

  /// The same step up to a fraction x.
  [[nodiscard]] Reach part(double x) const {
    return rate > 0. ? Reach{.length = length, .rate = rate * x}
                     : Reach{.length = length * x, .rate = 0.};
  }
  /// The normal impulse of the whole step.
  [[nodiscard]] double impulse() const;
};

/// One step by Radau's method IIA with seven stages (core/radau.hpp), in the angle of s. Given the
/// angles at the stages, impulse, velocity and u there are sums; hence Newton's method has seven
/// unknowns. No rate is evaluated at the start of the step, so that it may begin at u = 0.
class SlipStep {
 public:
  static constexpr std::size_t stages = Radau7::stages;

  /// False if Newton's method does not converge or u would not stay positive.
  /// @param k_n  stiffness of the normal spring
  [[nodiscard]] bool solve(const SlidingContact& contact, double k_n, const SlipPoint& start,
                           const Reach& reach);

  /// At the start (0) and at the stages; the last is the end of the step.
  [[nodiscard]] const SlipPoint& at(std::size_t stage) const { return point_[stage]; }
  [[nodiscard]] const SlipPoint& end() const { return point_[stages]; }
  /// dp/dx there.
  [[nodiscard]] double impulse_rate(std::size_t stage) const { return weight_[stage]; }
  /// Estimated error of the tangential impulse.
  [[nodiscard]] double impulse_error() const;
  /// Estimated error of the angle of s [rad].
  [[nodiscard]] double angle_error() const;

 private:
  using Row = Radau7::Row;

  void guess(const SlipPoint& start, const Reach& reach);
  bool evaluate();
  [[nodiscard]] bool factor();
  double improve();

  const SlidingContact* contact_ = nullptr;
  double k_n_ = 1.;
  Reach reach_;
  bool solved_ = false;
  double start_rate_ = 0.;                   ///< dangle/dp at the start
  Row angle_{};                              ///< of s at the stages, from s at the start [rad]
  Row rate_{};                               ///< dangle/dp at the stages
  std::array<double, stages + 1> weight_{};  ///< dp/dx at the start and the stages
  Row impulse_{};                            ///< normal impulse since the start, at the stages
  std::array<SlipPoint, stages + 1> point_{};
  std::array<Row, stages> matrix_{};  ///< of Newton's method, factored
  std::array<std::size_t, stages> pivot_{};
};

/// d(angle of s)/dp.
[[nodiscard]] double turning_rate(const SlidingContact& contact, double k_n, const SlipPoint& x);

}  // namespace carom::springs
