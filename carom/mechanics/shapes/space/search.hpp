// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/mechanics/shapes/space/features.hpp>

/// What the searches for polytopes and for round solids share. Private.
namespace carom::shapes::space {

/// Collects pairs.
struct Collector {
  const Placed& first;
  const Placed& second;
  double reach;   ///< largest gap [m]
  double slack;   ///< points that are closer count as one [m]
  double beyond;  ///< how far outside of the features' ranges still counts [m]
  std::vector<NearPair>& out;
  Allowance allowance{};

  /// Adds the pair if its gap is within reach. `exchanged` says that X is the second body.
  void add(FeaturePair pair, bool exchanged) const;
  /// Adds the pair in any case.
  void add_anyway(const FeaturePair& pair) const;
};

/// The length that tolerances are relative to: the smaller bounding radius.
[[nodiscard]] double size_of(const Placed& first, const Placed& second);

[[nodiscard]] inline bool is_point_or_segment(const Shape& s) {
  return !s.round() && !s.core.vertices.empty() && s.core.vertices.size() <= 2;
}
/// Whether X is a round solid that Y meets in closed form.
[[nodiscard]] inline bool is_smooth_pair(const Shape& X, const Shape& Y) {
  return X.round() && (Y.unbounded() || is_point_or_segment(Y));
}

/// The distance of the cores, without radii. X is round.
[[nodiscard]] double round_distance(const Placed& X, const Placed& Y);

/// @param exchanged  whether the round solid is the second body
void collect_round(const Placed& X, const Placed& Y, bool exchanged, const Collector& collector);

}  // namespace carom::shapes::space
