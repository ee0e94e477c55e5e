// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/given_contacts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {
namespace {

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

void validate(const GivenBody& b, const std::string& field) {
  if (!(b.mass > 0. && std::isfinite(b.mass))) {
    throw InputError(field + ".mass", b.mass, "a finite number > 0");
  }
  require_finite(b.position, field + ".position");
  require_finite(b.velocity, field + ".velocity");
  require_finite(b.spin, field + ".spin");
}

void validate(const GivenContact& c, const std::string& field, std::size_t bodies) {
  if (c.first >= bodies || (c.second >= bodies && c.second != ground_body)) {
    throw InputError(field, "must refer to bodies that exist");
  }
  if (c.first == c.second) {
    throw InputError(field + ".second", "must be another body than the first");
  }
  require_finite(c.point, field + ".point");
  require_finite(c.surface_velocity, field + ".surface_velocity");
  if (c.second != ground_body && c.surface_velocity != World3{}) {
    throw InputError(field + ".surface_velocity",
                     "is for contacts with the ground, got two bodies");
  }
}

/// One of the velocities of a body.
struct Axis {
  bool turns = false;
  std::size_t k = 0;  ///< x, y or z
  const char* name = "";
  const char* unit = "m/s";
};
constexpr std::array<Axis, 3> plane_axes = {
    {{false, 0, "v_x"}, {false, 1, "v_y"}, {true, 2, "spin", "rad/s"}}};
constexpr std::array<Axis, 6> space_axes = {{{false, 0, "v_x"},
                                             {false, 1, "v_y"},
                                             {false, 2, "v_z"},
                                             {true, 0, "spin_x", "rad/s"},
                                             {true, 1, "spin_y", "rad/s"},
                                             {true, 2, "spin_z", "rad/s"}}};

}  // namespace

ContactFrame planar_frame(const std::array<double, 2>& n) {
  return {.normal = {n[0], n[1], 0.}, .tangent1 = {n[1], -n[0], 0.}, .tangent2 = {0., 0., -1.}};
}

SystemAtImpact at_impact(const GivenContacts& given) {
  const std::span<const Axis> axes =
      given.in_plane ? std::span<const Axis>(plane_axes) : std::span<const Axis>(space_axes);
  const std::size_t n = axes.size();
  SystemAtImpact c;
  const std::size_t components = given.frictionless ? 1 : given.in_plane ? 2 : 3;
  std::vector<Eigen::Triplet<double>> mass;
  for (std::size_t b = 0; b < given.bodies.size(); ++b) {
    const GivenBody& body = given.bodies[b];
    const std::string field = entry("bodies", b);
    validate(body, field);
    Mat3 inertia = body.inertia;
    if (given.in_plane) {
      require_positive(inertia[2][2], field + ".inertia");
    } else {
      inertia = world_inertia(inertia, body.orientation, field);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (axes[i].turns != axes[j].turns || (i != j && !axes[i].turns)) continue;
        const double x = axes[i].turns ? inertia[axes[i].k][axes[j].k] : body.mass;
        if (x != 0.) mass.emplace_back(static_cast<int>(n * b + i), static_cast<int>(n * b + j), x);
      }
      c.u.push_back((axes[i].turns ? body.spin : body.velocity)[axes[i].k]);
      c.coordinates.push_back(
          {(body.name.empty() ? "" : body.name + ".") + axes[i].name, axes[i].unit});
    }
  }
  std::vector<Eigen::Triplet<double>> directions;
  for (std::size_t i = 0; i < given.contacts.size(); ++i) {
    const GivenContact& contact = given.contacts[i];
    const std::string field = entry("contacts", i);
    validate(contact, field, given.bodies.size());
    c.names.push_back(contact.name);
    const ContactFrame f = checked(contact.frame, field + ".");
    const std::array<World3, 3> frame = {f.normal, f.tangent1, f.tangent2};
    for (std::size_t k = 0; k < components; ++k) {
      const World3& d = frame[k];
      // The contact moves with v + w x r, so d.(v + w x r) = d.v + (r x d).w for a direction d.
      const auto push = [&](std::size_t b, double side) {
        const World3& x = given.bodies[b].position;
        const World3& p = contact.point;
        const World3 moment = cross({p[0] - x[0], p[1] - x[1], p[2] - x[2]}, d);
        for (std::size_t j = 0; j < n; ++j) {
          const double part = (axes[j].turns ? moment : d)[axes[j].k];
          if (part == 0.) continue;
          directions.emplace_back(static_cast<int>(n * b + j), static_cast<int>(components * i + k),
                                  side * part);
        }
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
  const auto size = static_cast<Eigen::Index>(n * given.bodies.size());
  c.M.resize(size, size);
  c.M.setFromTriplets(mass.begin(), mass.end());
  c.W.resize(size, static_cast<Eigen::Index>(components * given.contacts.size()));
  c.W.setFromTriplets(directions.begin(), directions.end());
  return reduced(std::move(c), components);
}

}  // namespace carom
