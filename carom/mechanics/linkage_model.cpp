// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/linkage_model.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <carom/mechanics/linkage_motion.hpp>

namespace carom {
namespace {

using namespace linkages;
using links::LinkMotion;
using links::LinkMotions;

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

/// x and x' of a joint: its angle relative to the parent, or the displacement along the slide.
struct JointMotion {
  double position = 0.;
  double rate = 0.;
};

JointMotion joint_motion(const Linkage& l, std::size_t i, const LinkMotions& all,
                         const State& state) {
  JointMotion x{.position = state.q(entry(i)), .rate = state.u(entry(i))};
  if (l.links[i].joint == JointKind::revolute && !l.relative_angles) {
    const LinkMotion& parent = all[l.links[i].parent];
    x.position -= parent.frame.angle;
    x.rate -= parent.spin;
  }
  return x;
}

/// Adds the generalized force of `effort` at joint i, on the link and in reaction on its parent.
void add_joint_effort(const Linkage& l, std::size_t i, const LinkMotions& all, double effort,
                      Vector& h) {
  h(entry(i)) += effort;
  // With absolute angles the parent's own rate is part of the joint's, too.
  if (l.links[i].joint == JointKind::revolute && !l.relative_angles) {
    all.add_torque(l.links[i].parent, -effort, h);
  }
}

double spring_effort(const JointSpring& s, const JointMotion& x) {
  return -s.stiffness * (x.position - s.rest) - s.damping * x.rate;
}

double motor_effort(const JointMotor& m, double time, double rate) {
  const double effort = m.effort.at(time);
  const double speed = effort < 0. ? -rate : rate;
  return effort * std::clamp(1. - speed / m.speed_limit, 0., 1.);
}

/// Current state of a spring between points.
struct Stretch {
  Pair from{};
  Pair to{};
  Pair along{};  ///< unit vector, or zero if the points coincide
  double length = 0.;
  double rate = 0.;
};

Pair place_in(const LinkPoint& p, const LinkMotions& all) {
  return all[p.link].frame.point(p.point);
}

Stretch stretch_of(const PointSpring& s, const LinkMotions& all) {
  Stretch x{.from = place_in(s.from, all), .to = place_in(s.to, all)};
  const Pair d = x.to - x.from;
  x.length = std::hypot(d[0], d[1]);
  if (x.length > 0.) x.along = (1. / x.length) * d;
  x.rate = dot(x.along, all[s.to.link].velocity_at(x.to) - all[s.from.link].velocity_at(x.from));
  return x;
}

/// Current state of a contact: the nearest points of the surfaces, and how they and the frame move.
struct Nearest {
  double gap = 0.;
  Pair normal{};
  double turn = 0.;        ///< spin of the contact's frame [rad/s]
  Pair first{}, second{};  ///< the places on the two
  Pair first_rate{}, second_rate{};
  int against = ground;
  Pair support{};  ///< velocity of a line of the ground
};

Nearest nearest(const LinkStrike& c, const LineTarget& line, const LinkMotions& all) {
  Nearest x;
  x.against = line.through.link;
  x.support = line.velocity;
  const LinkMotion& carrier = all[x.against];
  x.normal = carrier.frame.direction(line.normal);
  x.turn = carrier.spin;
  const Pair p = place_in(c.point, all);
  x.gap = dot(x.normal, p - place_in(line.through, all)) - c.radius;
  x.first = p - c.radius * x.normal;
  x.first_rate = all[c.point.link].velocity_at(p) - (c.radius * x.turn) * turned(x.normal);
  x.second = x.first;
  x.second_rate = x.first_rate;
  return x;
}

Nearest nearest(const LinkStrike& c, const DiscTarget& disc, const LinkMotions& all) {
  Nearest x;
  x.against = disc.centre.link;
  const Pair p = place_in(c.point, all);
  const Pair o = place_in(disc.centre, all);
  const Pair v = all[c.point.link].velocity_at(p);
  const Pair w = all[x.against].velocity_at(o);
  const Pair d = p - o;
  const double distance = std::hypot(d[0], d[1]);
  x.normal = distance > 0. ? (1. / distance) * d : Pair{0., 1.};
  x.gap = distance - c.radius - disc.radius;
  x.turn = distance > 0. ? dot(turned(x.normal), v - w) / distance : 0.;
  x.first = p - c.radius * x.normal;
  x.second = o + disc.radius * x.normal;
  x.first_rate = v - (c.radius * x.turn) * turned(x.normal);
  x.second_rate = w + (disc.radius * x.turn) * turned(x.normal);
  return x;
}

Nearest nearest(const LinkStrike& c, const LinkMotions& all, double time) {
  return std::visit(
      [&](const auto& target) {
        Nearest x = nearest(c, target, all);
        x.gap -= time * dot(x.normal, x.support);
        return x;
      },
      c.target);
}

int carrier_of(const LinkStrike& c) {
  if (const auto* line = std::get_if<LineTarget>(&c.target)) return line->through.link;
  return std::get<DiscTarget>(c.target).centre.link;
}

/// The rate of change of the velocity of the material point of a link at `place` for u' = 0, while
/// `place` moves with `place_rate`.
Pair passing_bias(const LinkMotion& m, const Pair& place_rate) {
  return m.bias + m.spin * turned(place_rate - m.velocity);
}

}  // namespace

double Harmonic::at(double time) const {
  if (amplitude == 0.) return constant;
  return constant + amplitude * std::sin(2. * std::numbers::pi * frequency * time + phase);
}

State LinkageModel::start() const {
  State s;
  s.q.resize(entry(positions()));
  s.u.resize(entry(velocities()));
  for (std::size_t i = 0; i < positions(); ++i) {
    s.q(entry(i)) = d_.linkage.links[i].position;
    s.u(entry(i)) = d_.linkage.links[i].rate;
  }
  return s;
}

std::string LinkageModel::position_name(std::size_t i) const {
  const Link& link = d_.linkage.links[i];
  return link.name + (link.joint == JointKind::revolute ? ".angle" : ".position");
}

std::string LinkageModel::velocity_name(std::size_t i) const {
  return d_.linkage.links[i].name + ".rate";
}

std::string_view LinkageModel::position_unit(std::size_t i) const {
  return d_.linkage.links[i].joint == JointKind::revolute ? "rad" : "m";
}

std::string LinkageModel::name_of(std::size_t i) const { return d_.contacts[i].name; }

void LinkageModel::kinematics(const State& state, Vector& rate) const { rate = state.u; }

// M = sum J^T (m, m, I) J and h = sum J^T m (g - a) over the links, with a the acceleration of the
// mass centre at u' = 0, plus the generalized forces of springs, dampers and drives.
void LinkageModel::dynamics(const State& state, MassMatrix& mass, Vector& h) const {
  const Linkage& l = d_.linkage;
  const LinkMotions all(l, state);
  Eigen::Map<Matrix> M(mass.block(0), h.size(), h.size());
  M.setZero();
  h.setZero();
  links::LinkRows J(h.size());
  for (int i = 0; i < static_cast<int>(l.links.size()); ++i) {
    const Link& link = l.links[index(i)];
    all.add_mass(i, J, M);
    const Pair centre = all[i].frame.point(link.mass_centre);
    const Pair push = link.mass * (d_.gravity - all[i].bias_at(centre));
    for (int j = i; j != ground; j = l.links[index(j)].parent) {
      h(j) += J.x(j) * push[0] + J.y(j) * push[1];
    }
  }
  for (Eigen::Index j = 0; j < M.rows(); ++j) {
    for (Eigen::Index k = 0; k < j; ++k) M(k, j) = M(j, k);
  }
  for (const JointSpring& s : d_.joint_springs) {
    add_joint_effort(l, s.link, all, spring_effort(s, joint_motion(l, s.link, all, state)), h);
  }
  for (const JointMotor& m : d_.motors) {
    const double rate = joint_motion(l, m.link, all, state).rate;
    add_joint_effort(l, m.link, all, motor_effort(m, state.time, rate), h);
  }
  for (const PointSpring& s : d_.point_springs) {
    const Stretch x = stretch_of(s, all);
    const double pull = s.stiffness * (x.length - s.rest) + s.damping * x.rate;
    all.add_push(s.from.link, x.from, x.along, pull, h);
    all.add_push(s.to.link, x.to, x.along, -pull, h);
  }
  for (const PointForce& f : d_.forces) {
    all.add_push(f.on.link, place_in(f.on, all), f.direction, f.force.at(state.time), h);
  }
}

double LinkageModel::gap_of(std::size_t contact, const State& state) const {
  const LinkStrike& c = d_.contacts[contact];
  return nearest(c, LinkMotions(d_.linkage, state, c.point.link, carrier_of(c)), state.time).gap;
}

// With places c1, c2 on the two and a frame (n, t) that turns with w_f: v_e = e.(v1(c1) - v2(c2)),
// and its rate where u' = 0 is w_f (k x e).(v1 - v2) + e.(v1' - v2').
void LinkageModel::motion_of(std::size_t contact, const State& state, ContactMotion& motion) const {
  const LinkStrike& c = d_.contacts[contact];
  const LinkMotions all(d_.linkage, state, c.point.link, carrier_of(c));
  const Nearest x = nearest(c, all, state.time);
  const LinkMotion& first = all[c.point.link];
  const LinkMotion& second = all[x.against];
  const Pair v = first.velocity_at(x.first) - second.velocity_at(x.second) - x.support;
  const Pair a = passing_bias(first, x.first_rate) - passing_bias(second, x.second_rate);
  const Pair frame[] = {x.normal, {x.normal[1], -x.normal[0]}};
  motion.gap = x.gap;
  motion.ranges = {VelocityRange{0, velocities()}, {}};
  motion.W.setZero(entry(velocities()), 3);
  motion.velocity.setZero();
  motion.bias.setZero();
  for (int k = 0; k < 2; ++k) {
    const Pair& e = frame[k];
    auto column = motion.W.col(k);
    all.add_push(c.point.link, x.first, e, 1., column);
    all.add_push(x.against, x.second, e, -1., column);
    motion.velocity(k) = dot(e, v);
    motion.bias(k) = x.turn * dot(turned(e), v) + dot(e, a);
  }
}

double LinkageModel::potential_energy(const State& state) const {
  const Linkage& l = d_.linkage;
  const LinkMotions all(l, state);
  double V = 0.;
  for (int i = 0; i < static_cast<int>(l.links.size()); ++i) {
    const Link& link = l.links[index(i)];
    V -= link.mass * dot(d_.gravity, all[i].frame.point(link.mass_centre));
  }
  for (const JointSpring& s : d_.joint_springs) {
    const double x = joint_motion(l, s.link, all, state).position - s.rest;
    V += 0.5 * s.stiffness * x * x;
  }
  for (const PointSpring& s : d_.point_springs) {
    const double x = stretch_of(s, all).length - s.rest;
    V += 0.5 * s.stiffness * x * x;
  }
  return V;
}

OtherPower LinkageModel::other_power(const State& state) const {
  const Linkage& l = d_.linkage;
  OtherPower power;
  if (d_.joint_springs.empty() && d_.point_springs.empty() && d_.motors.empty() &&
      d_.forces.empty()) {
    return power;
  }
  const LinkMotions all(l, state);
  for (const JointSpring& s : d_.joint_springs) {
    const double rate = joint_motion(l, s.link, all, state).rate;
    power.dampers -= s.damping * rate * rate;
  }
  for (const PointSpring& s : d_.point_springs) {
    const double rate = stretch_of(s, all).rate;
    power.dampers -= s.damping * rate * rate;
  }
  for (const JointMotor& m : d_.motors) {
    const double rate = joint_motion(l, m.link, all, state).rate;
    power.drives += motor_effort(m, state.time, rate) * rate;
  }
  for (const PointForce& f : d_.forces) {
    const Pair v = all[f.on.link].velocity_at(place_in(f.on, all));
    power.drives += f.force.at(state.time) * dot(f.direction, v);
  }
  return power;
}

std::array<double, 2> LinkageModel::place_of(const LinkPoint& point, const State& state) const {
  return place_in(point, LinkMotions(d_.linkage, state, point.link, ground));
}

double LinkageModel::angle_of(int link, const State& state) const {
  return LinkMotions(d_.linkage, state, link, ground)[link].frame.angle;
}

}  // namespace carom
