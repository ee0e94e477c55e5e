// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/planar_kernel.hpp>
#include <carom/laws/springs.hpp>

/// `compliant`: lumped contact compliance, with one spring for each direction [Stronge, James &
/// Ravani 2001].
///
/// Normal: a spring of stiffness k in compression and k/e^2 in restitution, so that restitution
/// returns e^2 of the work of compression. Tangential: a spring of stiffness k/eta^2 in series with
/// a slider that keeps |F_t| <= mu F_n. With dv/dt = G F this is piecewise linear in time:
///
///     stick:   dF_n/dt = -k_n v_n    dF_t/dt = -k_t v_t               while |F_t| <= mu F_n
///     slip s:  dF_n/dt = -k_n v_n    F_t = -s mu F_n                  while s w >= 0,
///              w = v_t + s mu (k_n/k_t) v_n the velocity of the slider
///
/// Every segment has a closed form. Only the times of the events between them need root finding.
/// The outcome does not depend on k. The slider sticks at first if |v_t| <= mu eta^2 |v_n|.
///
/// If the contact approaches again during restitution, the spring is loaded along the line on which
/// it was unloading. Beyond the greatest force so far compression continues: `recompressed`. A
/// contact that slip pulls in (mu |G_nt| > G_nn) may then chatter, more often for small e and
/// eta^2. If e = 0, the impact ends with the first compression.
namespace carom {

/// How the process ended.
enum class CompliantEnd : std::uint8_t {
  separated,
  never_ends,  ///< singular G: no event occurs
  too_many,    ///< too many segments or steps: an extreme tangential stiffness
};

/// Totals of the process.
template <class S>
struct CompliantTotals {
  springs::State<S> state;
  S compression_work{};
  S restitution_work{};
  CompliantEnd end = CompliantEnd::separated;
  bool jams = false;
  bool recompressed = false;
};

namespace detail {

/// Limit of the number of segments. Impacts whose stiffnesses differ by less than a factor of 10^9
/// usually have fewer.
inline constexpr int most_stretches = 1 << 15;

/// Limit of the number of recompressions. A contact that locks oscillates on its springs for ever;
/// any that separates has fewer.
inline constexpr int most_returns = 256;

/// Larger friction is reduced to this. The outcome agrees to twelve digits, and rounding errors do
/// not become forces.
inline constexpr double most_friction = 1e12;

/// If the slider stops within this fraction of the impulse before separation, it stops at
/// separation: F_n^2, a difference of squares, has hardly any correct digits there.
inline constexpr double tie_of_stop_and_separation = 4096. * std::numeric_limits<double>::epsilon();

/// Computes the process, segment by segment. After each segment it calls `observe(stretch, extent,
/// end, stage, state)` with the segment (a springs::Slip or springs::Stick), its length (normal
/// impulse or time) and the state at its end.
template <class S, class Observe>
class CompliantProcess {
 public:
  using Slider = SliderStates::State;

  CompliantProcess(const BasicSym2<S>& G, const BasicVec2<S>& v, const S& e, const S& mu,
                   const S& eta2, const Observe& observe)
      : G_(G),
        det_(is_rank_one(G) ? S(0.) : determinant(G)),
        e_(e),
        mu_(mu < S(most_friction) ? mu : S(most_friction)),
        observe_(observe),
        k_{.normal = S(1.), .tangential = S(1.) / eta2} {
    x_.velocity = v;
  }

  CompliantTotals<S> run() {
    start();
    for (int n = 0; n < most_stretches; ++n) {
      const bool goes_on = slider_ == Slider::stick ? stick() : slip();
      if (!goes_on) {
        totals_.state = x_;
        return totals_;
      }
    }
    totals_.end = CompliantEnd::too_many;
    return totals_;
  }

