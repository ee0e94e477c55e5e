// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/system_reader.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/scenario/linkage_reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/vehicles_reader.hpp>

namespace carom::scenario {

std::array<double, 2> direction(double degrees) { return unit_direction(degrees); }

namespace {

template <class Body>
void read_motion(const Table& t, Body& body) {
  body.velocity = t.pair("velocity");
  body.spin = t.number("spin", 0.);
}

template <class Body>
Body read_bar(const Table& t) {  // Bar and Rod share their keys
  t.only({"type", "mass", "half_length", "inertia_factor", "angle_deg", "velocity", "spin"});
  Body body;
  body.mass = t.number("mass", body.mass);
  body.half_length = t.number("half_length", body.half_length);
  body.inertia_factor = t.number("inertia_factor", body.inertia_factor);
  body.angle = t.number("angle_deg") * degree;
  read_motion(t, body);
  return body;
}

Round read_round(const Table& t, double inertia_factor) {
  t.only({"type", "mass", "radius", "inertia_factor", "velocity", "spin"});
  Round body;
  body.mass = t.number("mass", body.mass);
  body.radius = t.number("radius", body.radius);
  body.inertia_factor = t.number("inertia_factor", inertia_factor);
  read_motion(t, body);
  return body;
}

SystemAtImpact read_contact(const Table& t) {
  t.only({"type", "inverse_inertia", "approach"});
  const Eigen::MatrixXd G = t.matrix("inverse_inertia");
  if (G.rows() != 2 || G.cols() != 2) {
    throw InputError("inverse_inertia", "must be 2 x 2 (normal, tangential), got " +
                                            std::to_string(G.rows()) + " x " +
                                            std::to_string(G.cols()));
  }
  const auto v = t.pair("approach");
  SystemAtImpact s;
  s.names = {""};
  assign(s.problem, PlanarProblem{.G = symmetric(G(0, 0), G(0, 1), G(1, 0), G(1, 1)),
                                  .approach = {.n = v[0], .t = v[1]},
                                  .surface = {}});
  return s;
}

SystemAtImpact read_generalized(const Table& t) {
  t.only({"type", "mass", "directions", "velocity"});
  SystemAtImpact s = at_impact(t.matrix("mass"), t.matrix("directions"), t.row("velocity"));
  if (s.W.cols() != 2) {
    throw InputError("directions",
                     "must have 2 columns (normal, tangential), got " + std::to_string(s.W.cols()));
  }
  for (std::size_t i = 0; i < s.u.size(); ++i) {
    s.coordinates.push_back({"u_" + std::to_string(i + 1), ""});
  }
  return s;
}

/// The corner of a box that is furthest along `towards`, from the centre; `along` its length.
std::array<double, 2> striking_corner(const Table& t, double length, double width,
                                      const std::array<double, 2>& along,
                                      const std::array<double, 2>& towards) {
  const double x = along[0] * towards[0] + along[1] * towards[1];
  const double y = along[0] * towards[1] - along[1] * towards[0];
  constexpr double flat = 1e-9;  // as in space
  if (std::abs(x) <= flat || std::abs(y) <= flat) {
    t.fail("contact_offset",
           "is needed: a side of the box touches along this normal, not one point");
  }
  const double a = std::copysign(0.5 * length, x);
  const double b = std::copysign(0.5 * width, y);
  return {a * along[0] - b * along[1], a * along[1] + b * along[0]};
}

/// One of [[system.bodies]]. `side` is +1 for the first, into which the normal points, else -1.
FreeBody read_body(const Table& t, const std::array<double, 2>& normal, double side) {
  static constexpr std::array<std::string_view, 4> planar_shapes = {"disc", "sphere", "bar", "box"};
  t.only({"name", "mass", "shape", "inertia", "contact_offset", "radius", "half_length",
          "angle_deg", "length", "width", "velocity", "spin"});
  FreeBody body;
  body.name = t.text("name", "");
  body.mass = t.positive("mass");
  body.velocity = t.pair("velocity");
  body.spin = t.number("spin", 0.);
  const std::string shape = t.text("shape", "");
  if (!shape.empty() &&
      std::find(planar_shapes.begin(), planar_shapes.end(), shape) == planar_shapes.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, planar_shapes));
  }
  const auto belongs = [&](std::initializer_list<std::string_view> to, std::string_view key) {
    if (std::find(to.begin(), to.end(), shape) != to.end()) return;
    t.refuse(key, shape.empty() ? "means nothing without a shape"
                                : "means nothing for the shape '" + shape + "'");
  };
  belongs({"disc", "sphere"}, "radius");
  belongs({"bar"}, "half_length");
  belongs({"bar", "box"}, "angle_deg");
  belongs({"box"}, "length");
  belongs({"box"}, "width");
  if (shape.empty()) {
    body.inertia = t.number("inertia");
    body.contact_offset = t.pair("contact_offset");
  } else if (shape == "disc" || shape == "sphere") {
    const double r = t.positive("radius");
    const double factor = shape == "disc" ? disc_inertia_factor : sphere_inertia_factor;
    t.refuse("contact_offset", "is given by the shape '" + shape + "'");
    body.inertia = t.number("inertia", factor * body.mass * r * r);
    body.contact_offset = {-side * r * normal[0], -side * r * normal[1]};
    body.shape = shapes::plane::disc(r);
  } else if (shape == "bar") {
    const double half = t.positive("half_length");
    t.require("angle_deg", "the direction from the mass centre to the tip that strikes");
    const auto along = direction(finite(t, "angle_deg", 0.));
    t.refuse("contact_offset", "is given by the shape 'bar'");
    body.inertia = t.number("inertia", body.mass * half * half / 3.);
    body.contact_offset = {half * along[0], half * along[1]};
    body.shape = shapes::plane::bar(2. * half);
    body.angle = t.number("angle_deg") * degree;
  } else {  // a box
    const double l = t.positive("length");
    const double w = t.positive("width");
    body.inertia = t.number("inertia", body.mass * (l * l + w * w) / 12.);
    const auto along = direction(finite(t, "angle_deg", 0.));
    body.shape = shapes::plane::box(l, w);
    body.angle = t.number("angle_deg", 0.) * degree;
    if (!t.has("contact_offset")) {
      body.contact_offset = striking_corner(t, l, w, along, {-side * normal[0], -side * normal[1]});
      return body;
    }
    body.contact_offset = t.pair("contact_offset");
    if (t.has("angle_deg")) {
      const auto [x, y] = body.contact_offset;
      constexpr double slack = 1.01;  // offsets come rounded
      if (std::abs(along[0] * x + along[1] * y) > slack * l / 2. ||
          std::abs(along[0] * y - along[1] * x) > slack * w / 2.) {
        t.fail("contact_offset", "lies outside of a box of that length, width and angle_deg");
      }
    }
  }
  return body;
}

