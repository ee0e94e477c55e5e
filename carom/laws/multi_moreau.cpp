// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/multi_moreau.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <carom/complementarity/friction_uniqueness.hpp>
#include <carom/complementarity/multi_friction.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/moreau.hpp>
#include <carom/laws/spatial_moreau.hpp>

namespace carom {
namespace {

using complementarity::FrictionMode;
using complementarity::FrictionOptions;
using complementarity::FrictionProblem;
using complementarity::FrictionResult;
using complementarity::FrictionStatus;

/// Up to this many contacts in the plane all solutions are enumerated at once, which is as fast as
/// proving uniqueness.
constexpr std::size_t few_contacts = 3;
/// Two velocities closer than this, relative, are the same.
constexpr double same = 1e-8;
/// Two energies closer than this, relative, are the same.
constexpr double same_energy = 1e-9;
constexpr double default_tolerance = 1e-10;

FrictionOptions friction_options(const SolveOptions& o) {
  FrictionOptions f;
  f.tolerance = o.tolerance > 0. ? o.tolerance : default_tolerance;
  f.most_sweeps = o.most_steps;
  f.solver = o.solver;
  return f;
}

/// Whether there may be several velocities after the impact. Without friction there is one, the
/// minimum of a convex function. In space, and with more than eight contacts, this is not checked.
bool may_be_several(const ContactProblem& p, const std::vector<double>& mu,
                    const SolveOptions& options) {
  if (options.solver == FrictionSolver::enumeration) return true;
  if (options.solver != FrictionSolver::automatic) return false;
  if (p.components() != 2 || p.contacts() > complementarity::most_enumerated) return false;
  if (std::all_of(mu.begin(), mu.end(), [](double m) { return m == 0.; })) return false;
  return p.contacts() <= few_contacts || !complementarity::velocities_are_unique(p.G, mu);
}

/// Solutions of one complementarity problem: all, with the one to be returned first; or one, with
/// its status.
struct Answers {
  std::vector<FrictionResult> solutions;
  FrictionStatus status = FrictionStatus::solved;
};

/// The rule that selects one of several solutions, see multi_moreau.hpp.
struct Rank {
  std::size_t against =
      0;  // contacts that push although they separate, or beyond their lower bound
  std::size_t slipping = 0;
  double energy = 0.;
  double scale = 0.;  // scale of the energy
  const std::vector<double>* xi = nullptr;

  bool operator<(const Rank& o) const {
    if (against != o.against) return against < o.against;
    if (slipping != o.slipping) return slipping < o.slipping;
    if (magnitude(energy - o.energy) > same_energy * std::max(scale, o.scale)) {
      return energy < o.energy;
    }
    return std::lexicographical_compare(o.xi->begin(), o.xi->end(), xi->begin(), xi->end());
  }
};

/// @param v  velocities before the stage, @param eps_v  xi - v+
Rank rank(const FrictionResult& r, std::size_t d, const std::vector<double>& v,
          const std::vector<double>& eps_v, const std::vector<double>& floor) {
  Rank k{.xi = &r.xi};
  for (std::size_t i = 0; i < r.modes.size(); ++i) {
    const double least = floor.empty() ? 0. : floor[i];
    const bool more = r.P[i * d] > least;
    if (more && (v[i * d] > 0. || least > 0.)) ++k.against;
    if (r.modes[i] != FrictionMode::stick) ++k.slipping;
    for (std::size_t c = i * d; c < (i + 1) * d; ++c) {
      k.energy += 0.5 * r.P[c] * (v[c] + r.xi[c] - eps_v[c]);
      k.scale += magnitude(r.P[c] * v[c]);
    }
  }
  return k;
}

class Stages {
 public:
  Stages(const ContactProblem& p, const SolveOptions& options)
      : p_(p), options_(friction_options(options)) {
    for (const Surface& s : p.surfaces) mu_.push_back(s.friction);
    enumerates_ = may_be_several(p, mu_, options);
  }

  Answers solve(const std::vector<double>& v, const std::vector<double>& eps_v,
                const std::vector<double>& floor) {
    std::vector<double> b(v.size());
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = v[k] + eps_v[k];
    const FrictionProblem problem{.G = p_.G, .b = b, .mu = mu_, .floor = floor};
    Answers stage;
    if (enumerates_) {
      stage.solutions = complementarity::all_solutions(problem);
      const auto before = [&](const FrictionResult& a, const FrictionResult& c) {
        return rank(a, p_.components(), v, eps_v, floor) <
               rank(c, p_.components(), v, eps_v, floor);
      };
      std::stable_sort(stage.solutions.begin(), stage.solutions.end(), before);
    }
    if (stage.solutions.empty()) {
      stage.solutions.push_back(solver_.solve(problem, options_));
      stage.status = stage.solutions.front().status;
    }
    return stage;
  }

