// SPDX-License-Identifier: Apache-2.0
#include <papers/publications.hpp>
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers {

Computations shen_townsend() {
  return merged({st::procedure_and_discussion(), st::pendulums(), st::pendulum_charts(),
                 st::two_spheres(), st::errata()});
}

}  // namespace carom::papers
