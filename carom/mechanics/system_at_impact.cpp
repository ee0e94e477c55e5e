// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/system_at_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <carom/impact/one_contact.hpp>

namespace carom {
namespace {

ContactProblem problem_of(const ContactSpace& c) {
  ContactProblem p;
  assign(p, PlanarProblem{.G = c.G, .approach = c.approach, .surface = {}, .spin = c.spin});
  return p;
}

ContactProblem problem_of(const SpatialContact& c) {
  ContactProblem p;
  assign(p, SpatialProblem{.G = c.G, .approach = c.approach, .surface = {}, .spin = c.spin});
  return p;
}

SpatialMotion motion_of(const BodyCoordinates& b, std::span<const double> u) {
  SpatialMotion m;
  std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(b.first), 3, m.velocity.begin());
  std::copy_n(u.begin() + static_cast<std::ptrdiff_t>(b.first) + 3, 3, m.spin.begin());
  return m;
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

/// Impulse and couple at one contact in the plane.
Vec2 impulse_of(std::span<const double> impulse) { return {.n = impulse[0], .t = impulse[1]}; }
double couple_of(std::span<const double> impulse) { return impulse.size() > 2 ? impulse[2] : 0.; }

/// "v_x", ... of a body in space.
void add_coordinates(std::vector<Coordinate>& all, const std::string& body) {
  for (const char* axis : {"x", "y", "z"}) all.push_back({body + " v_" + axis, "m/s"});
  for (const char* axis : {"x", "y", "z"}) all.push_back({body + " spin_" + axis, "rad/s"});
}

}  // namespace

SystemAtImpact::SystemAtImpact(ContactProblem contact, std::vector<std::string> contact_names)
    : problem(std::move(contact)), names(std::move(contact_names)) {}

SystemAtImpact::SystemAtImpact(const PlanarSystem& system) : names{""} {
  PlanarAtImpact at = at_impact(system);
  problem = problem_of(at.contact);
  if (at.configuration) set_configuration(std::move(*at.configuration));
  if (const auto* linkage = std::get_if<Linkage>(&system)) {
    linkage_ = *linkage;
    for (const Link& link : linkage->links) joints_.push_back({link.name, link.joint});
  }
  if (const auto* two = std::get_if<TwoBodies>(&system)) add_bodies(*two);
}

SystemAtImpact::SystemAtImpact(const TwoBodies& bodies, bool left_handed) {
  Configuration c = configuration(bodies);
  if (left_handed) c.directions.col(1) = -c.directions.col(1);
  *this = SystemAtImpact(std::move(c));
  add_bodies(bodies);
}

SystemAtImpact::SystemAtImpact(Eigen::MatrixXd M, Eigen::MatrixXd W, std::vector<double> u,
                               std::size_t components) {
  if (components == 2 && W.cols() == 2) {  // small matrices are quicker dense
    Configuration c;
    c.mass = std::move(M);
    c.directions = std::move(W);
    c.velocity = Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
    *this = SystemAtImpact(std::move(c));
    return;
  }
  MultiConfiguration c;
  c.components = components;
  c.M = M.sparseView();
  c.W = W.sparseView();
  c.u = std::move(u);
  *this = SystemAtImpact(at_impact(std::move(c), {}));
}

void SystemAtImpact::add_bodies(const TwoBodies& two) {
  const auto add = [&](const FreeBody& b, const char* usual) {
    bodies_.push_back({.name = b.name.empty() ? usual : b.name,
                       .first = 3 * bodies_.size(),
                       .translations = 2,
                       .rotations = 1});
  };
  add(two.first, two.second ? "body 1" : "body");
  if (two.second) add(*two.second, "body 2");
}

SystemAtImpact::SystemAtImpact(Configuration configuration)
    : problem(problem_of(contact_space(configuration))), names{""} {
  set_configuration(std::move(configuration));
}

SystemAtImpact::SystemAtImpact(const SpatialSystem& system) {
  SpatialAtImpact at = at_impact(system);
  if (!at.bodies) {
    *this = SystemAtImpact(problem_of(at.contact));
    return;
  }
  *this = SystemAtImpact(*at.bodies);
}

SystemAtImpact::SystemAtImpact(const BodiesAtImpact& bodies)
    : problem(problem_of(bodies.contact())),
      names{""},
      kinetic_(!bodies.surface_moves()),
      system_(bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const SpatialMotion& m = bodies.before(i);
    bodies_.push_back(
        {.name = bodies.name(i), .first = velocity_.size(), .translations = 3, .rotations = 3});
    add_coordinates(coordinates_, bodies_.back().name);
    velocity_.insert(velocity_.end(), m.velocity.begin(), m.velocity.end());
    velocity_.insert(velocity_.end(), m.spin.begin(), m.spin.end());
    kinetic_energy_ += bodies.energy(i, m).total();
  }
}

