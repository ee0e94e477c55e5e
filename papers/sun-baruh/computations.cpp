// SPDX-License-Identifier: Apache-2.0
#include <papers/publications.hpp>
#include <papers/sun-baruh/rod.hpp>

namespace carom::papers {

Computations sun_baruh() {
  return merged({sb::cases(), sb::plane(), sb::space(), sb::exactness(), sb::maps(), sb::errata(),
                 sb::matrix_errata()});
}

}  // namespace carom::papers
