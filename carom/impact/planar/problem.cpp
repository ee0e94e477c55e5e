// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/planar/problem.hpp>

#include <cmath>

#include <carom/core/error.hpp>
#include <carom/impact/semidefinite.hpp>

namespace carom {
namespace {

/// A diagonal entry of G.
void require_mobility(double x, const char* field) {
  require_finite(x, field);
  if (x < 0.) throw InputError(field, x, ">= 0 (G is positive semidefinite)");
  require_magnitude(x, field, "1/kg");
}

/// The third row of G and the spin, which are all zero if the spin is not known. G with this row is
/// positive semidefinite.
void validate_spin(const PlanarProblem& p) {
  const auto& [nr, tr, rr, spin] = p.spin;
  require_mobility(rr, "spin");
  require_finite(nr, "spin");
  require_finite(tr, "spin");
  if (rr > 0. || nr != 0. || tr != 0.) {
    require_semidefinite(Eigen::Matrix3d{{p.G.nn, p.G.nt, nr}, {p.G.nt, p.G.tt, tr}, {nr, tr, rr}},
                         "spin");
  }
  require_magnitude(spin, "spin", "rad/s");
}

}  // namespace

void validate(const PlanarProblem& p, Release release) {
  require_mobility(p.G.nn, "inverse_inertia[0][0]");
  require_finite(p.G.nt, "inverse_inertia[0][1]");
  require_mobility(p.G.tt, "inverse_inertia[1][1]");
  const double det = determinant(p.G);
  const bool bounded = std::abs(p.G.nt) <= (1. + rounding) * std::sqrt(p.G.nn) * std::sqrt(p.G.tt);
  if (!bounded || !(det >= -rank_one_tolerance * p.G.nn * p.G.tt)) {
    throw InputError("inverse_inertia",
                     "must be positive semidefinite, got determinant " + shortest(det));
  }
  require_finite(p.approach.n, "approach[0]");
  require_finite(p.approach.t, "approach[1]");
  const bool normal_leads = std::abs(p.approach.n) >= std::abs(p.approach.t);
  require_magnitude(normal_leads ? p.approach.n : p.approach.t,
                    normal_leads ? "approach[0]" : "approach[1]", "m/s");
  validate_spin(p);
  validate(p.surface, "surface", release);
}

Sym2 symmetric(double nn, double nt, double tn, double tt) {
  // The scale of G_nt, so that the test does not depend on units. NaN and similar are left to
  // validate().
  const double scale = std::sqrt(std::abs(nn)) * std::sqrt(std::abs(tt));
  if (std::abs(nt - tn) > rounding * scale) {
    throw InputError("inverse_inertia", "must be symmetric, got " + shortest(nt) +
                                            " at [0][1] and " + shortest(tn) + " at [1][0]");
  }
  return {.nn = nn, .nt = nt, .tt = tt};
}

double contact_energy(const PlanarProblem& p) {
  const auto& [G, v, surface, spin] = p;
  if (!is_rank_one(G)) {
    return 0.5 * (G.tt * v.n * v.n - 2. * G.nt * v.n * v.t + G.nn * v.t * v.t) / determinant(G);
  }
  // G = g g^T: with v = g u the energy is u^2/2, and u = v.g / g.g.
  const double trace = G.nn + G.tt;
  if (trace == 0.) return 0.;
  return 0.5 * dot(v, G * v) / (trace * trace);
}

}  // namespace carom
