// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_system.hpp>

#include <type_traits>
#include <utility>

namespace carom {

SystemAtImpact at_impact(const PlanarSystem& system) {
  return std::visit(
      [](const auto& s) -> SystemAtImpact {
        using System = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<System, ContactSpace>) {
          return {.contact = s, .configuration = std::nullopt};
        } else if constexpr (std::is_same_v<System, Configuration>) {
          return {.contact = contact_space(s), .configuration = s};
        } else {
          Configuration c = configuration(s);
          ContactSpace contact = contact_space(c);
          return {.contact = contact, .configuration = std::move(c)};
        }
      },
      system);
}

}  // namespace carom
