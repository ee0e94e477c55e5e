// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include <carom/core/tangent.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/darboux_keller/slip_flow.hpp>

/// The exact friction process in space for a scalar that carries first derivatives: Taylor's series
/// of the flow in that scalar, which is to integrate the variational equations along with it.
///
/// The phases of the outcome say what happens in which order, and at what normal impulse. The
/// series are followed to there; then one step of Newton's method in the scalar, on the equation
/// that ends the phase (v_n = 0, or the hypothesis), makes the place depend on the inputs as the
/// event does. Rays are not followed as straight lines, as the process does, since slip beside a
/// ray turns: what counts is how it does. So derivatives are as accurate as the process at its
/// default tolerance, about 1e-12, amplified by what the flow amplifies.
namespace carom {
namespace detail {

/// The flow R du/dtau = |u| b - mu A u with its integrals (slip_flow.hpp), from 0 to `length`.
template <class S>
class SlipTaylor {
 public:
  static constexpr std::size_t order = 24;
  using Row = std::array<S, order + 2>;

  SlipTaylor(const Sym3& G, const S& mu, const BasicVec3<S>& v) {
    const Tangent b = coupling(G);
    const double mu_0 = value_of(mu);
    const double rate = carom::size(b) + mu_0 * (G.t11 + G.t22);
    const double per = 1. / (rate > 0. ? rate : G.nn);
    Row s;
    u1[0] = v.t1;
    u2[0] = v.t2;
    s[0] = carom::size(tangential(v));
    v_n[0] = v.n;
    p[0] = f1[0] = f2[0] = work[0] = S(0.);
    const S half_per_s = S(0.5) / s[0];
    for (std::size_t k = 0; k <= order; ++k) {
      const double over = per / static_cast<double>(k + 1);
      const BasicTangent<S> Au = tangential_product(G, BasicTangent<S>{.t1 = u1[k], .t2 = u2[k]});
      u1[k + 1] = (b.t1 * s[k] - mu * Au.t1) * over;
      u2[k + 1] = (b.t2 * s[k] - mu * Au.t2) * over;
      v_n[k + 1] = (G.nn * s[k] - mu * (b.t1 * u1[k] + b.t2 * u2[k])) * over;
      p[k + 1] = s[k] * over;
      f1[k + 1] = -(mu * u1[k]) * over;
      f2[k + 1] = -(mu * u2[k]) * over;
      S power(0.);
      for (std::size_t i = 0; i <= k; ++i) power = power + v_n[i] * s[k - i];
      work[k + 1] = power * over;
      if (k == order) break;
      // |u|^2 = u.u, power k + 1.
      S square(0.);
      for (std::size_t i = 0; i <= k + 1; ++i) {
        square = square + (u1[i] * u1[k + 1 - i] + u2[i] * u2[k + 1 - i]);
        if (i > 0 && i <= k) square = square - s[i] * s[k + 1 - i];
      }
      s[k + 1] = square * half_per_s;
    }
    // Rates are at most 1, so that |u - u_0| < 0.41 |u_0| and |u| is analytic for complex
    // |tau| < 0.34: a step of 1/16 needs no test.
    const double slip = value_of(s[0]);
    constexpr double longest = 4.;
    constexpr double negligible = 1e-4 * epsilon;  // the last two terms, relative to slip
    const auto last = [&](double tau) {
      double power = 1.;
      for (std::size_t k = 1; k < order; ++k) power *= tau;
      const auto term = [&](std::size_t k, double x) {
        return x *
               (std::abs(value_of(u1[k])) + std::abs(value_of(u2[k])) + std::abs(value_of(s[k])));
      };
      return term(order - 1, power) + term(order, power * tau);
    };
    while (length < longest && last(2. * length) <= negligible * slip) length *= 2.;
  }

  template <class T>
  [[nodiscard]] static S at(const Row& c, const T& tau) {
    S sum = c[order + 1];
    for (std::size_t k = order + 1; k-- > 0;) sum = c[k] + sum * tau;
    return sum;
  }
  [[nodiscard]] static double slope(const Row& c, double tau) {
    double sum = 0.;
    for (std::size_t k = order + 1; k > 0; --k) {
      sum = static_cast<double>(k) * value_of(c[k]) + tau * sum;
    }
    return sum;
  }

  /// Where the normal impulse, which rises, has this value. @pre it has it at `length` or before
  [[nodiscard]] double where_p(double impulse) const {
    double low = 0.;
    double high = length;
    double tau = 0.5 * length;
    constexpr int budget = 100;
    for (int i = 0; i < budget && high - low > epsilon * high; ++i) {
      const double f = value_of(at(p, tau)) - impulse;
      (f > 0. ? high : low) = tau;
      const double next = tau - f / slope(p, tau);
      tau = next > low && next < high ? next : 0.5 * (low + high);
    }
    return tau;
  }

