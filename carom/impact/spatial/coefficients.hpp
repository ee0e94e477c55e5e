// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

/// Outcomes in space in the generalized coefficients of [Brach 1998], and the values that energy
/// and kinematics admit.
namespace carom {

/// An outcome in those coefficients. With these `brach` returns the same outcome. Empty if there is
/// no impulse, or no approach or slip to refer to.
struct SpatialBrachCoefficients {
  std::optional<double> e_n;                           ///< -v_n+/v_n-
  std::array<std::optional<double>, 2> e_t;            ///< -v_j+/v_j-
  std::optional<std::array<double, 2>> impulse_ratio;  ///< P_j/P_n
  std::optional<std::array<double, 3>> moment_ratio;   ///< M_j/P_n [m]
  /// Those that end slip at this e_n, with the surface's moment coefficients.
  std::optional<std::array<double, 2>> critical_ratio;
  /// The same at e_n = 0: with them the energy loss is the greatest (no couples) [Brach 1998,
  /// eq. 10].
  std::optional<std::array<double, 2>> critical_ratio_without_rebound;
};

[[nodiscard]] SpatialBrachCoefficients brach_coefficients(const SpatialProblem& problem,
                                                          const SpatialOutcome& outcome);

/// One coefficient of `brach`.
enum class BrachCoefficient : std::uint8_t {
  normal,       ///< e_n
  tangential1,  ///< mu_t or e_t, whichever the surface gives
  tangential2,
  moment_n,  ///< e_mj or M_j/P_n, whichever the surface gives
  moment_t1,
  moment_t2,
};

/// A closed interval of a coefficient; its ends may be infinite.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool operator==(const Interval&) const = default;
};

/// A few intervals, ascending.
class Intervals {
 public:
  static constexpr std::size_t capacity = 3;

  void add(const Interval& i) { part_[size_++] = i; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Interval* begin() const { return part_.data(); }
  [[nodiscard]] const Interval* end() const { return part_.data() + size_; }
  [[nodiscard]] const Interval& operator[](std::size_t i) const { return part_[i]; }

  /// The interval that contains x.
  [[nodiscard]] std::optional<Interval> around(double x) const {
    for (const Interval& i : *this) {
      if (x >= i.low && x <= i.high) return i;
    }
    return std::nullopt;
  }

 private:
  std::array<Interval, capacity> part_{};
  std::size_t size_ = 0;
};

/// The admissible values of a coefficient, with the others fixed: no energy is created (T_L >= 0),
/// the normal impulse is not negative, and the bodies separate (e_n >= 0; moment coefficients
/// within [-1, 1]).
///
/// Impulse and couple are z(x) = Z(x)/D(x) with Z and D linear in the coefficient x. Hence T_L is a
/// quadratic over D^2, and the ends are roots of a quadratic, or poles. Under Coulomb's rule the
/// ratios are fixed at the values that the rule gives. Empty if nothing is admissible or the
/// contact does not approach.
[[nodiscard]] Intervals admissible(const SpatialProblem& problem, BrachCoefficient coefficient);

}  // namespace carom
