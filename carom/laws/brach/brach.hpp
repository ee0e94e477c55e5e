// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <carom/impact/couple.hpp>
#include <carom/impact/critical_ratio.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/planar_kernel.hpp>

/// `brach`: linear impact law with generalized coefficients, including a couple [Brach 1998].
///
/// Normal: v_n+ = -e_n v_n-, where e_n > 1 releases energy. Tangential, one of:
/// - P_t = mu_t P_n (`impulse_ratio`);
/// - v_t+ = -e_t v_t- (`tangential_coefficient`: -1 frictionless, 0 ends slip);
/// - Coulomb's rule mu_t = sgn(mu_0) min(f, |mu_0|), where the critical ratio mu_0 ends slip at the
///   actual e_n (`friction`). If no ratio ends slip (the impulse would have to be tensile, or G has
///   rank one), |mu_t| = f, against the slip.
///
/// The couple M acts on the first body. With Omega_r the spin of the first body relative to the
/// second after the impact, and 1/G_rr = I1 I2/(I1 + I2):
///
///     e_m M = (1 + e_m) Omega_r/G_rr        (-1: no couple, 0: rotation stops)
///
/// With Omega_r = omega_r + g.P + G_rr M and g = (G_nr, G_tr), M = -(1 + e_m)(omega_r + g.P)/G_rr.
/// Eliminating the couple gives v+ = v' + G' P with G' = G - c g g^T, v' = v - c omega_r g, c = (1
/// + e_m)/G_rr.
namespace carom {

template <class S>
struct BrachTotals {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  S couple{};          ///< M on the first body [N m s]
  S spin{};            ///< Omega_r afterwards [rad/s]
  S critical_ratio{};  ///< mu_0; valid if `has_critical`
  Mask<S> has_critical{};
  Mask<S> sticks{};
  Mask<S> unsolvable{};  ///< the normal impulse would have to be tensile
};

/// For an impact without a couple, or with the couple eliminated: v+ = v' + G' P. Does not set
/// couple and spin.
/// @param tangential  mu_t, e_t or f, depending on the rule
/// @pre v.n < 0
template <class S>
[[nodiscard]] constexpr BrachTotals<S> brach_totals(const WithoutCouple<S>& space,
                                                    const BasicVec2<S>& v, const S& e_n,
                                                    BrachRule rule, const S& tangential) {
  const S zero(0.);
  const auto& [H, free] = space;
  const S b_n = free.n + e_n * v.n;

  BrachTotals<S> r;
  const CriticalRatio<S> critical = critical_ratio(H, {.n = b_n, .t = free.t});
  r.critical_ratio = critical.ratio;
  r.has_critical = critical.exists;
  S ratio = tangential;
  S target = zero;  // v_t+, if it is prescribed
  Mask<S> prescribed{};
  BasicVec2<S> reaching = critical.impulse;  // the impulse that reaches it
  if (rule == BrachRule::coulomb) {
    r.sticks = both(critical.exists, magnitude(critical.ratio) <= tangential);
    prescribed = r.sticks;
    ratio = select(r.sticks, critical.ratio, S(critical.side * tangential));
  } else if (rule == BrachRule::coefficient) {
    target = -(tangential * v.t);
    const CriticalRatio<S> to_target = critical_ratio(H, {.n = b_n, .t = free.t - target});
    ratio = to_target.ratio;
    prescribed = to_target.exists;
    reaching = to_target.impulse;
    const Mask<S> backward = target < zero;
    const Mask<S> forward = target > zero;
    r.sticks = negate(either(backward, forward));
    r.unsolvable = negate(prescribed);
  }
  const S slope = H.nn + ratio * H.nt;
  const S size = magnitude(H.nn) + magnitude(S(ratio * H.nt));
  const Mask<S> turns = magnitude(slope) > S(rounding) * size;
  const S p = -(b_n / divisor(turns, slope));
  // Near rank one the slope at the critical ratio is a small difference. P is known without it.
  r.unsolvable = either(r.unsolvable, negate(either(prescribed, both(turns, p > zero))));
  r.impulse = {.n = select(prescribed, reaching.n, p),
               .t = select(prescribed, reaching.t, S(ratio * p))};
  r.velocity.n = -(e_n * v.n);
  r.velocity.t = select(prescribed, target, S(free.t + (H.nt + ratio * H.tt) * p));
  return r;
}

/// The same with the couple.
template <class S>
[[nodiscard]] constexpr BrachTotals<S> brach_totals(const BasicSym2<S>& G, const BasicVec2<S>& v,
                                                    const BasicSpinRow<S>& row, const S& e_n,
                                                    BrachRule rule, const S& tangential,
                                                    const S& e_m) {
  const S zero(0.);
  const S one(1.);
  const S c = only_where(row.rr > zero, S((one + e_m) / divisor(row.rr)));
  BrachTotals<S> r = brach_totals(eliminate_couple(G, v, row, c), v, e_n, rule, tangential);
  const S turned = row.approach + (row.nr * r.impulse.n + row.tr * r.impulse.t);
  r.couple = -(c * turned);
  r.spin = turned + row.rr * r.couple;
  return r;
}

namespace kernels {

/// The kernel of `brach`.
template <BrachRule rule, bool couples>
struct Linear {
  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const BasicVec2<S> v = in.approach;
    const S e = in.restitution;
    const S tangential = rule == BrachRule::coulomb ? in.friction : in.tangential;
    if constexpr (couples) {
      const BasicSpinRow<S> row = in.spin;
      const auto r = brach_totals(in.G, v, row, e, rule, tangential, in.moment_coefficient);
      const S work = S(0.5) * r.couple * (row.approach + r.spin);
      PlanarAnswer<S> a = algebraic(r, v, select(r.couple == S(0.), S(-0.), work));
      a.couple = r.couple;
      a.spin = r.spin;
      return a;
    } else {
      const WithoutCouple<S> space{.G = in.G, .v = v};
      return algebraic(brach_totals(space, v, e, rule, tangential), v, S(-0.));
    }
  }
};

}  // namespace kernels

