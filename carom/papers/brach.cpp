// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <carom/papers/brach_parts.hpp>
#include <carom/papers/publication.hpp>

namespace carom::papers {

Reproduction brach() {
  Reproduction r;
  r.parts = {br::system_equations(), br::equivalence(), br::energy_loss()};
  for (Part& part : br::sphere_parts()) r.parts.push_back(std::move(part));
  r.errata = br::errata();
  return r;
}

}  // namespace carom::papers
