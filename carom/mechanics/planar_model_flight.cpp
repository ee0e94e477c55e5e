// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/mechanics/planar_model.hpp>

namespace carom {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Overlap that is due to rounding, as a part of a length.
constexpr double sunk_part = 1e-13;

/// The search in free flight samples gaps: a turn of half a radian, or half of the time in which
/// gravity moves a body by its length, or half of the time in which a body passes another one.
constexpr double step_part = 0.5;

/// Keeps divisors positive.
constexpr double tiny = 1e-300;

/// The first t >= 0 at which c + b t + a t^2/2 decreases through zero. It may start below zero by
/// rounding, down to -sunk.
double falls(double c, double b, double a, double sunk) {
  if (c <= 0. && b <= 0.) {
    if (a > 0.) return c - b * b / (2. * a) < -sunk ? 0. : never;
    return b < 0. || a < 0. ? 0. : never;
  }
  const double root = b * b - 2. * a * c;
  if (a < 0.) {
    const double s = std::sqrt(std::max(0., root));
    return b > 0. ? (b + s) / -a : 2. * c / (s - b);
  }
  if (b >= 0. || root <= 0.) return never;
  return 2. * c / (std::sqrt(root) - b);
}

}  // namespace

void PlanarModel::fly(const State& from, double dt, State& to) const {
  to.time = from.time + dt;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto j = ix(3 * b + k);
      const double a = k < 2 ? scene_.gravity[k] : 0.;
      to.q(j) = from.q(j) + (from.u(j) + 0.5 * a * dt) * dt;
      to.u(j) = from.u(j) + a * dt;
    }
  }
}

// Two bodies have the same acceleration: |x + v t| = R.
std::optional<double> PlanarModel::flight_time(const BodyPair& pair, const State& from,
                                               double /*longest*/) const {
  const Body& body = bodies_[pair.first];
  if (!body.is_centred) return std::nullopt;
  const auto a = ix(3 * std::size_t{pair.first});
  if (is_ground(pair.second)) {
    const Piece& plane = piece(pair.second);
    if (!plane.is_half_plane) return std::nullopt;
    const Point& n = plane.normal;
    double v = n.x * from.u(a) + n.y * from.u(a + 1);
    if (plane.moves) v -= dot(n, support_at(pair.second, from.time).velocity);
    const double g = n.x * scene_.gravity[0] + n.y * scene_.gravity[1];
    return falls(height(pair.first, pair.second, from) - body.radius, v, g, sunk_part * length_);
  }
  const Body& other = bodies_[pair.second];
  if (!other.is_centred) return std::nullopt;
  const auto b = ix(3 * std::size_t{pair.second});
  const Point x{from.q(a) - from.q(b), from.q(a + 1) - from.q(b + 1)};
  const Point v{from.u(a) - from.u(b), from.u(a + 1) - from.u(b + 1)};
  const double distance = length(x);
  const double reach = body.radius + other.radius;
  return falls((distance - reach) * (distance + reach), 2. * dot(x, v), 2. * dot(v, v),
               sunk_part * length_ * reach);
}

// Bounding circles of bodies. A piece of finite size is within a box: as long as the circle is
// beyond one of the lines of its sides, they do not touch.
double PlanarModel::free_time(const BodyPair& pair, const State& from) const {
  const Body& body = bodies_[pair.first];
  const auto a = ix(3 * std::size_t{pair.first});
  Point x{from.q(a), from.q(a + 1)};
  Point v{from.u(a), from.u(a + 1)};
  const Point g{scene_.gravity[0], scene_.gravity[1]};
  if (!is_ground(pair.second)) {
    const auto b = ix(3 * std::size_t{pair.second});
    x = x - Point{from.q(b), from.q(b + 1)};
    v = v - Point{from.u(b), from.u(b + 1)};
    const double distance = length(x);
    const double reach = body.bounding_radius + bodies_[pair.second].bounding_radius;
    if (distance <= reach) return 0.;
    return falls((distance - reach) * (distance + reach), 2. * dot(x, v), 2. * dot(v, v), 0.);
  }
  const Piece& ground = piece(pair.second);
  const Support s = support_at(pair.second, from.time);
  x = x - s.displacement;
  v = v - s.velocity;
  const double r = body.bounding_radius;
  const auto until = [&](const Point& n, double from_line) {
    return from_line > 0. ? falls(from_line, dot(n, v), dot(n, g), 0.) : 0.;
  };
  if (ground.is_half_plane) return until(ground.normal, dot(ground.normal, x - ground.start) - r);
  const Point from_centre = x - ground.centre;
  const Point across = quarter_turn(ground.placed.axis);
  double time = 0.;
  for (const double side : {1., -1.}) {
    const Point n = side * ground.placed.axis;
    const Point m = side * across;
    time = std::max({time, until(n, dot(n, from_centre) - ground.half_size.x - r),
                     until(m, dot(m, from_centre) - ground.half_size.y - r)});
  }
  return time;
}

double PlanarModel::flight_step(const State& from) const {
  double step = step_part * std::sqrt(length_ / acceleration_);
  double fastest = 0.;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    fastest = std::max(fastest, length(Point{from.u(ix(3 * b)), from.u(ix(3 * b + 1))}));
    if (bodies_[b].is_centred) continue;
    step = std::min(step, step_part / std::max(std::abs(from.u(ix(3 * b + 2))), tiny));
  }
  if (is_curved_) step = std::min(step, step_part * smallest_ / std::max(fastest, tiny));
  return step;
}

}  // namespace carom
