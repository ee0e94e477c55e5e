// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/complementarity/friction/planar.hpp>
#include <carom/impact/hypothesis.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/planar_kernel.hpp>

/// `moreau`: set-valued impact law with Coulomb friction on the total impulse.
///
/// Hypothesis newton [Payr & Glocker 2005, eqs 11-12]: with xi = v+ + eps v- in each direction,
/// 0 <= P_n _|_ xi_n >= 0 and -P_t in mu P_n Sgn(xi_t).
///
/// Hypothesis poisson, in two stages [Pfeiffer & Glocker 1996]: compression is the same law with
/// eps = 0. Expansion delivers at least e times the compression impulse, 0 <= P_En - e P_Cn _|_
/// v_n+ >= 0, with -P_Et in mu P_En Sgn(v_t+). Friction is bounded by the normal impulse of each
/// stage. eps_T is undefined.
namespace carom {

/// Totals of the law, without phases.
template <class S>
struct MoreauTotals {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  Mask<S> backward{};
  Mask<S> forward{};  ///< neither: stick
  Mask<S> unsolvable{};
};

/// Hypothesis newton. @pre v.n <= 0 wherever the result is used
template <class S>
[[nodiscard]] constexpr MoreauTotals<S> moreau_totals(const BasicSym2<S>& G, const BasicVec2<S>& v,
                                                      const S& eps_n, const S& eps_t, const S& mu) {
  const BasicVec2<S> b{.n = (S(1.) + eps_n) * v.n, .t = (S(1.) + eps_t) * v.t};
  const Mask<S> rank_one = is_rank_one(G);
  Mask<S> in_range{};
  if (any(rank_one)) in_range = in_range_of_rank_one(G, b);
  const auto r = complementarity::solve_planar_friction(G, b, mu, rank_one, in_range);
  return {.impulse = r.P,
          .velocity = {.n = -eps_n * v.n, .t = r.xi.t - eps_t * v.t},
          .backward = r.backward,
          .forward = r.forward,
          .unsolvable = r.unsolvable};
}

/// The expansion stage of the two-stage law.
template <class S>
struct MoreauExpansion {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  Mask<S> backward{};
  Mask<S> forward{};  ///< neither: stick
};

/// With one contact the expansion impulse equals e P_Cn. Compression ends with v_n = 0. If the
/// contact slips, dv_n/dP_n is positive (otherwise that branch would not be a solution), so that
/// v_n+ >= 0 for any further normal impulse, and complementarity requires no more than e P_Cn.
/// Friction then is a projection: P_Et is the impulse that stops slip, limited to the cone.
///
/// The velocities are computed from the slopes, dv_n/dP_n = det G/G_tt in stick, and not from v + G
/// P, which would lose digits if G is nearly singular and P large.
/// @param normal  e P_Cn
template <class S>
[[nodiscard]] constexpr MoreauExpansion<S> moreau_expansion(const BasicSym2<S>& G,
                                                            const BasicVec2<S>& v, const S& normal,
                                                            const S& mu) {
  const S zero(0.);
  const S slip = v.t + G.nt * normal;  // without friction
  const S bound = mu * normal;
  const Mask<S> still = both(negate(slip < zero), negate(slip > zero));
  Mask<S> sticks = either(still, magnitude(slip) < G.tt * bound);
  S direction = sign(slip);
  const Mask<S> pushes = normal > zero;
  if (any(negate(pushes))) {
    // Without impulse (e = 0): the branch for a small impulse, so that derivatives are right.
    const Mask<S> none = both(still, negate(pushes));
    const Mask<S> slides = both(none, magnitude(G.nt) > mu * G.tt);
    sticks = both(sticks, negate(slides));
    direction = select(none, sign(G.nt), direction);
  }
  S stick_t = zero;
  S stick_v_n = zero;
  if (any(sticks)) {
    const Mask<S> moves = G.tt > zero;  // otherwise slip is zero
    const S g_tt = or_one(G.tt);
    const S det = select(is_rank_one(G), zero, determinant(G));
    stick_t = -(slip / g_tt);
    stick_v_n = select(moves, S((det * normal - G.nt * v.t) / g_tt), S(G.nn * normal));
  }
  const S ratio = -(mu * direction);
  const S slip_t = ratio * normal;
  MoreauExpansion<S> x;
  x.backward = both(negate(sticks), slip < zero);
  x.forward = both(negate(sticks), negate(slip < zero));
  x.impulse = {.n = normal, .t = select(sticks, stick_t, slip_t)};
  // Negative only by rounding, see above.
  x.velocity.n = positive_part(select(sticks, stick_v_n, S((G.nn + ratio * G.nt) * normal)));
  x.velocity.t = select(sticks, zero, S(slip + G.tt * slip_t));
  return x;
}

namespace kernels {

template <class S>
[[nodiscard]] S regime(const Mask<S>& backward, const Mask<S>& forward) {
  return select(backward, S(number(Mode::backward_slip)),
                select(forward, S(number(Mode::forward_slip)), S(number(Mode::stick))));
}

/// Without approach an impulse is one of two answers, the other being none.
template <class S>
[[nodiscard]] S several_flag(const BasicVec2<S>& v) {
  return flag_if<S>(v.n == S(0.), number(Verdict::several_solutions));
}

template <class S>
[[nodiscard]] PlanarAnswer<S> where_moreau_happens(const PlanarAnswer<S>& a, const BasicVec2<S>& v,
                                                   const MoreauTotals<S>& r) {
  const S zero(0.);
  const Mask<S> happens = both(both(v.n <= zero, negate(r.unsolvable)), r.impulse.n > zero);
  return where<S>(happens, a, v, both(r.unsolvable, v.n < zero));
}

/// The kernel of `moreau`.
struct OneStage {
  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const BasicVec2<S> v = in.approach;
    const auto r = moreau_totals(in.G, v, in.restitution, in.tangential_restitution, in.friction);
    const auto work = Work<S>::of(r.impulse, v, r.velocity);
    const S normal = S(0.) + work.normal;  // as the law adds it up: -0 becomes 0
    const S friction = S(0.) + work.friction;
    const S change = normal + friction;
    const PlanarAnswer<S> a{
        .impulse = r.impulse,
        .velocity = r.velocity,
        .change = change,
        .friction = friction,
        .mode = regime<S>(r.backward, r.forward),
        .flags = several_flag(v) + gain_flag(change, S(magnitude(friction) + magnitude(normal)))};
    return where_moreau_happens(a, v, r);
  }
};

/// The kernel of `moreau:poisson`.
struct TwoStages {
  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const S zero(0.);
    const BasicVec2<S> v = in.approach;
    const BasicSym2<S> G = in.G;
    const S e = in.restitution;
    const S mu = in.friction;
    const auto c = moreau_totals(G, v, zero, zero, mu);
    const auto x = moreau_expansion(G, c.velocity, S(e * c.impulse.n), mu);
    Mask<S> expands = e > zero;
    if constexpr (carries_derivatives<S>) expands = true;
    const auto then = [&](const S& both_stages, const S& compression) {
      return select(expands, both_stages, compression);
    };
    const auto first = Work<S>::of(c.impulse, v, c.velocity);
    const auto second = Work<S>::of(x.impulse, c.velocity, x.velocity);
    const S compression = zero + first.normal;
    const S restitution = then(second.normal, zero);
    const S normal = then(S(compression + second.normal), compression);
    const S slipping = zero + first.friction;
    const S friction = then(S(slipping + second.friction), slipping);
    const S change = normal + friction;
    const S scale = magnitude(friction) + (magnitude(compression) + magnitude(restitution));
    const S mode_1 = regime<S>(c.backward, c.forward);
    const S mode_2 = regime<S>(x.backward, x.forward);
    const S mode = select(mode_1 == mode_2, mode_1, S(number(Mode::stick)));
    const PlanarAnswer<S> a{
        .impulse = {.n = then(S(c.impulse.n + x.impulse.n), c.impulse.n),
                    .t = then(S(c.impulse.t + x.impulse.t), c.impulse.t)},
        .velocity = {.n = then(x.velocity.n, c.velocity.n), .t = then(x.velocity.t, c.velocity.t)},
        .change = change,
        .friction = friction,
        .mode = then(mode, mode_1),
        .flags = several_flag(v) + gain_flag(change, scale)};
    return where_moreau_happens(a, v, c);
  }
};

}  // namespace kernels

