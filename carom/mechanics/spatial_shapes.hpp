// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include <carom/core/spatial.hpp>
#include <carom/mechanics/contact_frame.hpp>

/// Solid uniform shapes that know their inertia and which of their points strikes. Round shapes
/// have their axis along the body's z. Lengths [m].
namespace carom {

struct SphereShape {
  double radius = 1.;
};

struct BoxShape {
  World3 size{1., 1., 1.};  ///< along the body's x, y, z
};

struct CylinderShape {
  double radius = 1.;
  double length = 1.;
};

/// A cylinder with half spheres at its ends.
struct CapsuleShape {
  double radius = 1.;
  double length = 1.;  ///< of the cylinder between the half spheres
};

/// A rod without thickness.
struct RodShape {
  double length = 1.;
};

/// A disc without thickness.
struct DiscShape {
  double radius = 1.;
};

using SpatialShape =
    std::variant<SphereShape, BoxShape, CylinderShape, CapsuleShape, RodShape, DiscShape>;

/// About the mass centre, in body axes [kg m^2].
[[nodiscard]] Mat3 inertia_of(const SpatialShape& shape, double mass);

/// The point of the shape that lies furthest along `towards`, a unit vector in the world: against
/// the normal for the body that the normal points into, along it for the other. World axes, from
/// the mass centre. Throws InputError under `contact_offset` where an edge or a face touches (to
/// 1e-9 rad), so that there is no one point.
[[nodiscard]] World3 furthest_point(const SpatialShape& shape, const Mat3& orientation,
                                    const World3& towards);

/// Does `point` (world axes, from the mass centre) lie in or on the shape? To a per cent of its
/// size, as points come rounded.
[[nodiscard]] bool holds(const SpatialShape& shape, const Mat3& orientation, const World3& point);

/// "sphere", "box", ...
[[nodiscard]] std::string_view name(const SpatialShape& shape);

}  // namespace carom
