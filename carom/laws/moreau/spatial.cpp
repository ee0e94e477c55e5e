// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/moreau/spatial.hpp>

#include <algorithm>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/core/scalar.hpp>
#include <carom/core/tangent.hpp>

namespace carom {
namespace {

using complementarity::ConeCase;
using complementarity::ConeSolution;
using complementarity::ConeSolutions;
using complementarity::solve_cone_friction;
using complementarity::solve_disc_friction;

/// Two velocities closer than this, relative, are the same.
constexpr double same = 1e-9;

/// A solution, with what an outcome needs.
struct Answer {
  SpatialMoreauSolution total;
  Mode compression = Mode::no_impulse;  // mode of the first or only stage
  Mode expansion = Mode::no_impulse;
  Vec3 compression_impulse;
  Vec3 compression_velocity;
};

/// Solutions; the one to be returned is the first.
class Answers {
 public:
  void add(const Answer& a, double scale) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Vec3 d = answers_[i].total.velocity - a.total.velocity;
      if (magnitude(d.n) + size(tangential(d)) <= same * scale) return;
    }
    if (size_ < answers_.size()) answers_[size_++] = a;
  }
  [[nodiscard]] std::size_t count() const { return size_; }
  [[nodiscard]] const Answer& operator[](std::size_t i) const { return answers_[i]; }

 private:
  std::array<Answer, SpatialMoreauSolutions::capacity> answers_{};
  std::size_t size_ = 0;
};

Mode mode_of(ConeCase c) {
  switch (c) {
    case ConeCase::open:
      return Mode::no_impulse;
    case ConeCase::stick:
      return Mode::stick;
    case ConeCase::slip:
      return Mode::slip;
  }
  return Mode::no_impulse;
}

/// Change of kinetic energy by an impulse.
double work(const Vec3& impulse, const Vec3& before, const Vec3& after) {
  return 0.5 * dot(impulse, before + after);
}

/// Ordered by the rule: stick, then by the remaining energy.
struct Ordered {
  std::array<const ConeSolution*, ConeSolutions::capacity> at{};
  std::size_t size = 0;
};

/// @param eps  v+ = xi - eps v-
Ordered ordered(const ConeSolutions& all, const Vec3& v, const Vec3& eps_v) {
  Ordered o;
  for (const ConeSolution& s : all) o.at[o.size++] = &s;
  const auto left = [&](const ConeSolution& s) { return work(s.P, v, s.xi - eps_v); };
  std::sort(o.at.begin(), o.at.begin() + static_cast<std::ptrdiff_t>(o.size),
            [&](const ConeSolution* a, const ConeSolution* b) {
              const bool a_sticks = a->branch == ConeCase::stick;
              const bool b_sticks = b->branch == ConeCase::stick;
              if (a_sticks != b_sticks) return a_sticks;
              return left(*a) < left(*b);
            });
  return o;
}

double scale_of(const SpatialProblem& p, const Vec3& P) {
  const double friction = size(tangential(P));
  const double g = size(coupling(p.G));
  return magnitude(p.approach.n) + size(tangential(p.approach)) + (p.G.nn + g) * magnitude(P.n) +
         (g + p.G.t11 + p.G.t22) * friction;
}

/// Adds all solutions of expansion after compression has ended in v_C with P_C.
void expand(const SpatialProblem& p, const Answer& compressed, Answers& answers) {
  const Vec3& P_C = compressed.compression_impulse;
  const Vec3& v_C = compressed.compression_velocity;
  const double mu = p.surface.friction;
  const double least = p.surface.restitution * P_C.n;
  const auto add = [&](const Vec3& P_E, const Vec3& v, Mode expansion) {
    Answer a = compressed;
    a.expansion = expansion;
    const bool slips = compressed.compression == Mode::slip && expansion == Mode::slip;
    a.total = {.mode = slips ? Mode::slip : Mode::stick, .impulse = P_C + P_E, .velocity = v};
    answers.add(a, scale_of(p, a.total.impulse));
  };
  const auto given = solve_disc_friction(p.G, v_C, mu, least);
  const double allowed = 4. * rounding * scale_of(p, P_C + given.P);
  if (given.xi.n >= -allowed) {
    add(given.P, joined(positive_part(given.xi.n), tangential(given.xi)),
        given.sticks ? Mode::stick : Mode::slip);
  }
  // More than e P_Cn only if it ends with v_n+ = 0, as it began: the contact locks.
  const ConeSolutions locked = solve_cone_friction(p.G, v_C, mu);
  const Ordered all = ordered(locked, v_C, {});
  for (std::size_t i = 0; i < all.size; ++i) {
    const ConeSolution& s = *all.at[i];
    if (s.branch != ConeCase::open && s.P.n > least) add(s.P, s.xi, mode_of(s.branch));
  }
}

