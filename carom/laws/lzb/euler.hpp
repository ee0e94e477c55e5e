// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/laws/lzb/model.hpp>

namespace carom::lzb {

/// Result of the explicit Euler method.
struct EulerEnd {
  std::vector<double> P;
  std::vector<double> compression;  ///< normal work, one per contact
  std::vector<double> restitution;
  std::vector<double> friction;
  std::vector<bool> recompressed;
  std::size_t steps = 0;
  bool converged = true;
};

/// The scheme of the paper: stored energies as the state, and the normal impulse of the primary
/// contact as the independent variable [Liu et al. 2013, eqs 2.28-2.34]. Explicit Euler method;
/// friction by the slip at the beginning of the step; zero slip by block Gauss-Seidel within the
/// limits. The step of the primary impulse is 1/steps of sum |v_n|/G_nn over the approaching
/// contacts, where the paper has m v_b/N. It is of first order and serves to compare with the
/// paper.
[[nodiscard]] EulerEnd euler(const Model& model, std::size_t steps, std::size_t most_steps);

}  // namespace carom::lzb
