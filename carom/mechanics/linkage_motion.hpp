// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/mechanics/linkage_frames.hpp>
#include <carom/mechanics/model.hpp>

/// Motion of the links of a linkage, and generalized forces.
namespace carom::links {

using linkages::Frame;
using linkages::Pair;

/// Motion of a link. Spins do not change at u' = 0, because they are sums of entries of u.
struct LinkMotion {
  Frame frame{};
  Pair velocity{};  ///< of the origin [m/s]
  double spin = 0.;
  Pair bias{};  ///< acceleration of the origin at u' = 0 [m/s^2]

  [[nodiscard]] Pair velocity_at(const Pair& place) const {
    using namespace linkages;
    return velocity + spin * turned(place - frame.origin);
  }
  /// Acceleration of a point fixed to the link at u' = 0.
  [[nodiscard]] Pair bias_at(const Pair& place) const {
    using namespace linkages;
    return bias - (spin * spin) * (place - frame.origin);
  }
};

/// A link's motion from its parent's.
[[nodiscard]] LinkMotion motion_of(const Link& link, double position, double rate,
                                   const LinkMotion& parent, bool relative_angles);

/// The rows of a link's Jacobian: x and y of its mass centre, and its spin. Entries that belong to
/// neither the link nor its ancestors mean nothing.
struct LinkRows {
  explicit LinkRows(Eigen::Index size) : x(size), y(size), w(size) {}

  Vector x, y, w;
};

/// The motion of all links, or of one link and its ancestors only.
class LinkMotions {
 public:
  LinkMotions(const Linkage& linkage, const State& state);
  LinkMotions(const Linkage& linkage, const State& state, int first, int second);

  /// @pre `link` is the ground or among those computed
  [[nodiscard]] const LinkMotion& operator[](int link) const {
    return motions_[static_cast<std::size_t>(long{link} + 1)];
  }

  /// Adds the entries d(velocity of `place`, a point of `link`).e/du, times `factor`, to `column`:
  /// the generalized force of a force, or a column of W.
  template <class Column>
  void add_push(int link, const Pair& place, const Pair& e, double factor, Column&& column) const;

  /// The same for the spin of `link`: the generalized force of a torque.
  template <class Column>
  void add_torque(int link, double factor, Column&& column) const;

  /// Adds J^T (m, m, I) J of a link to the lower triangle of M. Parents precede their children.
  void add_mass(int link, LinkRows& J, Eigen::Ref<Matrix> M) const;

 private:
  void place(int link, const State& state);

  const Linkage& linkage_;
  std::vector<LinkMotion> motions_;  ///< the ground first
};

template <class Column>
void LinkMotions::add_push(int link, const Pair& place, const Pair& e, double factor,
                           Column&& column) const {
  using namespace linkages;
  Pair carried = place;  // the point of link i that moves like `place` when i rotates
  for (int i = link; i != ground; i = linkage_.links[index(i)].parent) {
    const Link& l = linkage_.links[index(i)];
    const Frame& f = (*this)[i].frame;
    if (l.joint == JointKind::prismatic) {
      column(i) += factor * dot(e, {f.c, f.s});
    } else {
      column(i) += factor * dot(e, turned(carried - f.origin));
      if (!linkage_.relative_angles) carried = f.origin;  // the parent moves only the hinge
    }
  }
}

template <class Column>
void LinkMotions::add_torque(int link, double factor, Column&& column) const {
  for (int i = link; i != ground; i = linkage_.links[linkages::index(i)].parent) {
    if (linkage_.links[linkages::index(i)].joint == JointKind::prismatic) continue;
    column(i) += factor;
    if (!linkage_.relative_angles) return;
  }
}

}  // namespace carom::links
