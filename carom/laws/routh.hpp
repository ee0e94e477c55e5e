// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/hypothesis.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/planar_kernel.hpp>

/// The exact friction process of one planar contact, Routh's diagram [Routh 1905].
///
/// Velocity is piecewise linear in the normal impulse p, so no iteration is needed. With s =
/// sgn(v_t):
///
///     slip:   dv_n/dp = G_nn - mu s G_nt     dv_t/dp = G_nt - mu s G_tt     dP_t/dp = -mu s
///     it stops, if mu G_tt > s G_nt, at p* = |v_t|/(mu G_tt - s G_nt); from there on
///     stick:  dv_n/dp = det G/G_tt           dv_t/dp = 0                    dP_t/dp = -G_nt/G_tt
///             if |G_nt| <= mu_s G_tt; else slip along s' = sgn(G_nt), with
///     slip':  dv_n/dp = G_nn - mu |G_nt|     dv_t/dp = G_nt - mu s' G_tt    dP_t/dp = -mu s'
///
/// dv_n/dp of the second segment is never negative; that of the first is if the contact jams.
/// Compression ends at v_n = 0. The hypothesis determines the end of restitution.
namespace carom {

/// Totals of the process, without phases.
template <class S>
struct RouthTotals {
  BasicVec2<S> impulse;   ///< P [N s]
  BasicVec2<S> velocity;  ///< v+ [m/s]
  S compression_work{};   ///< normal work [J], <= 0
  S restitution_work{};   ///< normal work [J], >= 0
  S friction_work{};      ///< [J], <= 0

  S p_compression{};     ///< normal impulse at the end of compression [N s]
  S p_stop{};            ///< normal impulse where slip stops [N s]; valid if `stops`
  S v_stop{};            ///< normal velocity there [m/s]
  S first_ratio{};       ///< dP_t/dp on the first segment
  S second_ratio{};      ///< dP_t/dp on the second segment
  S second_slip_rate{};  ///< dv_t/dp on the second segment [1/kg]; 0 in stick

