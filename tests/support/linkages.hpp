// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <ostream>
#include <vector>

#include <carom/mechanics/linkage.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const Linkage& linkage);
}  // namespace carom

namespace carom::test {

using Complex = std::complex<double>;

inline Complex complex(const std::array<double, 2>& a) { return {a[0], a[1]}; }

/// x of the cross product of two vectors in the plane.
inline double cross(const Complex& a, const Complex& b) { return std::imag(std::conj(a) * b); }

/// Where a link is and how it moves, found from its parent's motion in complex numbers.
struct LinkMotion {
  Complex origin;
  double angle = 0.;
  Complex velocity;  ///< of the origin
  double spin = 0.;

  [[nodiscard]] Complex point(const std::array<double, 2>& a) const {
    return origin + std::polar(1., angle) * complex(a);
  }
  /// Of a point in world axes that the link carries.
  [[nodiscard]] Complex velocity_at(const Complex& z) const {
    return velocity + Complex(0., spin) * (z - origin);
  }
};

/// The motion of all links at rates u.
[[nodiscard]] std::vector<LinkMotion> motion(const Linkage& l, const Eigen::VectorXd& u);

/// 1/2 sum of m v^2 + I w^2.
[[nodiscard]] double kinetic_energy(const Linkage& l, const Eigen::VectorXd& u);

/// The rates of the links as they stand.
[[nodiscard]] Eigen::VectorXd rates(const Linkage& l);

/// The same linkage a time dt later, rates and supports going on as they are.
[[nodiscard]] Linkage moved(Linkage l, double dt);

/// The same with all supports, and the line, at rest.
[[nodiscard]] Linkage on_fixed_supports(Linkage l);

/// The whole scene turned by `angle` about the origin.
[[nodiscard]] Linkage turned(Linkage l, double angle);

/// The same linkage, described by relative angles.
[[nodiscard]] Linkage described_relatively(Linkage l);

/// A tree of `size` links of either kind, in any posture and motion, its contact coming in against
/// the ground or another link. The same for the same seed.
[[nodiscard]] Linkage random_linkage(std::size_t size, std::uint64_t seed);

}  // namespace carom::test
