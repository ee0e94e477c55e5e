// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/one_of_several.hpp>

#include <array>

#include <carom/laws/moreau.hpp>
#include <carom/laws/spatial_moreau.hpp>

namespace carom {
namespace {

std::vector<double> numbers(const Vec2& v) { return {v.n, v.t}; }
std::vector<double> numbers(const Vec3& v) { return {v.n, v.t1, v.t2}; }

ContactMode mode_of(Mode mode) {
  switch (mode) {
    case Mode::no_impulse:
      return ContactMode::no_impulse;
    case Mode::stick:
      return ContactMode::stick;
    default:
      return ContactMode::slip;
  }
}

template <class Outcome, class Solutions>
MultiOutcome told(const Outcome& o, const Solutions& all) {
  MultiOutcome out;
  out.impulse = numbers(o.impulse);
  out.velocity = numbers(o.velocity);
  out.contacts = {o.energy};
  out.energy = o.energy;
  out.modes = {mode_of(o.mode)};
  out.flags = o.flags;
  if (o.flags.has(Verdict::several_solutions)) {
    for (const auto& s : all) out.solutions.push_back(numbers(s.velocity));
  }
  return out;
}

}  // namespace

MultiOutcome moreau_of_one(const MultiProblem& p, Hypothesis hypothesis) {
  const double* g = p.G.diagonal(0);
  const MultiSurface& s = p.surfaces[0];
  if (p.components() == 2) {
    const PlanarProblem one{.G = {.nn = g[0], .nt = g[1], .tt = g[3]},
                            .approach = {.n = p.approach[0], .t = p.approach[1]},
                            .surface = {.restitution = s.restitution,
                                        .friction = s.friction,
                                        .static_friction = s.static_friction,
                                        .tangential_restitution = s.tangential_restitution}};
    return told(moreau(one, hypothesis), moreau_solutions(one, hypothesis));
  }
  SpatialProblem one{
      .G = {.nn = g[0], .n1 = g[1], .n2 = g[2], .t11 = g[4], .t12 = g[5], .t22 = g[8]},
      .approach = {.n = p.approach[0], .t1 = p.approach[1], .t2 = p.approach[2]},
      .surface = {}};
  one.surface.restitution = s.restitution;
  one.surface.friction = s.friction;
  one.surface.static_friction = s.static_friction;
  one.surface.tangential_restitution = s.tangential_restitution;
  return told(moreau(one, hypothesis), moreau_solutions(one, hypothesis));
}

}  // namespace carom
