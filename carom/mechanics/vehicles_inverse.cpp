// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/vehicles_inverse.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <carom/core/error.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using shapes::plane::Point;

std::string field(std::size_t i, const char* key) {
  return "vehicles[" + std::to_string(i) + "]." + key;
}

Point unit_point(double degrees) {
  const auto [x, y] = unit_direction(degrees);
  return {x, y};
}

/// All numbers that have a deviation, in one row: mass, course, speed and course after of each
/// vehicle; then restitution or crush energy.
struct Numbers {
  std::array<double, 9> x{};

  [[nodiscard]] double mass(std::size_t i) const { return x[4 * i]; }
  [[nodiscard]] Point course(std::size_t i) const { return unit_point(x[4 * i + 1]); }
  [[nodiscard]] Point velocity_after(std::size_t i) const {
    return x[4 * i + 2] * unit_point(x[4 * i + 3]);
  }
  [[nodiscard]] double last() const { return x[8]; }
};

/// Of a 2 x 2 matrix with these rows.
double condition_of(const Point& a, const Point& b) {
  const double size = dot(a, a) + dot(b, b);
  const double det = std::abs(cross(a, b));
  // A matrix without an inverse has none.
  if (!(det > 0.)) return std::numeric_limits<double>::infinity();
  return (size + std::sqrt(std::max(0., (size - 2. * det) * (size + 2. * det)))) / (2. * det);
}

struct Speeds {
  Point speed{};  ///< of the first and the second
  double condition = 1.;
};

/// m1 s1 d1 + m2 s2 d2 = p.
Speeds by_momentum(const Numbers& k) {
  const Point d1 = k.course(0);
  const Point d2 = k.course(1);
  const Point p = k.mass(0) * k.velocity_after(0) + k.mass(1) * k.velocity_after(1);
  const double turn = cross(d1, d2);
  return {.speed = {cross(p, d2) / (k.mass(0) * turn), cross(d1, p) / (k.mass(1) * turn)},
          .condition = condition_of({d1.x, d2.x}, {d1.y, d2.y})};
}

/// Contact data that have no deviation.
struct Contact {
  Point normal{};                 ///< into the first
  std::array<Point, 2> offset{};  ///< of the impulse centre, in the world [m]
  std::array<double, 2> yaw_rate{};
  std::array<double, 2> yaw_rate_after{};
  std::array<double, 2> inertia{};

  /// Normal velocity at the impulse centre that the yaw of both vehicles makes.
  [[nodiscard]] double turning(const std::array<double, 2>& rate) const {
    return rate[0] * cross(offset[0], normal) - rate[1] * cross(offset[1], normal);
  }
};

/// The line that both courses lie along, nearly.
Point line_of(const Point& d1, const Point& d2) {
  return normalised(dot(d1, d2) >= 0. ? d1 + d2 : d1 - d2);
}

/// by_speed.(s1, s2) = right: momentum along the line of both courses.
struct Row {
  Point by_speed{};
  double right = 0.;
};
Row momentum_along(const Numbers& k, const Point& line) {
  return {.by_speed = {k.mass(0) * dot(k.course(0), line), k.mass(1) * dot(k.course(1), line)},
          .right = dot(k.mass(0) * k.velocity_after(0) + k.mass(1) * k.velocity_after(1), line)};
}

Speeds by_restitution(const Numbers& k, const Contact& contact, const Point& line) {
  const Row p = momentum_along(k, line);
  const Point q{dot(k.course(0), contact.normal), -dot(k.course(1), contact.normal)};
  const double after = dot(k.velocity_after(0) - k.velocity_after(1), contact.normal) +
                       contact.turning(contact.yaw_rate_after);
  const double right = -after / k.last() - contact.turning(contact.yaw_rate);
  const double det = cross(p.by_speed, q);
  return {.speed = {(p.right * q.y - p.by_speed.y * right) / det,
                    (p.by_speed.x * right - p.right * q.x) / det},
          .condition = condition_of(normalised(p.by_speed), q)};
}

/// T(s) = T' + E, with momentum kept: of two pairs of speeds the one with which they close.
Speeds by_energy(const Numbers& k, const Contact& contact, const Point& line) {
  const Row p = momentum_along(k, line);
  // The speeds of least energy, s0, and the direction z that keeps momentum: s = s0 + x z.
  const Point least{p.by_speed.x / k.mass(0), p.by_speed.y / k.mass(1)};
  const Point s0 = p.right / dot(p.by_speed, least) * least;
  const Point z{p.by_speed.y, -p.by_speed.x};
  double twice = 2. * k.last() - k.mass(0) * s0.x * s0.x - k.mass(1) * s0.y * s0.y;
  for (std::size_t i = 0; i < 2; ++i) {
    const Point v = k.velocity_after(i);
    const double before = contact.yaw_rate[i];
    const double after = contact.yaw_rate_after[i];
    twice += k.mass(i) * dot(v, v) + contact.inertia[i] * (after * after - before * before);
  }
  const double weight = k.mass(0) * z.x * z.x + k.mass(1) * z.y * z.y;
  double x = twice >= 0. ? std::sqrt(twice / weight) : std::numeric_limits<double>::quiet_NaN();
  if (dot(z.x * k.course(0) - z.y * k.course(1), contact.normal) > 0.) x = -x;
  const Point speed = s0 + x * z;
  // Both equations by speed: momentum, and the energy's derivative.
  const Point by_speed{k.mass(0) * speed.x, k.mass(1) * speed.y};
  return {.speed = speed, .condition = condition_of(normalised(p.by_speed), normalised(by_speed))};
}

