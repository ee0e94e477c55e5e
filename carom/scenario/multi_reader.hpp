// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/solve_options.hpp>
#include <carom/mechanics/ball_chain.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <carom/mechanics/rocking_block.hpp>
#include <carom/mechanics/rod_ends.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/scenario/toml_table.hpp>

/// Scenarios with several contacts; see docs/systems.md.
namespace carom::scenario {

inline constexpr std::array<std::string_view, 8> multi_types = {
    "disc-ball", "chain",          "block",    "rod-ends",
    "assembly",  "space-assembly", "contacts", "generalized-contacts"};

/// Has this type of system several contacts?
[[nodiscard]] bool has_several_contacts(std::string_view type);

/// [system] of such a type.
[[nodiscard]] SystemAtImpact read_multi(const Table& system);

/// Options of [solve].
[[nodiscard]] SolveOptions read_options(const Table& solve);

// --- parts, each in a file of its own ---

/// [system] of type "chain", "disc-ball", "block" and "rod-ends".
[[nodiscard]] BallChain read_chain(const Table& system);
[[nodiscard]] DiscBall read_disc_ball(const Table& system);
[[nodiscard]] RockingBlock read_block(const Table& system);
[[nodiscard]] RodEnds read_rod_ends(const Table& system);

/// [system] of type "assembly" and "space-assembly".
[[nodiscard]] SystemAtImpact read_assembly(const Table& system);
[[nodiscard]] SystemAtImpact read_space_assembly(const Table& system);

// --- options, the same for files and for lines of JSON; throw InputError under `field` ---

[[nodiscard]] FrictionSolver multi_solver(std::string_view name, std::string_view field);
[[nodiscard]] std::size_t whole_number(double value, std::size_t least, std::size_t most,
                                       std::string_view field);

}  // namespace carom::scenario
