// SPDX-License-Identifier: Apache-2.0
#include "siconos_many.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc2d_Solvers.h>
#include <fc3d_Solvers.h>
#include <lcp_cst.h>

namespace carom::siconos {
namespace {

constexpr int most_iterations = 100'000;

double* copied(std::span<const double> from) {
  auto* to = static_cast<double*>(std::calloc(from.size(), sizeof(double)));  // Siconos frees it
  std::copy(from.begin(), from.end(), to);
  return to;
}

SolverOptions* options_for(int id, double tolerance) {
  SolverOptions* o = solver_options_create(id);
  o->dparam[SICONOS_DPARAM_TOL] = tolerance;
  o->iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
  return o;
}

int lcp_id(const std::string& solver) {
  if (solver == "lemke") return SICONOS_LCP_LEMKE;
  if (solver == "pgs") return SICONOS_LCP_PGS;
  if (solver == "newton") return SICONOS_LCP_NEWTON_MIN_FBLSA;
  throw std::invalid_argument(solver);
}

int friction_id(const std::string& solver, bool planar) {
  if (planar) {
    if (solver == "nsgs") return SICONOS_FRICTION_2D_NSGS;
    if (solver == "lemke") return SICONOS_FRICTION_2D_LEMKE;
    if (solver == "cpg") return SICONOS_FRICTION_2D_CPG;
  }
  if (solver == "nsgs" || solver == "nsgs-quartic") return SICONOS_FRICTION_3D_NSGS;
  if (solver == "nsn-ac") return SICONOS_FRICTION_3D_NSN_AC;
  if (solver == "nsn-fb") return SICONOS_FRICTION_3D_NSN_FB;
  if (solver == "nsn-nm") return SICONOS_FRICTION_3D_NSN_NM;
  if (solver == "admm") return SICONOS_FRICTION_3D_ADMM;
  throw std::invalid_argument(solver);
}

/// Full for few rows and in the plane; else by blocks for nsgs, as triplets for the others.
NumericsMatrix* matrix_of(const BlockMatrix& G, const std::string& solver) {
  const int n = static_cast<int>(G.size());
  if (G.is_dense() || G.components() == 2) {
    NumericsMatrix* M = NM_create(NM_DENSE, n, n);
    const Eigen::MatrixXd dense = G.dense();
    std::copy_n(dense.data(), dense.size(), M->matrix0);
    return M;
  }
  NumericsMatrix* sparse = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(sparse, static_cast<CS_INT>(G.stored_blocks() * 9));
  const std::size_t d = G.components();
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t e = 0; e < d * d; ++e) {
        NM_zentry(sparse, static_cast<int>(i * d + e / d), static_cast<int>(columns[k] * d + e % d),
                  G.block(i, k)[e], 0.);
      }
    }
  }
  if (solver.rfind("nsgs", 0) != 0) return sparse;
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(3, NM_csc(sparse), blocks);
  return NM_create_from_data(NM_SPARSE_BLOCK, n, n, blocks);
}

}  // namespace

LcpSolver::LcpSolver(const benchmarks::Lcp& lcp, const std::string& solver, double tolerance)
    : problem_(newLCP()),
      options_(options_for(lcp_id(solver), tolerance)),
      solver_(solver),
      z_(lcp.n),
      w_(lcp.n) {
  auto* p = static_cast<LinearComplementarityProblem*>(problem_);
  const int n = static_cast<int>(lcp.n);
  p->size = n;
  p->M = NM_create(NM_DENSE, n, n);
  std::copy(lcp.M.begin(), lcp.M.end(), p->M->matrix0);
  p->q = copied(lcp.q);
}

LcpSolver::~LcpSolver() {
  freeLinearComplementarityProblem(static_cast<LinearComplementarityProblem*>(problem_));
  solver_options_delete(static_cast<SolverOptions*>(options_));
  std::free(options_);
}

bool LcpSolver::solve() {
  auto* p = static_cast<LinearComplementarityProblem*>(problem_);
  auto* o = static_cast<SolverOptions*>(options_);
  std::fill(z_.begin(), z_.end(), 0.);
  std::fill(w_.begin(), w_.end(), 0.);
  int info = 0;
  if (solver_ == "lemke") {
    lcp_lexicolemke(p, z_.data(), w_.data(), &info, o);
  } else if (solver_ == "pgs") {
    lcp_pgs(p, z_.data(), w_.data(), &info, o);
  } else {
    lcp_newton_minFB(p, z_.data(), w_.data(), &info, o);
  }
  return info == 0;
}

FrictionSolver::FrictionSolver(const benchmarks::Contacts& contacts, const std::string& solver,
                               double tolerance)
    : problem_(nullptr),
      options_(options_for(friction_id(solver, contacts.G.components() == 2), tolerance)),
      planar_(contacts.G.components() == 2),
      P_(contacts.b.size()),
      xi_(contacts.b.size()) {
  problem_ = frictionContactProblem_new_with_data(
      static_cast<int>(contacts.G.components()), static_cast<int>(contacts.G.blocks()),
      matrix_of(contacts.G, solver), copied(contacts.b), copied(contacts.mu));
  if (solver == "nsgs-quartic") {
    solver_options_update_internal(static_cast<SolverOptions*>(options_), 0,
                                   SICONOS_FRICTION_3D_ONECONTACT_QUARTIC);
  }
}

FrictionSolver::~FrictionSolver() {
  frictionContactProblem_free(static_cast<FrictionContactProblem*>(problem_));
  solver_options_delete(static_cast<SolverOptions*>(options_));
  std::free(options_);
}

bool FrictionSolver::solve() {
  auto* p = static_cast<FrictionContactProblem*>(problem_);
  auto* o = static_cast<SolverOptions*>(options_);
  std::fill(P_.begin(), P_.end(), 0.);
  std::fill(xi_.begin(), xi_.end(), 0.);
  return (planar_ ? fc2d_driver(p, P_.data(), xi_.data(), o)
                  : fc3d_driver(p, P_.data(), xi_.data(), o)) == 0;
}

}  // namespace carom::siconos