 private:
  const ContactProblem& p_;
  FrictionOptions options_;
  bool enumerates_ = false;
  std::vector<double> mu_;
  complementarity::MultiFriction solver_;
};

Mode mode_of(FrictionMode m) {
  switch (m) {
    case FrictionMode::open:
      return Mode::no_impulse;
    case FrictionMode::stick:
      return Mode::stick;
    case FrictionMode::slip:
      return Mode::slip;
    case FrictionMode::closed:
      return Mode::closed;
  }
  return Mode::no_impulse;
}

double largest(const std::vector<double>& x) {
  double m = 0.;
  for (const double a : x) m = std::max(m, magnitude(a));
  return m;
}

/// Adds v unless it is there already.
void add_solution(std::vector<Solution>& all, std::vector<double> v) {
  const double scale = largest(v);
  for (const Solution& other : all) {
    double apart = 0.;
    for (std::size_t k = 0; k < v.size(); ++k) {
      apart = std::max(apart, magnitude(v[k] - other.velocity[k]));
    }
    if (apart <= same * std::max(scale, largest(other.velocity))) return;
  }
  all.push_back({.velocity = std::move(v)});
}

std::vector<double> components_of(const Vec2& v) { return {v.n, v.t}; }
std::vector<double> components_of(const Vec3& v) { return {v.n, v.t1, v.t2}; }

/// One contact by its own solver.
Outcome moreau_of_one(const ContactProblem& p, Hypothesis hypothesis) {
  Outcome o;
  if (p.components() == 2) {
    assign(o, p, moreau(planar_problem(p), hypothesis));
    // With several contacts a contact slips or sticks; which way is in its velocity.
    Mode& mode = o.contacts[0].mode;
    if (mode == Mode::backward_slip || mode == Mode::forward_slip) mode = Mode::slip;
  } else {
    assign(o, p, moreau(spatial_problem(p), hypothesis));
  }
  o.phases.clear();
  add_solutions_of_one(p, hypothesis, o);
  return o;
}

/// With a singular G, impulses can be so large that the resulting velocities are only rounding
/// errors.
bool drowned_by_rounding(const ContactProblem& p, const std::vector<double>& impulse) {
  constexpr double part = 1e-3;  // fraction of the approach
  double mobility = 0.;
  for (std::size_t k = 0; k < p.G.size(); ++k) mobility = std::max(mobility, p.G(k, k));
  return epsilon * mobility * largest(impulse) > part * largest(p.approach);
}

bool all_separate(const ContactProblem& p) {
  const std::size_t d = p.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (!(p.approach[i * d] > 0.)) return false;
  }
  return true;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) c[k] = a[k] - b[k];
  return c;
}

/// Properties of an outcome that do not depend on its stages. Returns false if there is no impact.
bool settle(const ContactProblem& p, FrictionStatus status, double residual, Outcome& o) {
  if (status == FrictionStatus::no_solution || drowned_by_rounding(p, o.impulse)) {
    o = unchanged(p, Verdict::no_solution);
    o.residual = residual;
    return false;
  }
  if (largest(o.impulse) == 0. && status == FrictionStatus::solved) {
    o = unchanged(p, Verdict::no_impulse);
    return false;
  }
  o.residual = residual;
  o.flags.add_if(status == FrictionStatus::not_converged, Verdict::not_converged);
  if (o.solutions.size() > 1) {
    o.flags.add(Verdict::several_solutions);
  } else {
    o.solutions.clear();
  }
  return true;
}

/// The energy ledger of two stages, for each contact.
void settle_stages(const ContactProblem& p, const FrictionResult& c, const FrictionResult& x,
                   Outcome& o) {
  const std::size_t d = p.components();
  o.contacts.resize(p.contacts());
  double scale = 0.;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    EnergyLedger& e = o.contacts[i].energy;
    StageWork stages;
    for (std::size_t k = i * d; k < (i + 1) * d; ++k) {
      const double in = 0.5 * c.P[k] * (p.approach[k] + c.xi[k]);
      const double out = 0.5 * x.P[k] * (c.xi[k] + x.xi[k]);
      (k == i * d ? e.normal : e.friction) += in + out;
      if (k == i * d) stages = {.compression = in, .restitution = out};
    }
    e.stages = stages;
    e.change = e.normal + e.friction;
    scale += e.scale();
  }
  o.energy = sum(o.contacts);
  o.flags.add_if(gains_energy(o.energy.change, scale), Verdict::energy_gained);
}

}  // namespace

