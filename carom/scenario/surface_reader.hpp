// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/surface.hpp>
#include <carom/laws/table.hpp>
#include <carom/scenario/toml_table.hpp>

/// The surfaces of a scenario's contacts, by the table of coefficients.
namespace carom::scenario {

/// A key that a file gives.
struct GivenKey {
  std::string key;
  std::string place;  ///< file:line:column of its value
};

struct Surfaces {
  std::vector<Surface> each;    ///< one a contact; Surface::given says what the file gives
  std::vector<GivenKey> given;  ///< to every contact; where there is no friction it is given
  std::string place;            ///< where [surface] stands, or else [surfaces]

  /// Is a coefficient given to every contact?
  [[nodiscard]] bool has(std::string_view key) const;
};

/// A surface for each contact: [surface] for all, where a key may have one number for all or one
/// for each, and [surfaces.NAME], or [[surfaces]] in the contacts' order, over it. Validated, but
/// for a restitution above 1 at one contact, which some laws allow.
/// @param names  of the contacts; one may be empty
/// @param kinds  what laws are asked about: coefficients that none of them knows are refused
/// @param also  further keys of [surface], which the caller reads
[[nodiscard]] Surfaces read_surfaces(const Table& top, const std::vector<std::string>& names,
                                     std::span<const ContactKind> kinds,
                                     std::span<const std::string_view> also = {});

/// Throws unless every contact is given all of these keys.
void require_for_all(const Table& top, std::initializer_list<std::string_view> keys,
                     const std::vector<std::string>& names);

/// Throws where a surface is given two coefficients that exclude each other, as `prefix.key`.
/// @pre Surface::given is what was read
void require_one_rule(const Surface& surface, std::string_view prefix);

/// Throws where a surface without friction is given any, by its key; `prefix` is before it.
void require_frictionless(const Surface& surface, const std::string& prefix);

}  // namespace carom::scenario
