// SPDX-License-Identifier: Apache-2.0
// Validation of a scene in space, its known contacts, and its reference scales.
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/mechanics/spatial_turning.hpp>

namespace carom {
namespace {

namespace space = shapes::space;
using turning::M3;

turning::V3 eigen(const World3& a) { return {a[0], a[1], a[2]}; }

M3 matrix(const Mat3& a) {
  M3 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      m(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  return m;
}

void require_sizes(const space::Solid& solid, const std::string& field) {
  const auto positive = [&](double x, const char* key) {
    if (!(x > 0. && std::isfinite(x))) throw InputError(field + key, x, "a finite number > 0");
  };
  if (const auto* box = std::get_if<space::Box>(&solid)) {
    for (const double x : box->size) positive(x, ".size");
  } else if (const auto* cylinder = std::get_if<space::Cylinder>(&solid)) {
    positive(cylinder->radius, ".radius");
    positive(cylinder->length, ".length");
  } else if (const auto* capsule = std::get_if<space::Capsule>(&solid)) {
    positive(capsule->radius, ".radius");
    positive(capsule->length, ".length");
  } else if (const auto* sphere = std::get_if<space::Sphere>(&solid)) {
    positive(sphere->radius, ".radius");
  } else if (const auto* disc = std::get_if<space::Disc>(&solid)) {
    positive(disc->radius, ".radius");
  } else if (const auto* rod = std::get_if<space::Rod>(&solid)) {
    positive(rod->length, ".length");
  }
}

void require_rotation(const Mat3& orientation, const std::string& field) {
  const M3 R = matrix(orientation);
  constexpr double slack = 1e-6;
  if (!(M3(R.transpose() * R - M3::Identity()).cwiseAbs().maxCoeff() <= slack) ||
      !(R.determinant() > 0.)) {
    throw InputError(field + ".orientation", "must be a rotation");
  }
}

void require_drag(const Drag& drag, const std::string& field) {
  const auto check = [&](double x, const char* key) {
    if (!(x >= 0. && std::isfinite(x))) {
      throw InputError(field + ".drag." + key, x, "a finite number >= 0");
    }
  };
  check(drag.linear, "linear");
  check(drag.quadratic, "quadratic");
  check(drag.spin_linear, "spin_linear");
  check(drag.spin_quadratic, "spin_quadratic");
}

bool is_rod(const SpatialMover& mover) { return std::holds_alternative<space::Rod>(mover.solid); }

void require_across(const SpatialMover& mover, const std::string& field) {
  const turning::V3 axis = matrix(mover.orientation).col(2);
  const turning::V3 spin = eigen(mover.spin);
  constexpr double slack = 1e-6;  // given spins are rounded
  if (std::abs(axis.dot(spin)) > slack * spin.norm()) {
    throw InputError(field + ".spin",
                     "must be across a rod, which has no thickness to spin about its own axis");
  }
}

M3 checked_inertia(const SpatialMover& mover, const std::string& field) {
  M3 I = matrix(mover.inertia ? *mover.inertia : space::inertia_of(mover.solid, mover.mass));
  if (is_rod(mover) && !mover.inertia) I(2, 2) = I(0, 0);  // see SpatialModel
  if (mover.inertia) (void)world_inertia(*mover.inertia, mover.orientation, field);  // its checks
  return 0.5 * (I + I.transpose());
}

space::Shape faceted(space::Shape shape) {
  shape.rims.clear();
  shape.bands.clear();
  return shape;
}

/// Whether two moments are the same but for rounding, and products of inertia nothing else.
bool same(double a, double b, double size) { return std::abs(a - b) <= rounding * size; }

/// Tables have a column for each known contact: beyond this there are none.
constexpr std::size_t most_known = 1000;

}  // namespace

SpatialModel::Body SpatialModel::ready(const SpatialMover& mover, const std::string& field) const {
  if (!(mover.mass > 0. && std::isfinite(mover.mass))) {
    throw InputError(field + ".mass", mover.mass, "a finite number > 0");
  }
  if (std::holds_alternative<space::HalfSpace>(mover.solid)) {
    throw InputError(field + ".solid", "must be bounded, got a half space");
  }
  require_sizes(mover.solid, field);
  require_finite(mover.position, field + ".position");
  require_finite(mover.velocity, field + ".velocity");
  require_finite(mover.spin, field + ".spin");
  require_rotation(mover.orientation, field);
  require_drag(mover.drag, field);
  if (is_rod(mover) && !mover.inertia) require_across(mover, field);
  const bool has_rim = std::holds_alternative<space::Cylinder>(mover.solid) ||
                       std::holds_alternative<space::Disc>(mover.solid) ||
                       std::holds_alternative<space::Cone>(mover.solid);
  if (mover.rim_points != 0 && (!has_rim || mover.rim_points < 3)) {
    throw InputError(field + ".rim_points",
                     has_rim ? "must be 0 or at least 3, got " + std::to_string(mover.rim_points)
                             : "is for cylinders, discs and cones");
  }
  space::ShapeOptions options{.offset = mover.offset};
  if (mover.rim_points != 0) options.rim_points = mover.rim_points;
  Body body;
  body.mass = mover.mass;
  body.shape = space::shape_of(mover.solid, options, field + ".");
  body.inertia = checked_inertia(mover, field);
  body.inertia_inverse = body.inertia.inverse();
  body.sphere = std::holds_alternative<space::Sphere>(mover.solid);
  body.centred = body.sphere && mover.offset == World3{};
  if (body.shape.round()) {
    body.faceted = faceted(body.shape);
    body.moving_rim = mover.rim_points == 0;
  }
  body.features = body.moving_rim ? body.shape.rims.size() : body.shape.core.vertices.size();
  const M3& I = body.inertia;
  const double most = I.cwiseAbs().maxCoeff();
  const bool diagonal =
      same(I(0, 1), 0., most) && same(I(0, 2), 0., most) && same(I(1, 2), 0., most);
  for (int k = 0; k < 3 && diagonal && body.axis < 0; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    if (!same(I(i, i), I(j, j), most)) continue;
    body.axis = k;
    body.across = I(i, i);
    body.along = I(k, k);
    body.round = same(body.across, body.along, most);
  }
  return body;
}

SpatialModel::Ground SpatialModel::ready(SpatialGround& piece, const std::string& field) const {
  require_finite(piece.position, field + ".position");
  require_finite(piece.belt_velocity, field + ".belt_velocity");
  require_rotation(piece.orientation, field);
  prepare(piece.motion, field + ".motion");
  require_sizes(piece.solid, field);
  Ground ground;
  ground.belt = space::vector(piece.belt_velocity);
  ground.pose.position = space::vector(piece.position);
  const Mat3& R = piece.orientation;
  for (std::size_t k = 0; k < 3; ++k) ground.pose.turn.axes[k] = {R[0][k], R[1][k], R[2][k]};
  const auto* half = std::get_if<space::HalfSpace>(&piece.solid);
  ground.plane = half != nullptr;
  if (!half) {
    ground.shape = space::shape_of(piece.solid, {}, field + ".");
    if (ground.shape.round()) ground.faceted = faceted(ground.shape);
    return ground;
  }
  // Its frame is that of its normal in the world.
  World3 n = unit(half->normal, field + ".normal");
  if (R != identity3) n = space::world(ground.pose.turn * space::vector(n));
  const ContactFrame frame = frame_of(n);
  n = frame.normal;
  ground.shape = space::shape_of(space::HalfSpace{.normal = n}, {}, field + ".");
  ground.pose.turn = {};
  ground.axes = {space::vector(frame.normal), space::vector(frame.tangent1),
                 space::vector(frame.tangent2)};
  ground.offset = dot(n, piece.position);
  return ground;
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
    flies_ = flies_ && body.axis >= 0 && !mover.drag.any();
    const double size = body.shape.bounding_radius;
    length_ = std::max(length_, size);
    speed = std::max({speed, length(mover.velocity), size * length(mover.spin)});
  }
  for (std::size_t g = 0; g < scene_.ground.size(); ++g) {
    SpatialGround& piece = scene_.ground[g];
    const std::string number = std::to_string(g);
    const bool plane = std::holds_alternative<space::HalfSpace>(piece.solid);
    if (piece.name.empty()) piece.name = (plane ? "plane" : "ground") + std::to_string(g + 1);
    ground_.push_back(ready(piece, "ground[" + number + "]"));
    ground_.back().planes_before = planes_;
    planes_ += plane ? 1 : 0;
    moves_ = moves_ || piece.motion.moves();
    flies_ = flies_ && piece.motion.is_uniform();
  }
  number_contacts();
  const double g = length(scene_.gravity);
  acceleration_ = g > 0. ? g : speed * speed / length_;
  if (!(acceleration_ > 0. && std::isfinite(acceleration_))) acceleration_ = 1.;  // nothing moves
}

void SpatialModel::number_contacts() {
  const std::size_t all_spheres = static_cast<std::size_t>(
      std::count_if(bodies_.begin(), bodies_.end(), [](const Body& b) { return b.sphere; }));
  std::size_t sphere_pairs = 0;
  for (Body& body : bodies_) {
    body.features_before = plane_features_;
    body.spheres_before = spheres_;
    body.pairs_before = sphere_pairs;
    plane_features_ += body.features;
    if (!body.sphere) continue;
    ++spheres_;
    if (scene_.bodies_strike) sphere_pairs += all_spheres - spheres_;
  }
  const std::size_t n = bodies_.size();
  const std::size_t pairs = row_begin(n);
  if (planes_ * plane_features_ + sphere_pairs > most_known) {
    surfaces_ = pairs;
    return;
  }
  const auto number = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  for (std::size_t g = 0; g < ground_.size(); ++g) {
    for (std::size_t b = 0; b < n && ground_[g].plane; ++b) {
      for (std::size_t k = 0; k < bodies_[b].features; ++k) {
        known_.push_back({.pair = {.first = number(b), .second = number(n + g)},
                          .features = packed(plane_feature(bodies_[b], k))});
      }
    }
  }
  const FeaturePair centres{.kind = space::PairKind::vertex_vertex};
  for (std::size_t i = 0; i < n && scene_.bodies_strike; ++i) {
    for (std::size_t j = i + 1; j < n && bodies_[i].sphere; ++j) {
      if (!bodies_[j].sphere) continue;
      known_.push_back(
          {.pair = {.first = number(i), .second = number(j)}, .features = packed(centres)});
    }
  }
  surfaces_ = known_.size() + pairs - (known_.empty() ? 0 : n * planes_ + sphere_pairs);
}

State SpatialModel::start() const {
  State s;
  s.q.resize(ix(positions()));
  s.u.resize(ix(velocities()));
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const SpatialMover& mover = scene_.bodies[i];
    const M3 R = matrix(mover.orientation);
    turning::V3 spin = eigen(mover.spin);
    if (is_rod(mover) && !mover.inertia)
      spin -= R.col(2).dot(spin) * turning::V3(R.col(2));  // rounding errors
    s.q.segment<3>(ix(7 * i)) = eigen(mover.position);
    s.q.segment<4>(ix(7 * i + 3)) = turning::quaternion(R);
    s.u.segment<3>(ix(6 * i)) = eigen(mover.velocity);
    s.u.segment<3>(ix(6 * i + 3)) = spin;
  }
  return s;
}

}  // namespace carom
