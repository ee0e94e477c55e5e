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
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/scenario/map_request.hpp>
#include <carom/scenario/surface_reader.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {

/// A scenario file as a plain struct: one impact and which laws to ask about it.
struct Scenario {
  std::string name;         ///< of the file, for messages
  std::string title;        ///< one line, may be empty
  std::string system_type;  ///< "bar", "bodies", "linkage", ...: as the file says

  SystemAtImpact impact;         ///< what strikes, with the surfaces of its contacts
  Surfaces surfaces;             ///< the same surfaces, and where the file gives them
  std::vector<const Law*> laws;  ///< as asked for; empty: all that apply
  SolveOptions options{};        ///< of [solve]
  MapRequest map;                ///< of [map]; without axes where there is none

  [[nodiscard]] const ContactProblem& problem() const { return impact.problem; }
  /// How many contacts of how many components.
  [[nodiscard]] ContactKind kind() const { return kind_of(impact.problem); }

  /// Where a key of [surface] stands, or null if the file does not give it to every contact.
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
  [[nodiscard]] SystemAtImpact impact() const;  ///< with surfaces
  [[nodiscard]] MapRequest map() const;         ///< without axes where there is no [map]
  [[nodiscard]] std::string system_type() const;
  [[nodiscard]] Table top() const { return document_.top(); }  ///< what the file says, as it is now

  // The parts of an impact at one contact in the plane, for maps of many points.
  [[nodiscard]] bool is_planar() const;
  [[nodiscard]] SystemAtImpact system() const;
  [[nodiscard]] Surface surface() const;

 private:
  std::string name_;
  Document document_;
};

}  // namespace carom::scenario
