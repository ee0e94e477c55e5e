// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>  // before rapidcheck/gtest.h

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <tuple>

#include <carom/impact/planar/problem.hpp>
#include <support/problems.hpp>

/// RapidCheck generators of planar impacts. Numbers come from grids of whole numbers, so that ties
/// and edges (no slip, mu = 0, e = 0 and 1, G_nt = 0) turn up by themselves and a failure shrinks
/// to something that can be read.
namespace carom::test {

/// k/1000 with k in [least, most], small magnitudes first when shrinking.
inline rc::Gen<double> thousandths(int least, int most) {
  return rc::gen::map(rc::gen::inRange(least, most + 1), [](int k) { return k / 1000.; });
}

inline rc::Gen<double> restitution() {
  return rc::gen::weightedOneOf<double>(
      {{8, thousandths(0, 1000)}, {1, rc::gen::just(0.)}, {1, rc::gen::just(1.)}});
}

/// 0 to 10, mostly below 2.
inline rc::Gen<double> friction() {
  return rc::gen::weightedOneOf<double>(
      {{6, thousandths(0, 2000)}, {2, thousandths(2000, 10'000)}, {1, rc::gen::just(0.)}});
}

/// G_nt over sqrt(G_nn G_tt); one in ten close to +-1, where stick hardly moves.
inline rc::Gen<double> coupling() {
  return rc::gen::weightedOneOf<double>(
      {{8, thousandths(-990, 990)},
       {1, rc::gen::map(rc::gen::inRange(1, 1000), [](int k) { return 1. - 1e-6 * k; })},
       {1, rc::gen::map(rc::gen::inRange(1, 1000), [](int k) { return 1e-6 * k - 1.; })}});
}

struct What {
  bool static_friction = true;
  bool tangential_restitution = false;
};

inline rc::Gen<PlanarProblem> problems(const What& what = {}) {
  const auto spread = thousandths(-2000, 2000);  // of log10
  const auto slip = rc::gen::weightedOneOf<double>(
      {{8, thousandths(-5000, 5000)}, {1, thousandths(-200'000, 200'000)}, {1, rc::gen::just(0.)}});
  // How the approach comes about: at will, or (k = 0) as -G P, so that it lies nearly in the range
  // of a nearly singular G, as the velocities of real mechanisms do.
  const auto origin = rc::gen::inRange(0, 5);
  return rc::gen::map(
      rc::gen::tuple(spread, spread, coupling(), slip, restitution(), restitution(), friction(),
                     thousandths(0, 1000), rc::gen::arbitrary<bool>(), origin),
      [what](const auto& drawn) {
        const auto& [log_nn, log_tt, rho, v_t, e, eps_t, mu, more, has_static, k] = drawn;
        const double nn = std::pow(10., log_nn);
        const double tt = std::pow(10., log_tt);
        PlanarProblem p;
        p.G = {.nn = nn, .nt = rho * std::sqrt(nn * tt), .tt = tt};
        p.approach = {.n = -1., .t = v_t};
        if (k == 0) {
          const Vec2 v = p.G * Vec2{.n = 1., .t = v_t};
          if (v.n != 0.) p.approach = {.n = -std::abs(v.n), .t = v.n > 0. ? -v.t : v.t};
        }
        p.surface.restitution = e;
        p.surface.friction = mu;
        p.surface.static_friction = what.static_friction && has_static ? mu * (1. + more) : mu;
        p.surface.tangential_restitution = what.tangential_restitution ? eps_t : 0.;
        return p;
      });
}

/// A contact of rank one, G = m^-1 g g^T with g from whole numbers, so that it is exact; the
/// approach -u g in its range, or any.
inline rc::Gen<PlanarProblem> rank_one_problems() {
  const auto whole = rc::gen::inRange(-9, 10);
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 10), whole, rc::gen::inRange(1, 10), whole, restitution(),
                     restitution(), rc::gen::inRange(0, 40), rc::gen::arbitrary<bool>()),
      [](const auto& drawn) {
        const auto& [g_n, g_t, u, v_t, e, eps_t, mu, in_range] = drawn;
        PlanarProblem p;
        p.G = {.nn = 1. * g_n * g_n, .nt = 1. * g_n * g_t, .tt = 1. * g_t * g_t};
        p.approach = in_range ? Vec2{.n = -1. * u * g_n, .t = -1. * u * g_t}
                              : Vec2{.n = -1. * u, .t = 1. * v_t};
        p.surface.restitution = e;
        // Whole tenths hit G_nn/|G_nt| = g_n/|g_t| exactly, now and then.
        p.surface.friction = p.surface.static_friction = mu / 10.;
        p.surface.tangential_restitution = eps_t;
        return p;
      });
}

}  // namespace carom::test

namespace rc {
template <>
struct Arbitrary<carom::PlanarProblem> {
  static Gen<carom::PlanarProblem> arbitrary() { return carom::test::problems(); }
};
}  // namespace rc
