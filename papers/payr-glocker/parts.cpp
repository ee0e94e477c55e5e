// SPDX-License-Identifier: Apache-2.0
#include <papers/payr-glocker/cases.hpp>
#include <papers/publications.hpp>

namespace carom::papers {

Reproduction payr_glocker() {
  return {.parts = {pg::energy_identity(), pg::complementarity_problem(), pg::closed_forms(),
                    pg::figure_4(), pg::figure_5(), pg::figure_6(), pg::figure_7(), pg::figure_8(),
                    pg::figure_9(), pg::figure_10(), pg::painleve(), pg::walton(), pg::figure_11(),
                    pg::gross_slip(), pg::figure_13()},
          .errata = pg::errata()};
}

}  // namespace carom::papers
