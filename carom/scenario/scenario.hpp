// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/surface.hpp>
#include <carom/laws/catalogue.hpp>
#include <carom/mechanics/planar_system.hpp>

namespace carom::scenario {

/// A key that a file gives.
struct GivenKey {
  std::string key;
  std::string place;  ///< file:line:column of its value
};

/// A scenario file as a plain struct: one planar impact and which laws to ask about it.
struct Scenario {
  std::string name;         ///< of the file, for messages
  std::string title;        ///< one line, may be empty
  std::string system_type;  ///< "bar", "bodies", "linkage", ...: as the file says
  PlanarSystem system;
  Surface surface;
  std::string surface_place;          ///< where [surface] stands, file:line:column
  std::vector<GivenKey> given;        ///< the keys that [surface] gives
  std::vector<const NamedLaw*> laws;  ///< as asked for; empty: all that apply

  /// Where a key of [surface] stands, or null if the file does not give it.
  [[nodiscard]] const std::string* place_of(std::string_view key) const;
};

/// Reads a scenario and validates all of it. Throws InputError, whose `where` is
/// file:line:column, for anything that is malformed, unknown or not allowed.
[[nodiscard]] Scenario read(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in messages.
[[nodiscard]] Scenario parse(std::string_view text, std::string name);

}  // namespace carom::scenario
