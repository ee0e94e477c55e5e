// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/spatial_reader.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/shapes/space/points.hpp>
#include <carom/scenario/spatial_shape_reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

template <class Body>
void read_motion(const Table& t, Body& body) {
  body.velocity = t.triple("velocity");
  body.spin = t.triple("spin", {0., 0., 0.});
}

/// One of [[system.bodies]]. `side` is +1 for the first, into which the normal points, else -1.
SpatialBody read_body(const Table& t, const World3& normal, double side) {
  t.only({"name", "mass", "shape", "inertia", "contact_offset", "radius", "length", "size",
          "height", "vertices", "rounding", "direction", "orientation", "velocity", "spin"});
  SpatialBody b;
  b.name = t.text("name", "");
  b.mass = t.positive("mass");
  const std::optional<shapes::space::Solid> shape = read_striking_shape(t);
  b.orientation = read_orientation(t);
  b.inertia = shape && !t.has("inertia") ? inertia_of(*shape, b.mass) : read_inertia(t);
  if (shape && std::holds_alternative<shapes::space::Sphere>(*shape)) {
    t.refuse("contact_offset", "is given by the shape 'sphere'");
  }
  if (!shape || t.has("contact_offset")) {
    b.contact_offset = t.triple("contact_offset");
    if (shape && !holds(*shape, b.orientation, b.contact_offset)) {
      t.fail("contact_offset",
             "lies outside of a " + std::string(name(*shape)) + " of that size and orientation");
    }
  } else {
    const World3 towards{-side * normal[0], -side * normal[1], -side * normal[2]};
    b.contact_offset = located(t, [&] { return furthest_point(*shape, b.orientation, towards); });
  }
  read_motion(t, b);
  b.solid = shape;
  return b;
}

SpatialBodies read_bodies(const Table& t) {
  t.only({"type", "normal", "tangent", "bodies", "surface_velocity"});
  SpatialBodies s;
  const World3 normal = t.triple("normal", {0., 0., 1.});
  s.frame = t.has("tangent") ? frame_of(normal, t.triple("tangent")) : frame_of(normal);
  s.surface_velocity = t.triple("surface_velocity", s.surface_velocity);
  const std::vector<Table> bodies = t.tables("bodies");
  if (bodies.empty() || bodies.size() > 2) {
    t.fail("bodies", "must be one or two, got " + std::to_string(bodies.size()));
  }
  s.first = read_body(bodies[0], s.frame.normal, 1.);
  if (bodies.size() == 2) {
    s.second = read_body(bodies[1], s.frame.normal, -1.);
    if (!s.first.name.empty() && s.second->name == s.first.name) {
      bodies[1].fail("name", "must differ from the first body's, got '" + s.first.name + "' twice");
    }
  }
  return s;
}

SpatialRod read_rod(const Table& t) {
  t.only({"type", "mass", "half_length", "radius", "angle1_deg", "angle2_deg", "mass_centre",
          "velocity", "spin"});
  SpatialRod rod;
  if (t.has("mass_centre")) {
    for (const char* key : {"half_length", "angle1_deg", "angle2_deg"}) {
      t.refuse(key, "follows from mass_centre");
    }
    rod = rod_at(t.triple("mass_centre"));
  } else {
    t.require("angle1_deg", "the rod's angles angle1_deg and angle2_deg, or mass_centre");
    rod.half_length = t.number("half_length", rod.half_length);
    rod.angle1 = t.number("angle1_deg") * degree;
    rod.angle2 = t.number("angle2_deg", 0.) * degree;
  }
  rod.mass = t.number("mass", rod.mass);
  rod.radius = t.number("radius", rod.radius);
  read_motion(t, rod);
  return rod;
}

SpatialSphere read_sphere(const Table& t) {
  t.only({"type", "mass", "radius", "inertia_factor", "velocity", "spin"});
  SpatialSphere s;
  s.mass = t.number("mass", s.mass);
  s.radius = t.number("radius", s.radius);
  s.inertia_factor = t.number("inertia_factor", s.inertia_factor);
  read_motion(t, s);
  return s;
}

SystemAtImpact read_contact(const Table& t) {
  t.only({"type", "inverse_inertia", "approach"});
  const Sym3 G = symmetric(matrix3(t, "inverse_inertia"));
  const auto v = t.triple("approach");
  SystemAtImpact s;
  s.names = {""};
  assign(s.problem,
         SpatialProblem{.G = G, .approach = {.n = v[0], .t1 = v[1], .t2 = v[2]}, .surface = {}});
  return s;
}

/// f(system) of a system of bodies.
template <class F>
auto with_bodies(const Table& t, const F& f) {
  const std::string type = t.text("type", "");
  if (type == "space-rod") return f(read_rod(t));
  if (type == "space-sphere") return f(read_sphere(t));
  return f(read_bodies(t));
}

}  // namespace

bool is_spatial(std::string_view type) {
  return std::find(spatial_types.begin(), spatial_types.end(), type) != spatial_types.end();
}

SystemAtImpact read_spatial_system(const Table& t) {
  return located(t, [&] {
    if (t.text("type", "") == "space-contact") return read_contact(t);
    return with_bodies(t, [](const auto& system) { return at_impact(system); });
  });
}

SpatialScene read_spatial_striker(const Table& t) {
  return with_bodies(t, [](const auto& system) { return scene_of(system); });
}

}  // namespace carom::scenario
