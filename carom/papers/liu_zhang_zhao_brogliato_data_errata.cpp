// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/liu_zhang_zhao_brogliato.hpp>
namespace carom::papers::disc_ball {
std::vector<Erratum> data_errata() {
  std::vector<Erratum> e;
  for (const char* id : {"L24", "L25", "L26", "L33", "L34", "L35", "L36", "L38", "L39"})
    e.push_back({.id = id,
                 .reason = Reason::unexplained,
                 .where = "",
                 .printed = "",
                 .corrected = "",
                 .shown = "x",
                 .holds = true});
  return e;
}
}  // namespace carom::papers::disc_ball
