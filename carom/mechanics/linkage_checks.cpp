// SPDX-License-Identifier: Apache-2.0
// Validation of moving linkages, and their reference scales.
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/linkage_frames.hpp>
#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/linkage_motion.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using namespace linkages;

std::string item(const char* list, std::size_t i, const char* key) {
  return std::string(list) + "[" + std::to_string(i) + "]." + key;
}

void require_finite(const Pair& a, const std::string& field) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (!std::isfinite(a[k])) {
      throw InputError(field + "[" + std::to_string(k) + "]", a[k], "a finite number");
    }
  }
}

void require_least(double x, double least, const std::string& field) {
  if (!(x >= least && std::isfinite(x))) {
    throw InputError(field, x, "a finite number >= " + shortest(least));
  }
}

/// Checks descriptions of one linkage.
struct Checks {
  const Linkage& linkage;

  void link(std::size_t i, const std::string& field) const {
    if (i >= linkage.links.size()) {
      throw InputError(field, "must be one of the " + std::to_string(linkage.links.size()) +
                                  " links, got " + std::to_string(i));
    }
  }
  void point(const LinkPoint& p, const std::string& field) const {
    if (p.link < ground || p.link >= static_cast<int>(linkage.links.size())) {
      throw InputError(field, p.link, "ground or one of the links");
    }
    require_finite(p.point, field);
  }
  void course(const Harmonic& c, const std::string& field) const {
    for (const double x : {c.constant, c.amplitude, c.phase}) carom::require_finite(x, field);
    require_least(c.frequency, 0., field + ".frequency");
  }
};

void check(JointSpring& s, std::size_t i, const Checks& checks) {
  checks.link(s.link, item("joint_springs", i, "link"));
  require_least(s.stiffness, 0., item("joint_springs", i, "stiffness"));
  require_least(s.damping, 0., item("joint_springs", i, "damping"));
  carom::require_finite(s.rest, item("joint_springs", i, "rest"));
}

void check(PointSpring& s, std::size_t i, const Checks& checks) {
  checks.point(s.from, item("point_springs", i, "from"));
  checks.point(s.to, item("point_springs", i, "to"));
  if (s.from.link == s.to.link) {
    throw InputError(item("point_springs", i, "to"), "must be on another link than `from`");
  }
  require_least(s.stiffness, 0., item("point_springs", i, "stiffness"));
  require_least(s.rest, 0., item("point_springs", i, "rest"));
  require_least(s.damping, 0., item("point_springs", i, "damping"));
}

void check(JointMotor& m, std::size_t i, const Checks& checks) {
  checks.link(m.link, item("motors", i, "link"));
  checks.course(m.effort, item("motors", i, "effort"));
  if (!(m.speed_limit > 0.)) {
    throw InputError(item("motors", i, "speed_limit"), m.speed_limit, "> 0");
  }
}

void check(PointForce& f, std::size_t i, const Checks& checks) {
  checks.point(f.on, item("forces", i, "point"));
  if (f.on.link == ground) throw InputError(item("forces", i, "link"), "must be a link");
  f.direction = unit_vector(f.direction, item("forces", i, "direction"));
  checks.course(f.force, item("forces", i, "force"));
}

void check(LinkStrike& c, std::size_t i, const Checks& checks) {
  checks.point(c.point, item("contacts", i, "point"));
  if (c.point.link == ground) throw InputError(item("contacts", i, "link"), "must be a link");
  require_least(c.radius, 0., item("contacts", i, "radius"));
  int against = ground;
  if (auto* line = std::get_if<LineTarget>(&c.target)) {
    checks.point(line->through, item("contacts", i, "line"));
    require_finite(line->velocity, item("contacts", i, "line_velocity"));
    line->normal = unit_vector(line->normal, item("contacts", i, "normal"));
    against = line->through.link;
    if (against != ground && line->velocity != Pair{}) {
      throw InputError(item("contacts", i, "line_velocity"), "is for a line of the ground");
    }
  } else {
    const auto& disc = std::get<DiscTarget>(c.target);
    checks.point(disc.centre, item("contacts", i, "centre"));
    require_least(disc.radius, 0., item("contacts", i, "disc_radius"));
    if (!(disc.radius + c.radius > 0.)) {
      throw InputError(item("contacts", i, "radius"),
                       "must be > 0 for one of the two: points do not strike points");
    }
    against = disc.centre.link;
  }
  if (against == c.point.link) {
    throw InputError(item("contacts", i, "against"),
                     "must be another link than the one that strikes");
  }
  if (c.name.empty()) c.name = std::to_string(i + 1);
}

