// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_bodies.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom {
namespace {

constexpr double six_digits = 1e-6;

/// Components along the columns of `axes`, and back.
World3 into(const Mat3& axes, const World3& v) {
  World3 w{};
  for (std::size_t k = 0; k < 3; ++k) {
    w[k] = axes[0][k] * v[0] + axes[1][k] * v[1] + axes[2][k] * v[2];
  }
  return w;
}

World3 out_of(const Mat3& axes, const World3& v) {
  return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}

Mat3 product(const Mat3& a, const Mat3& b) {
  Mat3 c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
    }
  }
  return c;
}

struct Principal {
  Mat3 axes = identity3;  ///< columns, in body axes
  World3 moments{};
};

void require_symmetric(const Mat3& I, const std::string& field) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (std::isfinite(I[i][j])) continue;
      throw InputError(field + "[" + std::to_string(i) + "][" + std::to_string(j) + "]", I[i][j],
                       "a finite number");
    }
  }
  // The scale is the largest entry, because the diagonal entry of a thin rod's axis may be zero.
  double scale = 0.;
  for (const auto& row : I) {
    for (const double x : row) scale = std::max(scale, std::abs(x));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(I[i][j] - I[j][i]) <= rounding * scale) continue;
      throw InputError(field, "must be symmetric, got " + shortest(I[j][i]) + " at [" +
                                  std::to_string(j) + "][" + std::to_string(i) + "] and " +
                                  shortest(I[i][j]) + " across");
    }
  }
}

/// Principal moments and axes. Moments that are zero to rounding are set to zero.
Principal principal(const Mat3& I, const std::string& field) {
  require_symmetric(I, field);
  Principal p;
  if (I[0][1] == 0. && I[0][2] == 0. && I[1][2] == 0.) {
    p.moments = {I[0][0], I[1][1], I[2][2]};  // already diagonal
  } else {
    double scale = 0.;
    for (const auto& row : I) {
      for (const double x : row) scale = std::max(scale, std::abs(x));
    }
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const auto a = static_cast<std::size_t>(std::min(i, j));
        const auto b = static_cast<std::size_t>(std::max(i, j));
        m(i, j) = I[a][b] / scale;
      }
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(m);
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      p.moments[at] = eigen.eigenvalues()(k) * scale;
      for (int i = 0; i < 3; ++i) {
        p.axes[static_cast<std::size_t>(i)][at] = eigen.eigenvectors()(i, k);
      }
    }
    if (eigen.eigenvectors().determinant() < 0.) {  // make it right-handed
      for (auto& row : p.axes) row[2] = -row[2];
    }
  }
  const double most = *std::max_element(p.moments.begin(), p.moments.end());
  const double least = *std::min_element(p.moments.begin(), p.moments.end());
  if (!(least >= -rounding * most)) {
    throw InputError(field, "must be positive semidefinite, got a principal moment " +
                                shortest(least) + " kg m^2");
  }
  // No body has a principal moment above the sum of the others. Tabulated values are rounded, so
  // allow a per cent.
  constexpr double per_cent = 1e-2;
  const double others = p.moments[0] + p.moments[1] + p.moments[2] - most;
  if (!(most <= (1. + per_cent) * others)) {
    throw InputError(field, "no body has a principal moment above the sum of the others, got " +
                                shortest(most) + " above " + shortest(others) + " kg m^2");
  }
  for (double& moment : p.moments) {
    if (moment <= rounding * most) moment = 0.;
  }
  return p;
}

/// Orthonormalizes a rotation matrix given to six digits.
Mat3 rotation_matrix(const Mat3& R, const std::string& field) {
  World3 x{R[0][0], R[1][0], R[2][0]};
  World3 y{R[0][1], R[1][1], R[2][1]};
  const World3 z{R[0][2], R[1][2], R[2][2]};
  require_finite(x, field);
  require_finite(y, field);
  require_finite(z, field);
  const World3 right = cross(x, y);
  const bool good =
      std::abs(length(x) - 1.) <= six_digits && std::abs(length(y) - 1.) <= six_digits &&
      std::abs(dot(x, y)) <= six_digits && std::abs(right[0] - z[0]) <= 4. * six_digits &&
      std::abs(right[1] - z[1]) <= 4. * six_digits && std::abs(right[2] - z[2]) <= 4. * six_digits;
  if (!good) throw InputError(field, "must be a rotation: right-handed axes of length 1");
  x = unit(x, field);
  const double part = dot(x, y);
  y = unit({y[0] - part * x[0], y[1] - part * x[1], y[2] - part * x[2]}, field);
  const World3 exact = cross(x, y);
  return {{{x[0], y[0], exact[0]}, {x[1], y[1], exact[1]}, {x[2], y[2], exact[2]}}};
}

}  // namespace

