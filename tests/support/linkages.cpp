// SPDX-License-Identifier: Apache-2.0
#include <support/linkages.hpp>

#include <cmath>
#include <numbers>

namespace carom {

std::ostream& operator<<(std::ostream& out, const Linkage& l) {
  out.precision(17);
  out << (l.relative_angles ? "relative angles" : "absolute angles");
  for (const Link& k : l.links) {
    out << "\n  " << k.name << ": parent " << k.parent
        << (k.joint == JointKind::revolute ? ", revolute" : ", prismatic") << ", m " << k.mass
        << ", I " << k.inertia << ", centre (" << k.mass_centre[0] << ", " << k.mass_centre[1]
        << "), at (" << k.at[0] << ", " << k.at[1] << "), axis " << k.axis << ", q " << k.position
        << ", u " << k.rate << ", support (" << k.support_velocity[0] << ", "
        << k.support_velocity[1] << ")";
  }
  const LinkContact& c = l.contact;
  return out << "\n  contact: link " << c.link << " at (" << c.point[0] << ", " << c.point[1]
             << ") against " << c.against << ", n = (" << c.normal[0] << ", " << c.normal[1]
             << "), line (" << c.line_velocity[0] << ", " << c.line_velocity[1] << ")\n";
}

}  // namespace carom

namespace carom::test {
namespace {

std::array<double, 2> pair(const Complex& z) { return {z.real(), z.imag()}; }

LinkMotion parent_of(const Link& link, const std::vector<LinkMotion>& all) {
  if (link.parent != ground) return all[static_cast<std::size_t>(link.parent)];
  return {.origin = 0., .angle = 0., .velocity = complex(link.support_velocity), .spin = 0.};
}

/// SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool chance(double p) { return uniform(0., 1.) < p; }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  std::array<double, 2> vector(double most) { return {uniform(-most, most), uniform(-most, most)}; }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace

std::vector<LinkMotion> motion(const Linkage& l, const Eigen::VectorXd& u) {
  std::vector<LinkMotion> all;
  for (std::size_t i = 0; i < l.links.size(); ++i) {
    const Link& link = l.links[i];
    const LinkMotion p = parent_of(link, all);
    const double rate = u(static_cast<Eigen::Index>(i));
    const Complex at = p.point(link.at);
    LinkMotion m;
    if (link.joint == JointKind::revolute) {
      m.origin = at;
      m.angle = link.position + (l.relative_angles ? p.angle : 0.);
      m.velocity = p.velocity_at(at);
      m.spin = rate + (l.relative_angles ? p.spin : 0.);
    } else {
      m.angle = p.angle + link.axis;
      const Complex along = std::polar(1., m.angle);
      m.origin = at + link.position * along;
      m.velocity = p.velocity_at(m.origin) + rate * along;
      m.spin = p.spin;
    }
    all.push_back(m);
  }
  return all;
}

double kinetic_energy(const Linkage& l, const Eigen::VectorXd& u) {
  const auto all = motion(l, u);
  double T = 0.;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Complex v = all[i].velocity_at(all[i].point(l.links[i].mass_centre));
    T +=
        0.5 * l.links[i].mass * std::norm(v) + 0.5 * l.links[i].inertia * all[i].spin * all[i].spin;
  }
  return T;
}

Eigen::VectorXd rates(const Linkage& l) {
  Eigen::VectorXd u(static_cast<Eigen::Index>(l.links.size()));
  for (std::size_t i = 0; i < l.links.size(); ++i)
    u(static_cast<Eigen::Index>(i)) = l.links[i].rate;
  return u;
}

Linkage moved(Linkage l, double dt) {
  for (Link& link : l.links) {
    link.position += dt * link.rate;
    if (link.parent == ground)
      link.at = pair(complex(link.at) + dt * complex(link.support_velocity));
  }
  return l;
}

Linkage on_fixed_supports(Linkage l) {
  for (Link& link : l.links) link.support_velocity = {};
  l.contact.line_velocity = {};
  return l;
}

Linkage turned(Linkage l, double angle) {
  const Complex turn = std::polar(1., angle);
  for (Link& link : l.links) {
    const bool root = link.parent == ground;
    if (root) {
      link.at = pair(turn * complex(link.at));
      link.support_velocity = pair(turn * complex(link.support_velocity));
    }
    if (link.joint == JointKind::prismatic) {
      if (root) link.axis += angle;
    } else if (root || !l.relative_angles) {
      link.position += angle;
    }
  }
  l.contact.normal = pair(turn * complex(l.contact.normal));
  l.contact.line_velocity = pair(turn * complex(l.contact.line_velocity));
  return l;
}

Linkage described_relatively(Linkage l) {
  const auto all = motion(l, rates(l));
  for (std::size_t i = 0; i < all.size(); ++i) {
    Link& link = l.links[i];
    if (link.parent == ground || link.joint == JointKind::prismatic) continue;
    const LinkMotion& p = all[static_cast<std::size_t>(link.parent)];
    link.position = all[i].angle - p.angle;
    link.rate = all[i].spin - p.spin;
  }
  l.relative_angles = true;
  return l;
}

Linkage random_linkage(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  constexpr double pi = std::numbers::pi;
  Linkage l;
  l.relative_angles = random.chance(0.5);
  const bool supports_move = random.chance(0.5);
  for (std::size_t i = 0; i < size; ++i) {
    Link link;
    link.name = "link" + std::to_string(i + 1);
    link.mass = random.chance(0.1) ? 0. : random.uniform(0.1, 2.);
    link.inertia = random.uniform(0.05, 1.);
    link.mass_centre = random.vector(1.);
    // A chain as often as not; now and then another tree.
    const int own = static_cast<int>(i);
    link.parent = random.chance(0.5) ? own - 1 : random.below(own + 1) - 1;
    link.joint = random.chance(0.6) ? JointKind::revolute : JointKind::prismatic;
    if (link.joint == JointKind::prismatic) link.mass = random.uniform(0.1, 2.);
    link.at = random.vector(1.5);
    link.axis = random.uniform(-pi, pi);
    link.position = random.uniform(-pi, pi);
    link.rate = random.uniform(-2., 2.);
    if (supports_move && link.parent == ground) link.support_velocity = random.vector(2.);
    l.links.push_back(std::move(link));
  }
  l.contact.link = static_cast<std::size_t>(random.below(static_cast<int>(size)));
  l.contact.point = random.vector(2.);
  l.contact.normal = pair(std::polar(1., random.uniform(-pi, pi)));
  const int other = random.below(static_cast<int>(size) + 1) - 1;
  if (other != static_cast<int>(l.contact.link)) l.contact.against = other;
  if (l.contact.against == ground && random.chance(0.3))
    l.contact.line_velocity = random.vector(2.);
  return l;
}

}  // namespace carom::test
