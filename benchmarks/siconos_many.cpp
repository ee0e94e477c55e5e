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
    if (solver == "lemke") return SICONOS_FRICTION_2D_LEMKE;  // see planar_lcp
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

/// Friction in the plane as Siconos' `fc2d_tolcp` writes it, with P_t = z_R - mu P_n and
/// xi_t = w_R - z_L:
///
///     (xi_n, w_R, w_L) = [G_nn - G_nt mu, G_nt, 0; G_tn - G_tt mu, G_tt, 1; 2 mu, -1, 0]
///                        (P_n, z_R, z_L) + (b_n, b_t, 0)
///
/// contact by contact. Its own conversion (4.4.0) takes the mu of the row's contact in place of the
/// column's, and is wrong where they differ.
benchmarks::Lcp planar_lcp(const benchmarks::Contacts& c) {
  const std::size_t contacts = c.G.blocks();
  const std::size_t n = 3 * contacts;
  benchmarks::Lcp lcp{.n = n, .M = std::vector<double>(n * n), .q = std::vector<double>(n)};
  const auto at = [&](std::size_t row, std::size_t column) -> double& {
    return lcp.M[column * n + row];  // Siconos reads by columns
  };
  const Eigen::MatrixXd G = c.G.dense();
  for (std::size_t i = 0; i < contacts; ++i) {
    for (std::size_t r = 0; r < 2; ++r) {
      const auto row = static_cast<Eigen::Index>(2 * i + r);
      lcp.q[3 * i + r] = c.b[2 * i + r];
      for (std::size_t j = 0; j < contacts; ++j) {
        const auto column = static_cast<Eigen::Index>(2 * j);
        at(3 * i + r, 3 * j) = G(row, column) - c.mu[j] * G(row, column + 1);
        at(3 * i + r, 3 * j + 1) = G(row, column + 1);
      }
    }
    at(3 * i + 1, 3 * i + 2) = 1.;
    at(3 * i + 2, 3 * i) = 2. * c.mu[i];
    at(3 * i + 2, 3 * i + 1) = -1.;
  }
  return lcp;
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
  if (planar_ && solver == "lemke") {
    lcp_ = std::make_unique<LcpSolver>(planar_lcp(contacts), solver, tolerance);
    mu_ = contacts.mu;
  }
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
  if (lcp_) {
    const bool solved = lcp_->solve();
    const auto z = lcp_->z();
    for (std::size_t i = 0; i < mu_.size(); ++i) {
      P_[2 * i] = z[3 * i];
      P_[2 * i + 1] = z[3 * i + 1] - mu_[i] * z[3 * i];
    }
    return solved;
  }
  auto* p = static_cast<FrictionContactProblem*>(problem_);
  auto* o = static_cast<SolverOptions*>(options_);
  std::fill(P_.begin(), P_.end(), 0.);
  std::fill(xi_.begin(), xi_.end(), 0.);
  return (planar_ ? fc2d_driver(p, P_.data(), xi_.data(), o)
                  : fc3d_driver(p, P_.data(), xi_.data(), o)) == 0;
}

}  // namespace carom::siconos
