// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>

namespace carom {

using complementarity::FrictionSolver;

/// Options of laws without a closed form.
struct SolveOptions {
  double tolerance = 0.;  ///< relative; 0: the law's own default (lzb 1e-9, moreau 1e-10)
  FrictionSolver solver = FrictionSolver::automatic;  ///< `moreau`
  std::size_t euler_steps = 0;  ///< `lzb` by explicit Euler, this many to the sum of the impulses
                                ///< that would stop the approaching contacts; 0: adaptive
  std::size_t most_steps = 0;   ///< then `not-converged`; 0: in proportion to the contacts
};

/// The course of an impact as samples, for pictures. Each vector has one entry per sample and
/// contact: sample s, contact i at [s * contacts + i].
struct Course {
  std::size_t contacts = 0;
  std::vector<double> time;      ///< reconstructed [s]
  std::vector<double> impulse;   ///< normal, cumulative [N s]
  std::vector<double> velocity;  ///< normal [m/s]
  std::vector<double> slip;      ///< tangential speed, with its sign in the plane [m/s]
  std::vector<double> force;     ///< normal [N]
  std::vector<double> friction;  ///< tangential, with its sign in the plane [N]
  std::vector<double> energy;    ///< stored [J]
  [[nodiscard]] std::size_t samples() const { return time.size(); }
};

}  // namespace carom