Mat3 rotation(const World3& axis, double c, double s, const std::string& field) {
  const World3 a = unit(axis, field);
  const double v = 1. - c;
  return {{{c + v * a[0] * a[0], v * a[0] * a[1] - s * a[2], v * a[0] * a[2] + s * a[1]},
           {v * a[1] * a[0] + s * a[2], c + v * a[1] * a[1], v * a[1] * a[2] - s * a[0]},
           {v * a[2] * a[0] - s * a[1], v * a[2] * a[1] + s * a[0], c + v * a[2] * a[2]}}};
}

Mat3 rotation(const World3& axis, double angle, const std::string& field) {
  require_finite(angle, field);
  return rotation(axis, std::cos(angle), std::sin(angle), field);
}

Mat3 rotation(const std::array<double, 4>& quaternion, const std::string& field) {
  double square = 0.;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!std::isfinite(quaternion[k])) {
      throw InputError(field + "[" + std::to_string(k) + "]", quaternion[k], "a finite number");
    }
    square += quaternion[k] * quaternion[k];
  }
  const double size = std::sqrt(square);
  if (!(std::abs(size - 1.) <= six_digits)) {
    throw InputError(field, "must have length 1 (w, x, y, z), got " + shortest(size));
  }
  const double w = quaternion[0] / size, x = quaternion[1] / size, y = quaternion[2] / size,
               z = quaternion[3] / size;
  return {{{1. - 2. * (y * y + z * z), 2. * (x * y - w * z), 2. * (x * z + w * y)},
           {2. * (x * y + w * z), 1. - 2. * (x * x + z * z), 2. * (y * z - w * x)},
           {2. * (x * z - w * y), 2. * (y * z + w * x), 1. - 2. * (x * x + y * y)}}};
}

Mat3 rotation_to(const World3& direction, const std::string& field) {
  const World3 d = unit(direction, field);
  // About z x d = (-d_y, d_x, 0), whose length is the sine.
  const double sine = std::hypot(d[0], d[1]);
  if (sine == 0.) return d[2] > 0. ? identity3 : rotation({1., 0., 0.}, -1., 0., field);
  return rotation({-d[1], d[0], 0.}, d[2], sine, field);
}

Mat3 world_inertia(const Mat3& inertia, const Mat3& orientation, const std::string& field) {
  const Principal p = principal(inertia, field + ".inertia");
  for (const double moment : p.moments) {
    if (moment > 0.) continue;
    throw InputError(field + ".inertia",
                     "must be > 0 about every axis, got 0 about one: give a body without thickness "
                     "its own inertia");
  }
  const Mat3 axes = product(rotation_matrix(orientation, field + ".orientation"), p.axes);
  if (p.moments[0] == p.moments[1] && p.moments[0] == p.moments[2]) {  // isotropic
    return {{{p.moments[0], 0., 0.}, {0., p.moments[0], 0.}, {0., 0., p.moments[0]}}};
  }
  Mat3 I{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) I[i][j] += axes[i][k] * p.moments[k] * axes[j][k];
      I[j][i] = I[i][j];
    }
  }
  return I;
}

BodiesAtImpact::Ready BodiesAtImpact::make_ready(const SpatialBody& b, const std::string& field,
                                                 double side) {
  if (!(b.mass > 0. && std::isfinite(b.mass))) {
    throw InputError(field + ".mass", b.mass, "a finite number > 0");
  }
  require_finite(b.contact_offset, field + ".contact_offset");
  require_finite(b.velocity, field + ".velocity");
  require_finite(b.spin, field + ".spin");
  const Principal p = principal(b.inertia, field + ".inertia");
  Ready r;
  r.mass = b.mass;
  r.axes = product(rotation_matrix(b.orientation, field + ".orientation"), p.axes);
  r.moments = p.moments;
  r.offset = into(r.axes, b.contact_offset);
  r.side = side;
  r.before = {.velocity = b.velocity, .spin = b.spin};
  const double reach = length(r.offset);
  for (std::size_t k = 0; k < 3; ++k) {
    if (r.moments[k] > 0.) continue;
    World3 beside = r.offset;  // its component perpendicular to the axis
    beside[k] = 0.;
    if (length(beside) <= six_digits * reach) continue;
    throw InputError(field + ".contact_offset",
                     "must lie on the axis about which the body has no inertia, got one " +
                         shortest(length(beside)) +
                         " m away from it: an impulse there would give it an infinite spin");
  }
  return r;
}

BodiesAtImpact::BodiesAtImpact(const SpatialBodies& bodies, const std::string& frame_prefix)
    : size_(bodies.second ? 2 : 1),
      frame_(checked(bodies.frame, frame_prefix)),
      surface_velocity_(bodies.surface_velocity) {
  bodies_[0] = make_ready(bodies.first, "bodies[0]", 1.);
  if (bodies.second) bodies_[1] = make_ready(*bodies.second, "bodies[1]", -1.);
  bodies_[0].name = !bodies.first.name.empty() ? bodies.first.name
                    : bodies.second            ? "body 1"
                                               : "body";
  if (bodies.second) {
    bodies_[1].name = bodies.second->name.empty() ? "body 2" : bodies.second->name;
  }
  require_finite(surface_velocity_, "surface_velocity");
  surface_moves_ = surface_velocity_ != World3{};
  if (surface_moves_ && bodies.second) {
    throw InputError("surface_velocity", "is for one body that strikes a surface, got two bodies");
  }
  reduce();
}

