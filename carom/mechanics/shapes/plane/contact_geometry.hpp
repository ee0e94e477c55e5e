// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <utility>

#include <carom/mechanics/shapes/plane/curve.hpp>

/// Where and along what two features touch.
namespace carom::shapes::plane {

/// A feature of the first shape and one of the second: the identity of a contact. It stays the same
/// until the contact hands over (see handover()). One of the two at least is not an edge.
struct FeaturePair {
  Feature first = 0;
  Feature second = 0;

  auto operator<=>(const FeaturePair&) const = default;
};
[[nodiscard]] constexpr FeaturePair exchanged(const FeaturePair& p) { return {p.second, p.first}; }

/// A shape at its place.
template <class S>
struct BasicPlaced {
  const Shape* shape = nullptr;
  BasicPoint<S> position{};  ///< of the mass centre
  BasicPoint<S> axis{};      ///< the body's x axis

  BasicPlaced(const Shape& of, const BasicPose<S>& pose)
      : shape(&of), position(pose.position), axis(axis_of(pose)) {}
};
using Placed = BasicPlaced<double>;

/// Carom's plane: the normal points into the first body, the tangent is a quarter turn clockwise
/// from it.
template <class S>
struct ContactGeometry {
  S gap{};                     ///< [m]; negative: overlap
  BasicPoint<S> normal{};      ///< unit vector into the first body
  BasicPoint<S> tangent{};     ///< unit vector
  BasicPoint<S> arm_first{};   ///< from the mass centre to the contact point of the body [m]
  BasicPoint<S> arm_second{};  ///< to that of the other, which lies `gap` below along the normal
  std::array<S, 2> normal_lever{};   ///< arm x normal of both [m]
  std::array<S, 2> tangent_lever{};  ///< arm x tangent of both [m]
};

/// A vertex or the ellipse, with world axes and the mass centre of its body as origin.
template <class S>
[[nodiscard]] Curve<S> curve_of(const BasicPlaced<S>& body, std::size_t vertex) {
  return {.centre = turned(body.axis, as<S>(body.shape->vertices[vertex])),
          .axis = body.axis,
          .semi_axes = body.shape->semi_axes};
}

// With cores apart by s along the normal n the gap is s - r1 - r2. A radius takes no part in
// arm x n and adds r to arm x t: levers are computed without it, so that a disc's are exact.
namespace detail {

/// A curve of the first on an edge of the second, n being the edge's.
template <class S>
[[nodiscard]] ContactGeometry<S> on_edge(const BasicPlaced<S>& first, std::size_t vertex,
                                         const BasicPlaced<S>& second, const Edge& edge) {
  ContactGeometry<S> g;
  g.normal = turned(second.axis, as<S>(edge.normal));
  g.tangent = -quarter_turn(g.normal);
  const Curve<S> curve = curve_of(first, vertex);
  const BasicPoint<S> core = curve.centre - support(curve, g.normal).point;
  const BasicPoint<S> from_second = core + (first.position - second.position);
  const S s = dot(g.normal, from_second - turned(second.axis, as<S>(edge.start)));
  const S r1(first.shape->radius);
  const S r2(second.shape->radius);
  g.gap = s - (r1 + r2);
  g.arm_first = core - r1 * g.normal;
  g.arm_second = from_second - (s - r2) * g.normal;
  g.normal_lever = {cross(core, g.normal), cross(from_second, g.normal)};
  g.tangent_lever = {cross(core, g.tangent) + r1, cross(from_second, g.tangent) + (s - r2)};
  return g;
}

/// Two curves along their common normal.
template <class S>
[[nodiscard]] ContactGeometry<S> of_curves(const BasicPlaced<S>& first, std::size_t vertex,
                                           const BasicPlaced<S>& second, std::size_t other) {
  Curve<S> one = curve_of(first, vertex);
  Curve<S> two = curve_of(second, other);
  const BasicPoint<S> c1 = one.centre;
  const BasicPoint<S> c2 = two.centre;
  one.centre = (first.position - second.position) + (c1 - c2);  // nothing else is large
  two.centre = {};
  ContactGeometry<S> g;
  g.normal = common_normal_of(one, two);
  g.tangent = -quarter_turn(g.normal);
  const Support<S> h1 = support(one, g.normal);
  const Support<S> h2 = support(two, g.normal);
  const S r1(first.shape->radius);
  const S r2(second.shape->radius);
  const BasicPoint<S> core1 = c1 - h1.point;
  const BasicPoint<S> core2 = c2 + h2.point;
  g.gap = dot(g.normal, one.centre) - (h1.height + h2.height) - (r1 + r2);
  g.arm_first = core1 - r1 * g.normal;
  g.arm_second = core2 + r2 * g.normal;
  g.normal_lever = {cross(core1, g.normal), cross(core2, g.normal)};
  g.tangent_lever = {cross(core1, g.tangent) + r1, cross(core2, g.tangent) - r2};
  return g;
}

}  // namespace detail

/// The geometry of a feature pair, for any scalar with first derivatives. Its gap is the distance
/// of the bodies only where the pair is in range (see features.hpp).
/// @pre two vertices without radius do not coincide
template <class S>
[[nodiscard]] ContactGeometry<S> contact_geometry(const BasicPlaced<S>& first,
                                                  const BasicPlaced<S>& second,
                                                  const FeaturePair& pair) {
  if (is_edge(pair.second)) {
    return detail::on_edge(first, pair.first / 2, second, second.shape->edges[pair.second / 2]);
  }
  if (!is_edge(pair.first)) {
    return detail::of_curves(first, pair.first / 2, second, pair.second / 2);
  }
  ContactGeometry<S> g =
      detail::on_edge(second, pair.second / 2, first, first.shape->edges[pair.first / 2]);
  g.normal = -g.normal;
  g.tangent = -g.tangent;
  std::swap(g.arm_first, g.arm_second);
  g.normal_lever = {-g.normal_lever[1], -g.normal_lever[0]};
  g.tangent_lever = {-g.tangent_lever[1], -g.tangent_lever[0]};
  return g;
}

}  // namespace carom::shapes::plane
