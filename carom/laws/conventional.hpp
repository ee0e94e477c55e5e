// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <carom/complementarity/friction/planar.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/planar_kernel.hpp>

/// `conventional`: the textbook treatment of friction in an impact, included to show its errors
/// [Whittaker 1904; Kane & Levinson 1985; as described by Shen & Townsend 1998, Sec. 6.1].
///
/// v_n+ = -e v_n-. The law first assumes that slip ends, v_t+ = 0. If this needs |P_t| <= mu_s P_n,
/// it is the result. Otherwise P_t = -mu s P_n, with s the direction of slip before the impact
/// (`approach`), or after it (`rebound`, Kane & Levinson). Whether slip stopped or reversed during
/// the impact is not considered. With mu_s = mu the second rule is `moreau` with eps_T = 0 (ERRATA,
/// ST10).
namespace carom {

/// The slip that friction opposes.
enum class FrictionOpposes : std::uint8_t { approach, rebound };

template <class S>
struct ConventionalTotals {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  Mask<S> sticks{};
  Mask<S> unsolvable{};
};

/// @pre v.n < 0 wherever the result is used
template <FrictionOpposes opposes, class S>
[[nodiscard]] constexpr ConventionalTotals<S> conventional_totals(const BasicSym2<S>& G,
                                                                  const BasicVec2<S>& v, const S& e,
                                                                  const S& mu, const S& mu_s) {
  const S zero(0.);
  const S one(1.);
  const BasicVec2<S> b{.n = (one + e) * v.n, .t = v.t};
  const Mask<S> rank_one = is_rank_one(G);
  const Mask<S> shared = both(rank_one, in_range_of_rank_one(G, b));

  // Stick: G P = -b.
  const S det = divisor(select(rank_one, zero, determinant(G)));
  const S stick_n = select(shared, S(-b.n / divisor(G.nn)), S((G.nt * b.t - G.tt * b.n) / det));
  const S stick_t = select(shared, zero, S(-((b.t + G.nt * stick_n) / divisor(G.tt))));
  ConventionalTotals<S> r;
  const Mask<S> possible = either(both(shared, G.nn > zero), negate(rank_one));
  r.sticks = both(both(possible, stick_n > zero), magnitude(stick_t) <= mu_s * stick_n);

  // Slip along s.
  S s;
  if constexpr (opposes == FrictionOpposes::approach) {
    // Without slip: the direction in which it would begin (ERRATA, ST5).
    s = select(v.t > zero, one, select(v.t < zero, S(-one), sign(G.nt)));
  } else {
    const auto rebound =
        complementarity::solve_planar_friction(G, b, mu, rank_one, both(rank_one, shared));
    s = select(rebound.backward, S(-one), one);
    r.unsolvable = rebound.unsolvable;
  }
  const S ratio = -(mu * s);
  const S slope = G.nn + ratio * G.nt;
  const S margin = select(rank_one, S(S(rounding) * (G.nn + mu * magnitude(G.nt))), zero);
  const S slip_n = -b.n / divisor(slope);
  r.unsolvable = both(negate(r.sticks), either(r.unsolvable, negate(slope > margin)));
  r.impulse.n = select(r.sticks, stick_n, slip_n);
  r.impulse.t = select(r.sticks, stick_t, S(ratio * slip_n));
  r.velocity.n = -(e * v.n);
  r.velocity.t = select(r.sticks, zero, S(b.t + (G.nt + ratio * G.tt) * slip_n));
  return r;
}

namespace kernels {

/// The kernel of `conventional` and `conventional:rebound`.
template <FrictionOpposes opposes>
struct Textbook {
  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const BasicVec2<S> v = in.approach;
    const auto r =
        conventional_totals<opposes>(in.G, v, in.restitution, in.friction, in.static_friction);
    return algebraic(r, v, S(-0.));  // x + -0 is x
  }
};

}  // namespace kernels

/// @pre the problem was validated
[[nodiscard]] PlanarOutcome conventional(const PlanarProblem& problem, FrictionOpposes opposes);

/// `conventional` as a law object.
struct Conventional {
  FrictionOpposes friction_opposes = FrictionOpposes::approach;

  static constexpr std::array parameters{
      parameter::velocity_restitution, parameter::friction, parameter::static_friction,
      LawParameter{.key = "friction_opposes",
                   .symbol = "",
                   .meaning = "option of the stream: the slip before or after the impact; in a "
                              "scenario use the law conventional:rebound",
                   .allowed = "approach, rebound",
                   .fallback = "approach"}};
  static constexpr LawInfo info{
      .id = "conventional",
      .summary = "textbook: velocity ratio, friction against the slip before (shown as a warning)",
      .assumptions =
          "The contact separates at e times the speed of approach. If the impulse that ends slip "
          "lies within static friction, slip ends. Otherwise friction acts with full strength "
          "against the slip of the approach, or (conventional:rebound) of the rebound, even if "
          "slip stops or reverses during the impact. Often creates energy. Included to show this "
          "error.",
      .source = "[whittaker1904], [kane1985], [shen1998]",
      .parameters = parameters,
      .labels = Labels::sticks};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return conventional(problem, friction_opposes);
  }
  template <class Use>
  decltype(auto) with_kernel(const KernelChoice&, const Use& use) const {
    if (friction_opposes == FrictionOpposes::rebound) {
      return use(kernels::Textbook<FrictionOpposes::rebound>{});
    }
    return use(kernels::Textbook<FrictionOpposes::approach>{});
  }
  bool operator==(const Conventional&) const = default;
};

static_assert(PlanarLawType<Conventional>);

}  // namespace carom