/// To first order, by central differences over a small part of each deviation.
template <class Solve>
std::array<std::optional<double>, 2> deviations(const Numbers& k, const std::array<double, 9>& sd,
                                                const Solve& solve) {
  constexpr double part = 1e-4;  // small against curvature, large against rounding
  Point sum{};
  bool any = false;
  for (std::size_t i = 0; i < sd.size(); ++i) {
    if (!(sd[i] > 0.)) continue;
    any = true;
    Numbers high = k;
    Numbers low = k;
    high.x[i] += part * sd[i];
    low.x[i] -= part * sd[i];
    const Point d = 0.5 / part * (solve(high).speed - solve(low).speed);
    sum = sum + Point{d.x * d.x, d.y * d.y};
  }
  if (!any) return {};
  return {std::sqrt(sum.x), std::sqrt(sum.y)};
}

}  // namespace

Point find_speeds(Vehicles& vehicles, const std::array<VehicleAfter, 2>& after,
                  const AlongOneLine& along, bool plane_given) {
  Numbers k;
  std::array<double, 9> sd{};
  Contact contact;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vehicle& v = vehicles.each[i];
    const std::array all{after[i].mass, after[i].course, after[i].speed_after,
                         after[i].course_after};
    for (std::size_t j = 0; j < all.size(); ++j) {
      k.x[4 * i + j] = all[j].value;
      sd[4 * i + j] = all[j].sd;
    }
    contact.offset[i] = v.to_world(v.impulse_centre);
    contact.yaw_rate[i] = v.yaw_rate;
    contact.yaw_rate_after[i] = after[i].yaw_rate_after.value_or(0.);
    contact.inertia[i] = after[i].yaw_rate_after ? v.yaw_inertia : 0.;
  }
  const Point line = line_of(k.course(0), k.course(1));
  contact.normal = vehicles.normal;
  if (!plane_given) contact.normal = contact_normal(vehicles.each, quarter_turn(line));

  SpeedsFound found{.by = "linear momentum"};
  found.yaw_rate_after = {after[0].yaw_rate_after, after[1].yaw_rate_after};
  Speeds s;
  const double parallel =
      condition_of({k.course(0).x, k.course(1).x}, {k.course(0).y, k.course(1).y});
  const bool collinear = !(parallel <= most_condition);
  const char* given = along.restitution ? "restitution" : "crush_energy";
  if ((along.restitution || along.crush_energy) && !collinear) {
    throw InputError(given,
                     "is for nearly parallel courses; here linear momentum gives both speeds "
                     "(condition number " +
                         shortest(std::round(100. * parallel) / 100.) + "); leave it out");
  }
  const auto run = [&](const auto& solve) {
    s = solve(k);
    found.speed_sd = deviations(k, sd, solve);
  };
  if (!collinear) {
    run(by_momentum);
  } else if (along.restitution) {
    found.by = "restitution";
    k.x[8] = along.restitution->value;
    sd[8] = along.restitution->sd;
    run([&](const Numbers& x) { return by_restitution(x, contact, line); });
  } else if (along.crush_energy) {
    found.by = "crush energy";
    k.x[8] = along.crush_energy->value;
    sd[8] = along.crush_energy->sd;
    run([&](const Numbers& x) { return by_energy(x, contact, line); });
  } else {
    const std::string number =
        std::isfinite(parallel) ? "is " + shortest(std::round(parallel)) : "is infinite";
    throw InputError("vehicles[1].course_deg",
                     "the courses are nearly parallel, so that linear momentum does not give both "
                     "speeds: its condition number " +
                         number + ", above " + shortest(most_condition) +
                         "; give surface.restitution (above 0) or system.crush_energy");
  }
  found.condition = s.condition;
  const std::array speed{s.speed.x, s.speed.y};
  std::array<Point, 2> change{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!std::isfinite(speed[i])) {
      throw InputError(given, "does not agree with the velocities after: no speeds before have it");
    }
    if (speed[i] < 0.) {
      throw InputError(field(i, "course_deg"),
                       "does not agree with the velocities after: the speed before would be " +
                           shortest(std::round(1e4 * speed[i]) / 1e4) + " m/s");
    }
    vehicles.each[i].velocity = speed[i] * k.course(i);
    change[i] = k.mass(i) * (k.velocity_after(i) - vehicles.each[i].velocity);
  }
  // By momentum nothing but rounding is left.
  found.momentum_left = collinear ? length(change[0] + change[1]) : 0.;
  vehicles.found = found;
  const Point P = 0.5 * (change[0] - change[1]);
  if (!(length(P) > 0.)) {
    throw InputError("vehicles[0].speed_after", "no impulse acts: the velocities do not change");
  }
  if (!plane_given) vehicles.normal = normalised(P);
  return P;
}

}  // namespace carom
