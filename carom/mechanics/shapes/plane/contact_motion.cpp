// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/plane/contact_motion.hpp>

#include <carom/mechanics/shapes/rate.hpp>

namespace carom::shapes::plane {

namespace {

BasicPose<WithRate> with_rate(const BodyMotion& b) {
  return {.position = {{b.pose.position.x, b.velocity.x}, {b.pose.position.y, b.velocity.y}},
          .angle = {b.pose.angle, b.spin}};
}

/// Fills a row of W^T for direction d, and adds W^T u and its rate.
void fill(const BasicPoint<WithRate>& d, const std::array<WithRate, 2>& lever,
          const std::array<const BodyMotion*, 2>& bodies, ContactRow& row, double& velocity,
          double& bias) {
  for (std::size_t k = 0; k < 2; ++k) {
    const WithRate side(k == 0 ? 1. : -1.);
    const std::array entries{side * d.x, side * d.y, side * lever[k]};
    const std::array u{bodies[k]->velocity.x, bodies[k]->velocity.y, bodies[k]->spin};
    for (std::size_t j = 0; j < 3; ++j) {
      row[k][j] = entries[j].value;
      velocity += entries[j].value * u[j];
      bias += entries[j].rate * u[j];
    }
  }
}

}  // namespace

ContactMotion contact_motion(const Shape& first, const BodyMotion& first_motion,
                             const Shape& second, const BodyMotion& second_motion,
                             const FeaturePair& pair) {
  const BasicPlaced<WithRate> one(first, with_rate(first_motion));
  const BasicPlaced<WithRate> two(second, with_rate(second_motion));
  const ContactGeometry<WithRate> g = contact_geometry(one, two, pair);
  ContactMotion m;
  m.gap = g.gap.value;
  m.gap_rate = g.gap.rate;
  m.n = value_of(g.normal);
  m.t = value_of(g.tangent);
  const std::array bodies{&first_motion, &second_motion};
  fill(g.normal, g.normal_lever, bodies, m.normal, m.velocity.n, m.bias.n);
  fill(g.tangent, g.tangent_lever, bodies, m.tangent, m.velocity.t, m.bias.t);
  m.point = first_motion.pose.position + value_of(g.arm_first) - (m.gap / 2.) * m.n;
  return m;
}

}  // namespace carom::shapes::plane
