// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/step_solver.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <utility>

namespace carom::motion {

namespace {

/// A step whose contacts are not solved is shortened to this part of itself at most: less does not
/// help where friction jams.
constexpr double shortest_part = 0.25;

/// Work of contacts above this part of g h times their impulses is a gain, which is avoided. Below
/// it is what the solver leaves.
constexpr double tolerated_gain = 1e-6;

/// A step with more is shortened, where nothing else avoids it: h is 5e-3 of the time in which a
/// body falls by its length L, so that 1e-5 m (g h)^2 is 2.5e-10 m g L.
constexpr double most_gain = 1e-5;

/// Rounds in which contacts that gain energy by slip are given their laws for mean velocities.
constexpr int most_mean_rounds = 4;

/// A contact that impulses close strikes if it is faster than so many speeds of rest: what is let
/// fall for a step, about a corner that touches before the other, does not strike.
constexpr double let_fall = 3.;

/// Friction below this part of its bound, squared, is inside of the cone.
constexpr double within_cone = 0.999;

/// Slip below this part of g h is none: what the solver leaves, and rounding.
constexpr double residuals = 10.;
constexpr double least_slip = 1e-9;

/// Up to so many contacts laws are for mean velocities wherever contacts separate or slip against
/// their law at the start. In a pile these velocities contradict each other: bodies that stick
/// cannot have them all, impulses must grow until enough contacts slip, and the problem is hard to
/// solve.
constexpr std::size_t few_contacts = 12;

/// Impulses of a guess are at most so many times those that would stop what falls in the step at a
/// single contact, for each contact of the island.
constexpr double most_stress = 10.;

/// Where such impulses gain energy contacts are solved to this part of the residual.
constexpr double part_in_jam = 0.01;

/// Residual of contacts with which a step is accepted.
constexpr double acceptable = 5e-8;

/// Residual of contacts with which is looked for others that they close.
constexpr double rough = 1e-3;
constexpr int most_previews = 20;

/// Rounds in which contacts are added that impulses of the step close.
constexpr int most_rounds = 5;

/// Islands are solved at once if those beside the largest one have so many contacts together: what
/// takes much longer than to begin tasks.
constexpr std::size_t least_beside = 100;

/// How restitution is scaled down where contacts together would gain energy.
constexpr std::array restitution_scales{1., 0.5, 0.25, 0.};

std::span<double> numbers(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

}  // namespace

StepSolver::StepSolver(const Setting& setting, const Mechanics& mechanics, Step& step)
    : setting_(setting),
      mechanics_(mechanics),
      step_(step),
      found_(step.contacts.found),
      impact_(setting.options) {}

double StepSolver::rest_speed() const {
  const double given = setting_.options.rest_speed;
  return given >= 0. ? given : 2. * setting_.scales.acceleration * step_.h;
}

// By what falls from rest in the step [m].
double StepSolver::fallen() const { return 0.5 * setting_.scales.acceleration * step_.h * step_.h; }

// Static friction holds for what stuck in the last step.
double StepSolver::friction_of(const StepContact& c) const {
  const Surface& s = setting_.surface(c.id);
  return c.stuck && !c.strikes ? s.static_friction : s.friction;
}

std::array<double, 3> StepSolver::along(std::size_t i, const Vector& x) const {
  std::array<double, 3> v{};
  friction_.velocity(i, {x.data(), static_cast<std::size_t>(x.size())}, v.data());
  return v;
}

// --- the contacts as a problem

void StepSolver::find_contacts(const State& start, const LastStep& last) {
  const double h = step_.h;
  // What is at rest falls by g h^2/2 in the step.
  const double within =
      setting_.model.moved(start, step_.middle) + setting_.scales.acceleration * h * h;
  step_.contacts.find(step_.middle, h, std::isfinite(within) ? within : setting_.scales.length);
  friction_.clear(setting_.components);
  match(last.contacts);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    StepContact& c = found_[i];
    const StepContact* const past = past_[i];
    const bool known = past != nullptr && past->id == c.id;
    c.number = known ? past->number : nowhere;
    c.stuck = known && past->sticks;
    c.pressed = past != nullptr && past->impulse[0] > 0.;
    begin(c, step_.gap_at_start(i));
    add(i);
    if (past != nullptr && last.h > 0. && !c.strikes) warm_start(i, *past, h / last.h);
  }
  find_islands();
  for (const Islands::Island& island : step_.islands.all()) {
    relieve(step_.islands.members(island));
    if (island.size() <= few_contacts) continue;
    for (const std::size_t i : step_.islands.members(island)) {
      found_[i].mean_normal = found_[i].mean_tangential = false;
    }
  }
}

// What each contact was in the last step, or another of its pair that pressed and is no more: where
// corners meet, the same point is now a vertex of the one body and now of the other.
// @param last  ascending, as those of the step
void StepSolver::match(const std::vector<StepContact>& last) {
  past_.assign(found_.size(), nullptr);
  auto from = last.begin();
  for (std::size_t i = 0; i < found_.size();) {
    const BodyPair pair = found_[i].id.pair;
    const std::size_t first = i;
    while (from != last.end() && from->id.pair < pair) ++from;
    lost_.clear();
    for (; from != last.end() && from->id.pair == pair; ++from) {
      while (i < found_.size() && found_[i].id < from->id) ++i;
      if (i < found_.size() && found_[i].id == from->id) {
        past_[i] = &*from;
      } else if (from->impulse[0] > 0.) {
        lost_.push_back(&*from);
      }
    }
    auto next = lost_.begin();
    for (i = first; i < found_.size() && found_[i].id.pair == pair; ++i) {
      if (past_[i] != nullptr || next == lost_.end()) continue;
      if (found_[i].acts || step_.gap_at_start(i) <= fallen()) past_[i] = *next++;
    }
  }
}

// One that was closed stays so, unless it separates faster than forces could close it. One that
// pressed in the last step is still closed if forces would close it from rest: corrections of
// positions open contacts a little, and the impulses of the last step are a good guess only if they
// act again.
void StepSolver::begin(StepContact& c, double gap_at_start) const {
  const double fall = setting_.scales.acceleration * step_.h;
  const double closed = c.pressed ? fallen() : StepContacts::touch * c.size;
  if (gap_at_start <= closed && c.before[0] < fall) c.acts = true;
  c.strikes = c.acts && c.before[0] < -rest_speed();
  c.mean_normal = c.before[0] > 0.;
}

void StepSolver::add(std::size_t i) {
  StepContact& c = found_[i];
  const ContactMotion& m = step_.contacts.motion[i];
  const Surface& s = setting_.surface(c.id);
  const std::size_t d = setting_.components;
  Friction::Contact contact;
  for (std::size_t j = 0; j < 2; ++j) {
    contact.sides[j] = {.begin = m.ranges[j].begin, .size = m.ranges[j].size};
  }
  contact.mu = friction_of(c);
  contact.rolling = s.rolling_friction();
  contact.drilling = d == 3 ? s.drilling_friction() : 0.;
  mechanics_.mobility(m, d, mobility_);
  friction_.add(contact, m.W.data(), mobility_.data());
  const std::array<double, 3> carried = along(i, step_.middle.u);
  for (std::size_t j = 0; j < d; ++j) c.support[j] = carried[j] - c.before[j];
  if (!(contact.rolling > 0.) && !(contact.drilling > 0.)) return;
  setting_.model.relative_spin(c.id, step_.middle, spin_);
  mechanics_.mobility(spin_, friction_.spins(), mobility_);
  friction_.add_spin(spin_.W.data(), mobility_.data());
}

void StepSolver::warm_start(std::size_t i, const StepContact& last, double scale) {
  StepContact& c = found_[i];
  // Friction that pushed along what is now slip would do positive work.
  c.mean_tangential = c.stuck && last.impulse[1] * c.before[1] + last.impulse[2] * c.before[2] > 0.;
  for (std::size_t j = 0; j < setting_.components; ++j) {
    friction_.impulse(i)[j] = scale * last.impulse[j];
  }
  for (std::size_t j = 0; j < friction_.spins(); ++j) {
    friction_.couple(i)[j] = scale * last.couple[j];
  }
}

// Contacts that jam can press on each other with forces in balance of any size, and a guess that
// has them would keep them from step to step. They are reduced to what loads could cause.
void StepSolver::relieve(Members island) {
  const double stress = stress_of(island);
  if (!(stress > 1.)) return;
  for (const std::size_t i : island) {
    for (std::size_t j = 0; j < setting_.components; ++j) friction_.impulse(i)[j] /= stress;
    for (std::size_t j = 0; j < friction_.spins(); ++j) friction_.couple(i)[j] /= stress;
  }
}

// The largest impulse relative to what loads could cause.
double StepSolver::stress_of(Members island) const {
  double load = 0.;
  double most = 0.;
  for (const std::size_t i : island) {
    const double root = std::sqrt(friction_.diagonal(i)[0]);
    const double velocity = setting_.scales.acceleration * step_.h + std::abs(found_[i].before[0]);
    load = std::max(load, velocity / root);
    most = std::max(most, root * friction_.impulse(i)[0]);
  }
  const double limit = most_stress * static_cast<double>(island.size()) * load;
  return most > 0. ? most / limit : 0.;
}

void StepSolver::find_islands() {
  step_.islands.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].acts) step_.islands.add(i, mechanics_.blocks_of(step_.contacts.motion[i]));
  }
  step_.islands.find(mechanics_.blocks());
}

