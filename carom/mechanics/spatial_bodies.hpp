// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include <carom/core/spatial.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>

/// Bodies in space that strike each other or a surface: conversion to contact space and back.
namespace carom {

inline constexpr Mat3 identity3{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};

/// A free body at the instant of impact. World axes, except for the inertia.
struct SpatialBody {
  std::string name{};                           ///< for reports; may be empty
  double mass = 1.;                             ///< [kg]
  Mat3 inertia = identity3;                     ///< about the mass centre, in body axes [kg m^2]
  Mat3 orientation = identity3;                 ///< columns: the body's axes in the world
  World3 contact_offset{};                      ///< from the mass centre to the contact [m]
  World3 velocity{};                            ///< of the mass centre [m/s]
  World3 spin{};                                ///< [rad/s]
  std::optional<shapes::space::Solid> solid{};  ///< about the mass centre; none: it cannot move on
};

/// Two free bodies that strike each other, or one that strikes a surface at rest or moving.
/// Velocities at the contact are those of the first body relative to the second or to the surface.
/// Impulse and couple act on the first body.
struct SpatialBodies {
  SpatialBody first{};
  std::optional<SpatialBody> second{};  ///< none: the first strikes a surface
  ContactFrame frame{};
  World3 surface_velocity{};  ///< of the surface, if there is no second [m/s]
};

/// Velocities of a body.
struct SpatialMotion {
  World3 velocity{};  ///< of the mass centre [m/s]
  World3 spin{};      ///< [rad/s]

  bool operator==(const SpatialMotion&) const = default;
};

/// A body's kinetic energy [J].
struct KineticParts {
  double translation = 0.;
  double rotation = 0.;

  [[nodiscard]] double total() const { return translation + rotation; }
};

/// The impact in contact space.
struct SpatialContact {
  Sym3 G;         ///< [1/kg]
  Vec3 approach;  ///< [m/s]
  SpatialSpin spin{};
};

/// The rotation by `angle` [rad] about `axis`, of any nonzero length; by a unit quaternion (w, x,
/// y, z), given to six digits; the shortest rotation from the z axis to `direction`. Throw
/// InputError under `field`.
[[nodiscard]] Mat3 rotation(const World3& axis, double angle, const std::string& field);
[[nodiscard]] Mat3 rotation(const std::array<double, 4>& quaternion, const std::string& field);
[[nodiscard]] Mat3 rotation_to(const World3& direction, const std::string& field);

/// The same by cosine and sine of the angle, for angles where these are known without rounding.
[[nodiscard]] Mat3 rotation(const World3& axis, double cosine, double sine,
                            const std::string& field);

/// The inertia about the mass centre in world axes, for a body with nonzero inertia about every
/// axis. Throws InputError under `field` + ".inertia" or ".orientation".
[[nodiscard]] Mat3 world_inertia(const Mat3& inertia, const Mat3& orientation,
                                 const std::string& field);

/// Bodies prepared for an impact: contact space, motions after, energies. Thin rods and point
/// masses have axes without inertia. The contact must lie on such an axis, so that no impulse spins
/// the body about it. Their `contact().spin` is not known, because the effect of a couple about
/// that axis is undefined.
class BodiesAtImpact {
 public:
  /// Throws InputError with the name of the field: "bodies[1].mass", "surface_velocity".
  /// @param frame_prefix  put before "normal", "tangent1", "tangent2"
  explicit BodiesAtImpact(const SpatialBodies& bodies, const std::string& frame_prefix = "");

  [[nodiscard]] const SpatialContact& contact() const { return contact_; }
  [[nodiscard]] std::size_t size() const { return size_; }  ///< bodies, 1 or 2
  /// As given, or "body", or of two "body 1" and "body 2".
  [[nodiscard]] const std::string& name(std::size_t i) const { return bodies_[i].name; }
  [[nodiscard]] bool surface_moves() const { return surface_moves_; }

  [[nodiscard]] const SpatialMotion& before(std::size_t i) const { return bodies_[i].before; }

  /// Velocities of body i after an impulse [N s] and a couple [N m s] on the first body, both in
  /// the contact frame.
  [[nodiscard]] SpatialMotion after(std::size_t i, const Vec3& impulse,
                                    const Vec3& couple = {}) const;

  /// The kinetic energy of body i.
  [[nodiscard]] KineticParts energy(std::size_t i, const SpatialMotion& motion) const;

 private:
  struct Ready {
    std::string name;
    double mass = 1.;
    Mat3 axes{};       ///< columns: principal axes in the world
    World3 moments{};  ///< about the principal axes; zero: no inertia
    World3 offset{};   ///< to the contact, in principal axes
    double side = 1.;  ///< +1 the first, -1 the second
    SpatialMotion before{};
  };
  static Ready make_ready(const SpatialBody& body, const std::string& field, double side);
  void reduce();

  std::array<Ready, 2> bodies_{};
  std::size_t size_ = 1;
  ContactFrame frame_;
  World3 surface_velocity_{};
  bool surface_moves_ = false;
  SpatialContact contact_{};
};

}  // namespace carom