TwoBodies read_bodies(const Table& t) {
  t.only({"type", "normal_deg", "bodies", "surface_velocity"});
  TwoBodies s;
  s.normal = direction(finite(t, "normal_deg", 90.));
  s.surface_velocity = t.pair("surface_velocity", s.surface_velocity);
  const std::vector<Table> bodies = t.tables("bodies");
  if (bodies.empty() || bodies.size() > 2) {
    t.fail("bodies", "must be one or two, got " + std::to_string(bodies.size()));
  }
  s.first = read_body(bodies[0], s.normal, 1.);
  if (bodies.size() == 2) {
    s.second = read_body(bodies[1], s.normal, -1.);
    if (!s.first.name.empty() && s.second->name == s.first.name) {
      bodies[1].fail("name", "must differ from the first body's, got '" + s.first.name + "' twice");
    }
  }
  return s;
}

/// f(system) of a system of free bodies.
template <class F>
auto with_bodies(const Table& t, const std::string& type, const F& f) {
  if (type == "bar") return f(read_bar<Bar>(t));
  if (type == "rod") return f(read_bar<Rod>(t));
  if (type == "disc") return f(read_round(t, disc_inertia_factor));
  if (type == "sphere") return f(read_round(t, sphere_inertia_factor));
  return f(read_bodies(t));
}

SystemAtImpact read_type(const Table& t, const std::string& type) {
  if (type == "linkage") return at_impact(read_linkage(t));
  if (type == "contact") return read_contact(t);
  if (type == "generalized") return read_generalized(t);
  return with_bodies(t, type, [](const auto& system) { return at_impact(system); });
}

}  // namespace

PlacedScene read_scene(const Table& t) {
  return with_bodies(t, t.text("type", ""), [](const auto& system) { return scene_of(system); });
}

SystemAtImpact read_system(const Table& t) {
  t.require(
      "type",
      "one of bar, rod, disc, sphere, bodies, vehicles, linkage, contact, generalized, or in space "
      "space, space-rod, space-sphere, space-contact, or with several contacts disc-ball, "
      "chain, block, rod-ends, assembly, space-assembly, contacts, generalized-contacts");
  const std::string type = t.text("type", "");
  if (is_spatial(type)) t.fail("type", "must be a system in the plane here, got '" + type + "'");
  if (type == vehicles_type) {
    t.fail("type", "cannot be vehicles here: their coefficients may depend on how they move");
  }
  if (has_several_contacts(type)) {
    t.fail("type", "must be a system with one contact here, got '" + type + "' with several");
  }
  if (std::find(system_types.begin(), system_types.end(), type) == system_types.end()) {
    std::vector<std::string_view> known(system_types.begin(), system_types.end());
    known.push_back(vehicles_type);
    known.insert(known.end(), spatial_types.begin(), spatial_types.end());
    known.insert(known.end(), multi_types.begin(), multi_types.end());
    t.fail("type", "unknown system '" + type + "'" + did_you_mean(type, known));
  }
  return located(t, [&] { return read_type(t, type); });
}

}  // namespace carom::scenario
