// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/impact/planar/outcome.hpp>

namespace carom {

/// Memory that `solve` reuses from one problem to the next; one for each thread. Results do not
/// depend on what it was used for before. An empty one costs nothing to make.
///
/// The second solve of a problem with the same workspace and outcome allocates nothing, except
///
/// - `lzb` for several contacts, which allocates its process anew;
/// - `moreau` for several contacts, if there are several solutions or none, or if the sweeps do not
///   converge (then Lemke's method, pyramids in place of cones, proximal point);
/// - `moreau` for one contact, if there are several solutions;
/// - laws that are registered at run time, as they like.
struct Workspace {
  std::vector<PlanarPhase> phases;  ///< `compliant`

  // `moreau` for several contacts.
  complementarity::MultiFriction friction;
  std::vector<double> mu;                                    ///< one per contact
  std::vector<double> b;                                     ///< v- + eps v- [m/s]
  std::vector<double> returned;                              ///< eps v- [m/s]
  std::vector<double> floor;                                 ///< e P_Cn, one per contact [N s]
  std::vector<complementarity::FrictionResult> compression;  ///< first stage, all solutions
  complementarity::FrictionResult nothing;                   ///< a second stage without impulses
  complementarity::FrictionResult expansion;                 ///< second stage, the one returned
};

}  // namespace carom