 private:
  void start() {
    const S zero(0.);
    const auto& v = x_.velocity;
    // |v_t| - mu eta^2 |v_n|, by the same formula as slip and its margin.
    const S slider = springs::slider_velocity(mu_, k_, v, v.t < zero ? -1. : 1.);
    if (mu_ > zero && (slider < zero || (!(slider > zero) && tie_sticks()))) {
      slider_ = Slider::stick;
      order_ = {1, 1};
    } else {
      // Without slip and friction: the direction in which slip will begin.
      slip_along(v.t < zero || (!(v.t > zero) && G_.nt < zero) ? -1. : 1.);
    }
    totals_.jams = slider_ != Slider::stick && G_.nn - mu_ * (S(direction_) * G_.nt) < zero;
  }

  /// If |v_t| = mu eta^2 |v_n|, the third derivative of the margin decides: the slider sticks if it
  /// would decelerate in slip.
  bool tie_sticks() {
    tie_direction_ = value_of(sign(x_.velocity.t));
    const S rate = springs::slider_rate(G_, mu_, k_, tie_direction_);
    tie_ = -value_of(rate) * value_of(-x_.velocity.n) * value_of(k_.tangential);
    return tie_ > 0.;
  }

  void slip_along(double s) {
    direction_ = s;
    slider_ = s > 0. ? Slider::slip_forward : Slider::slip_backward;
  }

  [[nodiscard]] bool compressing() const { return stage_ == Stage::compression; }

  /// Returns false after too many recompressions.
  bool compress_again() {
    totals_.recompressed = true;
    stage_ = Stage::compression;
    x_.force.n = most_force_;
    k_.normal = S(1.);
    return ++returns_ < detail::most_returns || give_up(CompliantEnd::too_many);
  }

  bool give_up(CompliantEnd why) {
    totals_.end = why;
    return false;
  }

  /// Ends a segment at `x`.
  template <class Stretch>
  void advance(const Stretch& stretch, const S& extent, const springs::State<S>& x) {
    S& work = compressing() ? totals_.compression_work : totals_.restitution_work;
    work = work + (x.normal_work - x_.normal_work);
    x_ = x;
    observe_(stretch, extent, x_, stage_, slider_);
  }

  /// End of compression. Returns false if the impact ends too, because restitution has zero
  /// duration.
  bool turn() {
    most_force_ = x_.force.n;
    const double e2 = value_of(e_) * value_of(e_);
    const double stiffening =
        std::max(1., value_of(k_.tangential) * value_of(G_.tt) / value_of(G_.nn));
    stage_ = Stage::restitution;
    // Restitution stiffens the springs by 1/e^2, and its duration is in proportion to e. Below this
    // value of e^2, the stiffening included, it counts as instantaneous.
    constexpr double instantaneous = 1e-17;
    if (!(e2 * stiffening > instantaneous)) {
      spring_back_at_once();
      return false;
    }
    k_.normal = S(1.) / (e_ * e_);
    return true;
  }

  // --- slip --------------------------------------------------------------------------------------