template <class Item>
void check_all(std::vector<Item>& items, const Checks& checks) {
  for (std::size_t i = 0; i < items.size(); ++i) check(items[i], i, checks);
}

double size(const Pair& a) { return std::hypot(a[0], a[1]); }

/// The largest force of weight, motors and given forces on slides [N].
double force_of(const MovingLinkage& d) {
  double force = 0.;
  for (const Link& link : d.linkage.links) force += link.mass * size(d.gravity);
  for (const JointMotor& m : d.motors) {
    if (d.linkage.links[m.link].joint == JointKind::revolute) continue;
    force = std::max(force, std::abs(m.effort.constant) + std::abs(m.effort.amplitude));
  }
  for (const PointForce& f : d.forces) {
    force = std::max(force, std::abs(f.force.constant) + std::abs(f.force.amplitude));
  }
  return force;
}

/// The largest length in the description; 0 if there is none. The position of a slide may be near
/// zero by chance. Alone it counts only if neither links nor contacts nor springs have a length.
double length_of(const MovingLinkage& d) {
  double most = 0.;
  double position = 0.;
  for (const Link& link : d.linkage.links) {
    most = std::max({most, size(link.mass_centre), link.parent == ground ? 0. : size(link.at)});
    if (link.joint == JointKind::prismatic) position = std::max(position, std::abs(link.position));
  }
  for (const LinkStrike& c : d.contacts) {
    most = std::max({most, size(c.point.point), c.radius});
  }
  if (most > 0.) return std::max(most, position);
  for (const LinkStrike& c : d.contacts) {
    if (const auto* line = std::get_if<LineTarget>(&c.target)) {
      most = std::max(most, size(line->through.point));
    } else {
      const auto& disc = std::get<DiscTarget>(c.target);
      most = std::max({most, size(disc.centre.point), disc.radius});
    }
  }
  // Springs may hold the links far from what they could strike: the smaller length counts.
  const double force = force_of(d);
  double rest = 0.;
  double deflection = 0.;
  for (const JointSpring& s : d.joint_springs) {
    if (d.linkage.links[s.link].joint == JointKind::revolute) continue;
    rest = std::max(rest, std::abs(s.rest));
    if (s.stiffness > 0.) deflection = std::max(deflection, force / s.stiffness);
  }
  for (const PointSpring& s : d.point_springs) {
    rest = std::max({rest, size(s.from.point), size(s.to.point), s.rest});
    if (s.stiffness > 0.) deflection = std::max(deflection, force / s.stiffness);
  }
  const double held = std::max(rest, deflection);
  if (held > 0.) most = most > 0. ? std::min(most, held) : held;
  return std::max(most, position);
}

/// The largest acceleration due to weight, springs, drives or the motion itself.
double acceleration_of(const MovingLinkage& d, double length) {
  double mass = 0.;
  double speed = 0.;
  for (const Link& link : d.linkage.links) {
    mass += link.mass + link.inertia / (length * length);
    speed = std::max(speed, link.joint == JointKind::revolute ? std::abs(link.rate) * length
                                                              : std::abs(link.rate));
  }
  double force = 0.;
  const auto joint_force = [&](std::size_t i, double effort) {
    const bool turns = d.linkage.links[i].joint == JointKind::revolute;
    return turns ? effort / length : effort;
  };
  for (const JointMotor& m : d.motors) {
    force = std::max(
        force, joint_force(m.link, std::abs(m.effort.constant) + std::abs(m.effort.amplitude)));
  }
  for (const PointForce& f : d.forces) {
    force = std::max(force, std::abs(f.force.constant) + std::abs(f.force.amplitude));
  }
  if (size(d.gravity) == 0. && force == 0.) {
    for (const JointSpring& s : d.joint_springs) {
      const bool turns = d.linkage.links[s.link].joint == JointKind::revolute;
      force = std::max(force, joint_force(s.link, s.stiffness * (turns ? 1. : length)));
    }
    for (const PointSpring& s : d.point_springs) force = std::max(force, s.stiffness * length);
  }
  const double most = std::max(size(d.gravity), force / mass);
  return most > 0. ? most : speed * speed / length;
}

}  // namespace

