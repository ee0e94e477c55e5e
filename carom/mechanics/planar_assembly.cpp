// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_assembly.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using Pair = std::array<double, 2>;

double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
double cross(const Pair& a, const Pair& b) { return a[0] * b[1] - a[1] * b[0]; }

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

void require_finite_pair(const Pair& v, const char* list, std::size_t i, const char* key) {
  if (std::isfinite(v[0]) && std::isfinite(v[1])) return;
  const std::size_t k = std::isfinite(v[0]) ? 1 : 0;
  throw InputError(entry(list, i) + "." + entry(key, k), v[k], "a finite number");
}

void validate(const PlanarAssemblyBody& b, std::size_t i) {
  require_positive(b.mass, entry("bodies", i) + ".mass");
  require_positive(b.inertia, entry("bodies", i) + ".inertia");
  require_finite_pair(b.position, "bodies", i, "position");
  require_finite_pair(b.velocity, "bodies", i, "velocity");
  if (!std::isfinite(b.spin)) require_finite(b.spin, entry("bodies", i) + ".spin");
}

void validate(const PlanarAssemblyContact& c, std::size_t i, std::size_t bodies) {
  if (c.first >= bodies || (c.second >= bodies && c.second != ground_body)) {
    throw InputError(entry("contacts", i), "must refer to bodies that exist");
  }
  if (c.first == c.second) {
    throw InputError(entry("contacts", i) + ".second", "must be another body than the first");
  }
  require_finite_pair(c.point, "contacts", i, "point");
  require_finite_pair(c.surface_velocity, "contacts", i, "surface_velocity");
  if (c.second != ground_body && c.surface_velocity != Pair{}) {
    throw InputError(entry("contacts", i) + ".surface_velocity",
                     "is for contacts with the ground, got two bodies");
  }
}

PlacedOutline placed(const PlanarAssemblyBody& b) {
  return {.outline = b.outline, .position = b.position, .direction = b.direction};
}

void add(const std::vector<PlanarAssemblyBody>& bodies, const PlanarTouch& touch, std::size_t first,
         std::size_t second, std::vector<PlanarAssemblyContact>& contacts) {
  const std::string other = second == ground_body ? "floor" : bodies[second].name;
  for (std::size_t k = 0; k < touch.points.size(); ++k) {
    contacts.push_back({.name = touch_name(bodies[first].name, other, k, touch.points.size()),
                        .first = first,
                        .second = second,
                        .point = touch.points[k].point,
                        .normal = touch.points[k].normal,
                        .surface_velocity = {}});
  }
}

}  // namespace

std::string touch_name(const std::string& first, const std::string& second, std::size_t which,
                       std::size_t of) {
  const std::string pair = first + "-" + second;
  return of == 1 ? pair : pair + " " + std::to_string(which + 1);
}

std::vector<PlanarAssemblyContact> find_contacts(const std::vector<PlanarAssemblyBody>& bodies,
                                                 const TouchOptions& options) {
  std::vector<World3> centres;
  std::vector<double> reaches;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const PlanarAssemblyBody& b = bodies[i];
    validate(b, i);
    if (std::holds_alternative<std::monostate>(b.outline)) {
      throw InputError(entry("bodies", i) + ".shape",
                       "is missing: contacts are found only between bodies with a shape; add one, "
                       "or give [[system.contacts]]");
    }
    centres.push_back({b.position[0], b.position[1], 0.});
    reaches.push_back(reach(b.outline) + options.tolerance * smallest_length(b.outline));
  }
  const auto refuse_overlap = [&](std::size_t body, const std::string& other, double gap,
                                  double tolerance) {
    if (gap >= -tolerance) return;
    throw InputError(entry("bodies", body) + ".position",
                     "overlaps " + other + " by " + shortest(-gap) + " m");
  };
  std::vector<PlanarAssemblyContact> contacts;
  for (const auto& [i, j] : near_pairs(centres, reaches)) {
    const double tolerance = options.tolerance * std::min(smallest_length(bodies[i].outline),
                                                          smallest_length(bodies[j].outline));
    const PlanarTouch t = touch(placed(bodies[i]), placed(bodies[j]), tolerance);
    refuse_overlap(j, "'" + bodies[i].name + "'", t.gap, tolerance);
    add(bodies, t, i, j, contacts);
  }
  for (std::size_t i = 0; options.floor && i < bodies.size(); ++i) {
    const double tolerance = options.tolerance * smallest_length(bodies[i].outline);
    const PlanarTouch t = touch_floor(placed(bodies[i]), tolerance);
    refuse_overlap(i, "the floor", t.gap, tolerance);
    add(bodies, t, i, ground_body, contacts);
  }
  return contacts;
}

MultiAtImpact at_impact(const PlanarAssembly& a) {
  const std::size_t components = a.frictionless ? 1 : 2;
  std::vector<Eigen::Triplet<double>> mass;
  std::vector<Eigen::Triplet<double>> directions;
  MultiConfiguration c;
  c.components = components;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const PlanarAssemblyBody& b = a.bodies[i];
    validate(b, i);
    const auto at = static_cast<int>(3 * i);
    mass.emplace_back(at, at, b.mass);
    mass.emplace_back(at + 1, at + 1, b.mass);
    mass.emplace_back(at + 2, at + 2, b.inertia);
    c.u.insert(c.u.end(), {b.velocity[0], b.velocity[1], b.spin});
    const std::string prefix = b.name.empty() ? "" : b.name + ".";
    for (const char* key : {"v_x", "v_y"}) c.coordinates.push_back({prefix + key, "m/s"});
    c.coordinates.push_back({prefix + "spin", "rad/s"});
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const PlanarAssemblyContact& contact = a.contacts[i];
    validate(contact, i, a.bodies.size());
    names.push_back(contact.name);
    const Pair n = unit_vector(contact.normal, entry("contacts", i) + ".normal");
    const std::array<Pair, 2> frame = {n, tangent_of(n)};
    for (std::size_t k = 0; k < components; ++k) {
      const Pair& d = frame[k];
      const auto column = static_cast<int>(components * i + k);
      // The contact moves with v + w x r, so d.(v + w x r) = d.v + (r x d) w for a direction d.
      const auto push = [&](std::size_t body, double side) {
        const Pair& centre = a.bodies[body].position;
        const Pair offset{contact.point[0] - centre[0], contact.point[1] - centre[1]};
        const auto at = static_cast<int>(3 * body);
        directions.emplace_back(at, column, side * d[0]);
        directions.emplace_back(at + 1, column, side * d[1]);
        directions.emplace_back(at + 2, column, side * cross(offset, d));
      };
      push(contact.first, 1.);
      if (contact.second != ground_body) push(contact.second, -1.);
      c.support_velocity.push_back(dot(d, contact.surface_velocity));
    }
  }
  if (std::all_of(c.support_velocity.begin(), c.support_velocity.end(),
                  [](double v) { return v == 0.; })) {
    c.support_velocity.clear();
  }
  const auto n = static_cast<Eigen::Index>(3 * a.bodies.size());
  c.M.resize(n, n);
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(n, static_cast<Eigen::Index>(components * a.contacts.size()));
  c.W.setFromTriplets(directions.begin(), directions.end());
  return at_impact(std::move(c), std::move(names));
}

}  // namespace carom
