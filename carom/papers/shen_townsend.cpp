// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers {

Reproduction shen_townsend() {
  return {.parts = {st::procedure_part(), st::equations_part(), st::table_1(), st::table_2(),
                    st::table_3(), st::threshold_part(), st::table_4(), st::sticking_part(),
                    st::example_2(), st::discussion_part()},
          .errata = st::errata()};
}

}  // namespace carom::papers
