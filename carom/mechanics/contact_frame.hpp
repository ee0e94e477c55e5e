// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>

namespace carom {

/// The frame of a contact in space, in world axes: unit vectors, right-handed, normal x tangent1 =
/// tangent2. The normal points into the first body.
struct ContactFrame {
  World3 normal{0., 0., 1.};
  World3 tangent1{1., 0., 0.};
  World3 tangent2{0., 1., 0.};

  bool operator==(const ContactFrame&) const = default;
};

/// The frame for a normal of any length: tangent1 is the projection of the x axis on the tangent
/// plane, or of the y axis if |n_x| > 0.9.
[[nodiscard]] ContactFrame frame_of(const World3& normal);

/// The same with tangent1 along the projection of `tangent`, which has any length but is not
/// parallel to the normal.
[[nodiscard]] ContactFrame frame_of(const World3& normal, const World3& tangent);

/// The frame, orthonormalized. Throws InputError (`prefix` + "normal", ...) unless its vectors have
/// length 1, are perpendicular and right-handed, each to six digits.
[[nodiscard]] ContactFrame checked(const ContactFrame& frame, const std::string& prefix = "");

/// Converts a vector from world axes to the frame, and back.
[[nodiscard]] Vec3 in_frame(const ContactFrame& frame, const World3& world);
[[nodiscard]] World3 in_world(const ContactFrame& frame, const Vec3& v);

}  // namespace carom
