// SPDX-License-Identifier: Apache-2.0
// Assemblies of bodies, in the plane and in space.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/given_contacts.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/scenario/motion/plane_shape_reader.hpp>
#include <carom/scenario/motion/scene_reader.hpp>
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

/// What contacts in the plane and in space have in common: bodies and a name of their own.
GivenContact read_contact(const Table& t, const BodyNames& names, std::set<std::string>& taken) {
  GivenContact c;
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

/// [[system.bodies]] and [[system.contacts]] in the plane.
struct InPlane {
  static constexpr bool in_plane = true;

  static GivenBody read_body(const Table& t, BodyNames& names) {
    std::vector<std::string_view> known = {"name",     "mass",      "inertia",  "mass_centre",
                                           "position", "angle_deg", "velocity", "spin"};
    known.insert(known.end(), shape_keys.begin(), shape_keys.end());
    t.only(known);
    PlanarBody b;
    b.name = names.add(t);
    b.mass = t.positive("mass");
    if (t.has("shape")) {
      read_body_shape(t, b);
    } else {
      for (const std::string_view key : shape_keys) t.refuse(key, "means nothing without a shape");
      t.refuse("mass_centre", "means nothing without a shape");
      t.require("inertia", "the moment of inertia about the mass centre, or a shape");
      b.inertia = t.positive("inertia");
    }
    const auto x = t.pair("position");
    const auto v = t.pair("velocity", {0., 0.});
    const double spin = t.number("spin", 0.);
    static_cast<void>(finite(t, "angle_deg", 0.));
    GivenBody given{.name = b.name,
                    .mass = b.mass,
                    .position = {x[0], x[1], 0.},
                    .velocity = {v[0], v[1], 0.},
                    .spin = {0., 0., spin}};
    located(t, [&] {
      require_finite(given.position, "position");
      require_finite(given.velocity, "velocity");
      require_finite(spin, "spin");
    });
    given.inertia[2][2] = b.inertia;
    return given;
  }

  static GivenContact read_contact(const Table& t, const BodyNames& names,
                                   std::set<std::string>& taken) {
    t.only({"name", "first", "second", "point", "normal_deg", "surface_velocity"});
    GivenContact c = scenario::read_contact(t, names, taken);
    const auto [x, y] = t.pair("point");
    c.point = {x, y, 0.};
    if (c.second != ground_body) {
      t.require("normal_deg", "the direction of the normal into `first`");
    }
    c.frame = planar_frame(direction(finite(t, "normal_deg", 90.)));
    const auto [v_x, v_y] = t.pair("surface_velocity", {0., 0.});
    c.surface_velocity = {v_x, v_y, 0.};
    return c;
  }

  static SystemAtImpact find(const Table& t, const TouchOptions& options) {
    PlacedScene placed = read_planar_scene(t);
    return at_impact(PlanarModel(std::move(placed.scene)), placed.state, options);
  }
};

/// The same in space.
struct InSpace {
  static constexpr bool in_plane = false;

  static GivenBody read_body(const Table& t, BodyNames& names) {
    t.only({"name", "mass", "shape", "inertia", "radius", "length", "size", "height", "vertices",
            "rounding", "direction", "orientation", "position", "velocity", "spin"});
    GivenBody b;
    b.name = names.add(t);
    b.mass = t.positive("mass");
    std::optional<shapes::space::Solid> shape;
    if (t.has("shape")) {
      shape = read_solid(t);
    } else {
      (void)read_striking_shape(t);  // refuses its keys
    }
    b.orientation = read_orientation(t);
    b.inertia = shape && !t.has("inertia") ? inertia_of(*shape, b.mass) : read_inertia(t);
    b.position = t.triple("position");
    b.velocity = t.triple("velocity", b.velocity);
    b.spin = t.triple("spin", b.spin);
    return b;
  }

  static GivenContact read_contact(const Table& t, const BodyNames& names,
                                   std::set<std::string>& taken) {
    t.only({"name", "first", "second", "point", "normal", "tangent", "surface_velocity"});
    GivenContact c = scenario::read_contact(t, names, taken);
    c.point = t.triple("point");
    if (c.second != ground_body) t.require("normal", "the normal, which points into `first`");
    const World3 normal = t.triple("normal", {0., 0., 1.});
    c.frame = located(t, [&] {
      return t.has("tangent") ? frame_of(normal, t.triple("tangent")) : frame_of(normal);
    });
    c.surface_velocity = t.triple("surface_velocity", c.surface_velocity);
    return c;
  }

  static SystemAtImpact find(const Table& t, const TouchOptions& options) {
    const SpatialModel model(read_spatial_scene(t));
    return at_impact(model, model.start(), options);
  }
};

/// Bodies, and contacts given or found.
template <class Space>
SystemAtImpact read_any(const Table& t) {
  const bool frictionless = t.flag("frictionless", false);
  const std::vector<Table> bodies = t.tables("bodies");
  if (bodies.empty()) t.fail("bodies", "must be at least one, got none");
  if (t.has("contacts")) {
    for (const char* key : {"floor", "floor_velocity", "tolerance", "lines", "planes", "ground"}) {
      t.refuse(key, "is for contacts that are found, and [[system.contacts]] gives them");
    }
    t.only({"type", "bodies", "contacts", "frictionless"});
    GivenContacts given{
        .bodies = {}, .contacts = {}, .in_plane = Space::in_plane, .frictionless = frictionless};
    BodyNames names;
    for (const Table& body : bodies) given.bodies.push_back(Space::read_body(body, names));
    std::set<std::string> taken;
    for (const Table& c : t.tables("contacts")) {
      given.contacts.push_back(Space::read_contact(c, names, taken));
    }
    if (given.contacts.empty()) t.fail("contacts", "must be at least one, got none");
    return at_impact(given);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].has("shape")) continue;
    throw InputError("bodies[" + std::to_string(i) + "].shape",
                     "is missing: contacts are found only between bodies with a shape; add one, or "
                     "give [[system.contacts]]");
  }
  TouchOptions options{.frictionless = frictionless};
  options.tolerance = located(
      t, [&] { return require_tolerance(t.number("tolerance", options.tolerance), "tolerance"); });
  SystemAtImpact found = Space::find(t, options);
  if (found.names.empty()) {
    t.fail("bodies",
           "touch nowhere, so that there is no contact: see positions, sizes, floor and tolerance, "
           "or give [[system.contacts]]");
  }
  return found;
}

}  // namespace

SystemAtImpact read_assembly(const Table& system) { return read_any<InPlane>(system); }

SystemAtImpact read_space_assembly(const Table& system) { return read_any<InSpace>(system); }

}  // namespace carom::scenario
