// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/linkage.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/linkage_motion.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using namespace linkages;
using links::LinkMotion;
using links::LinkMotions;

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

std::string field_of(std::size_t i, const char* key) {
  return "links[" + std::to_string(i) + "]." + key;
}

bool is_finite(const Pair& a) { return std::isfinite(a[0]) && std::isfinite(a[1]); }

[[noreturn]] void not_finite(const std::string& field, const Pair& a) {
  const std::size_t k = std::isfinite(a[0]) ? 1 : 0;
  throw InputError(field + "[" + std::to_string(k) + "]", a[k], "a finite number");
}

void validate(const Linkage& l) {
  const auto n = static_cast<int>(l.links.size());
  if (n == 0) throw InputError("links", "must have at least one link, got none");
  for (int k = 0; k < n; ++k) {
    const std::size_t i = index(k);
    const Link& link = l.links[i];
    if (!(link.mass >= 0. && std::isfinite(link.mass))) {
      throw InputError(field_of(i, "mass"), link.mass, "a finite number >= 0");
    }
    if (!(link.inertia >= 0. && std::isfinite(link.inertia))) {
      throw InputError(field_of(i, "inertia"), link.inertia, "a finite number >= 0");
    }
    if (link.parent < ground || link.parent >= k) {
      throw InputError(field_of(i, "parent"), link.parent, "ground or a link earlier in the list");
    }
    if (!is_finite(link.mass_centre)) not_finite(field_of(i, "mass_centre"), link.mass_centre);
    if (!is_finite(link.at)) not_finite(field_of(i, "at"), link.at);
    if (!is_finite(link.support_velocity)) {
      not_finite(field_of(i, "support_velocity"), link.support_velocity);
    }
    if (!std::isfinite(link.axis)) require_finite(link.axis, field_of(i, "axis_deg"));
    if (!std::isfinite(link.position)) {
      require_finite(link.position,
                     field_of(i, link.joint == JointKind::revolute ? "angle_deg" : "position"));
    }
    if (!std::isfinite(link.rate)) require_finite(link.rate, field_of(i, "rate"));
    if (link.parent != ground && link.support_velocity != Pair{}) {
      throw InputError(field_of(i, "support_velocity"),
                       "is for joints to ground; this one is joined to '" +
                           l.links[index(link.parent)].name + "'");
    }
  }
  const LinkContact& contact = l.contact;
  if (contact.link >= l.links.size()) {
    throw InputError("contact.link", "must be one of the " + std::to_string(n) + " links, got " +
                                         std::to_string(contact.link));
  }
  if (contact.against < ground || contact.against >= n) {
    throw InputError("contact.against", contact.against, "ground or one of the links");
  }
  if (contact.against == static_cast<int>(contact.link)) {
    throw InputError("contact.against", "must be another link than the one that strikes");
  }
  if (!is_finite(contact.point)) not_finite("contact.point", contact.point);
  if (!is_finite(contact.line_velocity)) not_finite("contact.line_velocity", contact.line_velocity);
  if (contact.against != ground && contact.line_velocity != Pair{}) {
    throw InputError("contact.line_velocity", "is for a contact with the ground");
  }
}

/// The velocity of the support on which a link stands, itself or through its ancestors.
Pair support_of(const Linkage& l, int link) {
  Pair v{};
  for (int i = link; i != ground; i = l.links[index(i)].parent) {
    v = l.links[index(i)].support_velocity;
  }
  return v;
}

/// Positions, and rates as given.
State state_of(const Linkage& l) {
  State s{.q = Vector(entry(l.links.size())), .u = Vector(entry(l.links.size()))};
  for (std::size_t i = 0; i < l.links.size(); ++i) {
    s.q(entry(i)) = l.links[i].position;
    s.u(entry(i)) = l.links[i].rate;
  }
  return s;
}

/// Sets what is only rounding to zero: hinges show no couple and slides no impulse along their
/// axis.
void settle(std::vector<JointImpulse>& joints, const Linkage& l, const Vec2& contact) {
  constexpr double few_roundings = 1e-13;
  double impulse = std::hypot(contact.n, contact.t);
  double reach = std::hypot(l.contact.point[0], l.contact.point[1]);
  for (const JointImpulse& j : joints) {
    impulse = std::max({impulse, std::abs(j.impulse[0]), std::abs(j.impulse[1])});
  }
  for (const Link& link : l.links) {
    reach = std::max({reach, std::hypot(link.at[0], link.at[1]),
                      std::hypot(link.mass_centre[0], link.mass_centre[1])});
  }
  const auto round = [](double& x, double scale) {
    if (std::abs(x) <= few_roundings * scale) x = 0.;
  };
  for (JointImpulse& j : joints) {
    round(j.impulse[0], impulse);
    round(j.impulse[1], impulse);
    round(j.couple, impulse * reach);
  }
}

}  // namespace

