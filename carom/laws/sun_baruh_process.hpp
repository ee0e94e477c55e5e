// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>

#include <carom/core/stick.hpp>
#include <carom/core/tangent.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/sun_baruh.hpp>

/// `sun-baruh` in space for any scalar: `double`, or one that carries derivatives. Modes, phases,
/// works and verdicts are computed in double.
namespace carom::sun_baruh_detail {

/// A straight piece of the process: while the normal impulse grows by p, friction grows by ratio p.
template <class S>
struct Slope {
  BasicTangent<S> ratio;  ///< dP_T/dp
  S normal{};             ///< dv_n/dp [1/kg]
  BasicTangent<S> slip;   ///< dv_T/dp [1/kg]
};

template <class S>
[[nodiscard]] BasicTangent<S> of_scalar(const Tangent& x) {
  return {.t1 = S(x.t1), .t2 = S(x.t2)};
}

template <class S>
[[nodiscard]] Slope<S> slope_of(const Sym3& G, const BasicTangent<S>& ratio) {
  const auto b = of_scalar<S>(coupling(G));
  return {
      .ratio = ratio, .normal = S(G.nn) + dot(b, ratio), .slip = b + tangential_product(G, ratio)};
}

/// Sliding against friction of direction -d, d not of unit length; frictionless where d is zero.
template <class S>
[[nodiscard]] Slope<S> sliding(const Sym3& G, const S& mu, const BasicTangent<S>& d) {
  const S length = size(d);
  return slope_of(G, length > S(0.) ? S(-mu / length) * d : BasicTangent<S>{});
}

/// The state of the process, and the phases and verdicts recorded so far.
template <class S>
class Process {
 public:
  Process(const Sym3& inverse_inertia, const BasicVec3<S>& approach, SpatialOutcome& outcome)
      : G(inverse_inertia), v(approach), outcome_(outcome) {
    outcome_.energy.stages = StageWork{};
  }

  /// Goes on for p along `slope`.
  void advance(Stage stage, Motion motion, const S& p, const Slope<S>& slope) {
    finish(stage, motion, p, p * slope.ratio, v.n + slope.normal * p,
           motion == Motion::stick ? BasicTangent<S>{} : tangential(v) + p * slope.slip);
  }

  /// Goes on to the state given: the velocities are known better than from the slopes.
  void finish(Stage stage, Motion motion, const S& p, const BasicTangent<S>& friction, const S& v_n,
              const BasicTangent<S>& slip) {
    if (!(p > S(0.))) return;
    (stage == Stage::compression ? compression_work : restitution_work) += S(0.5) * p * (v.n + v_n);
    outcome_.energy.friction += value_of(S(S(0.5) * dot(friction, tangential(v) + slip)));
    P = P + joined(p, friction);
    v = joined(v_n, slip);
    outcome_.phases.push_back(
        {.stage = stage, .motion = motion, .impulse = value_of(P), .velocity = value_of(v)});
  }

  const Sym3& G;
  BasicVec3<S> v;
  BasicVec3<S> P;
  S compression_work{};
  S restitution_work{};

 private:
  SpatialOutcome& outcome_;
};

/// How restitution ends: at a normal impulse [N s] or at a work of it [J].
template <class S>
struct Target {
  Hypothesis hypothesis = Hypothesis::poisson;
  S impulse{};
  S work{};
};

/// Normal impulse from normal velocity v along a slope until the target; nothing if it cannot be
/// reached: the work v p + slope p^2/2 has a largest value where normal velocity falls.
template <class S>
[[nodiscard]] std::optional<S> rest_of(const Target<S>& target, const S& delivered, const S& worked,
                                       const S& v, const S& slope) {
  if (target.hypothesis == Hypothesis::poisson) return target.impulse - delivered;
  const S work = target.work - worked;
  if (!(work > S(0.))) return S(0.);
  const S square = v * v + S(2.) * slope * work;
  if (square < S(0.)) return std::nullopt;
  const S divisor = v + root(square);
  if (!(divisor > S(0.))) return std::nullopt;
  return S(2.) * work / divisor;
}

template <class S>
class Procedure {
 public:
  Procedure(const SpatialInputs<S>& in, Hypothesis hypothesis, SpatialOutcome& outcome)
      : in_(in),
        G_(in.problem.G),
        mu_(in.friction),
        hypothesis_(hypothesis),
        stick_(in.problem.G),
        process_(in.problem.G, in.approach, outcome),
        outcome_(outcome) {}

