// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <support/generators.hpp>

#include <cmath>
#include <cstdint>
#include <tuple>

#include <carom/impact/spatial/problem.hpp>
#include <support/spatial_problems.hpp>

/// RapidCheck generators of impacts in space.
namespace carom::test {

/// Two random bodies (random_bodies), one in ten without slip.
inline rc::Gen<SpatialProblem> body_problems(double most_friction = 1.5) {
  return rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<std::uint32_t>(), restitution(),
                                     rc::gen::inRange(0, 10), rc::gen::inRange(0, 3)),
                      [most_friction](const auto& drawn) {
                        const auto& [seed, e, slip, more] = drawn;
                        SpatialProblem p = random_bodies(seed, most_friction);
                        p.surface.restitution = e;
                        if (slip == 0) p.approach.t1 = p.approach.t2 = 0.;
                        if (more == 0) p.surface.static_friction = 1.3 * p.surface.friction;
                        return p;
                      });
}

/// Any positive definite G, from the angles between three directions and a scale for each, now and
/// then nearly singular; any approach, any friction.
inline rc::Gen<SpatialProblem> spatial_problems() {
  const auto entry = thousandths(-1000, 1000);
  const auto flat =
      rc::gen::weightedOneOf<double>({{8, rc::gen::just(1.)}, {1, rc::gen::just(0.03)}});
  const auto slip = rc::gen::weightedOneOf<double>(
      {{8, thousandths(-5000, 5000)}, {1, thousandths(-200'000, 200'000)}, {1, rc::gen::just(0.)}});
  return rc::gen::map(
      rc::gen::tuple(rc::gen::container<std::array<double, 9>>(entry), flat,
                     rc::gen::container<std::array<double, 3>>(thousandths(-1000, 1000)),
                     rc::gen::tuple(slip, slip), restitution(), friction(), thousandths(0, 1000),
                     rc::gen::arbitrary<bool>()),
      [](const auto& drawn) {
        const auto& [x, thin, log_scale, u, e, mu, more, has_static] = drawn;
        double row[3][3];
        for (std::size_t i = 0; i < 3; ++i) {
          // Shifted off zero, so that no row vanishes; the third entry of all may be made small.
          const double r[3] = {x[3 * i] + (i == 0 ? 1.1 : 0.), x[3 * i + 1] + (i == 1 ? 1.1 : 0.),
                               thin * (x[3 * i + 2] + (i == 2 ? 1.1 : 0.))};
          const double length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) + 1e-3;
          for (std::size_t j = 0; j < 3; ++j) {
            row[i][j] = r[j] / length * std::pow(10., 0.5 * log_scale[i]);
          }
        }
        const auto product = [&](int i, int j) {
          return row[i][0] * row[j][0] + row[i][1] * row[j][1] + row[i][2] * row[j][2];
        };
        SpatialProblem p;
        p.G = {.nn = product(0, 0),
               .n1 = product(0, 1),
               .n2 = product(0, 2),
               .t11 = product(1, 1),
               .t12 = product(1, 2),
               .t22 = product(2, 2)};
        p.approach = {.n = -1., .t1 = std::get<0>(u), .t2 = std::get<1>(u)};
        p.surface.restitution = e;
        p.surface.friction = mu;
        p.surface.static_friction = has_static ? mu * (1. + more) : mu;
        return p;
      });
}

/// A singular G = sum of g g^T over one or two g of whole numbers, so that it is exact; the
/// approach in its range, or any.
inline rc::Gen<SpatialProblem> singular_spatial_problems() {
  const auto whole = rc::gen::inRange(-5, 6);
  return rc::gen::map(
      rc::gen::tuple(rc::gen::container<std::array<int, 3>>(whole),
                     rc::gen::container<std::array<int, 3>>(whole), rc::gen::inRange(1, 3),
                     rc::gen::container<std::array<int, 3>>(whole), rc::gen::arbitrary<bool>(),
                     restitution(), rc::gen::inRange(0, 30)),
      [](const auto& drawn) {
        const auto& [g, second, rank, w, in_range, e, mu] = drawn;
        // Named anew: clang 14 captures no structured bindings.
        const auto entry = [&first = std::get<0>(drawn), &other = std::get<1>(drawn),
                            two = std::get<2>(drawn) == 2](std::size_t i, std::size_t j) {
          return 1. * first[i] * first[j] + (two ? 1. * other[i] * other[j] : 0.);
        };
        SpatialProblem p;
        p.G = {.nn = entry(0, 0),
               .n1 = entry(0, 1),
               .n2 = entry(0, 2),
               .t11 = entry(1, 1),
               .t12 = entry(1, 2),
               .t22 = entry(2, 2)};
        const Vec3 drawn_vector{.n = 1. * w[0], .t1 = 1. * w[1], .t2 = 1. * w[2]};
        p.approach = in_range ? p.G * drawn_vector : drawn_vector;
        if (p.approach.n > 0.) p.approach = -1. * p.approach;
        p.surface.restitution = e;
        p.surface.friction = p.surface.static_friction = mu / 10.;
        return p;
      });
}

/// A planar problem seen in space: its tangent is the first, across it the contact moves with
/// mobility `across` and not at all at first.
inline SpatialProblem in_space(const PlanarProblem& p, double across) {
  SpatialProblem q;
  q.G = {.nn = p.G.nn, .n1 = p.G.nt, .t11 = p.G.tt, .t22 = across};
  q.approach = {.n = p.approach.n, .t1 = p.approach.t};
  q.surface.restitution = p.surface.restitution;
  q.surface.friction = p.surface.friction;
  q.surface.static_friction = p.surface.static_friction;
  return q;
}

}  // namespace carom::test

namespace rc {
template <>
struct Arbitrary<carom::SpatialProblem> {
  static Gen<carom::SpatialProblem> arbitrary() { return carom::test::spatial_problems(); }
};
}  // namespace rc