// --- the solution

bool StepSolver::solve() {
  const Islands& islands = step_.islands;
  step_.u = step_.middle.u;
  any_struck_ = false;
  for (const Islands::Island& island : islands.all()) {
    const std::size_t i = islands.members(island)[0];
    if (island.size() == 1 && found_[i].strikes) strike(i);
  }
  step_.u_start = step_.u;
  find_shift();
  free_ = step_.u + step_.h * mechanics_.free();
  bool is_known = false;  // the guess needs no sweeps
  for (int round = 0; round < most_previews; ++round) {
    is_known = !preview(false).swept;
    if (!close_near()) break;
    is_known = false;
    find_islands();
    if (!any_strikes_) break;
  }
  if (!(is_known && !any_approaches_) && preview(true).any_near) find_islands();
  for (int round = 0; round < most_rounds; ++round) {
    step_.u = free_;
    if (!solve_islands()) return false;
    if (!close_near()) break;
    find_islands();
  }
  finish();
  return true;
}

// Where the law has no outcome the contact stays with the others, which `moreau` answers.
void StepSolver::strike(std::size_t i) {
  StepContact& c = found_[i];
  const std::size_t d = setting_.components;
  c.unanswered =
      !impact_.solve({friction_.diagonal(i), d * d}, {c.before.data(), d}, setting_.surface(c.id));
  if (c.unanswered) return;
  const Outcome& outcome = impact_.outcome();
  std::copy_n(outcome.impulse.begin(), d, c.law_impulse.begin());
  c.law_change = outcome.energy.change;
  c.law_flags = outcome.flags;
  friction_.push(i, c.law_impulse.data(), numbers(step_.u));
  const std::array<double, 3> v = along(i, step_.u);
  for (std::size_t j = 0; j < d; ++j) c.before[j] = v[j] - c.support[j];
  c.struck = true;
  c.done = c.before[0] > 0.;
  any_struck_ = true;
}

