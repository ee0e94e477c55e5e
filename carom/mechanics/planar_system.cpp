// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_system.hpp>

#include <type_traits>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {
namespace {

/// A linkage has no key `mass` to which an error in M could refer.
ContactSpace contact_of_linkage(const Configuration& c) {
  try {
    return contact_space(c);
  } catch (const InputError& e) {
    if (!e.field().starts_with("mass")) throw;
    throw InputError("links",
                     "give a mass matrix that is not positive definite, so that some "
                     "joints move no mass (" +
                         e.field() + " " + e.problem() + ")");
  }
}

}  // namespace

PlanarAtImpact at_impact(const PlanarSystem& system) {
  return std::visit(
      [](const auto& s) -> PlanarAtImpact {
        using System = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<System, ContactSpace>) {
          return {.contact = s, .configuration = std::nullopt};
        } else if constexpr (std::is_same_v<System, Configuration>) {
          return {.contact = contact_space(s), .configuration = s};
        } else {
          Configuration c = configuration(s);
          ContactSpace contact;
          if constexpr (std::is_same_v<System, Linkage>) {
            contact = contact_of_linkage(c);
          } else {
            contact = contact_space(c);
          }
          return {.contact = contact, .configuration = std::move(c)};
        }
      },
      system);
}

}  // namespace carom
