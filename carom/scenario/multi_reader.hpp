// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/solve_options.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <carom/mechanics/multi_system.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

/// Scenarios with several contacts; see docs/systems.md.
namespace carom::scenario {

inline constexpr std::array<std::string_view, 8> multi_types = {
    "disc-ball", "chain",          "block",    "rod-ends",
    "assembly",  "space-assembly", "contacts", "generalized-contacts"};

inline constexpr std::array<std::string_view, 6> multi_surface_keys = {
    "restitution", "friction", "static_friction", "tangential_restitution",
    "stiffness",   "exponent"};

/// Has this type of system several contacts?
[[nodiscard]] bool has_several_contacts(std::string_view type);

/// A scenario whose system is of such a type, validated.
[[nodiscard]] MultiImpact read_multi(const Table& top);

/// The keys that every contact is given, by [surface] or by its own of [surfaces]; where contacts
/// are frictionless their friction is given, too.
[[nodiscard]] std::vector<GivenKey> given_to_all(const Table& top, const MultiImpact& impact);

/// Throws unless every contact is given all of these keys.
void require_for_all(const Table& top, std::initializer_list<std::string_view> keys,
                     const std::vector<std::string>& names);

/// Where [surface] stands, or else [surfaces].
[[nodiscard]] std::string surface_place(const Table& top);

// --- parts, each in a file of its own ---

/// [system] of type "disc-ball".
[[nodiscard]] DiscBall read_disc_ball(const Table& system);

/// [system] of type "assembly" and "space-assembly".
[[nodiscard]] MultiAtImpact read_assembly(const Table& system);
[[nodiscard]] MultiAtImpact read_space_assembly(const Table& system);

/// A surface for each contact: [surface] for all, where a key may have one number for all or one
/// for each, and [surfaces.NAME], or [[surfaces]] in the contacts' order, over it.
struct MultiSurfaces {
  std::vector<Surface> surfaces;
  bool stiffness_given = false;  ///< at every contact
};
[[nodiscard]] MultiSurfaces read_multi_surfaces(const Table& top,
                                                const std::vector<std::string>& names,
                                                std::size_t components);

// --- options, the same for files and for lines of JSON; throw InputError under `field` ---

[[nodiscard]] FrictionSolver multi_solver(std::string_view name, std::string_view field);
[[nodiscard]] std::size_t whole_number(double value, std::size_t least, std::size_t most,
                                       std::string_view field);

/// Throws where a surface without friction is given any, by its key; `prefix` is before it.
void require_frictionless(const Surface& surface, const std::string& prefix);

}  // namespace carom::scenario