// By how much bodies that struck within the step are displaced from where the velocity before would
// have brought them, but for half a step with the velocity at the end.
void StepSolver::find_shift() {
  shift_.setZero(step_.u.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (!found_[i].struck) continue;
    const double time = step_.closing_time(i) - 0.5 * step_.h;
    for (const VelocityRange& r : step_.contacts.motion[i].ranges) {
      for (Eigen::Index j = ix(r.begin); j < ix(r.begin + r.size); ++j) {
        shift_(j) = time * (step_.middle.u(j) - step_.u_start(j));
      }
    }
  }
}

// Solves the step roughly, to find out which near contacts its impulses close.
// @param with_near  near contacts are kept from overlapping at the end of the step, too: v_n + 2
//   gap/h >= 0. Those that press come to rest.
StepSolver::Preview StepSolver::preview(bool with_near) {
  step_.u = free_;
  std::vector<std::size_t>& members = workspaces_[0].members;
  members.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const StepContact& c = found_[i];
    if (c.done || (!c.acts && !with_near)) continue;
    members.push_back(i);
    friction_.contact(i).mu = friction_of(c);
    set_offset(i, 1.);
    if (!c.acts) friction_.contact(i).c[0] += 2. / step_.h * gap_of(i);
  }
  Preview seen;
  if (members.empty()) return seen;
  const auto result =
      friction_.solve(members, numbers(step_.u), {.tolerance = rough, .roughly = true});
  counts_.sweeps += static_cast<double>(result.sweeps);
  seen.swept = result.sweeps > 0;
  for (const std::size_t i : members) {
    StepContact& c = found_[i];
    if (c.acts) continue;
    double* const P = friction_.impulse(i);
    friction_.contact(i).c = {};
    if (P[0] > 0.) {
      close(c, i, 0.);
      seen.any_near = true;
    }
    std::fill_n(P, setting_.components, 0.);
    std::fill_n(friction_.couple(i), friction_.spins(), 0.);
  }
  return seen;
}

