// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/laws/lzb_model.hpp>

namespace carom::lzb {

/// Where explicit Euler ended.
struct EulerEnd {
  std::vector<double> P;
  std::vector<double> compression;  ///< normal work, one a contact
  std::vector<double> restitution;
  std::vector<double> friction;
  std::vector<bool> recompressed;
  std::size_t steps = 0;
  bool converged = true;
};

/// The paper's own scheme, stored energies as the state and the normal impulse of the primary
/// contact as time [Liu et al. 2013, eqs 2.28-2.34]: explicit Euler, friction by the slip at the
/// step's beginning, zero slip by block Gauss-Seidel within the limits. The step of the primary
/// contact's impulse is 1/steps of sum |v_n|/G_nn over the contacts that approach, where the paper
/// has m v_b/N. For comparison with the paper: of first order.
[[nodiscard]] EulerEnd euler(const Model& model, std::size_t steps, std::size_t most_steps);

}  // namespace carom::lzb
