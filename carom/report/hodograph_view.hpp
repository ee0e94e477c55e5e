// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <carom/laws/invariant_rays.hpp>
#include <carom/laws/spatial_path.hpp>
#include <carom/report/plot_view.hpp>

/// What a picture of slip shows: ranges of its two components, in equal units, and what of the
/// invariant rays is seen.
namespace carom::report {

using SpatialPaths = std::vector<std::vector<SpatialPathPoint>>;

/// A view of the plane of slip [m/s].
struct SlipView {
  Range t1;
  Range t2;

  [[nodiscard]] bool holds(const Tangent& u) const {
    return u.t1 >= t1.least && u.t1 <= t1.most && u.t2 >= t2.least && u.t2 <= t2.most;
  }
};

/// Holds all paths with a margin, and zero slip unless it is far away from them all, and is
/// `aspect` times as wide as high.
/// @param speed  of the approach [m/s]: slip that is nothing beside it is none
[[nodiscard]] SlipView slip_view(const SpatialPaths& paths, double speed, double aspect);

/// A part of a ray: from here, outwards to there.
struct SeenRay {
  InvariantRay ray;
  Tangent from;
  Tangent to;
};

/// How a ray is drawn, as the data file has it.
enum RayKind : int { attracting_in = 0, attracting_out = 1, repelling_in = 2, repelling_out = 3 };

[[nodiscard]] RayKind kind_of(const InvariantRay& ray);

/// Whether any of them is of this kind.
[[nodiscard]] bool has_kind(const std::vector<SeenRay>& rays, RayKind kind);

/// What of the rays lies in the view.
[[nodiscard]] std::vector<SeenRay> seen_rays(const std::vector<InvariantRay>& rays,
                                             const SlipView& view);

}  // namespace carom::report