  /// Without approach: does normal velocity fall as slip ends? Else nothing happens.
  [[nodiscard]] bool grazing_jams() const {
    if (is_zero(tangential(process_.v))) return false;
    BasicTangent<S> w;
    const auto p = end_of_slip(w);
    if (!p) return false;
    const S pushed = G_.nn * *p;
    const S pulled = dot(b_, w + *p * hold_);
    return pushed - pulled < -S(rounding) * (pushed + magnitude(pulled));
  }

  SpatialTotals<S> run() {
    if (!compression()) {
      outcome_ = unchanged(in_.problem.approach, Verdict::no_solution);
      outcome_.energy.stages = StageWork{};
      return {};
    }
    restitution();
    outcome_.impulse = value_of(process_.P);
    outcome_.velocity = value_of(process_.v);
    EnergyLedger& energy = outcome_.energy;
    energy.stages = StageWork{.compression = value_of(process_.compression_work),
                              .restitution = value_of(process_.restitution_work)};
    energy.normal = energy.stages->compression + energy.stages->restitution;
    energy.change = energy.normal + energy.friction;
    outcome_.flags.add_if(gains_energy(energy), Verdict::energy_gained);
    outcome_.flags.add_if(outcome_.velocity.n < -rounding * value_of(velocity_scale()),
                          Verdict::still_approaching);
    return {.impulse = process_.P, .velocity = process_.v};
  }

 private:
  [[nodiscard]] bool sticks() const {
    const double mu_s = in_.problem.surface.static_friction;
    return dot(stick_.ratio, stick_.ratio) <= mu_s * mu_s;
  }

  [[nodiscard]] S velocity_scale() const {
    return magnitude(in_.approach.n) + G_.nn * process_.P.n;
  }

  /// The end of slip from here on: its normal impulse, if there is one.
  [[nodiscard]] std::optional<S> end_of_slip(BasicTangent<S>& w) const {
    const BasicTangent<S> slip = tangential(process_.v);
    if (!stick_.inverse.reaches(slip, range_tolerance)) return std::nullopt;
    w = stick_.inverse * slip;
    return slip_end(w, stick_.ratio, mu_);
  }

  /// Sticks from here to the end of compression, or slips again along G_Tn.
  bool compress_after_slip() {
    const S v_n = process_.v.n;
    if (sticks()) {
      if (stick_.locks) return v_n >= -S(range_tolerance) * velocity_scale();
      const S p = -v_n / S(stick_.normal);
      process_.finish(Stage::compression, Motion::stick, p, S(-p) * hold_, S(0.), {});
      return true;
    }
    return slide_through_compression(b_, std::nullopt);
  }

  /// @param instead  the ratio dP_T/dp that leads to the end of slip, where v_n is not negative: to
  ///                 be taken if the direction of slip lets normal velocity fall
  bool slide_through_compression(const BasicTangent<S>& direction,
                                 const std::optional<BasicTangent<S>>& instead) {
    Slope<S> slope = sliding(G_, mu_, direction);
    const S least = S(rounding) * (S(G_.nn) + mu_ * S(size(coupling(G_))));
    if (!(slope.normal > least) && instead) slope = slope_of(G_, *instead);
    if (!(slope.normal > least)) return false;
    const S p = -process_.v.n / slope.normal;
    process_.finish(Stage::compression, Motion::slip, p, p * slope.ratio, S(0.),
                    tangential(process_.v) + p * slope.slip);
    return true;
  }

