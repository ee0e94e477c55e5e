// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "many_problems.hpp"

/// Siconos' solvers of the same problems. Matrices are handed over before the clock runs.
namespace carom::siconos {

/// A linear complementarity problem and one of "lemke", "pgs", "newton".
class LcpSolver {
 public:
  LcpSolver(const benchmarks::Lcp& lcp, const std::string& solver, double tolerance);
  ~LcpSolver();
  LcpSolver(const LcpSolver&) = delete;
  LcpSolver& operator=(const LcpSolver&) = delete;

  /// Did it report success?
  bool solve();
  [[nodiscard]] std::span<const double> z() const { return z_; }

 private:
  void* problem_;
  void* options_;
  std::string solver_;
  std::vector<double> z_;
  std::vector<double> w_;
};

/// Contacts with friction, and a solver of fc2d or fc3d by name: "nsgs", "nsgs-quartic", "nsn-ac",
/// "nsn-fb", "nsn-nm", "lemke" (plane), "cpg" (plane).
class FrictionSolver {
 public:
  FrictionSolver(const benchmarks::Contacts& contacts, const std::string& solver, double tolerance);
  ~FrictionSolver();
  FrictionSolver(const FrictionSolver&) = delete;
  FrictionSolver& operator=(const FrictionSolver&) = delete;

  /// Did it report success?
  bool solve();
  [[nodiscard]] std::span<const double> P() const { return P_; }

 private:
  void* problem_;
  void* options_;
  bool planar_;
  std::unique_ptr<LcpSolver> lcp_;  // lemke in the plane
  std::vector<double> mu_;
  std::vector<double> P_;
  std::vector<double> xi_;
};

}  // namespace carom::siconos
