// SPDX-License-Identifier: Apache-2.0
#include <papers/publications.hpp>

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

const std::vector<Publication>& studies() {
  static const std::vector<Publication> all{
      publication("measured", measured),
  };
  return all;
}

const Publication* find_publication(std::string_view name) {
  for (const auto* all : {&publications(), &studies()}) {
    for (const Publication& p : *all) {
      if (p.name == name) return &p;
    }
  }
  return nullptr;
}

}  // namespace carom::papers