  Mask<S> impact{};                ///< there is an impulse
  Mask<S> stops{};                 ///< slip stops (or is zero) before the impact ends
  Mask<S> stops_in_compression{};  ///< a stop at the end of compression counts as in compression
  Mask<S> sticks{};                ///< whether the second segment is stick
  Mask<S> jams{};                  ///< v_n decreases at first
  Mask<S> unreachable{};           ///< the contact locks before the hypothesis is met
  Mask<S> unsolvable{};  ///< compression never ends (singular G); no other member is valid
};

/// Computes the totals without branches, so that the same source serves SIMD packs and derivatives.
/// Inputs as in PlanarProblem, validated.
/// @pre v.n <= 0 wherever the result is used; `impact` is false if there is no impact
template <Hypothesis hypothesis, class S>
[[nodiscard]] constexpr RouthTotals<S> routh_totals(const BasicSym2<S>& G, const BasicVec2<S>& v,
                                                    const S& e, const S& mu, const S& mu_s) {
  const S zero(0.);
  const S half(0.5);
  const S one(1.);
  RouthTotals<S> r;

  // First segment: slip as at the start.
  const S slip = magnitude(v.t);
  const S along = times_sign(G.nt, v.t);
  const S slope_1 = G.nn - mu * along;
  const S deceleration = mu * G.tt - along;
  const Mask<S> slips = slip > zero;
  r.first_ratio = -times_sign(mu, v.t);

  // Second segment: stick or reverse slip.
  r.sticks = magnitude(G.nt) <= mu_s * G.tt;
  S det = determinant(G);
  S stick_slope = det / divisor(G.tt);
  S stick_ratio = -(G.nt / divisor(G.tt));
  S slip_slope = G.nn - mu * magnitude(G.nt);

  // Compares p* with p_c without division. If slip never stops, deceleration <= 0 makes p* later.
  // In a tie they coincide.
  const S by_stop = -v.n * deceleration;
  const S by_compression = slip * slope_1;
  Mask<S> closes_slipping = both(slips, slope_1 > zero);
  Mask<S> compressed_slipping = both(closes_slipping, by_stop < by_compression);
  Mask<S> together = both(closes_slipping, by_stop == by_compression);

  if (const Mask<S> rank_one = is_rank_one(G); any(rank_one)) {
    // If it sticks it is locked: slope_2 = 0. The other quantities may vanish, and rounding must
    // not decide. For any approach within the range of G, p* and p_c coincide.
    const Mask<S> moves = G.tt > zero;
    stick_slope = select(moves, select(rank_one, zero, stick_slope), G.nn);
    stick_ratio = only_where(moves, stick_ratio);
    const S margin = only_where(rank_one, S(S(rounding) * (G.nn + mu * magnitude(G.nt))));
    slip_slope = only_where(slip_slope > margin, slip_slope);
    closes_slipping = both(slips, slope_1 > margin);
    const Mask<S> in_range = both(rank_one, in_range_of_rank_one(G, v));
    compressed_slipping = both(both(closes_slipping, compressed_slipping), negate(in_range));
    together = both(closes_slipping, either(together, in_range));
  }
  const S slope_2 = select(r.sticks, stick_slope, positive_part(slip_slope));
  const Mask<S> locked = negate(slope_2 > zero);
  r.second_ratio = select(r.sticks, stick_ratio, S(-times_sign(mu, G.nt)));
  r.second_slip_rate = only_where(negate(r.sticks), S(G.nt + r.second_ratio * G.tt));

  S p_stop = only_where(slips, S(slip / divisor(deceleration)));
  S v_stop = v.n + slope_1 * p_stop;
  if (any(together)) {
    p_stop = select(together, S(-v.n / divisor(slope_1)), p_stop);
    v_stop = select(together, zero, v_stop);
  }
  r.p_stop = p_stop;
  r.v_stop = v_stop;

  // Compression ends in slip, or on the second segment.
  const S to_compress = select(compressed_slipping, S(-v.n), positive_part(S(-v_stop))) /
                        select(compressed_slipping, slope_1, or_one(slope_2));
  // Start of the second segment, or the end of compression if that is later.
  const S start = p_stop + only_where(negate(compressed_slipping), to_compress);
  r.p_compression = select(compressed_slipping, to_compress, start);
  r.compression_work =
      half * select(compressed_slipping, S(v.n * r.p_compression),
                    S((v.n + r.v_stop) * p_stop + r.v_stop * (r.p_compression - p_stop)));

  // All hypotheses agree while the slope is that of compression: p_f = (1+e) p_c. So whether slip
  // stops in restitution does not depend on the hypothesis, and the mode is the same for all.
  const Mask<S> slides = both(compressed_slipping, (one + e) * by_stop <= by_compression);

  // Otherwise the impact ends on the second segment. Restitution enters it at `start`.
  const S v_start = only_where(compressed_slipping, positive_part(v_stop));
  const S work_start =
      only_where(compressed_slipping, S(half * v_start * (p_stop - r.p_compression)));
  S v_end;
  S rest;  // normal impulse from `start` to the end
  if constexpr (hypothesis == Hypothesis::newton) {
    // v_n+ = -e v_n-
    const S target = -e * v.n;
    v_end = target;
    rest = positive_part(S(target - v_start)) / divisor(slope_2);
    if (any(locked)) {
      r.unreachable = both(locked, target > v_start);
      v_end = select(locked, v_start, target);
      rest = only_where(negate(locked), rest);
    }
  } else if constexpr (hypothesis == Hypothesis::poisson) {
    // P_r = e P_c, which can always be reached.
    rest = positive_part(S((one + e) * r.p_compression - start));
    v_end = v_start + slope_2 * rest;
  } else {
    // W_r = -e^2 W_c: v_f^2 = v_0^2 + 2 slope (e^2 |W_c| - W_0). From v_0 = 0 the root is
    // e sqrt(2 slope |W_c|), written so that its derivative is finite at e = 0.
    const S work = positive_part(S(-(e * e) * r.compression_work - work_start));
    const S speed =
        root(select(compressed_slipping, S(v_start * v_start + (slope_2 + slope_2) * work),
                    S((slope_2 + slope_2) * -r.compression_work)));
    v_end = select(compressed_slipping, speed, S(e * speed));
    const S sum = v_start + v_end;
    rest = select(compressed_slipping, S(work + work), v_end) /
           or_one(select(compressed_slipping, sum, slope_2));
    r.unreachable = both(locked, both(work > zero, negate(sum > zero)));
  }
  const S work_end = work_start + half * (v_start + v_end) * rest;

  // Totals.
  const S p_end = select(slides, S((one + e) * r.p_compression), S(start + rest));
  const S first = select(slides, p_end, p_stop);  // impulse on each segment
  const S second = only_where(negate(slides), S(p_end - p_stop));
  const S slip_after_first = only_where(slides, positive_part(S(slip - deceleration * p_end)));
  const S slip_after_second = r.second_slip_rate * second;
  r.impulse.n = p_end;
  r.impulse.t = r.first_ratio * first + r.second_ratio * second;
  r.velocity.n = select(slides, S(-e * v.n), v_end);
  r.velocity.t = select(slides, times_sign(slip_after_first, v.t), slip_after_second);
  r.restitution_work = select(slides, S(half * (e * -v.n) * (e * r.p_compression)), work_end);
  r.friction_work =
      half * (r.second_ratio * slip_after_second * second - mu * (slip + slip_after_first) * first);

  // Flags. Without approach there is an impact only if slip pulls the contact in.
  r.jams = both(slips, slope_1 < zero);
  r.impact = v.n < zero;
  if (any(negate(r.impact))) r.impact = either(r.impact, both(negate(v.n > zero), r.jams));
  r.stops = negate(slides);
  r.stops_in_compression = negate(compressed_slipping);
  const Mask<S> never_stops = both(slips, negate(either(deceleration > zero, together)));
  r.unsolvable =
      both(negate(compressed_slipping), either(never_stops, both(locked, v_stop < zero)));
  r.unreachable = both(r.unreachable, negate(slides));
  return r;
}

namespace kernels {

/// The kernel of `newton`, `poisson` and `energetic`.
template <Hypothesis hypothesis>
struct Process {
  template <class S>
  static S mode(const RouthTotals<S>& r, const Mask<S>& no_slip) {
    const S when = select(r.stops_in_compression, S(number(Mode::stops_in_compression_sticks)),
                          S(number(Mode::stops_in_restitution_sticks)));
    const S sticking = select(no_slip, S(number(Mode::no_slip_sticks)), when);
    const S stopped = select(r.sticks, sticking, S(sticking + S(1.)));  // the one that slips on
    return select(either(no_slip, r.stops), stopped, S(number(Mode::slides)));
  }

