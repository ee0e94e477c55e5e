// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <carom/mechanics/linkage.hpp>
#include <carom/scenario/toml_table.hpp>

/// Linkages, whether they strike at one instant or move.
namespace carom::scenario {

/// Links as read, and what only the file knows of them.
struct NamedLinks {
  std::vector<Link> links;
  std::vector<std::optional<double>> lengths;
  std::vector<std::string_view> names;  ///< those of `links`
  bool relative_angles = false;
  double zero = 0.;  ///< the direction of a link at angle zero [rad]

  NamedLinks() = default;
  NamedLinks(const NamedLinks&) = delete;
  NamedLinks& operator=(const NamedLinks&) = delete;
  NamedLinks(NamedLinks&&) = default;
  NamedLinks& operator=(NamedLinks&&) = default;
  ~NamedLinks() = default;

  /// The end of link i: [length, 0]; the origin of a slide without length.
  [[nodiscard]] std::optional<std::array<double, 2>> end(int i) const;

  /// The angle of what cannot turn: the ground, or a slide on such.
  [[nodiscard]] std::optional<double> fixed_angle(int i) const;

  /// The number of the link that `key` names, or ground.
  [[nodiscard]] int find(const Table& t, std::string_view key, int fallback) const;
};

/// `angles`, `zero_angle` and [[system.links]].
[[nodiscard]] NamedLinks read_links(const Table& system);

/// [system.contact].
[[nodiscard]] LinkContact read_link_contact(const Table& contact, const NamedLinks& all);

/// All of a linkage that strikes.
[[nodiscard]] Linkage read_linkage(const Table& system);

}  // namespace carom::scenario
