// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/surface.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/multi_system.hpp>
#include <carom/mechanics/planar_system.hpp>
#include <carom/mechanics/spatial_system.hpp>
#include <carom/scenario/map_request.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {

/// A key that a file gives.
struct GivenKey {
  std::string key;
  std::string place;  ///< file:line:column of its value
};

/// An impact in space and which laws to ask about it.
struct SpatialImpact {
  SpatialSystem system;
  Surface surface;
  std::vector<const Law*> laws;  ///< as asked for; empty: all that apply
};

/// An impact of several contacts and which laws to ask about it.
struct MultiImpact {
  MultiAtImpact system;
  std::vector<Surface> surfaces;  ///< one a contact
  bool stiffness_given = false;   ///< at every contact: `lzb` applies
  SolveOptions options{};         ///< of [solve]
  std::vector<const Law*> laws;   ///< as asked for; empty: all that apply
};

/// A scenario file as a plain struct: one impact and which laws to ask about it.
struct Scenario {
  std::string name;                    ///< of the file, for messages
  std::string title;                   ///< one line, may be empty
  std::string system_type;             ///< "bar", "bodies", "linkage", ...: as the file says
  std::optional<SpatialImpact> space;  ///< in space; then `system`, `surface`, `laws` mean nothing
  std::optional<MultiImpact> multi;    ///< several contacts; then likewise
  PlanarSystem system;
  Surface surface;
  std::string surface_place;     ///< where [surface] stands, file:line:column
  std::vector<GivenKey> given;   ///< the keys that [surface] gives
  std::vector<const Law*> laws;  ///< as asked for; empty: all that apply
  MapRequest map;                ///< of [map]; without axes where there is none

  /// How many contacts of how many components.
  [[nodiscard]] ContactKind kind() const;
  [[nodiscard]] std::span<const Surface> surfaces() const;       ///< one a contact
  [[nodiscard]] std::span<const Law* const> asked_laws() const;  ///< empty: all that apply

  /// Where a key of [surface] stands, or null if the file does not give it.
  [[nodiscard]] const std::string* place_of(std::string_view key) const;
};

/// Reads a scenario and validates all of it. Throws InputError, whose `where` is
/// file:line:column, for anything that is malformed, unknown or not allowed.
[[nodiscard]] Scenario read(const std::filesystem::path& file);

/// The text of a scenario file. Throws InputError.
[[nodiscard]] std::string read_text(const std::filesystem::path& file);

/// The same from text; `name` stands for the file in messages.
[[nodiscard]] Scenario parse(std::string_view text, std::string name);

/// A scenario whose numbers can be changed.
class Variation {
 public:
  /// Throws InputError where the text is not TOML.
  Variation(std::string_view text, std::string name);

  /// The number at a dotted path, to be changed at will; see Document::number.
  [[nodiscard]] double& number(std::string_view path) { return document_.number(path); }

  /// All numbers of a table, "system" or "surface"; see Document::numbers.
  [[nodiscard]] std::vector<GivenNumbers> numbers(std::string_view table) const {
    return document_.numbers(table);
  }

  // What the file says with its numbers as they are, validated. Throw InputError.
  [[nodiscard]] Scenario scenario() const;
  [[nodiscard]] PlanarSystem system() const;
  [[nodiscard]] Surface surface() const;
  [[nodiscard]] MapRequest map() const;  ///< without axes where there is no [map]

  [[nodiscard]] std::string system_type() const;
  [[nodiscard]] bool in_space() const;
  [[nodiscard]] SpatialImpact space() const;  ///< @pre it is in space

  [[nodiscard]] bool has_several_contacts() const;
  [[nodiscard]] MultiImpact multi() const;  ///< @pre it has several contacts

 private:
  std::string name_;
  Document document_;
};

}  // namespace carom::scenario
