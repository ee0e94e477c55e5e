// SPDX-License-Identifier: Apache-2.0
// Linkages that move, and the cradle, which is one.
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/scenario/linkage_reader.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

using Pair = std::array<double, 2>;

/// The link that `key` names; the last where it is not given.
std::size_t link_of(const Table& t, std::string_view key, const NamedLinks& all) {
  const int link = all.find(t, key, static_cast<int>(all.links.size()) - 1);
  if (link == ground) t.fail(key, "must be a link, got 'ground'");
  return static_cast<std::size_t>(link);
}

bool turns(const NamedLinks& all, std::size_t link) {
  return all.links[link].joint == JointKind::revolute;
}

/// A point of a link, by default its end; of the ground, by default the origin.
LinkPoint read_point(const Table& t, std::string_view link_key, std::string_view point_key,
                     int fallback, const NamedLinks& all) {
  LinkPoint p;
  p.link = all.find(t, link_key, fallback);
  const auto end = p.link == ground ? std::optional<Pair>(Pair{}) : all.end(p.link);
  p.point = end && !t.has(point_key) ? *end : t.pair(point_key);
  return p;
}

Harmonic read_course(const Table& t, std::string_view constant_key) {
  Harmonic c;
  c.constant = finite(t, constant_key, 0.);
  c.amplitude = finite(t, "amplitude", 0.);
  if (c.amplitude == 0.) {
    for (const char* key : {"frequency", "phase_deg"}) {
      t.refuse(key, "means nothing without amplitude");
    }
    return c;
  }
  c.frequency = t.positive("frequency");
  c.phase = finite(t, "phase_deg", 0.) * degree;
  return c;
}

/// What `x` is of a joint whose angle the file gives in degrees; see NamedLinks::zero.
double joint_angle(const NamedLinks& all, std::size_t link, double degrees) {
  const auto fixed = all.fixed_angle(all.links[link].parent);
  return degrees * degree + (fixed ? all.zero - *fixed : 0.);
}

void read_spring(const Table& t, const NamedLinks& all, MovingLinkage& d) {
  if (t.has("from") || t.has("to")) {
    t.only({"from", "from_point", "to", "to_point", "stiffness", "rest", "damping"});
    PointSpring s;
    t.require("from", "a link, at whose `from_point` the spring begins");
    s.from = read_point(t, "from", "from_point", ground, all);
    s.to = read_point(t, "to", "to_point", ground, all);
    s.stiffness = not_negative(t, "stiffness");
    s.rest = not_negative(t, "rest");
    s.damping = not_negative(t, "damping");
    d.point_springs.push_back(s);
    return;
  }
  t.only({"link", "stiffness", "rest", "rest_deg", "damping"});
  JointSpring s;
  t.require("link", "the link whose joint it acts on, or from and to");
  s.link = link_of(t, "link", all);
  s.stiffness = not_negative(t, "stiffness");
  s.damping = not_negative(t, "damping");
  if (turns(all, s.link)) {
    t.refuse("rest", "is for slides; give rest_deg");
    s.rest = joint_angle(all, s.link, finite(t, "rest_deg", 0.));
  } else {
    t.refuse("rest_deg", "is for hinges; give rest");
    s.rest = finite(t, "rest", 0.);
  }
  d.joint_springs.push_back(s);
}

void read_motor(const Table& t, const NamedLinks& all, MovingLinkage& d) {
  t.only({"link", "torque", "force", "amplitude", "frequency", "phase_deg", "speed_limit"});
  JointMotor m;
  m.link = link_of(t, "link", all);
  const bool hinge = turns(all, m.link);
  t.refuse(hinge ? "force" : "torque",
           hinge ? "is for slides; give torque" : "is for hinges; give force");
  m.effort = read_course(t, hinge ? "torque" : "force");
  if (t.has("speed_limit")) m.speed_limit = t.positive("speed_limit");
  d.motors.push_back(m);
}

void read_force(const Table& t, const NamedLinks& all, MovingLinkage& d) {
  t.only({"link", "point", "direction_deg", "force", "amplitude", "frequency", "phase_deg"});
  PointForce f;
  f.on = read_point(t, "link", "point", static_cast<int>(all.links.size()) - 1, all);
  if (f.on.link == ground) t.fail("link", "must be a link, got 'ground'");
  f.direction = direction(finite(t, "direction_deg", 0.));
  f.force = read_course(t, "force");
  d.forces.push_back(f);
}

