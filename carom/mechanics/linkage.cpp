// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/linkage.hpp>

#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/linkage_frames.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using namespace linkages;

constexpr Eigen::Index entry(std::size_t i) { return static_cast<Eigen::Index>(i); }

std::vector<Frame> frames_of(const Linkage& l) {
  std::vector<Frame> frames;
  frames.reserve(l.links.size());
  for (const Link& link : l.links) {
    frames.push_back(frame_of(link, link.position,
                              link.parent == ground ? Frame{} : frames[index(link.parent)],
                              l.relative_angles));
  }
  return frames;
}

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

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Jacobians of the frames. The origin of link i moves with (x_i u, y_i u), in addition to its
/// support, and its spin is w_i u. Three rows per link, x_i, y_i, w_i; nonzero only for the link
/// and its ancestors.
class Jacobians {
 public:
  Jacobians(const Linkage& l, const std::vector<Frame>& frames)
      : rows_(RowMajor::Zero(3 * entry(l.links.size()), entry(l.links.size()))) {
    for (std::size_t i = 0; i < l.links.size(); ++i) {
      const Link& link = l.links[i];
      if (link.parent != ground) {
        // Moves as a point of the parent.
        const std::size_t p = index(link.parent);
        const Pair lever = turned(frames[i].origin - frames[p].origin);
        const bool turns = link.joint == JointKind::prismatic || l.relative_angles;
        for (int a = link.parent; a != ground; a = l.links[index(a)].parent) {
          const std::size_t j = index(a);
          x(i, j) = x(p, j) + lever[0] * w(p, j);
          y(i, j) = y(p, j) + lever[1] * w(p, j);
          if (turns) w(i, j) = w(p, j);
        }
      }
      if (link.joint == JointKind::revolute) {
        w(i, i) = 1.;
      } else {
        x(i, i) = frames[i].c;
        y(i, i) = frames[i].s;
      }
    }
  }

  [[nodiscard]] double x(std::size_t i, std::size_t j) const {
    return rows_(3 * entry(i), entry(j));
  }
  [[nodiscard]] double y(std::size_t i, std::size_t j) const {
    return rows_(3 * entry(i) + 1, entry(j));
  }
  [[nodiscard]] double w(std::size_t i, std::size_t j) const {
    return rows_(3 * entry(i) + 2, entry(j));
  }

 private:
  double& x(std::size_t i, std::size_t j) { return rows_(3 * entry(i), entry(j)); }
  double& y(std::size_t i, std::size_t j) { return rows_(3 * entry(i) + 1, entry(j)); }
  double& w(std::size_t i, std::size_t j) { return rows_(3 * entry(i) + 2, entry(j)); }

  RowMajor rows_;
};

/// Adds m Jv^T Jv + I Jw^T Jw of link i to the lower triangle of M. Parents precede their children.
void add_mass(const Linkage& l, std::size_t i, const Frame& frame, const Jacobians& J,
              Eigen::MatrixXd& M) {
  const Link& link = l.links[i];
  const Pair lever = turned(frame.direction(link.mass_centre));
  for (int a = static_cast<int>(i); a != ground; a = l.links[index(a)].parent) {
    const std::size_t j = index(a);
    const double px = link.mass * (J.x(i, j) + lever[0] * J.w(i, j));
    const double py = link.mass * (J.y(i, j) + lever[1] * J.w(i, j));
    const double pw = link.inertia * J.w(i, j);
    for (int b = a; b != ground; b = l.links[index(b)].parent) {
      const std::size_t k = index(b);
      M(entry(j), entry(k)) += px * (J.x(i, k) + lever[0] * J.w(i, k)) +
                               py * (J.y(i, k) + lever[1] * J.w(i, k)) + pw * J.w(i, k);
    }
  }
}

/// Adds the velocity of a point at `offset` from the origin of link i, times `side`, to that of the
/// contact: a row of W for each ancestor.
void add_contact(const Linkage& l, std::size_t i, const Pair& offset, double side, const Pair& n,
                 const Pair& t, const Jacobians& J, Configuration& c) {
  const Pair lever = turned(offset);
  std::size_t root = i;
  for (int a = static_cast<int>(i); a != ground; a = l.links[index(a)].parent) {
    const std::size_t j = root = index(a);
    const Pair v{J.x(i, j) + lever[0] * J.w(i, j), J.y(i, j) + lever[1] * J.w(i, j)};
    c.directions(entry(j), 0) += side * dot(n, v);
    c.directions(entry(j), 1) += side * dot(t, v);
    c.spin_direction(entry(j)) += side * J.w(i, j);
  }
  const Pair& support = l.links[root].support_velocity;
  c.drift.velocity.n += side * dot(n, support);
  c.drift.velocity.t += side * dot(t, support);
}

}  // namespace

