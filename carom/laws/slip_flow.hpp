// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/core/scalar.hpp>
#include <carom/core/spatial.hpp>
#include <carom/core/tangent.hpp>

/// How the slip of one contact in space evolves with the normal impulse p [Darboux 1880;
/// Keller 1986]. With u the slip, e = u/|u|, A = G_TT and b = G_Tn:
///
///     du/dp = b - mu A e        dv_n/dp = G_nn - mu b.e        dP_T/dp = -mu e
///
/// In polar form u = s e(phi), with e' = de/dphi:
///
///     s dphi/dp = h = e'.(b - mu A e)      ds/dp = g = e.(b - mu A e)
///
/// Where h = 0 the direction stays: an invariant ray, on which everything is linear in p. Slip
/// stops only along such a ray (g < 0), since elsewhere s^-1 drives phi away from where it is.
/// Off the rays dp = (s/R) dtau with a rate R takes the singularity at s = 0 away: u obeys
///
///     R du/dtau = |u| b - mu A u
///
/// which is homogeneous in u, and whose Taylor series is found by recurrence. Steps of the series
/// are several times longer than those of a Runge-Kutta method, and what is looked for within one
/// is the root of a polynomial.
namespace carom {

/// Everything linear in the normal impulse: its rates per unit of it.
struct ImpulseLine {
  Tangent impulse;  ///< dP_T/dp
  Vec3 velocity;    ///< dv/dp [1/kg]
};

/// Slip that is taken to keep its direction.
struct StraightSlip {
  Tangent direction;
  double growth = 0.;  ///< ds/dp [1/kg]
  double missed = 0.;  ///< error in velocity, relative to the slip; 0 on a ray, infinite: unknown
};

/// What a contact does once slip has stopped.
struct AfterSlip {
  bool sticks = true;
  ImpulseLine line;
};

/// The contact's coefficients and what they say of one direction of slip.
class SlipFlow {
 public:
  /// @pre G is positive semidefinite, mu >= 0
  SlipFlow(const Sym3& G, double mu);

  /// The turning rate s dphi/dp along the unit direction e [1/kg].
  [[nodiscard]] double turning(const Tangent& e) const { return dot(quarter_turn(e), force(e)); }
  /// ds/dp [1/kg]
  [[nodiscard]] double growth(const Tangent& e) const { return dot(e, force(e)); }
  /// dv_n/dp [1/kg]
  [[nodiscard]] double normal_rate(const Tangent& e) const { return nn_ - mu_ * dot(b_, e); }
  /// dh/dphi = -g - mu e'.A.e' [1/kg]: negative where the ray attracts.
  [[nodiscard]] double attraction(const Tangent& e) const {
    const Tangent across = quarter_turn(e);
    return -growth(e) - mu_ * dot(across, A(across));
  }
  /// How slip along e goes on if taken as straight: along e where that is a ray or slip is sure
  /// to stop soon, along the ray that attracts it where one is near.
  /// @param allowed  `missed` beyond this is of no use
  [[nodiscard]] StraightSlip straight_on(const Tangent& e, double allowed) const;
  /// Slip along e, seen as unchanging. Rates that rounding makes count as zero.
  [[nodiscard]] ImpulseLine slip_line(const Tangent& e) const;

  /// From zero slip: stick if the least friction that holds, A^-1 b, is within mu_s; else slip
  /// along the one direction that diverges, e = (g + mu A)^-1 b with g > 0.
  [[nodiscard]] AfterSlip after_slip(double mu_s) const;

  /// Slip up to this is what rounding makes of none, beside the normal velocity v_n.
  [[nodiscard]] double least_slip(double v_n) const {
    const double mobility = a11_ + a22_;
    return 4. * epsilon * std::abs(v_n) * (mobility < nn_ ? mobility / nn_ : 1.);
  }

  /// Can v_n fall in any direction of slip?
  [[nodiscard]] bool may_fall() const { return mu_ * b_size_ > nn_; }

  [[nodiscard]] double mu() const { return mu_; }
  [[nodiscard]] double nn() const { return nn_; }
  [[nodiscard]] const Tangent& b() const { return b_; }
  /// |b| + mu tr A [1/kg]: no rate of slip or of its direction is larger.
  [[nodiscard]] double rate() const { return rate_; }

  /// A ray is one to this part of `rate`.
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
  /// Highest power kept of the slip; impulse, normal velocity and works have one more.
  static constexpr std::size_t most = 30;

  /// What the step has added by some tau.
  struct Added {
    double p = 0.;    ///< normal impulse
    Tangent impulse;  ///< tangential
    double normal_work = 0.;
    double friction_work = 0.;
    double v_n = 0.;  ///< not an increment: the velocity there
    Tangent slip;     ///< nor this
  };

  /// @param error  of the slip over the step, relative to the slip
  SlipSeries(const SlipFlow& flow, double v_n, const Tangent& slip, double error);

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] Added at(double tau) const;

  // Where a polynomial that is monotone from `low` to `high` takes a value between.
  [[nodiscard]] double where_v_n(double value, double low, double high) const {
    return where(v_, value, low, high);
  }
  [[nodiscard]] double where_p(double value, double low, double high) const {
    return where(p_, value, low, high);
  }
  [[nodiscard]] double where_normal_work(double value, double low, double high) const {
    return where(w_n_, value, low, high);
  }

  /// Breaks the step into stretches on which v_n is monotone; gives their ends, the last of which
  /// is `length()`.
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
  Row w_n_;  ///< its work
  Row w_t_;  ///< work of friction
  double impulse_scale_ = 0.;
};

}  // namespace carom
