// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <carom/mechanics/configuration.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {

/// Any planar system with one contact: a body, two bodies, a linkage, raw generalized coordinates
/// (Configuration), or raw contact space (ContactSpace), which has no generalized velocities to
/// report.
using PlanarSystem = std::variant<Bar, Rod, Round, TwoBodies, Linkage, Configuration, ContactSpace>;

/// A system at the instant of impact.
struct SystemAtImpact {
  ContactSpace contact;
  std::optional<Configuration> configuration;  ///< empty for raw contact space
};

/// Throws InputError that names the invalid key of the system.
[[nodiscard]] SystemAtImpact at_impact(const PlanarSystem& system);

}  // namespace carom
