// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/regimes.hpp>

#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom {

RegimeBoundaries regime_boundaries(const Sym2& G, const Surface& s) {
  const double mu = s.friction;
  const double stretch = (1. + s.restitution) / (1. + s.tangential_restitution);
  RegimeBoundaries r;
  // Forward slip exists if alpha - mu delta > 0 [eq. 46], backward slip if alpha + mu delta > 0
  // [eq. 33].
  if (G.nn - mu * G.nt > 0.) r.forward = (G.nt - mu * G.tt) / (G.nn - mu * G.nt) * stretch;
  if (G.nn + mu * G.nt > 0.) r.backward = (G.nt + mu * G.tt) / (G.nn + mu * G.nt) * stretch;
  return r;
}

std::optional<double> critical_friction(const Sym2& G) {
  if (G.nt == 0.) return std::nullopt;
  return G.nn / std::abs(G.nt);
}

LeastCriticalFriction least_critical_friction(double K) {
  // mu_c(phi) = (K + cos^2 phi)/(sin phi cos phi) = K tan phi + (K + 1)/tan phi.
  return {.friction = 2. * std::sqrt(K * (K + 1.)), .angle = std::atan(std::sqrt((K + 1.) / K))};
}

SlideRatios slide_ratios(const Sym2& G, const Surface& s) {
  const double mu = s.friction;
  SlideRatios ratios;
  // Slip along +t: dv_n/dp = G_nn - mu G_nt, dv_t/dp = G_nt - mu G_tt.
  const double slope = G.nn - mu * G.nt;
  ratios.jams = slope < 0.;
  if (slope != 0.) {
    ratios.R1 = (mu * G.tt - G.nt) / slope;
    ratios.R3 = (1. + s.restitution) * *ratios.R1;
  }
  if (G.tt > 0.) ratios.R2 = -G.nt / G.tt;
  return ratios;
}

std::optional<double> slide_parameter(const Vec2& v, double friction) {
  if (!(friction > 0.) || !(v.n < 0.)) return std::nullopt;
  return std::abs(v.t) / (friction * -v.n);
}

PainleveTest painleve_test(const Sym2& G, double friction, double slip) {
  const double coupling = friction * sign(slip) * G.nt;
  return {.slope = G.nn - coupling,
          .jams = G.nn - coupling < 0.,
          .jams_reversed = G.nn + coupling < 0.};
}

}  // namespace carom