/// One stage with the given eps v-, or compression alone.
Answers one_stage(const SpatialProblem& p, const Vec3& eps_v) {
  const Vec3& v = p.approach;
  const ConeSolutions all = solve_cone_friction(p.G, v + eps_v, p.surface.friction);
  const Ordered in_order = ordered(all, v, eps_v);
  Answers answers;
  for (std::size_t i = 0; i < in_order.size; ++i) {
    const ConeSolution& s = *in_order.at[i];
    Answer a;
    a.compression = mode_of(s.branch);
    a.total = {.mode = a.compression, .impulse = s.P, .velocity = s.xi - eps_v};
    if (s.branch == ConeCase::open) a.total.velocity = v;
    a.compression_impulse = s.P;
    a.compression_velocity = a.total.velocity;
    answers.add(a, scale_of(p, s.P));
  }
  return answers;
}

Answers all_answers(const SpatialProblem& p, Hypothesis hypothesis) {
  const Vec3& v = p.approach;
  const double e = p.surface.restitution;
  if (hypothesis == Hypothesis::newton) {
    // A contact that separates takes eps = 0 (ERRATA).
    const bool closes = v.n <= 0.;
    const double eps_t = p.surface.tangential_restitution;
    return one_stage(p,
                     closes ? Vec3{.n = e * v.n, .t1 = eps_t * v.t1, .t2 = eps_t * v.t2} : Vec3{});
  }
  const Answers compressed = one_stage(p, {});
  if (!(e > 0.)) return compressed;
  Answers answers;
  for (std::size_t i = 0; i < compressed.count(); ++i) {
    const Answer& c = compressed[i];
    if (c.compression == Mode::no_impulse) {
      answers.add(c, scale_of(p, {}));
    } else {
      expand(p, c, answers);
    }
  }
  return answers;
}

void add_work(EnergyLedger& energy, const Vec3& impulse, const Vec3& before, const Vec3& after) {
  energy.normal += 0.5 * impulse.n * (before.n + after.n);
  energy.friction += 0.5 * dot(tangential(impulse), tangential(before) + tangential(after));
  energy.change = energy.normal + energy.friction;
}

Motion motion_of(Mode m) { return m == Mode::stick ? Motion::stick : Motion::slip; }

void tell_stages(const SpatialProblem& p, const Answer& a, SpatialOutcome& o) {
  add_work(o.energy, a.compression_impulse, p.approach, a.compression_velocity);
  StageWork stages{.compression = o.energy.normal, .restitution = 0.};
  o.phases.push_back({.stage = Stage::compression,
                      .motion = motion_of(a.compression),
                      .impulse = a.compression_impulse,
                      .velocity = a.compression_velocity});
  if (a.expansion != Mode::no_impulse) {
    add_work(o.energy, o.impulse - a.compression_impulse, a.compression_velocity, o.velocity);
    stages.restitution = o.energy.normal - stages.compression;
    o.phases.push_back({.stage = Stage::restitution,
                        .motion = motion_of(a.expansion),
                        .impulse = o.impulse,
                        .velocity = o.velocity});
  }
  o.energy.stages = stages;
}

/// With a singular G and unbounded friction, impulses can be so large that the resulting velocities
/// are only rounding errors.
bool drowned_by_rounding(const SpatialProblem& p, const Vec3& impulse) {
  const double mobility = p.G.nn + p.G.t11 + p.G.t22;
  const double made = mobility * std::sqrt(dot(impulse, impulse));
  constexpr double part = 1e-3;  // fraction of the approach
  return epsilon * made > part * std::sqrt(dot(p.approach, p.approach));
}

}  // namespace

SpatialOutcome moreau(const SpatialProblem& problem, Hypothesis hypothesis) {
  const Vec3& v = problem.approach;
  if (v.n > 0.) return unchanged(v, Verdict::no_impulse);
  const Answers answers = all_answers(problem, hypothesis);
  if (answers.count() == 0) return unchanged(v, Verdict::no_solution);
  const Answer& a = answers[0];
  if (a.total.mode == Mode::no_impulse) return unchanged(v, Verdict::no_impulse);
  if (drowned_by_rounding(problem, a.total.impulse)) return unchanged(v, Verdict::no_solution);
  SpatialOutcome o;
  o.impulse = a.total.impulse;
  o.velocity = a.total.velocity;
  o.mode = a.total.mode;
  if (hypothesis == Hypothesis::poisson) {
    tell_stages(problem, a, o);
  } else {
    add_work(o.energy, o.impulse, v, o.velocity);
  }
  o.flags.add_if(answers.count() > 1, Verdict::several_solutions);
  o.flags.add_if(gains_energy(o.energy), Verdict::energy_gained);
  return o;
}

SpatialMoreauSolutions moreau_solutions(const SpatialProblem& problem, Hypothesis hypothesis) {
  const Answers answers = all_answers(problem, hypothesis);
  SpatialMoreauSolutions all;
  for (std::size_t i = 0; i < answers.count(); ++i) all.add(answers[i].total);
  return all;
}

}  // namespace carom
