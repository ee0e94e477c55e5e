// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <carom/motion/step_solver.hpp>

// One island of a step: which laws its contacts have, and what is tried until they are solved and
// gain no energy.
namespace carom::motion {

namespace {

/// A step whose contacts are not solved is shortened to this part of itself at most: less does not
/// help where friction jams.
constexpr double shortest_part = 0.25;

/// The same of a step whose contacts gain energy: what they gain falls with its square.
constexpr double shortest_with_gain = 0.0625;

/// Work of contacts above this part of g h times their impulses, or those that loads could cause,
/// is a gain, which is avoided. Below it is what the solver leaves.
constexpr double tolerated_gain = 1e-6;

/// A step with more is shortened, where nothing else avoids it: h is 5e-3 of the time in which a
/// body falls by its length L, so that 1e-5 m (g h)^2 is 2.5e-10 m g L.
constexpr double most_gain = 1e-5;

/// Rounds in which contacts that gain energy by slip are given their laws for mean velocities.
constexpr int most_mean_rounds = 4;

/// Friction below this part of its bound, squared, is inside of the cone.
constexpr double within_cone = 0.999;

/// Slip below this part of g h is none: what the solver leaves, and rounding.
constexpr double residuals = 10.;
constexpr double least_slip = 1e-9;

/// Impulses of a guess are at most so many times those that would stop what falls in the step at a
/// single contact, for each contact of the island.
constexpr double most_stress = 10.;

/// Where such impulses gain energy contacts are solved to this part of the residual.
constexpr double part_in_jam = 0.01;

/// Residual of contacts with which a step is accepted.
constexpr double acceptable = 5e-8;

/// The speed that it leaves, relative to what loads give in the step and to approaches, above which
/// contacts are solved once more: not in large piles, where a contact carries few of the others.
constexpr double acceptable_speed = 1e-6;
constexpr double stress_in_pile = 0.03;

/// How restitution is scaled down where contacts together would gain energy.
constexpr std::array restitution_scales{1., 0.5, 0.25, 0.};

}  // namespace

// Contacts that jam can press on each other with forces in balance of any size, and a guess that
// has them would keep them from step to step. They are reduced to what loads could cause.
void StepSolver::relieve(Members island) {
  const double stress = stress_of(island);
  if (!(stress > 1.)) return;
  for (const std::size_t i : island) {
    StepContact& c = found_[i];
    for (std::size_t j = 0; j < setting_.components; ++j) {
      friction_.impulse(i)[j] = c.guess[j] /= stress;
    }
    for (std::size_t j = 0; j < friction_.spins(); ++j) {
      friction_.couple(i)[j] = c.guess_couple[j] /= stress;
    }
  }
}

// The largest impulse relative to those that would stop what loads or approaches move.
double StepSolver::pressure_of(Members island) const {
  double load = 0.;
  double most = 0.;
  for (const std::size_t i : island) {
    const double root = std::sqrt(friction_.diagonal(i)[0]);
    const double velocity = setting_.scales.acceleration * step_.h + std::abs(found_[i].before[0]);
    load = std::max(load, velocity / root);
    most = std::max(most, root * friction_.impulse(i)[0]);
  }
  return most > 0. ? most / load : 0.;
}

// The same relative to what loads could cause.
double StepSolver::stress_of(Members island) const {
  return pressure_of(island) / (most_stress * static_cast<double>(island.size()));
}

// Members of an island that is solved while others are, are copied: a problem has scratch space of
// its own.
StepSolver::Friction::Result StepSolver::solve_members(Workspace& w,
                                                       const Friction::Options& options) {
  if (!w.shares) return friction_.solve(w.members, numbers(step_.u), options);
  w.friction.clear(setting_.components);
  w.friction.add_island(friction_, w.members);
  w.copies.resize(w.members.size());
  std::iota(w.copies.begin(), w.copies.end(), std::size_t{0});
  const Friction::Result result = w.friction.solve(w.copies, numbers(step_.u), options);
  for (std::size_t k = 0; k < w.members.size(); ++k) {
    std::copy_n(w.friction.impulse(k), setting_.components, friction_.impulse(w.members[k]));
    std::copy_n(w.friction.couple(k), friction_.spins(), friction_.couple(w.members[k]));
  }
  return result;
}

bool StepSolver::solve_island(Members island, Workspace& w) {
  w.members.clear();
  bool restores = false;
  for (const std::size_t i : island) {
    if (found_[i].done) continue;
    w.members.push_back(i);
    restores = restores || found_[i].strikes;
    friction_.contact(i).mu = friction_of(found_[i]);
  }
  if (w.members.empty()) {
    read(island);
    return true;
  }
  const double residual = setting_.options.residual;
  double part = 1.;     // of the residual
  bool tried = false;   // whether slip that came to zero was tried to stick
  bool at_end = false;  // whether laws are for velocities at the end, since no others are solved
  int mean_rounds = 0;
  std::size_t trial = 0;
  while (true) {
    for (const std::size_t i : w.members) {
      set_offset(i, restitution_scales[trial]);
      for (const VelocityRange& r : step_.contacts.motion[i].ranges) {
        step_.u.segment(ix(r.begin), ix(r.size)) = free_.segment(ix(r.begin), ix(r.size));
      }
    }
    const Friction::Result result = solve_members(
        w, {.tolerance = part * residual, .acceptable = std::max(residual, part * acceptable)});
    w.counts.sweeps += static_cast<double>(result.sweeps);
    if (result.formed) w.counts.formed += 1.;
    read(island);
    if (!result.converged) guess_again(w.members);
    if (changes_friction(w.members, tried)) continue;
    // In a jam forces are large, and so are velocities that the solver leaves, and their work.
    const double stress = stress_of(w.members);
    const double gain = std::max(1., stress) * gain_of(w.members);
    const bool is_gain = gain > tolerated_gain;
    const bool is_rough =
        stress > stress_in_pile && result.residual * pressure_of(w.members) > acceptable_speed;
    if (result.converged && part == 1. && (is_gain ? stress > 1. : is_rough)) {
      part = part_in_jam;
      continue;
    }
    if (result.converged && !is_gain) return true;
    if (!result.converged && takes_end_velocities(w.members)) {
      mean_rounds = most_mean_rounds;
      at_end = true;
      continue;
    }
    if (is_gain && mean_rounds++ < most_mean_rounds && takes_mean(w.members)) continue;
    if (restores && trial + 1 < restitution_scales.size()) {
      ++trial;
      w.counts.repeated += 1.;
      continue;
    }
    if (result.converged && !at_end && gain <= most_gain) return true;
    const double shortest = result.converged ? shortest_with_gain : shortest_part;
    if (step_.h > shortest * nominal_step(setting_.model, setting_.options)) return false;
    // Without restitution laws for velocities at the end gain nothing.
    if (gain > most_gain && takes_end_velocities(w.members)) {
      mean_rounds = most_mean_rounds;
      at_end = true;
      continue;
    }
    if (!result.converged) w.counts.not_converged += 1.;
    if (result.unsolvable) w.unsolvable = std::min(w.unsolvable, w.members[0]);
    return true;
  }
}

void StepSolver::set_offset(std::size_t i, double scale) {
  const StepContact& c = found_[i];
  const std::size_t d = setting_.components;
  auto& offset = friction_.contact(i).c;
  for (std::size_t j = 0; j < d; ++j) offset[j] = -c.support[j];
  if (c.struck) return;
  if (c.is_near) offset[0] += c.strikes ? scale * c.closing : c.closing;
  if (c.mean_normal && !c.strikes) offset[0] += c.before[0];
  for (std::size_t j = 1; j < d && c.mean_tangential; ++j) offset[j] += c.before[j];
  if (!c.strikes || c.is_near) return;
  const Surface& s = setting_.surface(c.id);
  offset[0] += scale * s.restitution * c.before[0];
  for (std::size_t j = 1; j < d; ++j) offset[j] += scale * s.tangential_restitution * c.before[j];
}

// What a solution that was not found leaves may be of any size: the next one starts from the guess.
void StepSolver::guess_again(Members members) {
  for (const std::size_t i : members) {
    const StepContact& c = found_[i];
    std::copy_n(c.guess.begin(), setting_.components, friction_.impulse(i));
    std::copy_n(c.guess_couple.begin(), friction_.spins(), friction_.couple(i));
  }
}

// Velocities, impulses and works of contacts, from the velocities of the bodies.
void StepSolver::read(Members island) {
  for (const std::size_t i : island) {
    StepContact& c = found_[i];
    const auto& offset = friction_.contact(i).c;
    c.after = along(i, step_.u);
    for (std::size_t j = 0; j < setting_.components; ++j) {
      c.after[j] -= offset[j] + c.support[j];
      c.impulse[j] = friction_.impulse(i)[j];
    }
    for (std::size_t j = 0; j < friction_.spins(); ++j) c.couple[j] = friction_.couple(i)[j];
    c.friction_work = c.slip_work();
    if (!friction_.contact(i).turns) continue;
    std::array<double, 3> before{};
    std::array<double, 3> after{};
    friction_.spin(i, numbers(step_.u_start), before.data());
    friction_.spin(i, numbers(step_.u), after.data());
    for (std::size_t j = 0; j < friction_.spins(); ++j) {
      c.friction_work += 0.5 * c.couple[j] * (before[j] + after[j]);
    }
  }
}

// Stick that static friction does not hold slips with kinetic friction. Slip that comes to zero
// sticks if static friction holds it: it is tried, once. Returns whether any coefficient changed.
bool StepSolver::changes_friction(Members members, bool& tried) {
  bool changed = false;
  for (const std::size_t i : members) {
    const double kinetic = setting_.surface(found_[i].id).friction;
    double& mu = friction_.contact(i).mu;
    if (!(mu > kinetic) || sticks(i)) continue;
    mu = kinetic;
    changed = true;
  }
  if (changed || tried) return changed;
  tried = true;
  for (const std::size_t i : members) {
    const StepContact& c = found_[i];
    const Surface& s = setting_.surface(c.id);
    const double turned = c.before[1] * c.after[1] + c.before[2] * c.after[2];
    if (c.strikes || c.stuck || !(s.static_friction > s.friction) || !(turned <= 0.) ||
        !(c.impulse[0] > 0.)) {
      continue;
    }
    friction_.contact(i).mu = s.static_friction;
    changed = true;
  }
  return changed;
}

// Within the cone, or at rest.
bool StepSolver::sticks(std::size_t i) const {
  const StepContact& c = found_[i];
  double friction = 0.;
  double slip = 0.;
  for (std::size_t j = 1; j < setting_.components; ++j) {
    const double v = c.mean_tangential ? 0.5 * (c.before[j] + c.after[j]) : c.after[j];
    friction += c.impulse[j] * c.impulse[j];
    slip += v * v;
  }
  const double bound = friction_.contact(i).mu * c.impulse[0];
  const double still = std::max(residuals * setting_.options.residual, least_slip) *
                       setting_.scales.acceleration * step_.h;
  return c.impulse[0] > 0. && (slip <= still * still || friction < within_cone * bound * bound);
}

// What contacts together gain, relative to g h times their impulses.
double StepSolver::gain_of(Members members) const {
  const double gh = setting_.scales.acceleration * step_.h;
  double work = 0.;
  double scale = 0.;
  for (const std::size_t i : members) {
    work += found_[i].normal_work() + found_[i].friction_work;
    scale += found_[i].impulse[0] * gh;
  }
  return work > 0. ? work / scale : 0.;
}

// Contacts at rest that have a share in what all gain are given their laws for mean velocities.
// Returns whether there are any.
bool StepSolver::takes_mean(Members members) {
  double gain = 0.;
  for (const std::size_t i : members) gain += found_[i].normal_work() + found_[i].friction_work;
  const double share = 0.5 * gain / static_cast<double>(members.size());
  bool any = false;
  const auto take = [&](bool& mean, double work) {
    if (mean || !(work > share)) return;
    mean = true;
    any = true;
  };
  for (const std::size_t i : members) {
    StepContact& c = found_[i];
    if (c.strikes) continue;
    if (c.before[0] > 0.) take(c.mean_normal, c.normal_work());
    take(c.mean_tangential, c.slip_work());
  }
  return any;
}

// Where bodies jam, laws for mean velocities may have no solution: contacts that separate a little
// at the start must not carry then, though nothing moves. Or forces are so large that velocities of
// a few contacts that are reversed gain energy. Returns whether there are any.
bool StepSolver::takes_end_velocities(Members members) {
  bool any = false;
  for (const std::size_t i : members) {
    StepContact& c = found_[i];
    any = any || c.mean_tangential || (c.mean_normal && !c.strikes);
    c.mean_normal = c.mean_tangential = false;
  }
  return any;
}

}  // namespace carom::motion