SystemAtImpact at_impact(const Linkage& l) {
  validate(l);
  const Pair n = unit_vector(l.contact.normal, "contact.normal");
  const Pair t = tangent_of(n);
  const Eigen::Index size = entry(l.links.size());
  const State state = state_of(l);
  const LinkMotions all(l, state);

  SystemAtImpact c;
  c.names = {""};
  c.linkage = std::make_shared<Linkage>(l);
  c.u.assign(state.u.begin(), state.u.end());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(size, 2);
  Eigen::VectorXd spin = Eigen::VectorXd::Zero(size);
  c.coordinates.reserve(l.links.size());
  bool moves = l.contact.line_velocity != Pair{};
  links::LinkRows J(size);
  for (std::size_t i = 0; i < l.links.size(); ++i) {
    const Link& link = l.links[i];
    all.add_mass(static_cast<int>(i), J, M);
    c.coordinates.push_back({link.name, link.joint == JointKind::revolute ? "rad/s" : "m/s"});
    moves = moves || link.support_velocity != Pair{};
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    if (!(M(i, i) > 0.)) {
      const std::size_t k = static_cast<std::size_t>(i);
      throw InputError(field_of(k, "mass"), "leaves the mass matrix singular: the joint of '" +
                                                l.links[k].name + "' moves no mass");
    }
    for (Eigen::Index j = 0; j < i; ++j) M(j, i) = M(i, j);
  }

  const int link = static_cast<int>(l.contact.link);
  const int against = l.contact.against;
  const Pair place = all[link].frame.point(l.contact.point);
  for (Eigen::Index k = 0; k < 2; ++k) {
    all.add_push(link, place, k == 0 ? n : t, 1., W.col(k));
    all.add_push(against, place, k == 0 ? n : t, -1., W.col(k));
  }
  all.add_torque(link, 1., spin);
  all.add_torque(against, -1., spin);
  if (moves) {
    const Pair other = against == ground ? l.contact.line_velocity : support_of(l, against);
    const Pair drift = other - support_of(l, link);
    c.support_velocity = {dot(n, drift), dot(t, drift)};
  }
  c.M = M.sparseView();
  c.W = W.sparseView();
  c.W_spin = spin;
  try {
    return reduced(std::move(c), 2);
  } catch (const InputError& e) {  // a linkage has no key `mass`
    if (!e.field().starts_with("mass")) throw;
    throw InputError("links",
                     "give a mass matrix that is not positive definite, so that some joints move "
                     "no mass (" +
                         e.field() + " " + e.problem() + ")");
  }
}

std::vector<JointImpulse> joint_impulses(const Linkage& l, const Vec2& impulse, double couple,
                                         std::span<const double> after) {
  State jump = state_of(l);
  jump.u = Eigen::Map<const Vector>(after.data(), entry(after.size())) - jump.u;
  const LinkMotions all(l, jump);  // changes of velocity
  const Pair n = unit_vector(l.contact.normal, "contact.normal");
  const Pair push = impulse.n * n + impulse.t * tangent_of(n);
  const Pair struck = all[static_cast<int>(l.contact.link)].frame.point(l.contact.point);
  std::vector<JointImpulse> joints(l.links.size());
  const auto add = [&](std::size_t i, const Pair& p, const Pair& at, double moment) {
    joints[i].impulse = joints[i].impulse + p;
    joints[i].couple += cross(at - all[static_cast<int>(i)].frame.origin, p) + moment;
  };
  // The impulse through the joint of each link: the momentum that the link gains, minus the contact
  // impulse on it, plus what it transmits to its children.
  add(l.contact.link, -1. * push, struck, -couple);
  if (l.contact.against != ground) add(index(l.contact.against), push, struck, couple);
  for (std::size_t i = l.links.size(); i-- > 0;) {
    const Link& link = l.links[i];
    const LinkMotion& m = all[static_cast<int>(i)];
    const Pair centre = m.frame.point(link.mass_centre);
    add(i, link.mass * m.velocity_at(centre), centre, link.inertia * m.spin);
    if (link.parent != ground) {
      add(index(link.parent), joints[i].impulse, m.frame.origin, joints[i].couple);
    }
  }
  return joints;
}

std::vector<JointImpulse> joint_impulses(const SystemAtImpact& system,
                                         std::span<const double> impulse,
                                         std::span<const double> after) {
  if (!system.linkage) return {};
  const Vec2 push{.n = impulse[0], .t = impulse[1]};
  std::vector<JointImpulse> joints =
      joint_impulses(*system.linkage, push, impulse.size() > 2 ? impulse[2] : 0., after);
  settle(joints, *system.linkage, push);
  return joints;
}

std::span<const Link> links_of(const SystemAtImpact& system) {
  return system.linkage ? std::span<const Link>(system.linkage->links) : std::span<const Link>();
}

}  // namespace carom