Configuration configuration(const Linkage& l) {
  validate(l);
  const Pair n = unit_vector(l.contact.normal, "contact.normal");
  const Pair t = tangent_of(n);
  const Eigen::Index size = entry(l.links.size());
  const std::vector<Frame> frames = frames_of(l);
  const Jacobians J(l, frames);

  Configuration c;
  c.mass = Eigen::MatrixXd::Zero(size, size);
  c.directions = Eigen::MatrixXd::Zero(size, 2);
  c.spin_direction = Eigen::VectorXd::Zero(size);
  c.velocity.resize(size);
  c.coordinates.reserve(l.links.size());
  c.drift.moves = l.contact.line_velocity != Pair{};
  for (std::size_t i = 0; i < l.links.size(); ++i) {
    const Link& link = l.links[i];
    add_mass(l, i, frames[i], J, c.mass);
    c.velocity(entry(i)) = link.rate;
    c.coordinates.push_back({link.name, link.joint == JointKind::revolute ? "rad/s" : "m/s"});
    c.drift.moves = c.drift.moves || link.support_velocity != Pair{};
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    if (!(c.mass(i, i) > 0.)) {
      const std::size_t k = static_cast<std::size_t>(i);
      throw InputError(field_of(k, "mass"), "leaves the mass matrix singular: the joint of '" +
                                                l.links[k].name + "' moves no mass");
    }
    for (Eigen::Index j = 0; j < i; ++j) c.mass(j, i) = c.mass(i, j);
  }

  const Pair offset = frames[l.contact.link].direction(l.contact.point);
  add_contact(l, l.contact.link, offset, 1., n, t, J, c);
  if (l.contact.against == ground) {
    c.drift.velocity.n -= dot(n, l.contact.line_velocity);
    c.drift.velocity.t -= dot(t, l.contact.line_velocity);
  } else {
    const std::size_t other = index(l.contact.against);
    const Pair point = frames[l.contact.link].origin + offset;
    add_contact(l, other, point - frames[other].origin, -1., n, t, J, c);
  }
  return c;
}

std::vector<JointImpulse> joint_impulses(const Linkage& l, const Vec2& impulse, double couple,
                                         const Eigen::VectorXd& velocity_after) {
  const std::vector<Frame> frames = frames_of(l);
  const Jacobians J(l, frames);
  const Pair n = unit_vector(l.contact.normal, "contact.normal");
  const Pair push = impulse.n * n + impulse.t * tangent_of(n);
  const Pair struck = frames[l.contact.link].point(l.contact.point);
  std::vector<JointImpulse> joints(l.links.size());
  const auto add = [&](std::size_t i, const Pair& p, const Pair& at, double moment) {
    joints[i].impulse = joints[i].impulse + p;
    joints[i].couple += cross(at - frames[i].origin, p) + moment;
  };
  // The impulse through the joint of each link: the momentum that the link gains, minus the contact
  // impulse on it, plus what it transmits to its children.
  add(l.contact.link, -1. * push, struck, -couple);
  if (l.contact.against != ground) add(index(l.contact.against), push, struck, couple);
  for (std::size_t i = l.links.size(); i-- > 0;) {
    const Link& link = l.links[i];
    Pair jump{};  // change of the origin's velocity
    double spin = 0.;
    for (int a = static_cast<int>(i); a != ground; a = l.links[index(a)].parent) {
      const std::size_t j = index(a);
      const double du = velocity_after(entry(j)) - l.links[j].rate;
      jump = jump + du * Pair{J.x(i, j), J.y(i, j)};
      spin += du * J.w(i, j);
    }
    const Pair centre = frames[i].direction(link.mass_centre);
    add(i, link.mass * (jump + spin * turned(centre)), frames[i].origin + centre,
        link.inertia * spin);
    if (link.parent != ground) {
      add(index(link.parent), joints[i].impulse, frames[i].origin, joints[i].couple);
    }
  }
  return joints;
}

}  // namespace carom
