// SPDX-License-Identifier: Apache-2.0
// Assemblies of bodies, in the plane and in space.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/planar_assembly.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_assembly.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_shape_reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

/// Names of bodies, and which is which.
class BodyNames {
 public:
  /// The name of the next body: its own, or its number.
  std::string add(const Table& t) {
    const std::size_t number = index_.size();
    std::string name = t.text("name", std::to_string(number + 1));
    if (name.empty() || name == "ground" || name == "floor" || index_.contains(name)) {
      t.fail("name",
             "must be a name of its own, not empty, 'ground' or 'floor', got '" + name + "'");
    }
    index_.emplace(name, number);
    return name;
  }

  /// The number of the body that `key` names, or the ground.
  [[nodiscard]] std::size_t find(const Table& t, std::string_view key) const {
    const std::string name = t.text(key, "ground");
    if (name == "ground") return ground_body;
    if (const auto at = index_.find(name); at != index_.end()) return at->second;
    std::vector<std::string_view> known;
    for (const auto& [other, number] : index_) known.emplace_back(other);
    known.emplace_back("ground");
    t.fail(key, "unknown body '" + name + "'" + did_you_mean(name, known));
  }

 private:
  std::map<std::string, std::size_t, std::less<>> index_;
};

/// What contacts of both kinds have: bodies and a name of their own.
template <class Contact>
Contact read_contact_of(const Table& t, const BodyNames& names, std::set<std::string>& taken) {
  Contact c;
  t.require("first", "the body into which the normal points");
  c.first = names.find(t, "first");
  if (c.first == ground_body) t.fail("first", "must be a body, got 'ground'");
  c.second = names.find(t, "second");
  if (c.first == c.second) t.fail("second", "must be another body than the first");
  c.name = t.text("name", "");
  if (!t.has("name")) {  // "a-b", or if that is taken "a-b 2"
    const std::string pair = t.text("first", "") + "-" + t.text("second", "ground");
    c.name = pair;
    for (int k = 2; taken.contains(c.name); ++k) c.name = pair + " " + std::to_string(k);
  }
  if (c.name.empty() || !taken.insert(c.name).second) {
    t.fail("name", "must be a name of its own, not empty, got '" + c.name + "'");
  }
  return c;
}

void refuse_finding_keys(const Table& t) {
  for (const char* key : {"floor", "floor_velocity", "tolerance"}) {
    t.refuse(key, "is for contacts that are found, and [[system.contacts]] gives them");
  }
}

TouchOptions read_touch_options(const Table& t) {
  TouchOptions o;
  o.floor = t.flag("floor", false);
  if (!o.floor) t.refuse("floor_velocity", "means nothing without floor = true");
  o.tolerance = located(
      t, [&] { return require_tolerance(t.number("tolerance", o.tolerance), "tolerance"); });
  return o;
}

template <class Contact>
void require_some(const Table& t, const std::vector<Contact>& contacts) {
  if (!contacts.empty()) return;
  t.fail("bodies",
         "touch nowhere, so that there is no contact: see positions, sizes, floor and tolerance, "
         "or give [[system.contacts]]");
}

// --- the plane ---

PlanarAssemblyBody read_planar_body(const Table& t, BodyNames& names) {
  static constexpr std::array<std::string_view, 4> shapes = {"disc", "sphere", "bar", "box"};
  t.only({"name", "mass", "shape", "inertia", "radius", "half_length", "length", "width",
          "position", "angle_deg", "velocity", "spin"});
  PlanarAssemblyBody b;
  b.name = names.add(t);
  b.mass = t.positive("mass");
  b.position = t.pair("position");
  b.direction = direction(finite(t, "angle_deg", 0.));
  b.velocity = t.pair("velocity", b.velocity);
  b.spin = t.number("spin", 0.);
  const std::string shape = t.text("shape", "");
  if (t.has("shape") && std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, shapes));
  }
  const bool round = shape == "disc" || shape == "sphere";
  const auto belongs = [&](bool so, std::string_view key) {
    if (so) return;
    t.refuse(key, shape.empty() ? "means nothing without a shape"
                                : "means nothing for the shape '" + shape + "'");
  };
  belongs(round, "radius");
  belongs(shape == "bar", "half_length");
  belongs(shape == "box", "length");
  belongs(shape == "box", "width");
  if (shape.empty()) {
    t.require("inertia", "the moment of inertia about the mass centre, or a shape");
    b.inertia = t.positive("inertia");
    return b;
  }
  if (round) b.outline = DiscOutline{.radius = t.positive("radius")};
  if (shape == "bar") b.outline = BoxOutline{.length = 2. * t.positive("half_length"), .width = 0.};
  if (shape == "box") {
    b.outline = BoxOutline{.length = t.positive("length"), .width = t.positive("width")};
  }
  b.inertia = inertia_of(b.outline, b.mass);
  if (shape == "sphere") b.inertia *= sphere_inertia_factor / disc_inertia_factor;
  if (t.has("inertia")) b.inertia = t.positive("inertia");
  return b;
}

