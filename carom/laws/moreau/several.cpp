// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/moreau/several.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/friction/uniqueness.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/moreau/spatial.hpp>

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

/// The rule that selects one of several solutions, see several.hpp.
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
Rank rank(const FrictionResult& r, std::size_t d, std::span<const double> v,
          std::span<const double> eps_v, std::span<const double> floor) {
  Rank k{.xi = &r.xi};
  for (std::size_t i = 0; i < r.modes.size(); ++i) {
    const double least = floor.empty() ? 0. : floor[i];
    const bool more = r.P[i * d] > least;
    if (more && (v[i * d] > 0. || least > 0.)) ++k.against;
    if (r.modes[i] != FrictionMode::stick) ++k.slipping;
    for (std::size_t c = i * d; c < (i + 1) * d; ++c) {
      k.energy += 0.5 * r.P[c] * (v[c] + r.xi[c] - (eps_v.empty() ? 0. : eps_v[c]));
      k.scale += magnitude(r.P[c] * v[c]);
    }
  }
  return k;
}

/// Solves the complementarity problems of the stages.
class Stages {
 public:
  Stages(const ContactProblem& p, const SolveOptions& options, Workspace& work)
      : p_(p), options_(friction_options(options)), work_(work) {
    work.mu.clear();
    for (const Surface& s : p.surfaces) work.mu.push_back(s.friction);
    enumerates_ = may_be_several(p, work.mu, options);
  }

  /// All solutions, the one to be returned first; or one, with its status. Valid until the next
  /// call.
  /// @param eps_v  empty: zero
  std::span<const FrictionResult> solve(std::span<const double> v, std::span<const double> eps_v,
                                        std::span<const double> floor) {
    std::vector<double>& b = work_.b;
    b.resize(v.size());
    for (std::size_t k = 0; k < b.size(); ++k) b[k] = v[k] + (eps_v.empty() ? 0. : eps_v[k]);
    const FrictionProblem problem{.G = p_.G, .b = b, .mu = work_.mu, .floor = floor};
    if (enumerates_) {
      const auto all = work_.friction.all_solutions(problem);
      const auto before = [&](const FrictionResult& a, const FrictionResult& c) {
        return rank(a, p_.components(), v, eps_v, floor) <
               rank(c, p_.components(), v, eps_v, floor);
      };
      if (all.size() > 1) std::stable_sort(all.begin(), all.end(), before);
      if (!all.empty()) return all;
    }
    return {&work_.friction.solve(problem, options_), 1};
  }

