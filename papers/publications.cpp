// SPDX-License-Identifier: Apache-2.0
#include <papers/publications.hpp>

#include <algorithm>

#include <papers/engine/reproduce.hpp>

namespace carom::papers {

const std::vector<Publication>& publications() {
  static const std::vector<Publication> all{
      publication("payr-glocker", payr_glocker),
      publication("brach", brach),
      publication("liu-zhang-zhao-brogliato", liu_zhang_zhao_brogliato),
      publication("shen-townsend", shen_townsend),
      publication("sun-baruh", sun_baruh),
  };
  return all;
}

const Publication* find_publication(std::string_view name) {
  const auto& all = publications();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Publication& p) { return p.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace carom::papers
