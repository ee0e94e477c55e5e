// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include <carom/mechanics/shapes/space/round_contact.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/mechanics/shapes/space/touch.hpp>
#include <carom/mechanics/shapes/space/vector.hpp>

/// The geometry of one contact, which is a pair of features of two shapes.
///
/// The normal points into the first body. With r the sum of both radii about the cores:
///
///   vertex_face    normal of the face                  gap = n.(v - face) - r
///   edge_edge      +-(a x b), across both edges        gap = n.(p_a - p_b) - r
///   vertex_edge    from the edge to the vertex         gap = |v - p| - r
///   vertex_vertex  from vertex to vertex               gap = |v - w| - r
///
/// In each of these the points on both surfaces are such that d gap/dt = n.(v_1 - v_2) holds for
/// every motion, so that the normal row of W is the gradient of the gap and bias_n its second
/// derivative at zero acceleration. `flat_edges`, for sides of two flat faces that cross at a small
/// angle, take the mean of both face normals instead; there this holds to the angle between the
/// faces, see near_features.
///
/// Tangent1 is continuous as long as the pair is in contact: it follows the face (vertex_face,
/// rim_face: fixed to the face, in body axes as contact_frame.hpp makes it for its normal), the
/// edge (vertex_edge; edge_edge: that of the first body; edge_band), the circle (rims and bands),
/// and for two points the shortest rotation from the direction k = (0.48, 0.6, 0.64) to the normal,
/// which is smooth but at the normal -k.
namespace carom::shapes::space {

/// A contact's geometry in world axes.
template <class S>
struct ContactGeometry {
  S gap{};
  Vector<S> normal{};  ///< into the first body; normal x tangent1 = tangent2
  Vector<S> tangent1{};
  Vector<S> tangent2{};
  Vector<S> arm1{};  ///< from the mass centre of the first body to the contact point on its surface
  Vector<S> arm2{};  ///< the same of the second
};

/// @pre the pair is one of these shapes
template <class S>
[[nodiscard]] ContactGeometry<S> contact_geometry(const FeaturePair& pair, const Shape& first,
                                                  const BasicPose<S>& first_pose,
                                                  const Shape& second,
                                                  const BasicPose<S>& second_pose) {
  const Touch<S> t = pair.exchanged ? touch(pair, second, second_pose, first, first_pose)
                                    : touch(pair, first, first_pose, second, second_pose);
  ContactGeometry<S> g;
  g.gap = t.gap;
  g.normal = pair.exchanged ? -t.normal : t.normal;
  g.tangent1 = t.tangent;
  g.tangent2 = cross(g.normal, g.tangent1);
  g.arm1 = pair.exchanged ? t.arm_two : t.arm_one;
  g.arm2 = pair.exchanged ? t.arm_one : t.arm_two;
  return g;
}

/// A body at an instant. World axes.
struct MovingBody {
  Pose pose{};
  V3 velocity{};  ///< of the mass centre [m/s]
  V3 spin{};      ///< [rad/s]
};

/// How a contact moves. Rows and entries in the order normal, tangent1, tangent2; a row of W has
/// the factors of velocity and spin of the body.
struct ContactRates {
  double gap = 0.;       ///< [m]
  double gap_rate = 0.;  ///< [m/s]
  std::array<std::array<double, 6>, 3> W1{};
  std::array<std::array<double, 6>, 3> W2{};
  std::array<double, 3> velocity{};  ///< W^T u: first body relative to second, at the contact [m/s]
  std::array<double, 3> bias{};      ///< (d/dt W^T) u [m/s^2]
  ContactGeometry<double> geometry{};
};

[[nodiscard]] ContactRates contact_rates(const FeaturePair& pair, const Shape& first,
                                         const MovingBody& first_body, const Shape& second,
                                         const MovingBody& second_body);

/// How far inside the ranges of both features the closest points lie [m]: zero where a vertex
/// crosses the side of a face, where a crossing reaches the end of an edge, and where a vertex that
/// touches an edge enters one of its faces. Infinite where nothing ends the contact. Beyond zero
/// the pair is not the closest any more: `successors` of features.hpp names what takes over. For
/// `flat_edges` also the angle between the faces ends the pair: its part is (flat_angle - angle)
/// times the shorter edge. A vertex beneath a face is out of its range by as much as it is beyond
/// another face, which is opposite in a thin body. For `edge_edge` also a normal that points out of
/// the range of an edge ends the pair, beyond what faces that include `flat_angle` make of it, and
/// with radii a normal along which the cores overlap: edges that turn through parallel cross along
/// the opposite normal, which is another pair.
[[nodiscard]] double margin(const FeaturePair& pair, const Shape& first, const Pose& first_pose,
                            const Shape& second, const Pose& second_pose,
                            const Allowance& allowance = {});

}  // namespace carom::shapes::space