  bool compression() {
    if (is_zero(tangential(process_.v))) {
      outcome_.mode = sticks() ? Mode::no_slip_sticks : Mode::no_slip_slides;
      return compress_after_slip();
    }
    BasicTangent<S> w;
    std::optional<BasicTangent<S>> to_the_end;
    if (const auto p = end_of_slip(w)) {
      const BasicTangent<S> friction = S(-1.) * (w + *p * hold_);
      const S v_n = process_.v.n + G_.nn * *p + dot(b_, friction);
      if (v_n <= S(0.)) {
        outcome_.flags.add_if(v_n < process_.v.n, Verdict::jam);
        process_.finish(Stage::compression, Motion::slip, *p, friction, v_n, {});
        outcome_.mode =
            sticks() ? Mode::stops_in_compression_sticks : Mode::stops_in_compression_slips;
        return compress_after_slip();
      }
      to_the_end = S(S(1.) / *p) * friction;
    }
    // Slides throughout, against the slip that a frictionless compression would leave.
    outcome_.mode = Mode::slides;
    const BasicTangent<S> end = S(G_.nn) * tangential(process_.v) - process_.v.n * b_;
    return slide_through_compression(end, to_the_end);
  }

  /// The rest of restitution along a slope.
  void restore(Motion motion, const Target<S>& target, const S& delivered, const Slope<S>& slope) {
    const auto p =
        rest_of(target, delivered, process_.restitution_work, process_.v.n, slope.normal);
    outcome_.flags.add_if(!p, Verdict::target_unreachable);
    if (p) process_.advance(Stage::restitution, motion, *p, slope);
  }

  /// Slides to the end, against the slip that restitution without friction would leave.
  void slide_through_restitution(const Target<S>& target) {
    const BasicTangent<S> end = tangential(process_.v) + target.impulse * b_;
    restore(Motion::slip, target, S(0.), sliding(G_, mu_, end));
  }

  void restitution() {
    const S e = in_.restitution;
    if (!(e > S(0.))) return;
    Target<S> target{.hypothesis = hypothesis_};
    if (hypothesis_ == Hypothesis::poisson) {
      target.impulse = e * process_.P.n;
    } else {
      // What a frictionless restitution would need (ERRATA).
      const S compression = -process_.compression_work;
      target.impulse = e * root(S(S(2.) * compression / S(G_.nn)));
      target.work = e * e * compression;
    }
    const Slope<S> stick{.ratio = S(-1.) * hold_, .normal = S(stick_.normal), .slip = {}};
    switch (outcome_.mode) {
      case Mode::no_slip_sticks:
      case Mode::stops_in_compression_sticks:
        restore(Motion::stick, target, S(0.), stick);
        return;
      case Mode::slides:
        break;
      default:  // slip that began anew goes on
        slide_through_restitution(target);
        return;
    }
    BasicTangent<S> w;
    const auto p = end_of_slip(w);
    if (p) {
      const BasicTangent<S> friction = S(-1.) * (w + *p * hold_);
      const S v_n = process_.v.n + G_.nn * *p + dot(b_, friction);
      const S work = S(0.5) * *p * (process_.v.n + v_n);
      const bool inside = hypothesis_ == Hypothesis::poisson ? *p < target.impulse
                                                             : work >= S(0.) && work < target.work;
      if (inside) {
        process_.finish(Stage::restitution, Motion::slip, *p, friction, v_n, {});
        const bool holds = sticks();
        outcome_.mode =
            holds ? Mode::stops_in_restitution_sticks : Mode::stops_in_restitution_slips;
        restore(holds ? Motion::stick : Motion::slip, target, *p,
                holds ? stick : sliding(G_, mu_, b_));
        return;
      }
    }
    slide_through_restitution(target);
  }

  const SpatialInputs<S>& in_;
  const Sym3& G_;
  S mu_;
  Hypothesis hypothesis_;
  StickSlopes stick_;
  BasicTangent<S> hold_ = of_scalar<S>(stick_.ratio);
  BasicTangent<S> b_ = of_scalar<S>(coupling(G_));
  Process<S> process_;
  SpatialOutcome& outcome_;
};

}  // namespace carom::sun_baruh_detail

namespace carom {

template <class S>
std::optional<SpatialTotals<S>> SunBaruh::totals(const SpatialInputs<S>& in,
                                                 const SpatialOutcome& outcome) const {
  SpatialOutcome again;
  const auto totals = sun_baruh_detail::Procedure<S>(in, hypothesis, again).run();
  if (again.mode != outcome.mode) return std::nullopt;
  return totals;
}

}  // namespace carom
