// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_assembly.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/spatial_touch.hpp>

namespace carom {
namespace {

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

bool finite(const World3& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

/// Names are built only if there is an error.
void require_finite_triple(const World3& v, const char* list, std::size_t i, const char* key) {
  if (!finite(v)) require_finite(v, entry(list, i) + "." + key);
}

void validate(const SpatialAssemblyBody& b, std::size_t i) {
  if (!(b.mass > 0. && std::isfinite(b.mass))) {
    throw InputError(entry("bodies", i) + ".mass", b.mass, "a finite number > 0");
  }
  require_finite_triple(b.position, "bodies", i, "position");
  require_finite_triple(b.velocity, "bodies", i, "velocity");
  require_finite_triple(b.spin, "bodies", i, "spin");
}

void validate(const SpatialAssemblyContact& c, std::size_t i, std::size_t bodies) {
  if (c.first >= bodies || (c.second >= bodies && c.second != ground_body)) {
    throw InputError(entry("contacts", i), "must refer to bodies that exist");
  }
  if (c.first == c.second) {
    throw InputError(entry("contacts", i) + ".second", "must be another body than the first");
  }
  require_finite_triple(c.point, "contacts", i, "point");
  require_finite_triple(c.surface_velocity, "contacts", i, "surface_velocity");
  if (c.second != ground_body && c.surface_velocity != World3{}) {
    throw InputError(entry("contacts", i) + ".surface_velocity",
                     "is for contacts with the ground, got two bodies");
  }
}

PlacedShape placed(const SpatialAssemblyBody& b) {
  return {.shape = *b.shape, .position = b.position, .orientation = b.orientation};
}

void add(const std::vector<SpatialAssemblyBody>& bodies, const SpatialTouch& touch,
         std::size_t first, std::size_t second, std::vector<SpatialAssemblyContact>& contacts) {
  const std::string other = second == ground_body ? "floor" : bodies[second].name;
  for (std::size_t k = 0; k < touch.points.size(); ++k) {
    contacts.push_back({.name = touch_name(bodies[first].name, other, k, touch.points.size()),
                        .first = first,
                        .second = second,
                        .point = touch.points[k].point,
                        .frame = frame_of(touch.points[k].normal),
                        .surface_velocity = {}});
  }
}

void refuse_overlap(std::size_t body, const std::string& other, double gap, double tolerance) {
  if (gap >= -tolerance) return;
  throw InputError(entry("bodies", body) + ".position",
                   "overlaps " + other + " by " + shortest(-gap) + " m");
}

using Triplets = std::vector<Eigen::Triplet<double>>;

void add_mass(const SpatialAssemblyBody& b, std::size_t i, Triplets& mass) {
  const Mat3 inertia = world_inertia(b.inertia, b.orientation, entry("bodies", i));
  const auto at = static_cast<int>(6 * i);
  for (int k = 0; k < 3; ++k) {
    mass.emplace_back(at + k, at + k, b.mass);
    for (int l = 0; l < 3; ++l) {
      const double x = inertia[static_cast<std::size_t>(k)][static_cast<std::size_t>(l)];
      if (x != 0.) mass.emplace_back(at + 3 + k, at + 3 + l, x);
    }
  }
}

/// The contact moves with v + w x r, so d.(v + w x r) = d.v + (r x d).w for a direction d.
void add_direction(const SpatialAssemblyBody& b, std::size_t body, const World3& point,
                   const World3& d, double side, int column, Triplets& directions) {
  const World3 offset{point[0] - b.position[0], point[1] - b.position[1], point[2] - b.position[2]};
  const World3 moment = cross(offset, d);
  const auto at = static_cast<int>(6 * body);
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    if (d[axis] != 0.) directions.emplace_back(at + k, column, side * d[axis]);
    if (moment[axis] != 0.) directions.emplace_back(at + 3 + k, column, side * moment[axis]);
  }
}

}  // namespace

std::vector<SpatialAssemblyContact> find_contacts(const std::vector<SpatialAssemblyBody>& bodies,
                                                  const TouchOptions& options) {
  std::vector<World3> centres;
  std::vector<double> reaches;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SpatialAssemblyBody& b = bodies[i];
    validate(b, i);
    if (!b.shape || !can_be_found(*b.shape)) {
      throw InputError(
          entry("bodies", i) + ".shape",
          "must be sphere or box for contacts to be found; change it, or give [[system.contacts]]");
    }
    centres.push_back(b.position);
    reaches.push_back(reach(*b.shape) + options.tolerance * smallest_length(*b.shape));
  }
  std::vector<SpatialAssemblyContact> contacts;
  for (const auto& [i, j] : near_pairs(centres, reaches)) {
    const double tolerance = options.tolerance * std::min(smallest_length(*bodies[i].shape),
                                                          smallest_length(*bodies[j].shape));
    const SpatialTouch t = touch(placed(bodies[i]), placed(bodies[j]), tolerance);
    refuse_overlap(j, "'" + bodies[i].name + "'", t.gap, tolerance);
    add(bodies, t, i, j, contacts);
  }
  for (std::size_t i = 0; options.floor && i < bodies.size(); ++i) {
    const double tolerance = options.tolerance * smallest_length(*bodies[i].shape);
    const SpatialTouch t = touch_floor(placed(bodies[i]), tolerance);
    refuse_overlap(i, "the floor", t.gap, tolerance);
    add(bodies, t, i, ground_body, contacts);
  }
  return contacts;
}

MultiAtImpact at_impact(const SpatialAssembly& a) {
  const std::size_t components = a.frictionless ? 1 : 3;
  Triplets mass;
  Triplets directions;
  MultiConfiguration c;
  c.components = components;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const SpatialAssemblyBody& b = a.bodies[i];
    validate(b, i);
    add_mass(b, i, mass);
    c.u.insert(c.u.end(), b.velocity.begin(), b.velocity.end());
    c.u.insert(c.u.end(), b.spin.begin(), b.spin.end());
    const std::string prefix = b.name.empty() ? "" : b.name + ".";
    for (const char* key : {"v_x", "v_y", "v_z"}) c.coordinates.push_back({prefix + key, "m/s"});
    for (const char* key : {"spin_x", "spin_y", "spin_z"}) {
      c.coordinates.push_back({prefix + key, "rad/s"});
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const SpatialAssemblyContact& contact = a.contacts[i];
    validate(contact, i, a.bodies.size());
    names.push_back(contact.name);
    const ContactFrame f = checked(contact.frame, entry("contacts", i) + ".");
    const std::array<World3, 3> frame = {f.normal, f.tangent1, f.tangent2};
    for (std::size_t k = 0; k < components; ++k) {
      const auto column = static_cast<int>(components * i + k);
      add_direction(a.bodies[contact.first], contact.first, contact.point, frame[k], 1., column,
                    directions);
      if (contact.second != ground_body) {
        add_direction(a.bodies[contact.second], contact.second, contact.point, frame[k], -1.,
                      column, directions);
      }
      c.support_velocity.push_back(dot(frame[k], contact.surface_velocity));
    }
  }
  if (std::all_of(c.support_velocity.begin(), c.support_velocity.end(),
                  [](double v) { return v == 0.; })) {
    c.support_velocity.clear();
  }
  const auto n = static_cast<Eigen::Index>(6 * a.bodies.size());
  c.M.resize(n, n);
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(n, static_cast<Eigen::Index>(components * a.contacts.size()));
  c.W.setFromTriplets(directions.begin(), directions.end());
  return at_impact(std::move(c), std::move(names));
}

}  // namespace carom
