// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/planar_problem.hpp>

#include <cmath>

#include <carom/core/error.hpp>

namespace carom {
namespace {

void require_finite(double x, const char* field) {
  if (!std::isfinite(x)) throw InputError(field, x, "a finite number");
}

void require_not_negative(double x, const char* field) {
  if (x < 0.) throw InputError(field, x, ">= 0 (G is positive semidefinite)");
}

}  // namespace

void validate(const PlanarProblem& p) {
  require_finite(p.G.nn, "inverse_inertia[0][0]");
  require_finite(p.G.nt, "inverse_inertia[0][1]");
  require_finite(p.G.tt, "inverse_inertia[1][1]");
  require_not_negative(p.G.nn, "inverse_inertia[0][0]");
  require_not_negative(p.G.tt, "inverse_inertia[1][1]");
  const double det = determinant(p.G);
  if (!(det >= -rank_one_tolerance * p.G.nn * p.G.tt)) {
    throw InputError("inverse_inertia",
                     "must be positive semidefinite, got determinant " + shortest(det));
  }
  require_finite(p.approach.n, "approach[0]");
  require_finite(p.approach.t, "approach[1]");
  validate(p.surface);
}

Sym2 symmetric(double nn, double nt, double tn, double tt) {
  const double scale = std::fmax(std::fmax(std::abs(nn), std::abs(tt)), std::abs(nt));
  if (std::abs(nt - tn) > rank_one_tolerance * scale) {
    throw InputError("inverse_inertia", "must be symmetric, got " + shortest(nt) +
                                            " at [0][1] and " + shortest(tn) + " at [1][0]");
  }
  return {.nn = nn, .nt = nt, .tt = tt};
}

double contact_energy(const PlanarProblem& p) {
  const auto& [G, v, surface] = p;
  if (!is_rank_one(G)) {
    return 0.5 * (G.tt * v.n * v.n - 2. * G.nt * v.n * v.t + G.nn * v.t * v.t) / determinant(G);
  }
  // G = g g^T: with v = g u the energy is u^2/2, and u = v.g / g.g.
  const double trace = G.nn + G.tt;
  if (trace == 0.) return 0.;
  return 0.5 * dot(v, G * v) / (trace * trace);
}

}  // namespace carom
