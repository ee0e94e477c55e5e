// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_bodies.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>

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

namespace {

/// A body in its principal axes.
struct Ready {
  double mass = 1.;
  Mat3 axes{};       ///< columns: principal axes in the world
  World3 moments{};  ///< about the principal axes; zero: no inertia
  World3 offset{};   ///< to the contact, in principal axes
};

Ready make_ready(const SpatialBody& b, const std::string& field) {
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

/// M, W and M^-1 W of one body, and its part of contact space.
class Reduction {
 public:
  explicit Reduction(Eigen::Index bodies, const ContactFrame& frame)
      : M_(Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies)),
        W_(6 * bodies, 6),
        response_(6 * bodies, 6),
        directions_{frame.normal, frame.tangent1, frame.tangent2} {
    W_.setZero();
    response_.setZero();
  }

  /// @param side  +1 the first, -1 the second
  void add(const Ready& body, const SpatialBody& given, Eigen::Index at, double side) {
    // Rows of Y, so that G = Y^T Y is symmetric and semidefinite by construction: the direction
    // over sqrt(m), and its moment about the mass centre over sqrt(I) for each principal axis. For
    // S the direction itself, for couples.
    std::array<World3, 3> turn{};   // Y's rows of rotation, [direction][axis]
    std::array<World3, 3> twist{};  // S
    const World3 w = into(body.axes, given.spin);
    const World3 turning = out_of(body.axes, cross(w, body.offset));
    const World3 contact_velocity{given.velocity[0] + turning[0], given.velocity[1] + turning[1],
                                  given.velocity[2] + turning[2]};
    for (std::size_t d = 0; d < 3; ++d) {
      const World3 local = into(body.axes, directions_[d]);
      const World3 moment = cross(body.offset, local);
      World3 by_push{}, by_couple{};  // changes of spin
      double about = 0.;
      for (std::size_t k = 0; k < 3; ++k) {
        about += body.moments[k] * local[k] * local[k];
        if (!(body.moments[k] > 0.)) {
          whole_ = false;
          continue;
        }
        const double root = std::sqrt(body.moments[k]);
        turn[d][k] = moment[k] / root;
        twist[d][k] = local[k] / root;
        by_push[k] = moment[k] / body.moments[k];
        by_couple[k] = local[k] / body.moments[k];
      }
      inverse_inertia_[d] += about > 0. ? 1. / about : 0.;
      approach_[d] += side * dot(directions_[d], contact_velocity);
      spin_[d] += side * dot(directions_[d], given.spin);
      const auto column = static_cast<Eigen::Index>(d);
      const auto set = [&](Eigen::MatrixXd& X, Eigen::Index row, Eigen::Index col,
                           const World3& v) {
        for (std::size_t k = 0; k < 3; ++k)
          X(row + static_cast<Eigen::Index>(k), col) = side * v[k];
      };
      set(W_, at, column, directions_[d]);
      set(W_, at + 3, column, out_of(body.axes, moment));
      set(W_, at + 3, column + 3, directions_[d]);
      set(response_, at, column, directions_[d]);
      response_.block<3, 1>(at, column) /= body.mass;
      set(response_, at + 3, column, out_of(body.axes, by_push));
      set(response_, at + 3, column + 3, out_of(body.axes, by_couple));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const auto row = at + static_cast<Eigen::Index>(i);
      M_(row, row) = body.mass;
      for (std::size_t j = 0; j < 3; ++j) {
        const auto column = at + static_cast<Eigen::Index>(j);
        for (std::size_t k = 0; k < 3; ++k) {
          M_(row + 3, column + 3) += body.axes[i][k] * body.moments[k] * body.axes[j][k];
        }
        cross_G_[i][j] += dot(turn[i], twist[j]);
        if (j < i) continue;
        // directions[i].directions[j] is 1 or 0 to rounding.
        G_[i][j] += (i == j ? 1. / body.mass : 0.) + dot(turn[i], turn[j]);
        spin_G_[i][j] += dot(twist[i], twist[j]);
      }
    }
  }

  void finish(const World3& surface_velocity, SystemAtImpact& s) const {
    const auto upper = [](const Mat3& m) {
      return Sym3{.nn = m[0][0],
                  .n1 = m[0][1],
                  .n2 = m[0][2],
                  .t11 = m[1][1],
                  .t12 = m[1][2],
                  .t22 = m[2][2]};
    };
    World3 support{};
    for (std::size_t d = 0; d < 3; ++d) support[d] = dot(directions_[d], surface_velocity);
    SpatialProblem p{.G = upper(G_),
                     .approach = {.n = approach_[0] - support[0],
                                  .t1 = approach_[1] - support[1],
                                  .t2 = approach_[2] - support[2]},
                     .surface = {}};
    if (whole_) {
      // I1 I2/(I1 + I2) of the diagonal entries.
      p.spin = {.cross = cross_G_,
                .G = upper(spin_G_),
                .approach = {.n = spin_[0], .t1 = spin_[1], .t2 = spin_[2]},
                .inertia = {.n = 1. / inverse_inertia_[0],
                            .t1 = 1. / inverse_inertia_[1],
                            .t2 = 1. / inverse_inertia_[2]},
                .known = true};
      s.W_spin = W_.rightCols(3);
    }
    if (surface_velocity != World3{}) s.support_velocity.assign(support.begin(), support.end());
    assign(s.problem, p);
    s.M = M_.sparseView();
    s.W = W_.leftCols(3).sparseView();
    s.response = response_.leftCols(whole_ ? 6 : 3);
  }

 private:
  Eigen::MatrixXd M_, W_, response_;  ///< W and response: of impulses, then of couples
  std::array<World3, 3> directions_;
  Mat3 G_{}, spin_G_{}, cross_G_{};
  World3 approach_{}, spin_{};
  World3 inverse_inertia_{};  ///< 1/I_jj, summed over the bodies
  bool whole_ = true;
};

}  // namespace

SystemAtImpact at_impact(const SpatialBodies& bodies, const std::string& frame_prefix) {
  const Eigen::Index count = bodies.second ? 2 : 1;
  Reduction reduction(count, checked(bodies.frame, frame_prefix));
  SystemAtImpact s;
  s.names = {""};
  for (Eigen::Index i = 0; i < count; ++i) {
    const SpatialBody& b = i == 0 ? bodies.first : *bodies.second;
    reduction.add(make_ready(b, i == 0 ? "bodies[0]" : "bodies[1]"), b, 6 * i, i == 0 ? 1. : -1.);
    const std::string name = body_name(b.name, i, count);
    s.bodies.push_back({.name = name, .first = s.u.size(), .translations = 3, .rotations = 3});
    for (const char* axis : {"x", "y", "z"}) s.coordinates.push_back({name + " v_" + axis, "m/s"});
    for (const char* axis : {"x", "y", "z"}) {
      s.coordinates.push_back({name + " spin_" + axis, "rad/s"});
    }
    s.u.insert(s.u.end(), b.velocity.begin(), b.velocity.end());
    s.u.insert(s.u.end(), b.spin.begin(), b.spin.end());
  }
  require_finite(bodies.surface_velocity, "surface_velocity");
  if (bodies.second && bodies.surface_velocity != World3{}) {
    throw InputError("surface_velocity", "is for one body that strikes a surface, got two bodies");
  }
  reduction.finish(bodies.surface_velocity, s);
  return s;
}

}  // namespace carom
