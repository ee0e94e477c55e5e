// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/single_impact.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

SingleImpact::SingleImpact(const Options& options)
    : law_(options.law != nullptr ? *options.law : *find_law("energetic")),
      options_(options.law_options) {}

bool SingleImpact::solve(std::span<const double> G, std::span<const double> v,
                         const Surface& surface) {
  problem_.G.assign_block(v.size(), G);
  problem_.approach.assign(v.begin(), v.end());
  problem_.surfaces.assign(1, surface);
  carom::solve(law_, problem_, options_, workspace_, outcome_);
  return !gives_no_answer(outcome_.flags) &&
         std::all_of(outcome_.impulse.begin(), outcome_.impulse.end(),
                     [](double P) { return std::isfinite(P); });
}

}  // namespace carom::motion
