// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/tangent.hpp>
#include <carom/impact/brach_system.hpp>
#include <carom/laws/brach/spatial.hpp>

/// `brach` in space for a scalar that carries first derivatives: the six equations A z = r are
/// linear in z and bilinear in z and the coefficients, so that with A z_0 = r_0 the derivative of z
/// is A^-1 (dr - dA z_0).
namespace carom {
namespace detail {

/// z for coefficients and an approach near those of `numbers` and the problem.
/// @param tangential, moment  as those of `numbers`
template <class S>
[[nodiscard]] std::optional<SpatialTotals<S>> near(const SpatialInputs<S>& in,
                                                   const BrachNumbers& numbers,
                                                   const std::array<S, 2>& tangential,
                                                   const std::array<S, 3>& moment) {
  const BrachSystem system(in.problem, numbers);
  const LinearSystem<6> equations(system.matrix());
  if (!equations.regular()) return std::nullopt;
  const auto z_0 = equations.solve(system.right());
  const std::array<S, 6> coefficient{in.restitution, tangential[0], tangential[1],
                                     moment[0],      moment[1],     moment[2]};
  const std::array<double, 6> now{numbers.e_n,       numbers.tangential[0], numbers.tangential[1],
                                  numbers.moment[0], numbers.moment[1],     numbers.moment[2]};
  const std::array<S, 3> approach{in.approach.n, in.approach.t1, in.approach.t2};
  std::array<S, 6> right;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto change = system.derivative(i);
    double push = change.shift;
    for (std::size_t j = 0; j < 6; ++j) push -= change.slope[j] * z_0[j];
    right[i] = S(system.right()[i]) + push * (coefficient[i] - S(now[i]));
    // The rows that prescribe a velocity: -(1 + x) v.
    if (i == 0 || (i < 3 && !numbers.by_ratio)) {
      const S before = approach[i] * system.scale()[i];
      right[i] = right[i] - (1. + now[i]) * (before - S(value_of(before)));
    }
  }
  std::array<S, 6> z = equations.solve(right);
  for (std::size_t i = 0; i < 6; ++i) z[i] = z[i] * system.scale()[i];
  SpatialTotals<S> t{.impulse = {.n = z[0], .t1 = z[1], .t2 = z[2]},
                     .velocity = {},
                     .couple = {.n = z[3], .t1 = z[4], .t2 = z[5]}};
  t.velocity = in.approach + in.problem.G * t.impulse + in.problem.spin.cross * t.couple;
  return t;
}

}  // namespace detail

template <class S>
std::optional<SpatialTotals<S>> SpatialBrach::totals(const SpatialInputs<S>& in,
                                                     const SpatialOutcome& outcome) const {
  const SpatialProblem& p = in.problem;
  const double e_n = p.surface.restitution;
  const auto with = [&](bool by_ratio, const std::array<S, 2>& tangential) {
    const BrachNumbers numbers =
        with_moments(p, e_n, by_ratio, {value_of(tangential[0]), value_of(tangential[1])});
    std::array<S, 3> moment = in.moment;
    if (!has_couples(p)) moment = {S(-1.), S(-1.), S(-1.)};
    return detail::near(in, numbers, tangential, moment);
  };
  if (p.surface.tangential_rule != BrachRule::coulomb) {
    return with(p.surface.tangential_rule == BrachRule::impulse_ratio, in.tangential);
  }
  // Coulomb's rule: stick, or friction in the direction of the impulse that would end slip.
  const std::array<S, 2> none{S(0.), S(0.)};
  auto stop = with(false, none);
  if (outcome.mode == Mode::stick) return stop;
  BasicTangent<S> direction;
  if (stop) {
    const bool pushes = critical_ratios(p, e_n).exist;
    direction = tangential(stop->impulse);
    if (pushes) direction = (S(1.) / stop->impulse.n) * direction;
  } else if (const auto smooth = with(true, none)) {
    direction = S(-1.) * tangential(smooth->velocity);
  }
  if (is_zero(direction)) return with(true, none);
  const S ratio = in.friction / size(direction);
  return with(true, {ratio * direction.t1, ratio * direction.t2});
}

}  // namespace carom