  double length = 1. / 16.;
  Row u1, u2, v_n, p, f1, f2, work;
};

template <class S>
class ProcessTotals {
 public:
  ProcessTotals(const SpatialInputs<S>& in, Hypothesis hypothesis)
      : in_(in), G_(in.problem.G), hypothesis_(hypothesis), v_(in.approach) {
    target_ = -in.restitution * in.approach.n;
    scale_ = std::abs(in.problem.approach.n) + carom::size(tangential(in.problem.approach));
  }

  [[nodiscard]] std::optional<SpatialTotals<S>> run(const SpatialOutcome& o) {
    const bool unfinished = o.flags.has(Verdict::target_unreachable) ||
                            o.flags.has(Verdict::not_converged) ||
                            o.phases.counted() > o.phases.size() || o.phases.empty();
    if (unfinished) return std::nullopt;
    slips_ = o.mode != Mode::no_slip_sticks && o.mode != Mode::no_slip_slides;
    if (!slips_) v_ = joined(v_.n, BasicTangent<S>{});
    for (std::size_t i = 0; i < o.phases.size(); ++i) {
      const SpatialPhase& now = o.phases[i];
      const SpatialPhase* next = i + 1 < o.phases.size() ? &o.phases[i + 1] : nullptr;
      stage_ = now.stage;
      const bool stops = slips_ && next != nullptr && next->stage == now.stage;
      if (slips_ && now.motion != Motion::slip) return std::nullopt;  // stopped with the stage
      bool followed = true;
      if (stops) {
        followed = slip_to_stop();
      } else if (slips_) {
        followed = slip_to(now.impulse.n, next == nullptr);
      } else {
        go_straight(next == nullptr);
      }
      if (!followed) return std::nullopt;
    }
    if (!(in_.restitution > S(0.))) begin_to_restore();
    SpatialTotals<S> t{.impulse = P_, .velocity = v_};
    const Vec3 missed = value_of(t.velocity) - o.velocity;
    constexpr double astray = 1e-6;
    const bool found = std::abs(missed.n) + carom::size(tangential(missed)) <= astray * scale_;
    return found ? std::optional(t) : std::nullopt;
  }

 private:
  /// dP_T/dp, dv/dp
  struct Line {
    BasicTangent<S> impulse;
    BasicVec3<S> velocity;
  };

  [[nodiscard]] Line slip_line(const BasicTangent<S>& e) const {
    const Tangent b = coupling(G_);
    const BasicTangent<S> Ae = tangential_product(G_, e);
    const S& mu = in_.friction;
    return {.impulse = -mu * e,
            .velocity = {.n = S(G_.nn) - mu * (b.t1 * e.t1 + b.t2 * e.t2),
                         .t1 = S(b.t1) - mu * Ae.t1,
                         .t2 = S(b.t2) - mu * Ae.t2}};
  }

  /// What follows once slip has stopped.
  [[nodiscard]] Line after_slip() const {
    const SlipFlow flow(G_, in_.problem.surface.friction);
    const AfterSlip after = flow.after_slip(in_.problem.surface.static_friction);
    const auto number = [](double x) { return S(x); };
    if (after.sticks) {
      return {.impulse = {.t1 = number(after.line.impulse.t1), .t2 = number(after.line.impulse.t2)},
              .velocity = {.n = number(after.line.velocity.n), .t1 = S(0.), .t2 = S(0.)}};
    }
    // Slip goes on in the direction that it has; that h = 0 there makes it depend on mu.
    const Tangent f = tangential(after.line.velocity);
    const Tangent e = (1. / length(f)) * f;
    const Tangent across = quarter_turn(e);
    const Line there = slip_line({.t1 = S(e.t1), .t2 = S(e.t2)});
    const S turning = across.t1 * there.velocity.t1 + across.t2 * there.velocity.t2;
    const S angle = -turning / S(flow.attraction(e));
    return slip_line({.t1 = S(e.t1) + across.t1 * angle, .t2 = S(e.t2) + across.t2 * angle});
  }

  void push(const S& p, const BasicTangent<S>& friction, const S& work) {
    P_ = P_ + joined(p, friction);
    const bool compression = stage_ == Stage::compression;
    (compression ? p_compression_ : p_restitution_) += p;
    (compression ? work_compression_ : work_restitution_) += work;
  }

  void advance(const Line& line, const S& dp) {
    const BasicVec3<S> after = v_ + dp * line.velocity;
    push(dp, dp * line.impulse, S(0.5) * dp * (v_.n + after.n));
    v_ = after;
  }

  void advance(const SlipTaylor<S>& series, const S& tau) {
    using Series = SlipTaylor<S>;
    push(Series::at(series.p, tau), {Series::at(series.f1, tau), Series::at(series.f2, tau)},
         Series::at(series.work, tau));
    v_ = {Series::at(series.v_n, tau), Series::at(series.u1, tau), Series::at(series.u2, tau)};
  }