PlanarAssemblyContact read_planar_contact(const Table& t, const BodyNames& names,
                                          std::set<std::string>& taken) {
  t.only({"name", "first", "second", "point", "normal_deg", "surface_velocity"});
  auto c = read_contact_of<PlanarAssemblyContact>(t, names, taken);
  c.point = t.pair("point");
  if (c.second != ground_body) t.require("normal_deg", "the direction of the normal into `first`");
  c.normal = direction(finite(t, "normal_deg", 90.));
  c.surface_velocity = t.pair("surface_velocity", c.surface_velocity);
  return c;
}

// --- space ---

SpatialAssemblyBody read_spatial_body(const Table& t, BodyNames& names) {
  t.only({"name", "mass", "shape", "inertia", "radius", "length", "size", "height", "vertices",
          "rounding", "direction", "orientation", "position", "velocity", "spin"});
  SpatialAssemblyBody b;
  b.name = names.add(t);
  b.mass = t.positive("mass");
  b.shape = read_striking_shape(t);
  b.orientation = read_orientation(t);
  b.inertia = b.shape && !t.has("inertia") ? inertia_of(*b.shape, b.mass) : read_inertia(t);
  b.position = t.triple("position");
  b.velocity = t.triple("velocity", b.velocity);
  b.spin = t.triple("spin", b.spin);
  return b;
}

SpatialAssemblyContact read_spatial_contact(const Table& t, const BodyNames& names,
                                            std::set<std::string>& taken) {
  t.only({"name", "first", "second", "point", "normal", "tangent", "surface_velocity"});
  auto c = read_contact_of<SpatialAssemblyContact>(t, names, taken);
  c.point = t.triple("point");
  if (c.second != ground_body) t.require("normal", "the normal, which points into `first`");
  const World3 normal = t.triple("normal", {0., 0., 1.});
  c.frame = located(t, [&] {
    return t.has("tangent") ? frame_of(normal, t.triple("tangent")) : frame_of(normal);
  });
  c.surface_velocity = t.triple("surface_velocity", c.surface_velocity);
  return c;
}

/// Bodies, and contacts given or found.
template <class Assembly, class ReadBody, class ReadContact, class ReadVelocity>
MultiAtImpact read_any(const Table& t, const ReadBody& read_body, const ReadContact& read_contact,
                       const ReadVelocity& read_velocity) {
  t.only({"type", "bodies", "contacts", "floor", "floor_velocity", "tolerance", "frictionless"});
  Assembly a;
  a.frictionless = t.flag("frictionless", false);
  BodyNames names;
  for (const Table& body : t.tables("bodies")) a.bodies.push_back(read_body(body, names));
  if (a.bodies.empty()) t.fail("bodies", "must be at least one, got none");
  if (t.has("contacts")) {
    refuse_finding_keys(t);
    std::set<std::string> taken;
    for (const Table& c : t.tables("contacts")) {
      a.contacts.push_back(read_contact(c, names, taken));
    }
    if (a.contacts.empty()) t.fail("contacts", "must be at least one, got none");
    return at_impact(a);
  }
  a.contacts = find_contacts(a.bodies, read_touch_options(t));
  require_some(t, a.contacts);
  const auto velocity = read_velocity(t);
  for (auto& c : a.contacts) {
    if (c.second == ground_body) c.surface_velocity = velocity;
  }
  return at_impact(a);
}

}  // namespace

MultiAtImpact read_assembly(const Table& system) {
  return read_any<PlanarAssembly>(system, read_planar_body, read_planar_contact,
                                  [](const Table& t) {
                                    return t.pair("floor_velocity", {0., 0.});
                                  });
}

MultiAtImpact read_space_assembly(const Table& system) {
  return read_any<SpatialAssembly>(system, read_spatial_body, read_spatial_contact,
                                   [](const Table& t) {
                                     return t.triple("floor_velocity", {0., 0., 0.});
                                   });
}

}  // namespace carom::scenario
