// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <papers/brach/trials.hpp>
#include <papers/publications.hpp>

namespace carom::papers {

Found br::rounding(const std::map<std::string, double>& errors, bool also, Values more) {
  Found found{also, std::move(more)};
  found.values.emplace("trials", trials);
  for (const auto& [name, error] : errors) {
    found.holds = found.holds && error < close;
    found.values.emplace(name, decade(error));
  }
  return found;
}

Computations brach() { return merged({br::any_bodies(), br::closed_forms(), br::figures()}); }

}  // namespace carom::papers