/// One admissible answer of the law.
struct MoreauSolution {
  Mode mode = Mode::no_impulse;
  Vec2 impulse;   ///< [N s]
  Vec2 velocity;  ///< v+ [m/s]
};

/// All solutions, distinct by velocity. The one in the outcome is among them.
struct MoreauSolutions {
  std::array<MoreauSolution, 4> solution;
  std::size_t size = 0;

  [[nodiscard]] const MoreauSolution* begin() const { return solution.data(); }
  [[nodiscard]] const MoreauSolution* end() const { return solution.data() + size; }
};

/// @pre the problem was validated
[[nodiscard]] PlanarOutcome moreau(const PlanarProblem& problem, Hypothesis hypothesis);

/// All solutions by enumeration. A contact with v_n- > 0 takes eps_N = eps_T = 0.
/// @param hypothesis  newton, or poisson: the solutions of the compression stage, each expanded
[[nodiscard]] MoreauSolutions moreau_solutions(const PlanarProblem& problem, Hypothesis hypothesis);

/// `moreau` as a law object.
struct Moreau {
  Hypothesis hypothesis = Hypothesis::newton;  ///< newton (one stage) or poisson (two stages)

  static constexpr LawParameter restitution{
      .key = "restitution",
      .symbol = "eps_N",
      .meaning = "normal restitution; 0 for a closed contact that separates before the impact",
      .allowed = "[0, 1]",
      .fallback = ""};
  static constexpr LawParameter hypothesis_option{
      .key = "hypothesis",
      .symbol = "",
      .meaning = "option of the stream; in a scenario use the law moreau:poisson",
      .allowed = "newton, poisson",
      .fallback = "newton"};
  static constexpr std::array parameters{
      restitution, parameter::friction,
      LawParameter{.key = "tangential_restitution",
                   .symbol = "eps_T",
                   .meaning = "fraction of the slip that is reversed in stick",
                   .allowed = "[0, 1]",
                   .fallback = "0"},
      hypothesis_option};
  static constexpr std::array parameters_of_two_stages{
      LawParameter{.key = "restitution",
                   .symbol = "e",
                   .meaning = "expansion impulse over compression impulse, at least",
                   .allowed = "[0, 1]",
                   .fallback = ""},
      parameter::friction, hypothesis_option};

