// SPDX-License-Identifier: Apache-2.0
#include <support/problems.hpp>

#include <algorithm>
#include <cmath>

namespace carom {

std::ostream& operator<<(std::ostream& out, const PlanarProblem& p) {
  out.precision(17);
  return out << "{G = [" << p.G.nn << ", " << p.G.nt << ", " << p.G.tt << "], v = (" << p.approach.n
             << ", " << p.approach.t << "), e = " << p.surface.restitution
             << ", eps_T = " << p.surface.tangential_restitution << ", mu = " << p.surface.friction
             << ", mu_s = " << p.surface.static_friction
             << ", eta2 = " << p.surface.compliance_ratio << ", e_m = " << p.surface.moment[0]
             << ", spin = [" << p.spin.nr << ", " << p.spin.tr << ", " << p.spin.rr << ", "
             << p.spin.approach << "]}";
}

}  // namespace carom

namespace carom::test {

PlanarProblem thin_rod() {
  const double c = std::cos(2. * std::acos(-1.) / 3.);
  const double s = std::sin(2. * std::acos(-1.) / 3.);
  return {.G = {.nn = 1. + 3. * c * c, .nt = 3. * s * c, .tt = 1. + 3. * s * s},
          .approach = {.n = -1., .t = .4},
          .surface = {.restitution = .5, .friction = .3}};
}

double velocity_scale(const PlanarProblem& p, const Vec2& P, const Vec2& v) {
  const double made = std::max(p.G.nn * std::abs(P.n) + std::abs(p.G.nt * P.t),
                               std::abs(p.G.nt * P.n) + p.G.tt * std::abs(P.t));
  return std::max(
      {std::abs(p.approach.n), std::abs(p.approach.t), std::abs(v.n), std::abs(v.t), made});
}

double momentum_residual(const PlanarProblem& p, const Vec2& P, const Vec2& v) {
  const Vec2 r = p.approach + p.G * P - v;
  return std::max(std::abs(r.n), std::abs(r.t)) / velocity_scale(p, P, v);
}

}  // namespace carom::test