LinkStrike strike_of(const Linkage& l) {
  static_cast<void>(at_impact(l));  // throws if something is invalid
  State state{.q = Vector(ix(l.links.size())), .u = Vector::Zero(ix(l.links.size()))};
  for (std::size_t i = 0; i < l.links.size(); ++i) state.q(ix(i)) = l.links[i].position;
  const links::LinkMotions all(l, state);
  const LinkContact& c = l.contact;
  const int own = static_cast<int>(c.link);
  const linkages::Frame& f = all[c.against].frame;
  const auto in_frame = [&](const Pair& v) {
    return Pair{f.c * v[0] + f.s * v[1], f.c * v[1] - f.s * v[0]};
  };
  return {
      .point = {.link = own, .point = c.point},
      .target = LineTarget{.through = {.link = c.against,
                                       .point = in_frame(all[own].frame.point(c.point) - f.origin)},
                           .normal = in_frame(c.normal),
                           .velocity = c.line_velocity}};
}

LinkageModel::LinkageModel(MovingLinkage description) : d_(std::move(description)) {
  d_.linkage.contact = {};
  static_cast<void>(at_impact(d_.linkage));  // throws if the links are invalid
  for (std::size_t i = 0; i < d_.linkage.links.size(); ++i) {
    if (d_.linkage.links[i].support_velocity != Pair{}) {
      throw InputError(item("links", i, "support_velocity"),
                       "must be zero in a motion; let the line move instead");
    }
  }
  require_finite(d_.gravity, "gravity");
  const Checks checks{d_.linkage};
  check_all(d_.joint_springs, checks);
  check_all(d_.point_springs, checks);
  check_all(d_.motors, checks);
  check_all(d_.forces, checks);
  check_all(d_.contacts, checks);
  length_ = length_of(d_);
  if (!(length_ > 0.)) length_ = 1.;
  acceleration_ = acceleration_of(d_, length_);
  if (!(acceleration_ > 0. && std::isfinite(acceleration_))) acceleration_ = 1.;  // nothing moves
}

MovingLinkage linkage_of(const Cradle& c) {
  const std::size_t n = c.masses.size();
  if (n < 2) throw InputError("masses", "must be two balls or more, got " + std::to_string(n));
  const auto sized = [&](const std::vector<double>& values, const char* key) {
    if (!values.empty() && values.size() != n) {
      throw InputError(key, "must have " + std::to_string(n) + " numbers, one a ball, got " +
                                std::to_string(values.size()));
    }
  };
  sized(c.angles, "angles_deg");
  sized(c.rates, "rates");
  const auto positive = [](double x, const char* key) {
    if (!(x > 0. && std::isfinite(x))) throw InputError(key, x, "a finite number > 0");
  };
  positive(c.radius, "radius");
  positive(c.string, "string");
  positive(c.gravity, "gravity");
  require_least(c.clearance, 0., "clearance");
  require_least(c.inertia_factor, 0., "inertia_factor");
  require_least(c.damping, 0., "damping");
  MovingLinkage d;
  d.gravity = {0., -c.gravity};
  for (std::size_t i = 0; i < n; ++i) {
    const std::string name = std::to_string(i + 1);
    if (!(c.masses[i] > 0. && std::isfinite(c.masses[i]))) {
      throw InputError("masses[" + std::to_string(i) + "]", c.masses[i], "a finite number > 0");
    }
    // The link's frame has its y axis along the string, up: upright if the ball hangs at rest.
    d.linkage.links.push_back(
        {.name = name,
         .mass = c.masses[i],
         .inertia = c.inertia_factor * c.masses[i] * c.radius * c.radius,
         .mass_centre = {0., -c.string},
         .parent = ground,
         .at = {static_cast<double>(i) * (2. * c.radius + c.clearance), c.string},
         .position = c.angles.empty() ? 0. : c.angles[i],
         .rate = c.rates.empty() ? 0. : c.rates[i]});
    if (c.damping > 0.) d.joint_springs.push_back({.link = i, .damping = c.damping});
    if (i == 0) continue;
    const int own = static_cast<int>(i);
    d.contacts.push_back(
        {.name = std::to_string(i) + "-" + name,
         .point = {.link = own, .point = {0., -c.string}},
         .radius = c.radius,
         .target = DiscTarget{.centre = {.link = own - 1, .point = {0., -c.string}},
                              .radius = c.radius}});
  }
  return d;
}

}  // namespace carom
