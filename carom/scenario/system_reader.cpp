// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/system_reader.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>

namespace carom::scenario {

std::array<double, 2> direction(double degrees) {
  const double turn = std::remainder(degrees, 360.);
  if (turn == 0.) return {1., 0.};
  if (turn == 90.) return {0., 1.};
  if (turn == -90.) return {0., -1.};
  if (std::abs(turn) == 180.) return {-1., 0.};
  return {std::cos(turn * degree), std::sin(turn * degree)};
}

namespace {

constexpr std::array<std::string_view, 8> types = {"bar",    "rod",     "disc",    "sphere",
                                                   "bodies", "linkage", "contact", "generalized"};

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

ContactSpace read_contact(const Table& t) {
  t.only({"type", "inverse_inertia", "approach"});
  const Eigen::MatrixXd G = t.matrix("inverse_inertia");
  if (G.rows() != 2 || G.cols() != 2) {
    throw InputError("inverse_inertia", "must be 2 x 2 (normal, tangential), got " +
                                            std::to_string(G.rows()) + " x " +
                                            std::to_string(G.cols()));
  }
  const auto v = t.pair("approach");
  return {.G = symmetric(G(0, 0), G(0, 1), G(1, 0), G(1, 1)), .approach = {.n = v[0], .t = v[1]}};
}

Configuration read_generalized(const Table& t) {
  t.only({"type", "mass", "directions", "velocity"});
  Configuration c;
  c.mass = t.matrix("mass");
  c.directions = t.matrix("directions");
  const auto u = t.row("velocity");
  c.velocity = Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
  for (std::size_t i = 0; i < u.size(); ++i) {
    c.coordinates.push_back({"u_" + std::to_string(i + 1), ""});
  }
  return c;
}

double finite(const Table& t, std::string_view key, double fallback) {
  const double x = t.number(key, fallback);
  if (!std::isfinite(x)) t.fail(key, "must be a finite number, got " + shortest(x));
  return x;
}

/// One of [[system.bodies]]. `side` is +1 for the first, into which the normal points, else -1.
FreeBody read_body(const Table& t, const std::array<double, 2>& normal, double side) {
  static constexpr std::array<std::string_view, 4> shapes = {"disc", "sphere", "bar", "box"};
  t.only({"name", "mass", "shape", "inertia", "contact_offset", "radius", "half_length",
          "angle_deg", "length", "width", "velocity", "spin"});
  FreeBody body;
  body.name = t.text("name", "");
  body.mass = t.positive("mass");
  body.velocity = t.pair("velocity");
  body.spin = t.number("spin", 0.);
  const std::string shape = t.text("shape", "");
  if (!shape.empty() && std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, shapes));
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
  } else if (shape == "bar") {
    const double half = t.positive("half_length");
    t.require("angle_deg", "the direction from the mass centre to the tip that strikes");
    const auto along = direction(finite(t, "angle_deg", 0.));
    t.refuse("contact_offset", "is given by the shape 'bar'");
    body.inertia = t.number("inertia", body.mass * half * half / 3.);
    body.contact_offset = {half * along[0], half * along[1]};
  } else {  // a box
    const double l = t.positive("length");
    const double w = t.positive("width");
    body.inertia = t.number("inertia", body.mass * (l * l + w * w) / 12.);
    body.contact_offset = t.pair("contact_offset");
    if (t.has("angle_deg")) {
      const auto along = direction(finite(t, "angle_deg", 0.));
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

/// A link as read, and what only the file knows of it.
struct NamedLinks {
  std::vector<Link> links;
  std::vector<std::optional<double>> lengths;
  std::vector<std::string_view> names;

  /// The end of link i: [length, 0]; the origin of a slide without length.
  [[nodiscard]] std::optional<std::array<double, 2>> end(int i) const {
    const auto k = static_cast<std::size_t>(i);
    if (lengths[k]) return std::array{*lengths[k], 0.};
    if (links[k].joint == JointKind::prismatic) return std::array{0., 0.};
    return std::nullopt;
  }

  /// The angle of what cannot turn: the ground, or a slide on such.
  [[nodiscard]] std::optional<double> fixed_angle(int i) const {
    double angle = 0.;
    for (; i != ground; i = links[static_cast<std::size_t>(i)].parent) {
      const Link& link = links[static_cast<std::size_t>(i)];
      if (link.joint == JointKind::revolute) return std::nullopt;
      angle += link.axis;
    }
    return angle;
  }

  /// The number of the link that `key` names, or ground.
  [[nodiscard]] int find(const Table& t, std::string_view key, int fallback) const {
    const std::string name = t.text(key, "");
    if (!t.has(key)) return fallback;
    if (name == "ground") return ground;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      std::vector<std::string_view> known = names;
      known.emplace_back("ground");
      t.fail(key, "unknown link '" + name + "'" + did_you_mean(name, known));
    }
    return static_cast<int>(at - names.begin());
  }
};

/// Names first, so that a link may be told from one that comes too late.
NamedLinks read_names(const std::vector<Table>& tables) {
  NamedLinks all;
  all.links.resize(tables.size());
  all.lengths.resize(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Table& t = tables[i];
    std::string& name = all.links[i].name;
    name = t.text("name", "link" + std::to_string(i + 1));
    if (name.empty() || name == "ground" ||
        std::find(all.names.begin(), all.names.end(), name) != all.names.end()) {
      t.fail("name", "must be a name of its own, not empty and not 'ground', got '" + name + "'");
    }
    all.names.emplace_back(name);
  }
  return all;
}

/// @param zero  the direction of a link at angle zero [rad]
void read_link(const Table& t, NamedLinks& all, std::size_t i, bool relative, double zero) {
  t.only({"name", "mass", "length", "inertia", "mass_centre", "parent", "joint", "at", "angle_deg",
          "position", "axis_deg", "rate", "support_velocity"});
  Link& link = all.links[i];
  link.mass = t.number("mass");
  const std::string joint = t.text("joint", "revolute");
  if (joint != "revolute" && joint != "prismatic") {
    t.fail("joint", "must be revolute or prismatic, got '" + joint + "'");
  }
  link.joint = joint == "revolute" ? JointKind::revolute : JointKind::prismatic;
  if (t.has("length")) all.lengths[i] = t.positive("length");
  const double length = all.lengths[i].value_or(0.);
  link.inertia = t.number("inertia", link.mass * length * length / 12.);
  if (link.joint == JointKind::revolute && !all.lengths[i]) {
    link.mass_centre = t.pair("mass_centre");
  } else {
    link.mass_centre = t.pair("mass_centre", {0.5 * length, 0.});
  }

  const int own = static_cast<int>(i);
  link.parent = all.find(t, "parent", own - 1);
  if (link.parent >= own) {
    t.fail("parent", "must come before '" + link.name + "' in the list, got '" +
                         all.links[static_cast<std::size_t>(link.parent)].name + "'");
  }
  if (link.parent == ground) {
    link.at = t.pair("at", {0., 0.});
  } else if (const auto end = all.end(link.parent); end && !t.has("at")) {
    link.at = *end;
  } else {
    link.at = t.pair("at");
  }
  if (link.joint == JointKind::revolute) {
    t.refuse("axis_deg", "is for prismatic joints");
    t.refuse("position", "is for prismatic joints; give angle_deg");
    t.require("angle_deg", "the link's angle");
    link.position = finite(t, "angle_deg", 0.) * degree;
    if (!relative) {
      link.position += zero;
    } else if (const auto fixed = all.fixed_angle(link.parent)) {
      link.position += zero - *fixed;  // what it hangs on cannot turn: from the zero direction
    }
  } else {
    t.refuse("angle_deg", "is for revolute joints; give axis_deg and position");
    link.axis = finite(t, "axis_deg", 0.) * degree;
    link.position = t.number("position", 0.);
  }
  link.rate = t.number("rate", 0.);
  link.support_velocity = t.pair("support_velocity", {0., 0.});
  if (link.parent != ground) {
    t.refuse("support_velocity", "is for joints to ground; '" + link.name + "' is joined to '" +
                                     all.links[static_cast<std::size_t>(link.parent)].name + "'");
  }
}

LinkContact read_link_contact(const Table& t, const NamedLinks& all) {
  t.only({"link", "point", "normal_deg", "against", "line_velocity"});
  LinkContact contact;
  const int striking = all.find(t, "link", static_cast<int>(all.links.size()) - 1);
  if (striking == ground) t.fail("link", "must be a link, got 'ground'");
  contact.link = static_cast<std::size_t>(striking);
  const auto end = all.end(striking);
  contact.point = end && !t.has("point") ? *end : t.pair("point");
  contact.normal = direction(finite(t, "normal_deg", 90.));
  contact.against = all.find(t, "against", ground);
  contact.line_velocity = t.pair("line_velocity", contact.line_velocity);
  return contact;
}

Linkage read_linkage(const Table& t) {
  t.only({"type", "angles", "zero_angle", "links", "contact"});
  const std::string angles = t.text("angles", "absolute");
  if (angles != "absolute" && angles != "relative") {
    t.fail("angles", "must be absolute or relative, got '" + angles + "'");
  }
  const std::string zero = t.text("zero_angle", "right");
  if (zero != "right" && zero != "down") {
    t.fail("zero_angle", "must be right or down, got '" + zero + "'");
  }
  Linkage l;
  l.relative_angles = angles == "relative";
  const std::vector<Table> tables = t.tables("links");
  if (tables.empty()) t.fail("links", "must have at least one link, got none");
  NamedLinks all = read_names(tables);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    read_link(tables[i], all, i, l.relative_angles, zero == "right" ? 0. : -90. * degree);
  }
  if (t.has("contact")) {
    l.contact = read_link_contact(t.table("contact"), all);
  } else {  // the end of the last link strikes the ground
    const int last = static_cast<int>(tables.size()) - 1;
    const auto end = all.end(last);
    if (!end) t.require("contact", "a table [system.contact] with the point that strikes");
    l.contact = {.link = static_cast<std::size_t>(last), .point = *end};
  }
  l.links = std::move(all.links);
  return l;
}

PlanarSystem read_type(const Table& t, const std::string& type) {
  if (type == "bar") return read_bar<Bar>(t);
  if (type == "rod") return read_bar<Rod>(t);
  if (type == "disc") return read_round(t, disc_inertia_factor);
  if (type == "sphere") return read_round(t, sphere_inertia_factor);
  if (type == "bodies") return read_bodies(t);
  if (type == "linkage") return read_linkage(t);
  if (type == "contact") return read_contact(t);
  return read_generalized(t);
}

}  // namespace

PlanarSystem read_system(const Table& t) {
  t.require("type",
            "one of bar, rod, disc, sphere, bodies, linkage, contact, generalized, or in space "
            "space, space-rod, space-sphere, space-contact, or with several contacts disc-ball, "
            "chain, block, rod-ends, assembly, space-assembly, contacts, generalized-contacts");
  const std::string type = t.text("type", "");
  if (is_spatial(type)) t.fail("type", "must be a system in the plane here, got '" + type + "'");
  if (has_several_contacts(type)) {
    t.fail("type", "must be a system with one contact here, got '" + type + "' with several");
  }
  if (std::find(types.begin(), types.end(), type) == types.end()) {
    std::vector<std::string_view> known(types.begin(), types.end());
    known.insert(known.end(), spatial_types.begin(), spatial_types.end());
    known.insert(known.end(), multi_types.begin(), multi_types.end());
    t.fail("type", "unknown system '" + type + "'" + did_you_mean(type, known));
  }
  return located(t, [&] { return read_type(t, type); });
}

}  // namespace carom::scenario
