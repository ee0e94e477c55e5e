// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/core/world.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>

namespace carom::report {

/// A closed surface of polygons: corners counter-clockwise, seen from outside.
struct Mesh {
  std::vector<World3> points{};                   ///< [m]
  std::vector<std::vector<std::size_t>> faces{};  ///< indices of points
};

/// The surface of a solid about its own origin. What is round has flat facets whose corners lie on
/// it. A rod is drawn with a thickness of 2 per cent of its length, a disc of its radius. Empty for
/// a half space.
[[nodiscard]] Mesh mesh_of(const shapes::space::Solid& solid);

}  // namespace carom::report