LinkStrike read_strike(const Table& t, const NamedLinks& all) {
  t.only({"name", "link", "point", "radius", "against", "line_point", "normal_deg", "line_velocity",
          "centre", "disc_radius"});
  LinkStrike c;
  c.name = t.text("name", "");
  c.point = read_point(t, "link", "point", static_cast<int>(all.links.size()) - 1, all);
  c.radius = not_negative(t, "radius");
  const int against = all.find(t, "against", ground);
  if (t.has("centre") || t.has("disc_radius")) {
    for (const char* key : {"line_point", "normal_deg", "line_velocity"}) {
      t.refuse(key, "is for a line, and centre and disc_radius are of a disc");
    }
    c.target = DiscTarget{.centre = {.link = against, .point = t.pair("centre")},
                          .radius = not_negative(t, "disc_radius")};
    return c;
  }
  LineTarget line;
  line.through = {.link = against, .point = t.pair("line_point", {0., 0.})};
  line.normal = direction(finite(t, "normal_deg", 90.));
  line.velocity = t.pair("line_velocity", {0., 0.});
  c.target = line;
  return c;
}

/// Contacts' own names, or "tip", "tip 2": of the link and what it strikes.
void name_contacts(const Table& system, const NamedLinks& all, std::vector<LinkStrike>& contacts) {
  std::vector<std::string> taken;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::string& name = contacts[i].name;
    const auto is_taken = [&](const std::string& other) {
      return std::find(taken.begin(), taken.end(), other) != taken.end();
    };
    if (name.empty()) {
      const std::string base(all.names[static_cast<std::size_t>(contacts[i].point.link)]);
      name = base;
      for (int k = 2; is_taken(name); ++k) name = base + " " + std::to_string(k);
    } else if (is_taken(name)) {
      system.fail("contacts[" + std::to_string(i) + "].name",
                  "must be a name of its own, got '" + name + "' twice");
    }
    taken.push_back(name);
  }
}

/// Adds what the links look like: a line along each to its end, and discs where they strike. A link
/// without length that slides on another reaches to where its slide is at the start, as a leg does;
/// else what slides is a box.
void draw(const LinkageModel& model, const std::vector<std::optional<double>>& lengths,
          Drawing& drawing) {
  const MovingLinkage& d = model.description();
  const auto pose_of = [&model](int link) {
    return [&model, link](const State& state) {
      return PlanarPose{.origin = model.place_of({.link = link}, state),
                        .angle = model.angle_of(link, state)};
    };
  };
  for (std::size_t i = 0; i < d.linkage.links.size(); ++i) {
    const Link& link = d.linkage.links[i];
    PlanarOutline o{.body = link.name, .pose = pose_of(static_cast<int>(i))};
    const bool slides = link.joint == JointKind::prismatic && !lengths[i];
    if (slides && link.parent != ground && link.position != 0.) {
      o.figure.corners = {{-link.position, 0.}, {0., 0.}};
    } else if (slides) {
      const double w = 0.1 * model.length_scale(), h = 0.5 * w;
      o.figure.corners = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
    } else {
      o.figure.corners = {{0., 0.}, lengths[i] ? Pair{*lengths[i], 0.} : link.mass_centre};
    }
    drawing.outlines.push_back(std::move(o));
  }
  const auto disc = [&](const LinkPoint& at, double radius) {
    if (!(radius > 0.)) return;
    const std::string name = at.link == ground
                                 ? std::string("ground")
                                 : d.linkage.links[static_cast<std::size_t>(at.link)].name;
    const auto same = [&](const PlanarOutline& o) {
      return o.body == name && o.figure.radius == radius && o.figure.centre == at.point;
    };
    if (std::any_of(drawing.outlines.begin(), drawing.outlines.end(), same)) return;
    drawing.outlines.push_back(
        {.body = name, .figure = {.centre = at.point, .radius = radius}, .pose = pose_of(at.link)});
  };
  for (const LinkStrike& c : d.contacts) {
    disc(c.point, c.radius);
    if (const auto* target = std::get_if<DiscTarget>(&c.target)) {
      disc(target->centre, target->radius);
      continue;
    }
    const auto& line = std::get<LineTarget>(c.target);
    if (line.through.link != ground) continue;
    const auto same = [&](const GroundLine& other) {
      return other.through == line.through.point && other.normal == line.normal &&
             other.velocity == line.velocity;
    };
    if (std::any_of(drawing.lines.begin(), drawing.lines.end(), same)) continue;
    drawing.lines.push_back({.name = c.name,
                             .through = line.through.point,
                             .normal = line.normal,
                             .velocity = line.velocity});
  }
}

