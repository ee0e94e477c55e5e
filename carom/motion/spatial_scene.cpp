// SPDX-License-Identifier: Apache-2.0
// Validation of a scene in space, its candidate contacts, and its reference scales.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/spatial_turning.hpp>

namespace carom::motion {
namespace {

using turning::M3;
using turning::V3;

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

V3 vec(const World3& a) { return {a[0], a[1], a[2]}; }

M3 matrix(const Mat3& a) {
  M3 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return m;
}

double reach_of(const SpatialShape& shape) {
  struct Reach {
    double operator()(const SphereShape& s) const { return s.radius; }
    double operator()(const BoxShape& s) const { return 0.5 * length(s.size); }
    double operator()(const CylinderShape& s) const { return std::hypot(s.radius, s.length / 2.); }
    double operator()(const CapsuleShape& s) const { return s.radius + s.length / 2.; }
    double operator()(const RodShape& s) const { return s.length / 2.; }
    double operator()(const DiscShape& s) const { return s.radius; }
  };
  return std::visit(Reach{}, shape);
}

void require_sizes(const SpatialShape& shape, const std::string& field) {
  const auto positive = [&](double x, const char* key) {
    if (!(x > 0. && std::isfinite(x))) throw InputError(field + key, x, "a finite number > 0");
  };
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    for (const double x : box->size) positive(x, ".size");
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    positive(cylinder->radius, ".radius");
    positive(cylinder->length, ".length");
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    positive(capsule->radius, ".radius");
    positive(capsule->length, ".length");
  } else {
    positive(reach_of(shape), std::holds_alternative<RodShape>(shape) ? ".length" : ".radius");
  }
}

bool is_rod(const SpatialMover& mover) { return std::holds_alternative<RodShape>(mover.shape); }

void require_across(const SpatialMover& mover, const std::string& field) {
  const V3 axis = matrix(mover.orientation).col(2);
  const V3 spin = vec(mover.spin);
  constexpr double slack = 1e-6;  // given spins are rounded
  if (std::abs(axis.dot(spin)) > slack * spin.norm()) {
    throw InputError(field + ".spin",
                     "must be across a rod, which has no thickness to spin about its own axis");
  }
}

M3 checked_inertia(const SpatialMover& mover, const std::string& field) {
  M3 I = matrix(mover.inertia ? *mover.inertia : inertia_of(mover.shape, mover.mass));
  if (is_rod(mover)) {
    if (mover.inertia) throw InputError(field + ".inertia", "is given by the shape 'rod'");
    I(2, 2) = I(0, 0);  // see SpatialModel
  }
  const double most = I.cwiseAbs().maxCoeff();
  M3 factors = I;
  constexpr double slack = 1e-9;
  if (!I.allFinite() || !(most > 0.) || (I - I.transpose()).cwiseAbs().maxCoeff() > slack * most ||
      !(least_pivot(factors) > 0.)) {
    throw InputError(field + ".inertia", "must be symmetric and positive definite");
  }
  return 0.5 * (I + I.transpose());
}

}  // namespace

SpatialModel::Body SpatialModel::ready(const SpatialMover& mover, const std::string& field) const {
  if (!(mover.mass > 0. && std::isfinite(mover.mass))) {
    throw InputError(field + ".mass", mover.mass, "a finite number > 0");
  }
  require_sizes(mover.shape, field);
  require_finite(mover.position, field + ".position");
  require_finite(mover.velocity, field + ".velocity");
  require_finite(mover.spin, field + ".spin");
  const M3 R = matrix(mover.orientation);
  constexpr double slack = 1e-6;
  if (!(M3(R.transpose() * R - M3::Identity()).cwiseAbs().maxCoeff() <= slack) ||
      !(R.determinant() > 0.)) {
    throw InputError(field + ".orientation", "must be a rotation");
  }
  if (is_rod(mover)) require_across(mover, field);
  const bool has_rim = std::holds_alternative<CylinderShape>(mover.shape) ||
                       std::holds_alternative<DiscShape>(mover.shape);
  if (mover.rim_points != 0 && (!has_rim || mover.rim_points < 3)) {
    throw InputError(field + ".rim_points",
                     has_rim ? "must be 0 or at least 3, got " + std::to_string(mover.rim_points)
                             : "is for cylinders and discs");
  }
  Body body;
  body.mass = mover.mass;
  body.inertia = checked_inertia(mover, field);
  body.reach = reach_of(mover.shape);
  const M3& I = body.inertia;
  const bool diagonal = I(0, 1) == 0. && I(0, 2) == 0. && I(1, 2) == 0.;
  for (int k = 0; k < 3 && diagonal && body.axis < 0; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (I(i, i) != I(j, j)) continue;
    body.axis = k;
    body.across = I(i, i);
    body.along = I(k, k);
    body.round = body.across == body.along;
  }
  return body;
}

