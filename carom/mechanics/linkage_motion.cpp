// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/linkage_motion.hpp>

namespace carom::links {

using namespace linkages;

LinkMotion motion_of(const Link& link, double position, double rate, const LinkMotion& parent,
                     bool relative_angles) {
  LinkMotion m;
  m.frame = frame_of(link, position, parent.frame, relative_angles);
  m.velocity = parent.velocity_at(m.frame.origin);
  m.bias = parent.bias_at(m.frame.origin);
  if (link.joint == JointKind::revolute) {
    m.spin = rate + (relative_angles ? parent.spin : 0.);
    return m;
  }
  const Pair along{m.frame.c, m.frame.s};
  m.velocity = m.velocity + rate * along;
  m.bias = m.bias + (2. * parent.spin * rate) * turned(along);  // Coriolis
  m.spin = parent.spin;
  return m;
}

LinkMotions::LinkMotions(const Linkage& linkage, const State& state)
    : linkage_(linkage), motions_(linkage.links.size() + 1) {
  for (std::size_t i = 0; i < linkage.links.size(); ++i) {
    const Link& link = linkage.links[i];
    const auto k = static_cast<Eigen::Index>(i);
    motions_[i + 1] =
        motion_of(link, state.q(k), state.u(k), (*this)[link.parent], linkage.relative_angles);
  }
}

LinkMotions::LinkMotions(const Linkage& linkage, const State& state, int first, int second)
    : linkage_(linkage), motions_(linkage.links.size() + 1) {
  place(first, state);
  place(second, state);
}

void LinkMotions::add_mass(int i, LinkRows& J, Eigen::Ref<Matrix> M) const {
  const auto& links = linkage_.links;
  const Link& link = links[index(i)];
  const Pair centre = (*this)[i].frame.point(link.mass_centre);
  for (int j = i; j != ground; j = links[index(j)].parent) J.x(j) = J.y(j) = J.w(j) = 0.;
  add_push(i, centre, {1., 0.}, 1., J.x);
  add_push(i, centre, {0., 1.}, 1., J.y);
  add_torque(i, 1., J.w);
  for (int j = i; j != ground; j = links[index(j)].parent) {
    for (int k = j; k != ground; k = links[index(k)].parent) {
      M(j, k) += link.mass * (J.x(j) * J.x(k) + J.y(j) * J.y(k)) + link.inertia * J.w(j) * J.w(k);
    }
  }
}

void LinkMotions::place(int i, const State& state) {
  if (i == ground) return;
  const Link& link = linkage_.links[index(i)];
  place(link.parent, state);
  motions_[index(i + 1)] =
      motion_of(link, state.q(i), state.u(i), (*this)[link.parent], linkage_.relative_angles);
}

}  // namespace carom::links
