// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/energy_ledger.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/impact/verdict.hpp>

/// What a kernel for one contact in the plane takes and returns, for any scalar: `double`, a pack
/// of doubles (batches), or a number with derivatives (sensitivities).
///
/// A kernel is a struct with a function template `answer<S>(const PlanarInputs<S>&)`, and a law of
/// kernels.hpp has a function `with_kernel(choice, use)` that calls `use` with its kernel. A kernel
/// that branches, and so cannot take packs, says `static constexpr bool takes_packs = false`.
///
/// Everything here is a template on the scalar or consteval: kernels are compiled for several
/// instruction sets, see carom/study/pack.hpp.
namespace carom {

/// What holds for all impacts of a batch, and is decided once rather than for each.
struct KernelChoice {
  BrachRule rule = BrachRule::coulomb;
  bool couples = true;  ///< may there be a couple?
};

/// All that a kernel may depend on: PlanarProblem.
template <class S>
struct PlanarInputs {
  BasicSym2<S> G;
  BasicVec2<S> approach;
  S restitution{};
  S friction{};
  S static_friction{};
  S tangential_restitution{};
  S compliance_ratio{};  ///< not for packs
  S tangential{};        ///< mu_t or e_t, as the rule says
  S moment_coefficient{};
  BasicSpinRow<S> spin;
};

/// PlanarOutcome without phases, of one scalar's worth of impacts. Where energy, mode and flags
/// are not asked for the compiler leaves out what makes them.
template <class S>
struct PlanarAnswer {
  BasicVec2<S> impulse;
  BasicVec2<S> velocity;
  S change{};    ///< of energy [J]
  S friction{};  ///< work [J]
  S mode{};      ///< Mode, as a number
  S flags{};     ///< Verdicts, their bits as a number
  S couple{};    ///< M on the first body [N m s]
  S spin{};      ///< relative, after [rad/s]; meaningful with a couple
};

/// Kernels, and what they are made of.
namespace kernels {

/// Does a scalar carry derivatives? A kernel then follows what a coefficient that is zero would do
/// if it grew, for its derivative from above.
template <class S>
inline constexpr bool carries_derivatives = false;

template <class Kernel>
[[nodiscard]] consteval bool takes_packs() {
  if constexpr (requires { Kernel::takes_packs; }) return Kernel::takes_packs;
  return true;
}

consteval double number(Mode mode) { return static_cast<double>(mode); }
consteval double number(Verdict verdict) {
  Verdicts v;
  v.add(verdict);
  return v.bits();
}

template <class S>
[[nodiscard]] S flag_if(const Mask<S>& holds, double flag) {
  return select(holds, S(flag), S(0.));
}

/// `a` where an impact happens; elsewhere `unchanged(v, no_solution or no_impulse)`.
template <class S>
[[nodiscard]] PlanarAnswer<S> where(const Mask<S>& happens, const PlanarAnswer<S>& a,
                                    const BasicVec2<S>& v, const Mask<S>& no_solution) {
  if (!any(negate(happens))) return a;
  const S zero(0.);
  const auto otherwise = [&](const S& x, const S& nothing) { return select(happens, x, nothing); };
  return {.impulse = {.n = otherwise(a.impulse.n, zero), .t = otherwise(a.impulse.t, zero)},
          .velocity = {.n = otherwise(a.velocity.n, v.n), .t = otherwise(a.velocity.t, v.t)},
          .change = otherwise(a.change, zero),
          .friction = otherwise(a.friction, zero),
          .mode = otherwise(a.mode, S(number(Mode::no_impulse))),
          .flags = otherwise(a.flags, select(no_solution, S(number(Verdict::no_solution)),
                                             S(number(Verdict::no_impulse)))),
          .couple = otherwise(a.couple, zero),
          .spin = a.spin};
}

/// Normal and friction work of a stage, 1/2 P.(before + after).
template <class S>
struct Work {
  S normal{};
  S friction{};

  static Work of(const BasicVec2<S>& impulse, const BasicVec2<S>& before,
                 const BasicVec2<S>& after) {
    return {.normal = S(0.5) * impulse.n * (before.n + after.n),
            .friction = S(0.5) * impulse.t * (before.t + after.t)};
  }
};

template <class S>
[[nodiscard]] S gain_flag(const S& change, const S& scale) {
  return flag_if<S>(gains_energy(change, scale), number(Verdict::energy_gained));
}

/// An algebraic law that sticks or slips, from its totals.
template <class S, class Totals>
[[nodiscard]] PlanarAnswer<S> algebraic(const Totals& r, const BasicVec2<S>& v,
                                        const S& couple_work) {
  const auto work = Work<S>::of(r.impulse, v, r.velocity);
  const S change = (work.normal + work.friction) + couple_work;
  const S scale = (magnitude(work.friction) + magnitude(couple_work)) + magnitude(work.normal);
  const PlanarAnswer<S> a{.impulse = r.impulse,
                          .velocity = r.velocity,
                          .change = change,
                          .friction = work.friction,
                          .mode = select(r.sticks, S(number(Mode::stick)), S(number(Mode::slip))),
                          .flags = gain_flag(change, scale)};
  const Mask<S> closes = v.n < S(0.);
  return where<S>(both(closes, negate(r.unsolvable)), a, v, both(closes, r.unsolvable));
}

}  // namespace kernels
}  // namespace carom