std::size_t StepSolver::workers() const {
  const Executor* const executor = setting_.options.executor;
  if (executor == nullptr || executor->workers < 2) return 1;
  const Islands& islands = step_.islands;
  if (islands.order().size() - islands.largest() < least_beside) return 1;
  return std::min(executor->workers, islands.all().size());
}

// All islands, also after one that is not solved: what is counted must not depend on their order.
bool StepSolver::solve_islands() {
  const std::size_t count = workers();
  if (workspaces_.size() < count) workspaces_.resize(count);
  // One object, so that a task is a reference to it, for which std::function does not allocate.
  struct Tasks {
    StepSolver& solver;
    bool shares;
    std::atomic<std::size_t> next = 0;  ///< island
    std::atomic<bool> solved = true;
    void run(std::size_t worker) {
      const Islands& islands = solver.step_.islands;
      Workspace& w = solver.workspaces_[worker];
      w.shares = shares;
      for (std::size_t k = next++; k < islands.all().size(); k = next++) {
        if (!solver.solve_island(islands.members(islands.all()[k]), w)) solved = false;
      }
    }
  } tasks{.solver = *this, .shares = count > 1};
  if (count > 1) {
    setting_.options.executor->run(count, [&tasks](std::size_t worker) { tasks.run(worker); });
  } else {
    tasks.run(0);
  }
  unsolvable_ = nowhere;
  for (Workspace& w : workspaces_) {
    unsolvable_ = std::min(unsolvable_, std::exchange(w.unsolvable, nowhere));
    counts_.repeated += w.counts.repeated;
    counts_.sweeps += w.counts.sweeps;
    counts_.formed += w.counts.formed;
    counts_.not_converged += w.counts.not_converged;
    w.counts = {};
  }
  return tasks.solved;
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
  double speed = 0.;
  for (const std::size_t i : island) {
    if (found_[i].done) continue;
    w.members.push_back(i);
    for (const double v : found_[i].before) speed = std::max(speed, std::abs(v));
    restores = restores || found_[i].strikes;
    friction_.contact(i).mu = friction_of(found_[i]);
  }
  if (w.members.empty()) {
    read(island);
    return true;
  }
  const double residual = setting_.options.residual;
  double tolerance = residual;
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
        w, {.tolerance = tolerance, .acceptable = std::max(residual, acceptable), .speed = speed});
    w.counts.sweeps += static_cast<double>(result.sweeps);
    if (result.formed) w.counts.formed += 1.;
    read(island);
    if (changes_friction(w.members, tried)) continue;
    const double gain = gain_of(w.members);
    const bool is_gain = gain > tolerated_gain;
    // In a jam velocities that the solver leaves do work with large forces.
    if (result.converged && !is_gain && tolerance == residual &&
        gain * stress_of(w.members) > tolerated_gain) {
      tolerance *= part_in_jam;
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
    if (step_.h > shortest_part * nominal_step(setting_.model, setting_.options)) return false;
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

// Contacts that impulses of the step close, act, too. Returns whether there are any.
bool StepSolver::close_near() {
  bool any = false;
  any_strikes_ = false;
  any_approaches_ = false;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    StepContact& c = found_[i];
    if (c.acts) continue;
    // The offset of a contact that does not act yet is zero.
    const double v = along(i, step_.u)[0] - c.support[0];
    const double gap_at_end = gap_of(i) + 0.5 * step_.h * v;
    any_approaches_ = any_approaches_ || gap_at_end < 0.;
    if (gap_at_end > -StepContacts::touch * c.size) continue;
    close(c, i, v);
    any = true;
    any_strikes_ = any_strikes_ || c.strikes;
  }
  return any;
}

// In the middle of the step, of a contact that does not act.
double StepSolver::gap_of(std::size_t i) const {
  return any_struck_ ? found_[i].gap + along(i, shift_)[0] : found_[i].gap;
}

// A near contact acts. It strikes with the speed v that it was given, or comes to rest, and its gap
// is closed.
void StepSolver::close(StepContact& c, std::size_t i, double v) const {
  c.acts = true;
  c.is_near = true;
  c.before = along(i, step_.u_start);
  for (std::size_t j = 0; j < setting_.components; ++j) c.before[j] -= c.support[j];
  c.strikes = v < -let_fall * rest_speed();
  c.closing = c.strikes ? setting_.surface(c.id).restitution * v : 0.;
  c.mean_normal = c.before[0] > 0.;
}

void StepSolver::finish() {
  step_.mean = 0.5 * (step_.u_start + step_.u);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].acts) found_[i].sticks = sticks(i);
  }
}

}  // namespace carom::motion
