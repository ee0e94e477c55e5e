// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/mechanics/shapes/space/contact.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>

/// How far two placed shapes are apart, and which of their features may touch.
///
/// Polytopes with radii (sphere, capsule, rod, box, polyhedron, half space) are exact to rounding,
/// and so are round solids (cylinder, disc, cone) against half spaces, spheres, capsules and rods.
/// Against everything else a round solid counts as the polytope of its rim points
/// (`ShapeOptions::rim_points` on each rim): its sides are then flat, at most (1 - cos(pi/n)) radii
/// inside of the true ones.
namespace carom::shapes::space {

struct Placed {
  const Shape* shape = nullptr;
  Pose pose{};
};

/// The signed distance [m]: where the cores are apart, the distance of their closest points less
/// both radii; where they overlap, the separation along the axis of least overlap, over all face
/// normals and all products of two edges, less both radii. Infinite between half spaces.
[[nodiscard]] double distance(const Placed& first, const Placed& second);

/// A pair of features within reach.
struct NearPair {
  FeaturePair pair{};
  double margin = 0.;  ///< see contact.hpp; a touching pair is a contact where it is not negative
  ContactGeometry<double> geometry{};
};

/// Points that are closer than this, in parts of the smaller bounding radius, count as one.
inline constexpr double coincident = 3e-10;

/// All pairs of features with a gap of at most `reach` [m], into `out`, whose memory is reused.
/// - Every core vertex of either body against its closest point on the other: in a face, on an edge
///   or a vertex. Without radii the last two do not touch but in a corner, where the normal is
///   undetermined: they are listed while they are apart.
/// - Every crossing of two edges whose normal is outward for both, with 30 degrees to spare, so
/// that
///   all corners of two faces that are about to land on each other are listed.
/// So each pair is a true distance between points of both bodies, and while these are separate the
/// least gap of the pairs with margin >= 0 is their distance. Where several pairs touch in one
/// point only the one along whose normal the bodies overlap least is listed; of equal ones a vertex
/// on a face comes before a crossing, and the vertex of the body that lies along (0.48, 0.6, 0.64)
/// first. Two faces on each other therefore list each corner of their common polygon once.
///
/// Crossing sides of two flat faces have the normal +-(a x b). It is the normal of the faces while
/// they lie on each other, and that of the right one as soon as one body rocks about an edge of the
/// other, so that the pair lives on. Only where such sides cross at less than `small_angle` the
/// mean of the face normals is better conditioned: that is the pair `flat_edges`. The list with
/// both bodies exchanged has the same pairs, each exchanged.
void near_features(const Placed& first, const Placed& second, double reach,
                   std::vector<NearPair>& out);

/// The same where the cores may overlap by more than rounding, as they do between steps of a given
/// length.
/// - The normals of pairs are those of least overlap, or overlap by up to a quarter more, or differ
///   from the least by an angle that a body turns by when its points move by `reach` or the
///   overlap. So faces that almost lie on each other have all corners of their common polygon,
///   whichever corner is lower: the normals of their crossing sides may point out of the edges'
///   ranges by that angle.
/// - The least gap is the distance.
void features_in_overlap(const Placed& first, const Placed& second, double reach,
                         std::vector<NearPair>& out);

/// All pairs with a gap of at most `reach` [m] whose closest points lie within both features or
/// outside by up to `reach` (of crossing edges: that length over the sine of their angle),
/// coincident ones too: what may touch after both bodies have moved by half of that.
/// - Edges within reach that may turn through parallel in such a motion are listed with both
///   normals, whatever their gap there; of two rods or discs without radius with the present one
///   only.
/// - Sides of flat faces that cross as `flat_edges` are listed as `edge_edge` too.
/// - An edge and a round solid within reach are listed with all its sides and rims.
/// A pair with a gap below zero and a margin is not always a contact: beneath a sharp edge of one
/// body an edge of the other may be outside of it. `near_features` tells what touches.
void features_within(const Placed& first, const Placed& second, double reach,
                     std::vector<NearPair>& out);

/// The pairs that touch in the same point as `pair` (to `slack` [m]), with the least overlap: what
/// takes over where its margin reaches zero. Call it with the poses just beyond that point: of
/// several those with margin >= 0 there are listed, a vertex on a face alone where there is one.
/// For a rim that comes to lie flat: all its fixed points.
void successors(const FeaturePair& pair, const Placed& first, const Placed& second, double slack,
                std::vector<NearPair>& out);

/// Edges at a smaller angle than this [rad] are `flat_edges` if their faces lie flat: the product
/// of edges would have a relative error of epsilon over the angle.
inline constexpr double small_angle = 1e-3;

}  // namespace carom::shapes::space
