// SPDX-License-Identifier: Apache-2.0
// Linkages against point kinematics and the balance of momentum, on random trees.
#include <gtest/gtest.h>  // before rapidcheck/gtest.h

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/energetic.hpp>
#include <support/linkages.hpp>
#include <support/problems.hpp>

namespace rc {
template <>
struct Arbitrary<carom::Linkage> {
  static Gen<carom::Linkage> arbitrary() {
    return gen::map(gen::tuple(gen::inRange<std::size_t>(1, 9), gen::inRange(0, 1'000'000'000)),
                    [](const std::tuple<std::size_t, int>& t) {
                      return carom::test::random_linkage(std::get<0>(t),
                                                         static_cast<unsigned>(std::get<1>(t)));
                    });
  }
};
}  // namespace rc

namespace carom::test {
namespace {

constexpr double tight = 1e-12;    // exact but for rounding
constexpr double solved = 1e-9;    // behind a factorization of M
constexpr double differed = 1e-6;  // by a central difference

struct Struck {
  SystemAtImpact at;
  PlanarProblem contact;
  PlanarOutcome outcome;
  std::vector<double> after;
};

Eigen::VectorXd vector(const std::vector<double>& u) {
  return Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
}

Struck strike(const Linkage& l) {
  Struck s;
  s.at = at_impact(l);
  s.contact = planar_problem(s.at.problem);
  s.outcome = Energetic{}({.G = s.contact.G,
                           .approach = s.contact.approach,
                           .surface = {.restitution = .5, .friction = .4, .static_friction = .4}});
  s.after = s.at.velocity_after(s.outcome.impulse);
  return s;
}

/// The impulse at the contact in world axes.
Complex push(const Linkage& l, const PlanarOutcome& o) {
  const Complex n = complex(l.contact.normal);
  return o.impulse.n * n + o.impulse.t * n * Complex(0., -1.);
}

double size(const PlanarOutcome& o) { return std::hypot(o.impulse.n, o.impulse.t); }

RC_GTEST_PROP(Linkage, MassMatrixIsThatOfTheKineticEnergy, (const Linkage& moving)) {
  const Linkage l = on_fixed_supports(moving);
  const Eigen::MatrixXd M = at_impact(l).M;
  RC_ASSERT(M == M.transpose());
  RC_ASSERT(Eigen::LLT<Eigen::MatrixXd>(M).info() == Eigen::Success);
  const Eigen::Index n = M.rows();
  const double scale = M.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const Eigen::VectorXd a = Eigen::VectorXd::Unit(n, i);
      const Eigen::VectorXd b = Eigen::VectorXd::Unit(n, j);
      const double m = 0.5 * (kinetic_energy(l, a + b) - kinetic_energy(l, a - b));
      RC_ASSERT(std::abs(M(i, j) - m) <= tight * scale);
    }
  }
}

// The tests' own velocities, and with them v = W^T u + drift, are rates of positions.
RC_GTEST_PROP(Linkage, ContactVelocityIsTheRateOfThePoint, (const Linkage& l)) {
  const SystemAtImpact c = at_impact(l);
  const PlanarProblem s = planar_problem(c.problem);
  const LinkContact& contact = l.contact;
  const auto now = motion(l, rates(l));
  constexpr double h = 1e-5;
  const auto before = motion(moved(l, -h), rates(l));
  const auto later = motion(moved(l, h), rates(l));
  const Complex where = now[contact.link].point(contact.point);
  Complex v =
      (later[contact.link].point(contact.point) - before[contact.link].point(contact.point)) /
      (2. * h);
  Complex direct = now[contact.link].velocity_at(where);
  double spin = (later[contact.link].angle - before[contact.link].angle) / (2. * h);
  if (contact.against == ground) {
    v -= complex(contact.line_velocity);
    direct -= complex(contact.line_velocity);
  } else {
    const auto k = static_cast<std::size_t>(contact.against);
    const Complex own = (where - now[k].origin) * std::polar(1., -now[k].angle);
    const std::array<double, 2> point{own.real(), own.imag()};
    v -= (later[k].point(point) - before[k].point(point)) / (2. * h);
    direct -= now[k].velocity_at(where);
    spin -= (later[k].angle - before[k].angle) / (2. * h);
  }
  const double scale = 1. + 30. * static_cast<double>(l.links.size());  // speeds, at most or so
  RC_ASSERT(std::abs(v - direct) <= differed * scale);
  const Complex in_frame = direct * std::conj(complex(contact.normal));  // (n, -t)
  RC_ASSERT(std::abs(s.approach.n - in_frame.real()) <= tight * scale);
  RC_ASSERT(std::abs(s.approach.t + in_frame.imag()) <= tight * scale);
  RC_ASSERT(std::abs(s.spin.approach - spin) <= differed * scale);
}

RC_GTEST_PROP(Linkage, MomentumBalancesLinkByLink, (const Linkage& l)) {
  const Struck s = strike(l);
  const auto joints = joint_impulses(l, s.outcome.impulse, 0., s.after);
  const auto before = motion(l, rates(l));
  const auto later = motion(l, vector(s.after));
  const Complex P = push(l, s.outcome);
  const Complex where = before[l.contact.link].point(l.contact.point);
  double scale = size(s.outcome);
  for (const auto& j : joints) scale = std::max(scale, std::abs(complex(j.impulse)));
  const double reach = 1. + 3. * static_cast<double>(l.links.size());
  Complex total = 0.;
  Complex from_ground = 0.;
  for (std::size_t i = 0; i < l.links.size(); ++i) {
    const Link& link = l.links[i];
    const Complex centre = before[i].point(link.mass_centre);
    const Complex gained =
        link.mass * (later[i].velocity_at(centre) - before[i].velocity_at(centre));
    total += gained;
    if (link.parent == ground) from_ground += complex(joints[i].impulse);
    // All that acts on the link, and its moment about the mass centre.
    Complex sum = complex(joints[i].impulse);
    double moment = joints[i].couple + cross(before[i].origin - centre, complex(joints[i].impulse));
    for (std::size_t k = 0; k < l.links.size(); ++k) {
      if (l.links[k].parent != static_cast<int>(i)) continue;
      const Complex given = complex(joints[k].impulse);
      sum -= given;
      moment -= joints[k].couple + cross(before[k].origin - centre, given);
    }
    const double side = l.contact.link == i                        ? 1.
                        : l.contact.against == static_cast<int>(i) ? -1.
                                                                   : 0.;
    sum += side * P;
    moment += side * cross(where - centre, P);
    RC_ASSERT(std::abs(gained - sum) <= solved * scale);
    RC_ASSERT(std::abs(link.inertia * (later[i].spin - before[i].spin) - moment) <=
              solved * scale * reach);
    // What a joint cannot carry.
    if (link.joint == JointKind::revolute) {
      RC_ASSERT(std::abs(joints[i].couple) <= solved * scale * reach);
    } else {
      const Complex along = std::polar(1., before[i].angle);
      RC_ASSERT(std::abs((std::conj(along) * complex(joints[i].impulse)).real()) <= solved * scale);
    }
  }
  // Links that strike each other change the whole's momentum through the ground's joints alone.
  if (l.contact.against == ground) from_ground += P;
  RC_ASSERT(std::abs(total - from_ground) <= solved * scale * reach);
}

RC_GTEST_PROP(Linkage, CouplesPassThroughTheJoints, (const Linkage& l)) {
  const SystemAtImpact c = at_impact(l);
  const auto joints = joint_impulses(l, {}, 1., c.velocity_after(std::array{0., 0., 1.}));
  double scale = 1.;
  for (const auto& j : joints) scale = std::max(scale, std::abs(complex(j.impulse)));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (l.links[i].joint != JointKind::revolute) continue;
    RC_ASSERT(std::abs(joints[i].couple) <=
              solved * scale * (1. + 3. * static_cast<double>(joints.size())));
  }
}

RC_GTEST_PROP(Linkage, LedgerIsTheChangeOfKineticEnergy, (const Linkage& moving)) {
  const Linkage l = on_fixed_supports(moving);
  const Struck s = strike(l);
  RC_ASSERT(s.at.knows_kinetic_energy());
  const double before = kinetic_energy(l, rates(l));
  const double after = kinetic_energy(l, vector(s.after));
  RC_ASSERT(std::abs(before - s.at.kinetic_energy(s.at.u)) <= tight * before);
  // Where a contact hardly yields, large impulses do little work: what cancels is P.(G P).
  const PlanarProblem p{.G = s.contact.G, .approach = s.contact.approach, .surface = {}};
  const auto& [P, v] = std::pair(s.outcome.impulse, s.outcome.velocity);
  const double cancels = (std::abs(P.n) + std::abs(P.t)) * velocity_scale(p, P, v);
  RC_ASSERT(std::abs(after - before - s.outcome.energy.change) <= solved * (before + cancels));
}

void check_same_contact(const PlanarProblem& a, const PlanarProblem& b) {
  const double g = a.G.nn + a.G.tt;
  RC_ASSERT(std::abs(a.G.nn - b.G.nn) <= solved * g);
  RC_ASSERT(std::abs(a.G.nt - b.G.nt) <= solved * g);
  RC_ASSERT(std::abs(a.G.tt - b.G.tt) <= solved * g);
  RC_ASSERT(std::abs(a.spin.rr - b.spin.rr) <= solved * (a.spin.rr + b.spin.rr));
  const double v = 100.;  // the size of what cancels
  RC_ASSERT(std::abs(a.approach.n - b.approach.n) <= tight * v);
  RC_ASSERT(std::abs(a.approach.t - b.approach.t) <= tight * v);
  RC_ASSERT(std::abs(a.spin.approach - b.spin.approach) <= tight * v);
}

RC_GTEST_PROP(Linkage, TurningTheSceneChangesNothing, (const Linkage& l)) {
  const double angle = *rc::gen::map(rc::gen::inRange(-3000, 3001), [](int k) { return k / 1e3; });
  check_same_contact(planar_problem(at_impact(l).problem),
                     planar_problem(at_impact(turned(l, angle)).problem));
}

RC_GTEST_PROP(Linkage, RelativeAnglesGiveTheSamePhysics, (const Linkage& any)) {
  Linkage l = any;
  l.relative_angles = false;
  const Linkage relative = described_relatively(l);
  const Struck a = strike(l);
  check_same_contact(a.contact, planar_problem(at_impact(relative).problem));
  const auto expected = joint_impulses(l, a.outcome.impulse, 0., a.after);
  const auto got = joint_impulses(relative, a.outcome.impulse, 0.,
                                  at_impact(relative).velocity_after(a.outcome.impulse));
  double scale = size(a.outcome);
  for (const auto& j : expected) scale = std::max(scale, std::abs(complex(j.impulse)));
  for (std::size_t i = 0; i < got.size(); ++i) {
    RC_ASSERT(std::abs(complex(got[i].impulse) - complex(expected[i].impulse)) <= solved * scale);
  }
}

}  // namespace
}  // namespace carom::test