  /// Slip beside a ray may die out more slowly than slip along it. If the contact then sticks, all
  /// that is left of it ends at once, to first order; if it slips anew, it is followed much
  /// further.
  bool slip_to_stop() {
    const bool sticks = SlipFlow(G_, in_.problem.surface.friction)
                            .after_slip(in_.problem.surface.static_friction)
                            .sticks;
    // Relative to the scale of the velocities: rounding, or as far as its square does not
    // underflow.
    constexpr double gone_before_stick = 1e-14;
    constexpr double gone_before_slip = 1e-100;
    const double gone = sticks ? gone_before_stick : gone_before_slip;
    constexpr int budget = 10'000;
    for (int i = 0; i < budget; ++i) {
      const BasicTangent<S> u = tangential(v_);
      if (value_of(carom::size(u)) <= gone * scale_) {
        const BasicTangent<S> w = TangentialInverse(G_) * u;
        const Tangent b = coupling(G_);
        P_ = P_ - joined(S(0.), w);
        v_ = joined(v_.n - (b.t1 * w.t1 + b.t2 * w.t2), BasicTangent<S>{});
        slips_ = false;
        return true;
      }
      const SlipTaylor<S> series(G_, in_.friction, v_);
      advance(series, S(series.length));
    }
    return false;
  }

  /// Slips until the normal impulse given, where v_n = 0 or, at the `last`, the impact ends.
  bool slip_to(double impulse, bool last) {
    constexpr int budget = 10'000;
    for (int i = 0; i < budget; ++i) {
      const SlipTaylor<S> series(G_, in_.friction, v_);
      const double left = impulse - value_of(P_.n);
      if (value_of(SlipTaylor<S>::at(series.p, series.length)) < left) {
        advance(series, S(series.length));
        continue;
      }
      const double tau = left > 0. ? series.where_p(left) : 0.;
      const bool ends = last && stage_ == Stage::restitution;
      // One step on the equation that ends it: its derivatives, and the last digits.
      S missed = SlipTaylor<S>::at(series.v_n, tau);
      double rate = SlipTaylor<S>::slope(series.v_n, tau);
      if (ends && hypothesis_ == Hypothesis::newton) missed = missed - target_;
      if (ends && hypothesis_ == Hypothesis::poisson) {
        missed =
            p_restitution_ + SlipTaylor<S>::at(series.p, tau) - in_.restitution * p_compression_;
        rate = SlipTaylor<S>::slope(series.p, tau);
      }
      if (ends && hypothesis_ == Hypothesis::energetic) {
        missed = work_restitution_ + SlipTaylor<S>::at(series.work, tau) - work_to_restore();
        rate = SlipTaylor<S>::slope(series.work, tau);
      }
      if (rate == 0.) return false;
      advance(series, S(tau) - missed / S(rate));
      return true;
    }
    return false;
  }

  [[nodiscard]] S work_to_restore() const {
    return -(in_.restitution * in_.restitution) * work_compression_;
  }

  /// Along what follows slip, to v_n = 0 or to the end.
  void go_straight(bool last) {
    const Line line = after_slip();
    const S slope = line.velocity.n;
    if (!last || stage_ == Stage::compression) return advance(line, -v_.n / slope);
    switch (hypothesis_) {
      case Hypothesis::newton:
        return advance(line, (target_ - v_.n) / slope);
      case Hypothesis::poisson:
        return advance(line, in_.restitution * p_compression_ - p_restitution_);
      case Hypothesis::energetic: {
        const S left = work_to_restore() - work_restitution_;
        const S sum = v_.n + root(S(v_.n * v_.n + S(2.) * slope * left));
        return advance(line, S(2.) * left / sum);
      }
    }
  }

  /// Without restitution: what the first of it would do, for the derivative by e.
  void begin_to_restore() {
    const BasicTangent<S> u = tangential(v_);
    const Line line = slips_ ? slip_line(S(S(1.) / carom::size(u)) * u) : after_slip();
    const S slope = line.velocity.n;
    stage_ = Stage::restitution;
    switch (hypothesis_) {
      case Hypothesis::newton:
        return advance(line, (target_ - v_.n) / slope);
      case Hypothesis::poisson:
        return advance(line, in_.restitution * p_compression_);
      case Hypothesis::energetic:
        return advance(line, in_.restitution * root(S(S(-2.) * work_compression_ / slope)));
    }
  }

  const SpatialInputs<S>& in_;
  const Sym3& G_;
  Hypothesis hypothesis_;
  S target_{};
  double scale_ = 0.;
  BasicVec3<S> v_;
  BasicVec3<S> P_;
  S p_compression_{};
  S p_restitution_{};
  S work_compression_{};
  S work_restitution_{};
  Stage stage_ = Stage::compression;
  bool slips_ = false;
};

}  // namespace detail

template <class S>
std::optional<SpatialTotals<S>> DarbouxKeller::totals(const SpatialInputs<S>& in,
                                                      const SpatialOutcome& outcome) const {
  return detail::ProcessTotals<S>(in, hypothesis).run(outcome);
}

}  // namespace carom
