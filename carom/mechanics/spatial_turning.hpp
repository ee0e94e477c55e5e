// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Geometry>

/// Quaternions (w, x, y, z) that rotate a body's axes into the world.
namespace carom::turning {

using V3 = Eigen::Matrix<double, 3, 1, Eigen::DontAlign>;
using M3 = Eigen::Matrix<double, 3, 3, Eigen::DontAlign>;
using Q4 = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;

/// The rotation matrix of a quaternion of any nonzero length.
[[nodiscard]] inline M3 matrix(const Q4& q) {
  const double k = 2. / q.squaredNorm();
  const double w = q(0), x = q(1), y = q(2), z = q(3);
  M3 R;
  R << 1. - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y),  //
      k * (x * y + w * z), 1. - k * (x * x + z * z), k * (y * z - w * x),   //
      k * (x * z - w * y), k * (y * z + w * x), 1. - k * (x * x + y * y);
  return R;
}

[[nodiscard]] inline Q4 product(const Q4& a, const Q4& b) {
  Q4 c;
  c << a(0) * b(0) - a(1) * b(1) - a(2) * b(2) - a(3) * b(3),  //
      a(0) * b(1) + a(1) * b(0) + a(2) * b(3) - a(3) * b(2),   //
      a(0) * b(2) - a(1) * b(3) + a(2) * b(0) + a(3) * b(1),   //
      a(0) * b(3) + a(1) * b(2) - a(2) * b(1) + a(3) * b(0);
  return c;
}

/// The rate of q for a spin in world axes: 1/2 (0, w) q.
[[nodiscard]] inline Q4 rate(const Q4& q, const V3& spin) {
  const Q4 w(0., spin(0), spin(1), spin(2));
  return 0.5 * product(w, q);
}

/// The rotation by |angle| about `angle`.
[[nodiscard]] inline Q4 exponential(const V3& angle) {
  const double size = angle.norm();
  const double half = 0.5 * size;
  const double s = size > 0. ? std::sin(half) / size : 0.5;
  return {std::cos(half), s * angle(0), s * angle(1), s * angle(2)};
}

/// The quaternion of a rotation, with its largest component positive. [Shepperd 1978]
[[nodiscard]] inline Q4 quaternion(const M3& R) {
  const double trace = R.trace();
  const double squares[] = {trace, R(0, 0), R(1, 1), R(2, 2)};
  int most = 0;
  for (int i = 1; i < 4; ++i) {
    if (squares[i] > squares[most]) most = i;
  }
  Q4 q;
  if (most == 0) {
    q << 1. + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  } else {
    const int i = most - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    q(0) = R(k, j) - R(j, k);
    q(1 + i) = 1. + R(i, i) - R(j, j) - R(k, k);
    q(1 + j) = R(j, i) + R(i, j);
    q(1 + k) = R(k, i) + R(i, k);
  }
  return q / q.norm();
}

}  // namespace carom::turning