  bool slip() {
    const springs::Slip<S> stretch(G_, mu_, k_, x_, direction_);
    const S zero(0.);
    enum class What { nothing, slider_stops, turns, separates, compresses_again };
    What what = What::nothing;
    S p(0.);
    const auto consider = [&](What w, const S& at) {
      if (what != What::nothing && !(at < p)) return;
      what = w;
      p = at;
    };
    S separation(0.);
    const S rate = springs::slider_rate(G_, mu_, k_, direction_);
    if (rate < zero) {
      consider(What::slider_stops, S(positive_part(stretch.slider()) / -rate));
    }
    const S v = x_.velocity.n;
    const S a = stretch.slope.n;
    if (compressing()) {
      if (a > zero) consider(What::turns, S(positive_part(S(-v)) / a));
    } else {
      const S stored = x_.force.n * (x_.force.n / k_.normal);
      const S left = v * v + a * stored;
      if (!(left < zero)) {
        const S sum = v + root(left);
        if (sum > zero) {
          separation = stored / sum;
          consider(What::separates, separation);
        }
        if (!(x_.force.n > zero)) consider(What::separates, zero);
      }
      // F_n rises to its maximum again at a p^2 + 2 v p + D = 0.
      const S D = most_force_ * (most_force_ / k_.normal) - stored;
      const S disc = v * v - a * D;
      if (a < zero) {
        consider(What::compresses_again, S((v + root(disc)) / -a));
      } else if (v < zero && !(disc < zero)) {
        consider(What::compresses_again, S(positive_part(D) / (root(disc) - v)));
      }
    }
    // If a stop precedes separation only by rounding, there is no segment between them.
    if (what == What::slider_stops && separation > zero &&
        !(p < separation * S(1. - tie_of_stop_and_separation))) {
      what = What::separates;
      p = separation;
    }
    springs::State<S> end = stretch.at(p);
    switch (what) {
      case What::nothing:
        return give_up(CompliantEnd::never_ends);
      case What::slider_stops:
        advance(stretch, p, end);
        if (mu_ > zero) {
          slider_ = Slider::stick;
          order_ = {direction_ > 0. ? 2 : 0, direction_ > 0. ? 0 : 2};
        } else {
          slip_along(-direction_);
        }
        return true;
      case What::turns:
        end.velocity.n = zero;
        advance(stretch, p, end);
        return turn();
      case What::separates:
        end.force = {};
        advance(stretch, p, end);
        return false;
      case What::compresses_again:
        advance(stretch, p, end);
        return compress_again();
    }
    return false;
  }

  // --- stick -------------------------------------------------------------------------------------

  bool stick() {
    const springs::Stick<S> stretch(G_, det_, k_, x_);
    const std::array<springs::Wave<S>, 3> wave{
        stretch.margin(mu_, 1.), stretch.margin(mu_, -1.),
        compressing() ? stretch.closing : slack(stretch.normal_force)};
    std::array<springs::Watch, 3> watch;
    for (std::size_t i = 0; i < 3; ++i) watch[i].wave = springs::values_of(wave[i]);
    for (std::size_t i = 0; i < 2; ++i) {
      watch[i].order = order_[i];
      if (order_[i] > 0) lead(watch[i], i == 0 ? 1. : -1.);
    }
    const S zero(0.);
    const bool turning = !(x_.velocity.n > zero || x_.velocity.n < zero);
    if (!compressing() && turning && !(x_.force.n < most_force_)) {
      // F_n'' = -k_n dv_n/dt < 0 if v_n has just passed through zero.
      watch[2].order = 2;
      watch[2].leading = value_of(k_.normal) * value_of(G_.nn * x_.force.n + G_.nt * x_.force.t);
    }
    const std::array<double, 2> frequency{value_of(stretch.frequency[0]),
                                          value_of(stretch.frequency[1])};
    const springs::Event event = springs::first_event(watch.data(), 3, frequency);
    if (!event.converged) return give_up(CompliantEnd::too_many);
    if (!event.found) return give_up(CompliantEnd::never_ends);
    // An event at the start leaves the state unchanged: v_n stays 0 where the stage changed.
    const bool at_once = !(event.t > 0.);
    const S t =
        at_once ? S(0.) : springs::with_derivatives(wave[event.watch], stretch.frequency, event.t);
    springs::State<S> end = at_once ? x_ : stretch.at(t);
    if (!at_once) order_ = {0, 0};
    if (event.watch < 2) {
      const double s = event.watch == 0 ? 1. : -1.;
      end.force.n = positive_part(end.force.n);
      end.force.t = -(S(s) * (mu_ * end.force.n));
      advance(stretch, t, end);
      slip_along(s);
      return true;
    }
    if (compressing()) end.velocity.n = S(0.);
    advance(stretch, t, end);
    if (!compressing()) return compress_again();
    return turn();
  }

  /// F_max - F_n: the remaining part of the unloading line.
  [[nodiscard]] springs::Wave<S> slack(const springs::Wave<S>& force) const {
    springs::Wave<S> w;
    w.constant = most_force_;
    for (std::size_t i = 0; i < 2; ++i) {
      w.a[i] = -force.a[i];
      w.b[i] = -force.b[i];
    }
    return w;
  }

