// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <variant>

#include <carom/core/spatial.hpp>
#include <carom/mechanics/contact_frame.hpp>

/// Uniform solid shapes, with their inertia and their extreme points. Round shapes have their axis
/// along the body's z. Lengths [m].
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

/// Inertia about the mass centre, in body axes [kg m^2].
[[nodiscard]] Mat3 inertia_of(const SpatialShape& shape, double mass);

/// The point of the shape farthest along `towards`, a unit vector in the world: opposite to the
/// normal for the body into which the normal points, along it for the other. World axes, from the
/// mass centre. Throws InputError under `contact_offset` if an edge or a face touches (to 1e-9
/// rad), because the point is then not unique.
[[nodiscard]] World3 furthest_point(const SpatialShape& shape, const Mat3& orientation,
                                    const World3& towards);

/// Whether `point` (world axes, from the mass centre) lies in or on the shape, to a per cent of its
/// size, because given points are rounded.
[[nodiscard]] bool holds(const SpatialShape& shape, const Mat3& orientation, const World3& point);

/// "sphere", "box", ...
[[nodiscard]] std::string_view name(const SpatialShape& shape);

}  // namespace carom
