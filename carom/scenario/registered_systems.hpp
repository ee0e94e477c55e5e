// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <carom/mechanics/model.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/scenario/toml_table.hpp>

/// Types of [system] that a program adds while it runs. A scenario of such a type is read wherever
/// scenarios are: for one impact, maps, sweeps, fits and motions.
namespace carom::scenario {

/// A model and the state in which its motion starts.
struct ModelInState {
  std::unique_ptr<Model> model;
  State state;
};

/// What reads the table [system] of a type. Every key but `type` is its own.
struct SystemType {
  std::string name;
  /// What strikes: one contact or several, in the plane or in space, without surfaces.
  std::function<SystemAtImpact(const Table& system)> at_impact;
  std::function<ModelInState(const Table& system)> moving{};  ///< none: it cannot move
  bool parallel = true;  ///< may be read, and its models asked, by several threads at once
};

/// Adds a type until it is removed. Throws InputError if it has no name or no `at_impact`.
/// @return its name: with a number behind it where another type has that name
std::string register_system(SystemType type);

/// Removes a type that was added. Systems made of it stay what they are.
void remove_system(std::string_view name);

/// A type that was added, or null.
[[nodiscard]] std::shared_ptr<const SystemType> registered_system(std::string_view name);

/// Whether several threads may read systems of this type, built in or added, at once.
[[nodiscard]] bool is_parallel(std::string_view system_type);

}  // namespace carom::scenario