  static constexpr LawInfo info{
      .id = "moreau",
      .summary = "set-valued law, Coulomb friction on the total impulse (complementarity)",
      .assumptions =
          "Rigid bodies. One inclusion for the normal and one for the tangential direction, -P_n "
          "in Upr(xi_n) and -P_t in mu P_n Sgn(xi_t) with xi = v+ + eps v-: a linear "
          "complementarity problem for the total impulse. The process during the impact is not "
          "described. Creates no energy if eps_N = eps_T; may create energy if they differ.",
      .source = "[payr2005], [moreau1988], [glocker2001]",
      .parameters = parameters,
      .labels = Labels::regimes,
      .in_space =
          "Coulomb's round cone. With strong friction there may be several solutions: stick is "
          "returned if it is one of them, otherwise the slip that leaves the least kinetic energy.",
      .with_several =
          "All closed contacts are solved together. Waves between the contacts are not described: "
          "of three equal balls in a row, the last one does not leave alone. Creates no energy if "
          "all eps are equal; may create energy if they differ."};
  static constexpr LawInfo two_stages{
      .id = "moreau:poisson",
      .summary = "moreau in two stages, compression then expansion",
      .assumptions =
          "Rigid bodies. Compression is moreau with eps = 0. Expansion returns at least e times "
          "the impulse of compression, and more only if the contact would approach otherwise. "
          "Friction is bounded by the normal impulse of each stage. Tangential restitution is "
          "undefined.",
      .source = "[pfeiffer1996]",
      .parameters = parameters_of_two_stages,
      .labels = Labels::regimes,
      .with_several =
          "All closed contacts are compressed together, then expand together. Without friction it "
          "creates no energy, for any e; with friction and unequal e it may."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return moreau(problem, hypothesis);
  }
  template <class Use>
  decltype(auto) with_kernel(const KernelChoice&, const Use& use) const {
    if (hypothesis == Hypothesis::poisson) return use(kernels::TwoStages{});
    return use(kernels::OneStage{});
  }
  bool operator==(const Moreau&) const = default;
};

static_assert(PlanarLawType<Moreau>);

}  // namespace carom
