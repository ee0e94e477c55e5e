// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/core/scalar.hpp>
#include <carom/core/spatial.hpp>
#include <carom/core/tangent.hpp>

/// Evolution of the slip of one contact in space with the normal impulse p [Darboux 1880; Keller
/// 1986]. With u the slip, e = u/|u|, A = G_TT and b = G_Tn:
///
///     du/dp = b - mu A e        dv_n/dp = G_nn - mu b.e        dP_T/dp = -mu e
///
/// In polar form u = s e(phi), with e' = de/dphi:
///
///     s dphi/dp = h = e'.(b - mu A e)      ds/dp = g = e.(b - mu A e)
///
/// If h = 0 the direction is constant: an invariant ray, on which everything is linear in p. Slip
/// stops only along such a ray (g < 0), because elsewhere the factor 1/s changes phi. Elsewhere the
/// substitution dp = (s/R) dtau with a rate R removes the singularity at s = 0:
///
///     R du/dtau = |u| b - mu A u
///
/// which is homogeneous in u, and whose Taylor series is found by recurrence. Steps of the series
/// are several times longer than those of a Runge-Kutta method, and what is looked for within one
/// is the root of a polynomial.
namespace carom {

/// A segment on which everything is linear in the normal impulse: the rates.
struct ImpulseLine {
  Tangent impulse;  ///< dP_T/dp
  Vec3 velocity;    ///< dv/dp [1/kg]
};

/// Slip treated as having a constant direction.
struct StraightSlip {
  Tangent direction;
  double growth = 0.;  ///< ds/dp [1/kg]
  double missed = 0.;  ///< velocity error, relative to the slip; 0 on a ray, infinite: unknown
};

/// Behaviour of a contact after slip has stopped.
struct AfterSlip {
  bool sticks = true;
  ImpulseLine line;
};

/// The coefficients of the contact, and functions of the direction of slip.
class SlipFlow {
 public:
  /// @pre G is positive semidefinite, mu >= 0
  SlipFlow(const Sym3& G, double mu);

  /// The rate of rotation s dphi/dp along the unit direction e [1/kg].
  [[nodiscard]] double turning(const Tangent& e) const { return dot(quarter_turn(e), force(e)); }
  /// ds/dp [1/kg]
  [[nodiscard]] double growth(const Tangent& e) const { return dot(e, force(e)); }
  /// dv_n/dp [1/kg]
  [[nodiscard]] double normal_rate(const Tangent& e) const { return nn_ - mu_ * dot(b_, e); }
  /// dh/dphi = -g - mu e'.A.e' [1/kg]: negative if the ray attracts.
  [[nodiscard]] double attraction(const Tangent& e) const {
    const Tangent across = quarter_turn(e);
    return -growth(e) - mu_ * dot(across, A(across));
  }
  /// Continues slip along a constant direction: e if it is a ray or slip is certain to stop soon,
  /// or the attracting ray if one is near.
  /// @param allowed  a result with a larger `missed` is not used
  [[nodiscard]] StraightSlip straight_on(const Tangent& e, double allowed) const;
  /// Slip along e as a constant direction. Rates that are zero to rounding are set to zero.
  [[nodiscard]] ImpulseLine slip_line(const Tangent& e) const;

  /// From zero slip: stick if the least friction that holds the contact, A^-1 b, is within mu_s;
  /// otherwise slip along the one diverging direction, e = (g + mu A)^-1 b with g > 0.
  [[nodiscard]] AfterSlip after_slip(double mu_s) const;

  /// Slip up to this is rounding, compared with the normal velocity v_n.
  [[nodiscard]] double least_slip(double v_n) const {
    const double mobility = a11_ + a22_;
    return 4. * epsilon * std::abs(v_n) * (mobility < nn_ ? mobility / nn_ : 1.);
  }

  /// Whether v_n can decrease in any direction of slip.
  [[nodiscard]] bool may_fall() const { return mu_ * b_size_ > nn_; }

  [[nodiscard]] double mu() const { return mu_; }
  [[nodiscard]] double nn() const { return nn_; }
  [[nodiscard]] const Tangent& b() const { return b_; }
  /// |b| + mu tr A [1/kg]: an upper bound of the rates of slip and of its direction.
  [[nodiscard]] double rate() const { return rate_; }

  /// Tolerance for a ray, as a fraction of `rate`.
  static constexpr double ray_tolerance = 1e-13;

 private:
  friend class SlipSeries;
  [[nodiscard]] Tangent A(const Tangent& x) const {
    return {.t1 = a11_ * x.t1 + a12_ * x.t2, .t2 = a12_ * x.t1 + a22_ * x.t2};
  }
  [[nodiscard]] Tangent force(const Tangent& e) const { return b_ - mu_ * A(e); }
  [[nodiscard]] Tangent diverging_direction() const;
  [[nodiscard]] Tangent ray_near(Tangent e) const;

  double nn_;
  Tangent b_;
  double a11_;
  double a12_;
  double a22_;
  double mu_;
  double b_size_;
  double rate_;
  double half_spread_;  ///< half the difference of A's eigenvalues
};

/// One step of the flow as Taylor polynomials in tau, from 0 to `length()`.
class SlipSeries {
 public:
  /// Highest power of the slip. Impulse, normal velocity and works have one more.
  static constexpr std::size_t most = 30;

  /// Increments of the step up to some tau.
  struct Added {
    double p = 0.;    ///< normal impulse
    Tangent impulse;  ///< tangential
    double normal_work = 0.;
    double friction_work = 0.;
    double v_n = 0.;  ///< velocity at tau, not an increment
    Tangent slip;     ///< slip at tau, not an increment
  };

  /// @param error  of the slip over the step, relative to the slip
  SlipSeries(const SlipFlow& flow, double v_n, const Tangent& slip, double error);

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] Added at(double tau) const;

  // Where a polynomial that is monotone from `low` to `high` takes a value in between.
  [[nodiscard]] double where_v_n(double value, double low, double high) const {
    return where(v_, value, low, high);
  }
  [[nodiscard]] double where_p(double value, double low, double high) const {
    return where(p_, value, low, high);
  }
  [[nodiscard]] double where_normal_work(double value, double low, double high) const {
    return where(w_n_, value, low, high);
  }

  /// Divides the step into intervals on which v_n is monotone. Returns their ends; the last one is
  /// `length()`.
  struct Stretches {
    std::array<double, 6> end{};
    std::size_t size = 0;
  };
  [[nodiscard]] Stretches monotone(const SlipFlow& flow) const;

 private:
  using Row = std::array<double, most + 2>;
  [[nodiscard]] double value(const Row& c, double tau) const;
  [[nodiscard]] double where(const Row& c, double value, double low, double high) const;

  std::size_t order_;
  double length_ = 0.;
  Row u1_;   ///< slip
  Row u2_;   ///< slip
  Row v_;    ///< normal velocity
  Row p_;    ///< normal impulse
  Row w_n_;  ///< work of the normal impulse
  Row w_t_;  ///< work of friction
  double impulse_scale_ = 0.;
};

}  // namespace carom
