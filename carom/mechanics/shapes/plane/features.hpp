// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include <carom/mechanics/shapes/plane/contact_geometry.hpp>

/// Distance of two placed shapes, and the feature pairs that touch or may touch.
///
/// **Pairs.** A vertex (or ellipse) of one on an edge of the other, both ways; two vertices unless
/// both are sharp; ellipse and vertex; two ellipses. Two sharp vertices have no normal in contact:
/// of them it is always a vertex and an edge that touch.
///
/// **Range.** The gap of a pair is a distance of the bodies only while the pair is in range:
///   - vertex or ellipse on edge: its nearest point lies between the ends of the edge (margin
///     >= -coincidence), and the edge *faces* the other body: that body overlaps the edge's line by
///     no more than the least overlap of all edges plus `slack`; if the bodies are apart by more
///     than `slack`, not at all.
///   - otherwise: the common normal is one of those of each vertex; the nearest points lie beyond
///     the ends of all adjacent edges (margin > coincidence).
/// While the bodies are apart by more than `slack`, the least gap of all pairs in range is their
/// distance, unless two sharp vertices are nearest: then all gaps are greater.
///
/// **One point, one pair.** Within `slack` of a corner on a corner several pairs may be in range: a
/// vertex on each of the two edges that meet there, and the same with roles exchanged. One is kept,
/// the others are out of range (and not listed, unless `reach` exceeds `slack`). It is that whose
/// edge's line the other body overlaps least; of those equal to `coincidence` the one with the
/// longest edge; of equal edges the one whose outward normal is farthest along the direction at 1
/// rad. Faces that lie on each other (to 1e-6 rad) have the two ends of their common segment, each
/// once: there a vertex on an edge and the same with roles exchanged are one pair only if the
/// vertices coincide (to `coincidence`). The rule treats both bodies alike, and rounding does not
/// change what it keeps.
namespace carom::shapes::plane {

/// Tolerances of a pair of shapes [m].
struct Tolerances {
  double slack = 0.;        ///< overlap that counts as touching: 1e-6 of the smaller length
  double coincidence = 0.;  ///< distance of points that count as one: 1e-10 of it, or rounding
};
[[nodiscard]] Tolerances tolerances(const Placed& first, const Placed& second);

/// The distance, or minus the overlap along the face normal of least overlap (of two ellipses:
/// along their common normal). Exact to rounding. @pre not two half planes
[[nodiscard]] double distance(const Placed& first, const Placed& second);

/// A feature pair near contact.
struct Near {
  FeaturePair pair{};
  double gap = 0.;        ///< [m]
  double margin = 0.;     ///< see Handover [m]
  bool in_range = false;  ///< false: it may come in range when something moves by `reach`
  Feature corner = 0;     ///< vertex at the nearer end of the edge, if there is an edge
  double height = 0.;     ///< of the whole body over the edge's line, without radii [m]
};

/// Writes all feature pairs with gap <= reach into `out`, including those that are out of range by
/// up to `reach` (an ellipse and a vertex: by any distance). @pre reach >= 0, not two half planes
/// @param alike  edges that are overlapped by up to this part more than the least face the other
///   body, too: where bodies overlap by more than rounding, faces that lie on each other are not
///   parallel, and each overlaps a little more at its own end. If it is not zero, so do edges that
///   the body would overlap least after a turn that moves its points by `reach` or the overlap
void near_features(const Placed& first, const Placed& second, double reach, std::vector<Near>& out,
                   double alike = 0.);

/// How far a pair is inside its range, and what takes over where it leaves it.
struct Handover {
  double margin = 0.;  ///< of the nearest point to the end of its edge [m]; infinite without ends
  std::array<FeaturePair, 2> next{};
  std::size_t count = 0;  ///< entries of `next`
};

/// A vertex on an edge that passes its end hands over to that end: to the pair of both vertices if
/// one is rounded, and to the end on the edge that follows the vertex (both are given; of faces
/// that lie on each other it is the second). An ellipse hands over to the end of the edge. Two
/// vertices, and a vertex and an ellipse, hand over to the edge whose range begins there.
[[nodiscard]] Handover handover(const Placed& first, const Placed& second, const FeaturePair& pair);

}  // namespace carom::shapes::plane