 private:
  const ContactProblem& p_;
  FrictionOptions options_;
  bool enumerates_ = false;
  Workspace& work_;
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

double largest(std::span<const double> x) {
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
void moreau_of_one(const ContactProblem& p, Hypothesis hypothesis, Outcome& o) {
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

/// xi - eps v-
void set_velocity(std::span<const double> xi, std::span<const double> eps_v,
                  std::vector<double>& velocity) {
  velocity.assign(xi.begin(), xi.end());
  for (std::size_t k = 0; k < xi.size(); ++k) velocity[k] -= eps_v[k];
}

/// Properties of an outcome that do not depend on its stages. Returns false if there is no impact.
bool settle(const ContactProblem& p, FrictionStatus status, double residual, Outcome& o) {
  const bool drowned = status == FrictionStatus::solved && drowned_by_rounding(p, o.impulse);
  if (status == FrictionStatus::no_solution || drowned) {
    leave_unchanged(p, Verdict::no_solution, o);
    o.residual = residual;
    return false;
  }
  if (largest(o.impulse) == 0. && status == FrictionStatus::solved) {
    leave_unchanged(p, Verdict::no_impulse, o);
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

void one_stage(const ContactProblem& p, const SolveOptions& options, Workspace& work, Outcome& o) {
  const std::size_t d = p.components();
  std::vector<double>& eps_v = work.returned;
  eps_v.assign(p.approach.size(), 0.);
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    if (p.approach[i * d] > 0.) continue;  // separates: eps = 0
    const Surface& s = p.surfaces[i];
    for (std::size_t c = 0; c < d; ++c) {
      eps_v[i * d + c] =
          (c == 0 ? s.restitution : s.tangential_restitution) * p.approach[i * d + c];
    }
  }
  const auto all = Stages(p, options, work).solve(p.approach, eps_v, {});
  const FrictionResult& r = all.front();
  if (all.size() > 1) {
    for (const FrictionResult& x : all) {
      std::vector<double> velocity;
      set_velocity(x.xi, eps_v, velocity);
      add_solution(o.solutions, std::move(velocity));
    }
  }
  o.impulse = r.P;
  set_velocity(r.xi, eps_v, o.velocity);
  for (const FrictionMode m : r.modes) o.contacts.push_back({.mode = mode_of(m), .energy = {}});
  o.steps = r.steps;
  if (settle(p, r.status, r.residual, o)) settle_algebraically(p, o);
}

/// No second impulse, after a compression.
void expand_nothing(const FrictionResult& compression, FrictionResult& expansion) {
  expansion.P.assign(compression.P.size(), 0.);
  expansion.xi = compression.xi;
  expansion.modes.assign(compression.modes.size(), FrictionMode::open);
  expansion.status = FrictionStatus::solved;
  expansion.residual = 0.;
  expansion.steps = 0;
}

void two_stages(const ContactProblem& p, const SolveOptions& options, Workspace& work, Outcome& o) {
  const std::size_t d = p.components();
  Stages stages(p, options, work);
  // Kept apart, since the second stage uses the same solver.
  const auto found = stages.solve(p.approach, {}, {});
  if (work.compression.size() < found.size()) work.compression.resize(found.size());
  std::copy(found.begin(), found.end(), work.compression.begin());
  const auto compressions = std::span(work.compression).first(found.size());
  const FrictionResult& first = compressions.front();
  FrictionResult& second = work.expansion;
  FrictionStatus status = first.status;
  for (const FrictionResult& c : compressions) {
    work.floor.resize(p.contacts());
    for (std::size_t i = 0; i < p.contacts(); ++i) {
      work.floor[i] = p.surfaces[i].restitution * c.P[i * d];
    }
    std::span<const FrictionResult> expansions;
    if (status == FrictionStatus::solved && largest(work.floor) > 0.) {
      expansions = stages.solve(c.xi, {}, work.floor);
    } else {
      expand_nothing(c, work.nothing);
      expansions = {&work.nothing, 1};
    }
    if (&c == &first) {
      second = expansions.front();
      if (status == FrictionStatus::solved) status = second.status;
    }
    if (compressions.size() > 1 || expansions.size() > 1) {
      for (const FrictionResult& x : expansions) {
        if (x.status == FrictionStatus::solved) add_solution(o.solutions, x.xi);
      }
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

void multi_moreau(const ContactProblem& p, Hypothesis hypothesis, const SolveOptions& options,
                  Workspace& work, Outcome& o) {
  if (all_separate(p)) return leave_unchanged(p, Verdict::no_impulse, o);
  if (p.contacts() == 1 && p.components() > 1) return moreau_of_one(p, hypothesis, o);
  o.clear();
  hypothesis == Hypothesis::poisson ? two_stages(p, options, work, o)
                                    : one_stage(p, options, work, o);
}

Outcome solve_multi_moreau(const ContactProblem& p, const SolveOptions& options) {
  Workspace work;
  Outcome o;
  multi_moreau(p, Hypothesis::newton, options, work, o);
  return o;
}

Outcome solve_multi_moreau_poisson(const ContactProblem& p, const SolveOptions& options) {
  Workspace work;
  Outcome o;
  multi_moreau(p, Hypothesis::poisson, options, work, o);
  return o;
}

}  // namespace carom