void BodiesAtImpact::reduce() {
  const std::array<World3, 3> directions = {frame_.normal, frame_.tangent1, frame_.tangent2};
  Mat3 G{};
  Mat3 spin_G{};
  Mat3& cross_G = contact_.spin.cross;
  World3 approach{};
  World3 spin{};
  World3 inverse_inertia{};  // 1/I_jj, summed over the bodies
  bool whole = true;
  for (std::size_t b = 0; b < size_; ++b) {
    const Ready& body = bodies_[b];
    // Rows of Y, so that G = Y^T Y is symmetric and semidefinite by construction: the direction
    // over sqrt(m), and its moment about the mass centre over sqrt(I) for each principal axis. For
    // S the direction itself, for couples.
    std::array<World3, 3> turn{};   // Y's rows of rotation, [direction][axis]
    std::array<World3, 3> twist{};  // S
    const World3 contact_velocity = [&] {
      const World3 w = into(body.axes, body.before.spin);
      const World3 v = out_of(body.axes, cross(w, body.offset));
      return World3{body.before.velocity[0] + v[0], body.before.velocity[1] + v[1],
                    body.before.velocity[2] + v[2]};
    }();
    for (std::size_t d = 0; d < 3; ++d) {
      const World3 local = into(body.axes, directions[d]);
      const World3 moment = cross(body.offset, local);
      double about = 0.;
      for (std::size_t k = 0; k < 3; ++k) {
        about += body.moments[k] * local[k] * local[k];
        if (!(body.moments[k] > 0.)) {
          whole = false;
          continue;
        }
        const double root = std::sqrt(body.moments[k]);
        turn[d][k] = moment[k] / root;
        twist[d][k] = local[k] / root;
      }
      inverse_inertia[d] += about > 0. ? 1. / about : 0.;
      approach[d] += body.side * dot(directions[d], contact_velocity);
      spin[d] += body.side * dot(directions[d], body.before.spin);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        cross_G[i][j] += dot(turn[i], twist[j]);
        if (j < i) continue;
        // directions[i].directions[j] is 1 or 0 to rounding.
        G[i][j] += (i == j ? 1. / body.mass : 0.) + dot(turn[i], turn[j]);
        spin_G[i][j] += dot(twist[i], twist[j]);
      }
    }
  }
  for (std::size_t d = 0; d < 3; ++d) approach[d] -= dot(directions[d], surface_velocity_);
  const auto upper = [](const Mat3& m) {
    return Sym3{.nn = m[0][0],
                .n1 = m[0][1],
                .n2 = m[0][2],
                .t11 = m[1][1],
                .t12 = m[1][2],
                .t22 = m[2][2]};
  };
  contact_.G = upper(G);
  contact_.approach = {.n = approach[0], .t1 = approach[1], .t2 = approach[2]};
  if (!whole) {
    contact_.spin = {};
    return;
  }
  contact_.spin.G = upper(spin_G);
  contact_.spin.approach = {.n = spin[0], .t1 = spin[1], .t2 = spin[2]};
  // I1 I2/(I1 + I2) of the diagonal entries.
  contact_.spin.inertia = {
      .n = 1. / inverse_inertia[0], .t1 = 1. / inverse_inertia[1], .t2 = 1. / inverse_inertia[2]};
  contact_.spin.known = true;
}

SpatialMotion BodiesAtImpact::after(std::size_t i, const Vec3& impulse, const Vec3& couple) const {
  const Ready& b = bodies_[i];
  const World3 push = in_world(frame_, impulse);
  const World3 moment = cross(b.offset, into(b.axes, push));
  const World3 turned = into(b.axes, in_world(frame_, couple));
  World3 change{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (b.moments[k] > 0.) change[k] = (moment[k] + turned[k]) / b.moments[k];
  }
  const World3 spin = out_of(b.axes, change);
  SpatialMotion m = b.before;
  for (std::size_t k = 0; k < 3; ++k) {
    m.velocity[k] += b.side * push[k] / b.mass;
    m.spin[k] += b.side * spin[k];
  }
  return m;
}

KineticParts BodiesAtImpact::energy(std::size_t i, const SpatialMotion& m) const {
  const Ready& b = bodies_[i];
  const World3 w = into(b.axes, m.spin);
  KineticParts parts{.translation = 0.5 * b.mass * dot(m.velocity, m.velocity), .rotation = 0.};
  for (std::size_t k = 0; k < 3; ++k) parts.rotation += 0.5 * b.moments[k] * w[k] * w[k];
  return parts;
}

}  // namespace carom
