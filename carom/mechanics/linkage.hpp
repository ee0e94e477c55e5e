// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <carom/core/planar.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// Trees of rigid links in the plane, connected to the ground and to each other by revolute and
/// prismatic joints. One link strikes a line or another link. x right, y up, angles
/// counter-clockwise [rad].
namespace carom {

enum class JointKind : std::uint8_t { revolute, prismatic };

/// Index of the ground: as the parent of a link, or as what a link strikes.
inline constexpr int ground = -1;

/// A rigid link and the joint that connects it to its parent. Its frame has its origin at that
/// joint.
///
/// A revolute link rotates about `at`. The angle of its frame is `position`, or the parent's angle
/// + `position` if angles are relative. The frame of a prismatic link has its x axis along the
/// slide, at the parent's angle + `axis`, and its origin at the distance `position` along it from
/// `at`.
struct Link {
  std::string name{};
  double mass = 0.;                     ///< >= 0 [kg]
  double inertia = 0.;                  ///< >= 0, about the mass centre [kg m^2]
  std::array<double, 2> mass_centre{};  ///< in its own frame [m]
  int parent = ground;                  ///< a link earlier in the list, or ground
  JointKind joint = JointKind::revolute;
  std::array<double, 2> at{};                ///< position of the joint, in the parent's frame [m]
  double axis = 0.;                          ///< prismatic: the slide's direction there [rad]
  double position = 0.;                      ///< q [rad] or [m]
  double rate = 0.;                          ///< u [rad/s] or [m/s]
  std::array<double, 2> support_velocity{};  ///< joints to ground: prescribed velocity of `at`
};

/// The point of a link that strikes, and what it strikes.
struct LinkContact {
  std::size_t link = 0;
  std::array<double, 2> point{};          ///< in that link's frame [m]
  std::array<double, 2> normal{0., 1.};   ///< unit vector in world axes, into that link
  int against = ground;                   ///< a line on the ground, or a link
  std::array<double, 2> line_velocity{};  ///< prescribed velocity of the line [m/s]
};

struct Linkage {
  std::vector<Link> links{};
  LinkContact contact{};
  bool relative_angles = false;  ///< revolute positions and rates are relative to the parent
};

/// M(q), W(q), u of the linkage. u are the rates of its links, in their order. Throws InputError
/// with the name of the field: "links[1].mass", "contact.link".
[[nodiscard]] SystemAtImpact at_impact(const Linkage& linkage);

/// Impulse on a link through its joint, from its parent or from the ground.
struct JointImpulse {
  std::array<double, 2> impulse{};  ///< world axes [N s]
  double couple = 0.;               ///< about the origin of the link's frame [N m s]
};

/// The impulses in all joints, by the momentum balance of the subtree of each, from the tips.
/// Hinges transmit no couple and slides no impulse along their axis: both are zero to rounding.
///
/// @param impulse  (normal, tangential) at the contact, on its link [N s]
/// @param couple  on that link [N m s]
/// @param after  u+, from velocity_after
/// @pre at_impact(linkage) did not throw
[[nodiscard]] std::vector<JointImpulse> joint_impulses(const Linkage& linkage, const Vec2& impulse,
                                                       double couple,
                                                       std::span<const double> after);

/// The same of a system that may be a linkage, what is only rounding set to zero; else nothing.
/// @param impulse  as in an Outcome
[[nodiscard]] std::vector<JointImpulse> joint_impulses(const SystemAtImpact& system,
                                                       std::span<const double> impulse,
                                                       std::span<const double> after);

/// The links of a system, and with them their joints; none if it is no linkage.
[[nodiscard]] std::span<const Link> links_of(const SystemAtImpact& system);

}  // namespace carom
