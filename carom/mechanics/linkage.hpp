// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <carom/mechanics/configuration.hpp>

/// Trees of rigid links in the plane, joined by hinges and slides to the ground and to each other,
/// one of which strikes a line or another link. x right, y up, angles counter-clockwise [rad].
namespace carom {

enum class JointKind : std::uint8_t { revolute, prismatic };

/// The parent of a link that is joined to the ground, and what a contact with the ground is with.
inline constexpr int ground = -1;

/// A rigid link and the joint that carries it. Its frame has its origin at that joint.
///
/// A revolute link turns about `at`; its frame's angle is `position`, or the parent's angle +
/// `position` where the linkage counts angles relatively. A prismatic link's frame has its x axis
/// along the slide, at the parent's angle + `axis`, and its origin `position` along it from `at`.
struct Link {
  std::string name{};
  double mass = 0.;                     ///< >= 0 [kg]
  double inertia = 0.;                  ///< >= 0, about the mass centre [kg m^2]
  std::array<double, 2> mass_centre{};  ///< in its own frame [m]
  int parent = ground;                  ///< a link earlier in the list, or ground
  JointKind joint = JointKind::revolute;
  std::array<double, 2> at{};                ///< where the joint sits, in the parent's frame [m]
  double axis = 0.;                          ///< prismatic: the slide's direction there [rad]
  double position = 0.;                      ///< q [rad] or [m]
  double rate = 0.;                          ///< u [rad/s] or [m/s]
  std::array<double, 2> support_velocity{};  ///< joints to ground: `at` moves so, whatever strikes
};

/// Where a link strikes, and what.
struct LinkContact {
  std::size_t link = 0;
  std::array<double, 2> point{};          ///< in that link's frame [m]
  std::array<double, 2> normal{0., 1.};   ///< unit vector in world axes, into that link
  int against = ground;                   ///< a line on the ground, or the link struck
  std::array<double, 2> line_velocity{};  ///< of the line, whatever strikes [m/s]
};

struct Linkage {
  std::vector<Link> links{};
  LinkContact contact{};
  bool relative_angles = false;  ///< revolute positions and rates count from the parent's
};

/// M(q), W(q), u of the linkage; u are the rates of its links, in their order. Throws InputError
/// with the field's name: "links[1].mass", "contact.link".
[[nodiscard]] Configuration configuration(const Linkage& linkage);

/// What a link gets through its joint from its parent, or from the ground, in the impact.
struct JointImpulse {
  std::array<double, 2> impulse{};  ///< world axes [N s]
  double couple = 0.;               ///< about the origin of the link's frame [N m s]
};

/// The impulses in all joints, by the balance of momentum of what hangs on each, tips first. Hinges
/// carry no couple and slides no impulse along their axis: both come out zero to rounding.
///
/// @param impulse  (normal, tangential) at the contact, on its link [N s]
/// @param couple   on that link [N m s]
/// @param velocity_after  u+, as velocity_after(configuration(linkage), impulse, couple) gives it
/// @pre configuration(linkage) did not throw
[[nodiscard]] std::vector<JointImpulse> joint_impulses(const Linkage& linkage, const Vec2& impulse,
                                                       double couple,
                                                       const Eigen::VectorXd& velocity_after);

}  // namespace carom