void take(MovingLinkage d, const std::vector<std::optional<double>>& lengths, MotionScenario& s) {
  auto model = std::make_unique<LinkageModel>(std::move(d));
  s.start = model->start();
  draw(*model, lengths, s.drawing);
  s.model = std::move(model);
}

}  // namespace

void read_moving_linkage(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "angles", "zero_angle", "links", "springs", "motors", "forces", "contacts",
          "contact"});
  NamedLinks all = read_links(t);
  MovingLinkage d;
  d.gravity = planar_gravity(motion);
  const auto each = [&](std::string_view key, const auto& read) {
    if (!t.has(key)) return;
    for (const Table& item : t.tables(key)) read(item);
  };
  each("springs", [&](const Table& item) { read_spring(item, all, d); });
  each("motors", [&](const Table& item) { read_motor(item, all, d); });
  each("forces", [&](const Table& item) { read_force(item, all, d); });
  each("contacts", [&](const Table& item) { d.contacts.push_back(read_strike(item, all)); });
  if (t.has("contact")) {
    t.refuse("contacts", "must not stand beside contact, the one of a single impact");
    d.contacts.push_back(strike_of({.links = all.links,
                                    .contact = read_link_contact(t.table("contact"), all),
                                    .relative_angles = all.relative_angles}));
  }
  name_contacts(t, all, d.contacts);
  d.linkage.relative_angles = all.relative_angles;
  d.linkage.links = std::move(all.links);
  take(std::move(d), all.lengths, s);
}

void read_moving_chain(const Table& t, const Table& motion, MotionScenario& s) {
  const Pair gravity = motion.has("gravity") ? planar_gravity(motion) : Pair{};
  if (gravity[1] != 0.) {
    motion.fail("gravity", "must be along the row of balls, [g, 0]: across it they are carried");
  }
  auto model = std::make_unique<ChainModel>(read_chain(t), gravity[0]);
  for (std::size_t i = 0; i < model->positions(); ++i) {
    s.drawing.outlines.push_back({.body = std::to_string(i + 1),
                                  .figure = {.radius = model->chain().radius},
                                  .pose = [k = ix(i)](const State& state) {
                                    return PlanarPose{.origin = {state.q(k), 0.}};
                                  }});
  }
  if (model->chain().wall) {
    s.drawing.lines.push_back(
        {.name = "wall", .through = {model->wall(), 0.}, .normal = {-1., 0.}});
  }
  s.start = model->start();
  s.model = std::move(model);
}

void read_cradle(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "masses", "mass", "count", "radius", "string", "clearance", "inertia_factor",
          "angles_deg", "lifted", "angle_deg", "rates", "damping"});
  Cradle c;
  constexpr std::size_t most_balls = 1000;
  const auto whole = [&](std::string_view key, std::size_t least, std::size_t most) {
    return located(t, [&] { return whole_number(t.number(key), least, most, key); });
  };
  if (t.has("masses")) {
    for (const char* key : {"mass", "count"}) t.refuse(key, "must not stand beside masses");
    c.masses = t.row("masses");
  } else {
    t.require("mass", "masses, one a ball, or mass and count");
    c.masses.assign(whole("count", 2, most_balls), t.positive("mass"));
  }
  c.radius = t.positive("radius");
  c.string = t.positive("string");
  c.clearance = t.number("clearance", 0.);
  c.inertia_factor = t.number("inertia_factor", 0.);
  c.damping = t.number("damping", 0.);
  if (t.has("angles_deg")) {
    for (const char* key : {"lifted", "angle_deg"})
      t.refuse(key, "must not stand beside angles_deg");
    c.angles = t.row("angles_deg");
    for (double& angle : c.angles) angle *= degree;
  } else {
    t.require("angle_deg", "angles_deg, one a ball, or angle_deg and how many are `lifted`");
    const double angle = finite(t, "angle_deg", 0.) * degree;
    const std::size_t n = c.masses.size();
    const std::size_t lifted = t.has("lifted") ? whole("lifted", 1, n) : 1;
    c.angles.assign(n, 0.);
    // To the left the first ones, to the right the last ones.
    const auto first = angle < 0. ? c.angles.begin() : c.angles.end() - static_cast<long>(lifted);
    std::fill_n(first, lifted, angle);
  }
  if (t.has("rates")) c.rates = t.row("rates");
  const std::array<double, 2> g = planar_gravity(motion);
  if (g[0] != 0. || !(g[1] < 0.)) {
    motion.fail("gravity", "must point downwards for a cradle, whose balls hang");
  }
  c.gravity = -g[1];
  const std::size_t n = c.masses.size();
  take(linkage_of(c), std::vector<std::optional<double>>(n), s);
}

}  // namespace carom::scenario