void add_solutions_of_one(const ContactProblem& p, Hypothesis hypothesis, Outcome& o) {
  if (!o.flags.has(Verdict::several_solutions)) return;
  const auto add = [&](const auto& all) {
    for (const auto& s : all) {
      o.solutions.push_back({.velocity = components_of(s.velocity),
                             .impulse = components_of(s.impulse),
                             .modes = {s.mode}});
    }
  };
  if (p.components() == 2) {
    add(moreau_solutions(planar_problem(p), hypothesis));
  } else {
    add(moreau_solutions(spatial_problem(p), hypothesis));
  }
}

Outcome solve_multi_moreau(const ContactProblem& p, const SolveOptions& options) {
  if (all_separate(p)) return unchanged(p, Verdict::no_impulse);
  if (p.contacts() == 1 && p.components() > 1) return moreau_of_one(p, Hypothesis::newton);
  const std::size_t d = p.components();
  std::vector<double> eps_v(p.approach.size(), 0.);
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (p.approach[i * d] > 0.) continue;  // separates: eps = 0
    const Surface& s = p.surfaces[i];
    for (std::size_t c = 0; c < d; ++c) {
      eps_v[i * d + c] =
          (c == 0 ? s.restitution : s.tangential_restitution) * p.approach[i * d + c];
    }
  }
  const Answers stage = Stages(p, options).solve(p.approach, eps_v, {});
  const FrictionResult& r = stage.solutions.front();
  Outcome o;
  for (const FrictionResult& x : stage.solutions) add_solution(o.solutions, minus(x.xi, eps_v));
  o.impulse = r.P;
  o.velocity = minus(r.xi, eps_v);
  for (const FrictionMode m : r.modes) o.contacts.push_back({.mode = mode_of(m), .energy = {}});
  o.steps = r.steps;
  if (settle(p, stage.status, r.residual, o)) settle_algebraically(p, o);
  return o;
}

Outcome solve_multi_moreau_poisson(const ContactProblem& p, const SolveOptions& options) {
  if (all_separate(p)) return unchanged(p, Verdict::no_impulse);
  if (p.contacts() == 1 && p.components() > 1) return moreau_of_one(p, Hypothesis::poisson);
  const std::size_t d = p.components();
  const std::vector<double> none(p.approach.size(), 0.);
  Stages stages(p, options);
  const Answers compression = stages.solve(p.approach, none, {});
  Outcome o;
  FrictionResult first = compression.solutions.front();
  FrictionResult second;
  FrictionStatus status = compression.status;
  for (const FrictionResult& c : compression.solutions) {
    std::vector<double> floor(p.contacts(), 0.);
    for (std::size_t i = 0; i < p.contacts(); ++i) {
      floor[i] = p.surfaces[i].restitution * c.P[i * d];
    }
    FrictionResult nothing;
    nothing.P = none;
    nothing.xi = c.xi;
    nothing.modes.assign(p.contacts(), FrictionMode::open);
    nothing.status = FrictionStatus::solved;
    Answers expansion;
    if (status == FrictionStatus::solved && largest(floor) > 0.) {
      expansion = stages.solve(c.xi, none, floor);
    } else {
      expansion.solutions.push_back(std::move(nothing));
    }
    if (o.solutions.empty()) {
      second = expansion.solutions.front();
      if (status == FrictionStatus::solved) status = expansion.status;
    }
    for (const FrictionResult& x : expansion.solutions) {
      if (x.status == FrictionStatus::solved) add_solution(o.solutions, x.xi);
    }
    if (status != FrictionStatus::solved) break;
  }
  o.impulse = first.P;
  for (std::size_t k = 0; k < o.impulse.size(); ++k) o.impulse[k] += second.P[k];
  o.velocity = second.xi;
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const bool again = second.modes[i] != FrictionMode::open;
    o.contacts.push_back({.mode = mode_of(again ? second.modes[i] : first.modes[i]), .energy = {}});
  }
  o.steps = first.steps + second.steps;
  if (settle(p, status, std::max(first.residual, second.residual), o)) {
    settle_stages(p, first, second, o);
  }
  return o;
}

}  // namespace carom
