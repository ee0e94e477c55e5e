// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

/// Units for the computation of an impact in space: powers of two that bring velocities and inverse
/// inertias to order one. The conversion does not round.
namespace carom {

[[nodiscard]] inline Vec3 times_power_of_two(const Vec3& x, int power) {
  return {
      .n = std::ldexp(x.n, power), .t1 = std::ldexp(x.t1, power), .t2 = std::ldexp(x.t2, power)};
}

[[nodiscard]] inline Sym3 times_power_of_two(const Sym3& G, int power) {
  return {.nn = std::ldexp(G.nn, power),
          .n1 = std::ldexp(G.n1, power),
          .n2 = std::ldexp(G.n2, power),
          .t11 = std::ldexp(G.t11, power),
          .t12 = std::ldexp(G.t12, power),
          .t22 = std::ldexp(G.t22, power)};
}

struct ImpactUnits {
  int velocity;
  int mobility;

  [[nodiscard]] static ImpactUnits of(const SpatialProblem& p) {
    const Vec3& v = p.approach;
    return {.velocity = exponent(std::max({-v.n, std::abs(v.t1), std::abs(v.t2)})),
            .mobility = exponent(std::max({p.G.nn, p.G.t11, p.G.t22}))};
  }

  [[nodiscard]] SpatialProblem into(const SpatialProblem& p) const {
    SpatialProblem q = p;
    q.G = times_power_of_two(p.G, -mobility);
    q.approach = times_power_of_two(p.approach, -velocity);
    return q;
  }
  [[nodiscard]] Vec3 impulse_out_of(const Vec3& P) const {
    return times_power_of_two(P, velocity - mobility);
  }
  [[nodiscard]] Vec3 velocity_out_of(const Vec3& v) const {
    return times_power_of_two(v, velocity);
  }
  [[nodiscard]] double work_out_of(double W) const {
    return std::ldexp(W, 2 * velocity - mobility);
  }
  /// Its phases are already in the user's units. @pre it has stages
  void out_of(SpatialOutcome& o) const {
    o.impulse = impulse_out_of(o.impulse);
    o.velocity = velocity_out_of(o.velocity);
    for (double* work : {&o.energy.change, &o.energy.normal, &o.energy.friction,
                         &o.energy.stages->compression, &o.energy.stages->restitution}) {
      *work = work_out_of(*work);
    }
  }

 private:
  /// The exponent of the next power of two above x.
  [[nodiscard]] static int exponent(double x) {
    int result = 0;
    if (x > 0.) static_cast<void>(std::frexp(x, &result));
    return result;
  }
};

}  // namespace carom