  /// The first nonzero derivative of the margin along s at the start of a segment. At the start of
  /// the impact F = 0, and it is the rate mu |v_n| k_n - s k_t v_t, or in a tie the third
  /// derivative. Just after slip has stopped it is the second derivative, -k_t F_n times the change
  /// of the slider velocity with p.
  void lead(springs::Watch& watch, double s) const {
    const double k_t = value_of(k_.tangential);
    if (watch.order == 2) {
      watch.leading = -k_t * value_of(x_.force.n) * value_of(springs::slider_rate(G_, mu_, k_, s));
    } else if (tie_ > 0. && s == tie_direction_) {
      watch.order = 3;
      watch.leading = tie_;
    } else {
      watch.leading = -k_t * value_of(springs::slider_velocity(mu_, k_, x_.velocity, s));
    }
  }

  // --- restitution of zero duration --------------------------------------------------------------

  /// The limit e -> 0, to first order in e. The normal spring unloads in a time of order e. During
  /// it a sticking tangential spring keeps its force until the shrinking cone reduces it. With tau
  /// = t/e and v_n = e nu: dF_n/dtau = -nu, dnu/dtau = G_nn F_n + G_nt F_t.
  void spring_back_at_once() {
    const S zero(0.);
    BasicVec2<S> impulse{};  // over e
    S F = x_.force.n;
    S nu = zero;
    if (slider_ == Slider::stick) {
      const S h = G_.nt * x_.force.t / G_.nn;  // F_n = -h + (F_max + h) cos(w tau)
      springs::Wave<S> margin;
      margin.constant = -(mu_ * h) - magnitude(x_.force.t);
      margin.a[0] = mu_ * (F + h);
      const std::array<S, 2> w{root(G_.nn), zero};
      const springs::Watch watch{.wave = springs::values_of(margin), .order = 0, .leading = 0.};
      const springs::Event event = springs::first_event(&watch, 1, {value_of(w[0]), 0.});
      if (event.found) {
        const S tau = springs::with_derivatives(margin, w, event.t);
        const springs::Clock<S> c = springs::clock_at(w, tau);
        nu = (F + h) * (G_.nn * c.s[0]);
        impulse = {.n = (F + h) * c.s[0] - h * tau, .t = x_.force.t * tau};
        F = magnitude(x_.force.t) / mu_;
        slip_along(x_.force.t > zero ? -1. : 1.);
      }
    }
    const S slope = G_.nn - S(direction_) * (mu_ * G_.nt);
    const S nu_squared = nu * nu + slope * (F * F);
    if (nu_squared < zero && value_of(e_) > 0.) {
      // The slip that would end the impact pulls the contact in again: it chatters about 1/e times.
      totals_.end = CompliantEnd::too_many;
      return;
    }
    const S nu_end = root(nu_squared);
    const S p = F * F / divisor(S(nu + nu_end));
    impulse.n = impulse.n + p;
    impulse.t = impulse.t - S(direction_) * (mu_ * p);
    const BasicVec2<S> P = e_ * impulse;
    x_.impulse = x_.impulse + P;
    x_.friction_work = x_.friction_work + P.t * x_.velocity.t;
    x_.velocity.t = x_.velocity.t + (G_.nt * P.n + G_.tt * P.t);
    x_.velocity.n = e_ * nu_end;
    totals_.restitution_work = S(0.5) * (e_ * e_) * (most_force_ * most_force_);
    x_.normal_work = x_.normal_work + totals_.restitution_work;
    x_.force = {};
  }

