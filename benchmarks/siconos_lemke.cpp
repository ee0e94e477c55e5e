// SPDX-License-Identifier: Apache-2.0
#include "siconos_lemke.hpp"

#include <array>
#include <cstdlib>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

namespace carom::siconos {
namespace {

constexpr std::size_t size = 3;

}  // namespace

Lemke::Lemke() : lcp_(newLCP()), options_(solver_options_create(SICONOS_LCP_LEMKE)) {
  lcp_->size = size;
  lcp_->M = NM_create(NM_DENSE, size, size);
  lcp_->q = static_cast<double*>(std::calloc(size, sizeof(double)));  // Siconos frees it
}

Lemke::~Lemke() {
  freeLinearComplementarityProblem(lcp_);
  solver_options_delete(options_);  // what it points to, but not the struct itself
  std::free(options_);
}

bare::Totals Lemke::operator()(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  const double e = surface.restitution;
  const double mu = surface.friction;
  const double eps_t = surface.tangential_restitution;
  // (xi_N, xi_TR, Lambda_TL) = M (Lambda_N, Lambda_TR, xi_TL) + q, M by columns
  double* M = lcp_->M->matrix0;
  M[0] = G.nn - mu * G.nt;
  M[1] = G.nt - mu * G.tt;
  M[2] = 2. * mu;
  M[3] = G.nt;
  M[4] = G.tt;
  M[5] = -1.;
  M[6] = 0.;
  M[7] = 1.;
  M[8] = 0.;
  double* q = lcp_->q;
  q[0] = (1. + e) * v.n;
  q[1] = (1. + eps_t) * v.t;
  q[2] = 0.;
  std::array<double, size> z{};
  std::array<double, size> w{};
  int info = 0;
  lcp_lexicolemke(lcp_, z.data(), w.data(), &info, options_);
  return {.impulse = {.n = z[0], .t = z[1] - mu * z[0]},
          .velocity = {.n = w[0] - e * v.n, .t = w[1] - z[2] - eps_t * v.t}};
}

}  // namespace carom::siconos