void SpatialModel::add_candidates(std::size_t b, std::size_t p) {
  const SpatialMover& mover = scene_.bodies[b];
  const std::size_t before = candidates_.size();
  const auto point = [&](const World3& at, double radius) {
    candidates_.push_back(
        {.kind = Kind::point, .first = b, .second = p, .at = at, .radius = radius});
  };
  const auto rim = [&](double height, double radius) {
    if (mover.rim_points == 0) {
      candidates_.push_back(
          {.kind = Kind::rim, .first = b, .second = p, .height = height, .radius = radius});
      return;
    }
    for (std::size_t k = 0; k < mover.rim_points; ++k) {
      const double angle =
          2. * std::numbers::pi * static_cast<double>(k) / static_cast<double>(mover.rim_points);
      point({radius * std::cos(angle), radius * std::sin(angle), height}, 0.);
    }
  };
  if (const auto* sphere = std::get_if<SphereShape>(&mover.shape)) {
    point({}, sphere->radius);
  } else if (const auto* box = std::get_if<BoxShape>(&mover.shape)) {
    const World3 half{box->size[0] / 2., box->size[1] / 2., box->size[2] / 2.};
    for (const double z : {-half[2], half[2]}) {
      for (const double y : {-half[1], half[1]}) {
        for (const double x : {-half[0], half[0]}) point({x, y, z}, 0.);
      }
    }
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&mover.shape)) {
    rim(-cylinder->length / 2., cylinder->radius);
    rim(cylinder->length / 2., cylinder->radius);
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&mover.shape)) {
    point({0., 0., -capsule->length / 2.}, capsule->radius);
    point({0., 0., capsule->length / 2.}, capsule->radius);
  } else if (const auto* rod = std::get_if<RodShape>(&mover.shape)) {
    point({0., 0., -rod->length / 2.}, 0.);
    point({0., 0., rod->length / 2.}, 0.);
  } else {
    rim(0., std::get<DiscShape>(mover.shape).radius);
  }
  const std::size_t count = candidates_.size() - before;
  for (std::size_t k = 0; k < count; ++k) {
    std::string& name = candidates_[before + k].name;
    name = mover.name;
    name.append("-").append(scene_.planes[p].name);
    if (count > 1) name.append(" ").append(std::to_string(k + 1));
  }
}

SpatialModel::SpatialModel(SpatialScene scene) : scene_(std::move(scene)) {
  if (scene_.bodies.empty()) throw InputError("bodies", "must have at least one body, got none");
  require_finite(scene_.gravity, "gravity");
  length_ = 0.;
  double speed = 0.;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    SpatialMover& mover = scene_.bodies[i];
    if (mover.name.empty()) mover.name = "body" + std::to_string(i + 1);
    bodies_.push_back(ready(mover, "bodies[" + std::to_string(i) + "]"));
    const Body& body = bodies_.back();
    flies_ = flies_ && body.axis >= 0;
    length_ = std::max(length_, body.reach);
    speed = std::max({speed, length(mover.velocity), body.reach * length(mover.spin)});
  }
  for (std::size_t p = 0; p < scene_.planes.size(); ++p) {
    SpatialPlane& plane = scene_.planes[p];
    const std::string field = "planes[" + std::to_string(p) + "]";
    if (plane.name.empty()) plane.name = "plane" + std::to_string(p + 1);
    const World3 n = unit(plane.normal, field + ".normal");
    require_finite(plane.through, field + ".through");
    require_finite(plane.velocity, field + ".velocity");
    planes_.push_back(
        {.frame = frame_of(n), .offset = dot(n, plane.through), .velocity = plane.velocity});
    for (std::size_t b = 0; b < bodies_.size(); ++b) add_candidates(b, p);
  }
  for (std::size_t i = 0; i < bodies_.size() && scene_.spheres_strike; ++i) {
    for (std::size_t j = i + 1; j < bodies_.size(); ++j) {
      if (!std::holds_alternative<SphereShape>(scene_.bodies[i].shape) ||
          !std::holds_alternative<SphereShape>(scene_.bodies[j].shape)) {
        continue;
      }
      candidates_.push_back({.kind = Kind::pair,
                             .first = i,
                             .second = j,
                             .name = scene_.bodies[i].name + "-" + scene_.bodies[j].name});
    }
  }
  const double g = length(scene_.gravity);
  acceleration_ = g > 0. ? g : speed * speed / length_;
  if (!(acceleration_ > 0. && std::isfinite(acceleration_))) acceleration_ = 1.;  // nothing moves
}

State SpatialModel::start() const {
  State s;
  s.q.resize(entry(positions()));
  s.u.resize(entry(velocities()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SpatialMover& mover = scene_.bodies[i];
    const M3 R = matrix(mover.orientation);
    V3 spin = vec(mover.spin);
    if (is_rod(mover)) spin -= R.col(2).dot(spin) * V3(R.col(2));  // removes rounding errors
    s.q.segment<3>(entry(7 * i)) = vec(mover.position);
    s.q.segment<4>(entry(7 * i + 3)) = turning::quaternion(R);
    s.u.segment<3>(entry(6 * i)) = vec(mover.velocity);
    s.u.segment<3>(entry(6 * i + 3)) = spin;
  }
  return s;
}

}  // namespace carom::motion