  BasicSym2<S> G_;
  S det_;
  S e_;
  S mu_;
  const Observe& observe_;
  springs::Stiffness<S> k_;
  springs::State<S> x_{};
  S most_force_{};  ///< F_n at the end of compression
  Stage stage_ = Stage::compression;
  Slider slider_ = Slider::stick;
  int returns_ = 0;        ///< number of recompressions
  double direction_ = 1.;  ///< direction of slip
  std::array<int, 2>
      order_{};      ///< orders of the zeros of the margins at the start of a stick segment
  double tie_ = 0.;  ///< third derivative of a margin whose first two are zero
  double tie_direction_ = 1.;
  CompliantTotals<S> totals_{};
};

}  // namespace detail

/// Computes the process until the contact separates. Not for SIMD packs, because it branches.
/// @pre v.n < 0, or v.n = 0 and slip pulls the contact in
template <class S, class Observe>
[[nodiscard]] CompliantTotals<S> compliant_totals(const BasicSym2<S>& G, const BasicVec2<S>& v,
                                                  const S& e, const S& mu, const S& eta2,
                                                  const Observe& observe) {
  return detail::CompliantProcess<S, Observe>(G, v, e, mu, eta2, observe).run();
}

template <class S>
[[nodiscard]] CompliantTotals<S> compliant_totals(const BasicSym2<S>& G, const BasicVec2<S>& v,
                                                  const S& e, const S& mu, const S& eta2) {
  return compliant_totals(G, v, e, mu, eta2, [](const auto&...) {});
}

namespace kernels {

/// The kernel of `compliant`, for sensitivities: impulse and velocity alone.
struct Springs {
  static constexpr bool takes_packs = false;

  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const auto r =
        compliant_totals(in.G, in.approach, in.restitution, in.friction, in.compliance_ratio);
    return {.impulse = r.state.impulse, .velocity = r.state.velocity};
  }
};

}  // namespace kernels

/// @pre the problem was validated
[[nodiscard]] PlanarOutcome compliant(const PlanarProblem& problem);

/// All phases of the impact, without a limit on their number.
[[nodiscard]] std::vector<PlanarPhase> compliant_phases(const PlanarProblem& problem);
/// The same into memory that is reused.
void compliant_phases(const PlanarProblem& problem, std::vector<PlanarPhase>& phases);

/// A point on the path of an impact.
struct CompliantPoint {
  Vec2 impulse;             ///< [N s]
  Vec2 velocity;            ///< [m/s]
  double work = 0.;         ///< total work on the system so far [J]
  bool ends_phase = false;  ///< the slider or the stage changes here
};

/// The path of the impact: the start, and `samples` >= 1 points in each segment.
[[nodiscard]] std::vector<CompliantPoint> compliant_path(const PlanarProblem& problem, int samples);

/// `compliant` as a law object.
struct Compliant {
  static constexpr std::array parameters{
      parameter::work_restitution, parameter::friction,
      LawParameter{.key = "compliance_ratio",
                   .symbol = "eta^2",
                   .meaning = "tangential over normal compliance; (2 - nu)/(2 - 2 nu), about 1.2, "
                              "for similar elastic bodies",
                   .allowed = "[1e-9, 1e9]",
                   .fallback = ""}};
  static constexpr LawInfo info{
      .id = "compliant",
      .summary = "lumped springs: normal with hysteresis, tangential in series with a slider",
      .assumptions =
          "The bodies are rigid except at the contact. There a normal spring dissipates energy "
          "according to e, and a tangential spring in series with a Coulomb slider stores and "
          "returns part of the energy that slip would dissipate, so that slip can reverse. The "
          "contact sticks at first if |v_t| <= mu eta^2 |v_n|. The solution is in closed form "
          "between stops and starts of the slider. It tends to energetic as the tangential spring "
          "stiffens (eta^2 -> 0). Never creates energy.",
      .source = "[stronge2001], [payr2005]",
      .parameters = parameters,
      .labels = Labels::slider,
      .in_space =
          "The tangential spring is the same in all directions. Stick has a closed form. Slip, "
          "whose "
          "direction turns, is integrated to the tolerance."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return compliant(problem);
  }
  template <class Use>
  static decltype(auto) with_kernel(const KernelChoice&, const Use& use) {
    return use(kernels::Springs{});
  }
  bool operator==(const Compliant&) const = default;
};

static_assert(PlanarLawType<Compliant>);

}  // namespace carom
