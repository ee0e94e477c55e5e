// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <papers/brach/parts.hpp>
#include <papers/publications.hpp>

namespace carom::papers {

Reproduction brach() {
  Reproduction r;
  r.parts = {br::system_equations(), br::equivalence(), br::energy_loss()};
  for (Part& part : br::sphere_parts()) r.parts.push_back(std::move(part));
  r.errata = br::errata();
  return r;
}

}  // namespace carom::papers
