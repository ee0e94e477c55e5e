// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/planar/problem.hpp>

#include "bare_laws.hpp"

struct LinearComplementarityProblem;
struct SolverOptions;

namespace carom::siconos {

/// Siconos' lexicographic Lemke on the linear complementarity problem of
/// [Payr & Glocker 2005, eq. 27]. Problem and options are made once.
class Lemke {
 public:
  Lemke();
  ~Lemke();
  Lemke(const Lemke&) = delete;
  Lemke& operator=(const Lemke&) = delete;

  /// What Siconos answers, right or wrong: it also reports success where its pivoting gave up.
  [[nodiscard]] bare::Totals operator()(const PlanarProblem& problem);

 private:
  LinearComplementarityProblem* lcp_;
  SolverOptions* options_;
};

}  // namespace carom::siconos