SystemAtImpact::SystemAtImpact(MultiAtImpact system)
    : problem{.G = std::move(system.contact.G),
              .approach = std::move(system.contact.approach),
              .surfaces = {}},
      names(std::move(system.names)) {
  if (!system.configuration) return;
  MultiConfiguration& c = *system.configuration;
  coordinates_ = c.coordinates;
  velocity_ = c.u;
  kinetic_ = c.support_velocity.empty();
  kinetic_energy_ = kinetic_energy(c, c.u);
  system_ = std::move(c);
}

void SystemAtImpact::set_configuration(Configuration c) {
  coordinates_ = c.coordinates;
  velocity_.assign(c.velocity.begin(), c.velocity.end());
  kinetic_ = !c.drift.moves;
  kinetic_energy_ = kinetic_energy(c, c.velocity);
  system_ = std::move(c);
}

void SystemAtImpact::forget_system() {
  names.clear();
  coordinates_.clear();
  velocity_.clear();
  bodies_.clear();
  joints_.clear();
  kinetic_ = false;
  linkage_.reset();
  system_ = std::monostate{};
}

std::vector<double> SystemAtImpact::velocity_after(std::span<const double> impulse) const {
  if (const auto* c = std::get_if<Configuration>(&system_)) {
    const Eigen::VectorXd u = carom::velocity_after(*c, impulse_of(impulse), couple_of(impulse));
    return {u.begin(), u.end()};
  }
  if (const auto* c = std::get_if<MultiConfiguration>(&system_)) {
    return carom::velocity_after(*c, {impulse.begin(), impulse.end()});
  }
  std::vector<double> u;
  if (const auto* b = std::get_if<BodiesAtImpact>(&system_)) {
    const Vec3 push{.n = impulse[0], .t1 = impulse[1], .t2 = impulse[2]};
    Vec3 couple;
    if (impulse.size() > 3) couple = {.n = impulse[3], .t1 = impulse[4], .t2 = impulse[5]};
    for (std::size_t i = 0; i < b->size(); ++i) {
      const SpatialMotion m = b->after(i, push, couple);
      u.insert(u.end(), m.velocity.begin(), m.velocity.end());
      u.insert(u.end(), m.spin.begin(), m.spin.end());
    }
  }
  return u;
}

double SystemAtImpact::energy_before() const {
  return kinetic_ ? kinetic_energy_ : contact_energy(problem);
}

KineticParts SystemAtImpact::energy(std::size_t body, std::span<const double> u) const {
  const BodyCoordinates& b = bodies_[body];
  if (const auto* bodies = std::get_if<BodiesAtImpact>(&system_)) {
    return bodies->energy(body, motion_of(b, u));
  }
  const auto& M = std::get<Configuration>(system_).mass;
  const auto part = [&](std::size_t i) {
    const auto at = static_cast<Eigen::Index>(i);
    return 0.5 * M(at, at) * u[i] * u[i];
  };
  return {.translation = part(b.first) + part(b.first + 1), .rotation = part(b.first + 2)};
}

std::vector<JointImpulse> SystemAtImpact::joint_impulses(std::span<const double> impulse,
                                                         const std::vector<double>& after) const {
  if (!linkage_) return {};
  const Eigen::Map<const Eigen::VectorXd> u(after.data(), static_cast<Eigen::Index>(after.size()));
  std::vector<JointImpulse> joints =
      carom::joint_impulses(*linkage_, impulse_of(impulse), couple_of(impulse), u);
  settle(joints, *linkage_, impulse_of(impulse));
  return joints;
}

}  // namespace carom
