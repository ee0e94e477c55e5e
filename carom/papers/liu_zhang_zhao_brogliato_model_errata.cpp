// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/liu_zhang_zhao_brogliato.hpp>
namespace carom::papers::disc_ball {
std::vector<Erratum> model_errata() {
  std::vector<Erratum> e;
  for (const char* id : {"L18", "L19"})
    e.push_back({.id = id,
                 .reason = Reason::reading,
                 .where = "",
                 .printed = "",
                 .corrected = "",
                 .shown = "x",
                 .holds = true});
  return e;
}
}  // namespace carom::papers::disc_ball