  template <class S>
  static PlanarAnswer<S> answer(const PlanarInputs<S>& in) {
    const BasicVec2<S> v = in.approach;
    const auto r =
        routh_totals<hypothesis>(in.G, v, in.restitution, in.friction, in.static_friction);
    const S normal = r.compression_work + r.restitution_work;
    const S change = normal + r.friction_work;
    const S scale = magnitude(r.friction_work) +
                    (magnitude(r.compression_work) + magnitude(r.restitution_work));
    const S flags = flag_if<S>(r.jams, number(Verdict::jam)) +
                    flag_if<S>(r.unreachable, number(Verdict::target_unreachable)) +
                    gain_flag(change, scale);
    const PlanarAnswer<S> a{.impulse = r.impulse,
                            .velocity = r.velocity,
                            .change = change,
                            .friction = r.friction_work,
                            .mode = mode(r, v.t == S(0.)),
                            .flags = flags};
    return where<S>(both(r.impact, negate(r.unsolvable)), a, v, both(r.impact, r.unsolvable));
  }
};

}  // namespace kernels

/// Resolves one planar impact exactly and reports its phases.
///
/// Zero initial slip, mu = 0, e = 0 and 1, grazing and jamming contacts, and a rank-one G are valid
/// inputs. A separating contact gives `no-impulse`.
/// @pre the problem was validated; invalid input is not detected here
[[nodiscard]] PlanarOutcome routh(const PlanarProblem& problem, Hypothesis hypothesis);

}  // namespace carom