/// The rule that a surface asks for, and its number.
struct BrachTangential {
  BrachRule rule = BrachRule::coulomb;
  double value = 0.;  ///< f, mu_t or e_t
};

[[nodiscard]] constexpr BrachTangential brach_rule(const Surface& s) {
  const bool coulomb = s.tangential_rule == BrachRule::coulomb;
  return {.rule = s.tangential_rule, .value = coulomb ? s.friction : s.tangential[0]};
}

/// If the problem has no spin, no couple acts. @pre the problem was validated
[[nodiscard]] PlanarOutcome brach(const PlanarProblem& problem);

/// `brach` as a law object.
struct Brach {
  static constexpr std::array<std::string_view, 2> instead_of_friction{"impulse_ratio",
                                                                       "tangential_coefficient"};
  static constexpr std::array parameters{
      LawParameter{.key = "restitution",
                   .symbol = "e_n",
                   .meaning = "separation speed over approach speed",
                   .allowed = ">= 0; above 1 releases energy",
                   .fallback = ""},
      LawParameter{
          .key = "friction",
          .symbol = "f",
          .meaning = "limit of the impulse ratio, |mu_t| = min(f, |mu_0|), where mu_0 ends slip",
          .allowed = ">= 0",
          .fallback = "",
          .instead = instead_of_friction},
      LawParameter{.key = "impulse_ratio",
                   .symbol = "mu_t",
                   .meaning = "P_t/P_n, instead of friction; negative if it opposes slip > 0",
                   .allowed = "any",
                   .fallback = "none"},
      LawParameter{.key = "tangential_coefficient",
                   .symbol = "e_t",
                   .meaning = "-v_t+/v_t-, instead of friction; -1 frictionless, 0 ends slip",
                   .allowed = "any",
                   .fallback = "none"},
      LawParameter{.key = "moment_coefficients",
                   .symbol = "e_m",
                   .meaning = "couple at the contact: -1 none, 0 stops relative rotation; in space "
                              "about n, t1, t2",
                   .allowed = "[-1, 1]",
                   .fallback = "-1"},
      LawParameter{
          .key = "moment_ratio",
          .symbol = "M_j/P_n",
          .meaning =
              "in space: couples over the normal impulse [m], instead of moment_coefficients",
          .allowed = "any",
          .fallback = "none"}};
  static constexpr LawInfo info{
      .id = "brach",
      .summary = "linear, generalized coefficients e_n, mu_t or e_t, e_m; with a couple",
      .assumptions =
          "The equations of impulse and momentum are linear once ratios are given: restitution "
          "e_n, the impulse ratio mu_t (or the velocity ratio e_t, or Coulomb's limit on it), and "
          "for contacts over an area the moment coefficient e_m. The process during the impact is "
          "not described. A gain of energy is detected afterwards. e_n above 1 means that stored "
          "energy is released.",
      .source = "[brach1998]",
      .parameters = parameters,
      .labels = Labels::sticks,
      .release = Release::allowed,
      .in_space =
          "Impulse ratios and velocity ratios are pairs. Couples act about n, t1 and t2. Coulomb's "
          "rule is (mu_t, mu_t') = min(1, f/|mu_0|) mu_0, with mu_0 the pair that ends slip."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return brach(problem);
  }
  template <class Use>
  static decltype(auto) with_kernel(const KernelChoice& choice, const Use& use) {
    switch (choice.rule) {
      case BrachRule::impulse_ratio:
        return with_kernel_of<BrachRule::impulse_ratio>(choice.couples, use);
      case BrachRule::coefficient:
        return with_kernel_of<BrachRule::coefficient>(choice.couples, use);
      case BrachRule::coulomb:
        break;
    }
    return with_kernel_of<BrachRule::coulomb>(choice.couples, use);
  }
  bool operator==(const Brach&) const = default;

 private:
  template <BrachRule rule, class Use>
  static decltype(auto) with_kernel_of(bool couples, const Use& use) {
    if (couples) return use(kernels::Linear<rule, true>{});
    return use(kernels::Linear<rule, false>{});
  }
};

static_assert(PlanarLawType<Brach>);

}  // namespace carom
