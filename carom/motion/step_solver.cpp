// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/step_solver.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace carom::motion {

namespace {

/// A contact that impulses close strikes if it is faster than so many speeds of rest: what is let
/// fall for a step, about a corner that touches before the other, does not strike.
constexpr double let_fall = 3.;

/// Up to so many contacts laws are for mean velocities wherever contacts separate or slip against
/// their law at the start. In a pile these velocities contradict each other: bodies that stick
/// cannot have them all, impulses must grow until enough contacts slip, and the problem is hard to
/// solve.
constexpr std::size_t few_contacts = 12;

/// Residual of contacts with which is looked for others that they close.
constexpr double rough = 1e-3;
constexpr int most_previews = 20;

/// Rounds in which contacts are added that impulses of the step close.
constexpr int most_rounds = 5;

/// Islands are solved at once if those beside the largest one have so many contacts together: what
/// takes much longer than to begin tasks.
constexpr std::size_t least_beside = 100;

}  // namespace

StepSolver::StepSolver(const Setting& setting, const Mechanics& mechanics, Step& step)
    : setting_(setting),
      mechanics_(mechanics),
      step_(step),
      found_(step.contacts.found),
      impact_(setting.options) {}

// What rests approaches in each step by what loads give it: gravity, or springs and drives that
// press the contact with more.
double StepSolver::rest_speed(std::size_t i) const {
  const double given = setting_.options.rest_speed;
  if (given >= 0.) return given;
  const ContactMotion& m = step_.contacts.motion[i];
  double a = 0.;
  Eigen::Index row = 0;
  for (const VelocityRange& r : m.ranges) {
    const Eigen::Index n = ix(r.size);
    a += m.W.col(0).segment(row, n).dot(mechanics_.free().segment(ix(r.begin), n));
    row += n;
  }
  return 2. * std::max(setting_.scales.acceleration, -a) * step_.h;
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
    begin(i, step_.gap_at_start(i));
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

// One that was closed stays so, unless it separates faster than forces could close it. One that
// pressed in the last step is still closed if forces would close it from rest: corrections of
// positions open contacts a little, and the impulses of the last step are a good guess only if they
// act again.
void StepSolver::begin(std::size_t i, double gap_at_start) const {
  StepContact& c = found_[i];
  const double fall = setting_.scales.acceleration * step_.h;
  const double closed = c.pressed ? fallen() : StepContacts::touch * c.size;
  if (gap_at_start <= closed && c.before[0] < fall) c.acts = true;
  c.strikes = c.acts && c.before[0] < -rest_speed(i);
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
  c.strikes = v < -let_fall * rest_speed(i);
  c.closing = c.strikes ? setting_.surface(c.id).restitution * v : 0.;
  c.mean_normal = c.before[0] > 0.;
}

void StepSolver::finish() {
  step_.mean = 0.5 * (step_.u_start + step_.u);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].acts) found_[i].sticks = sticks(i);
  }
  guessed_.resize(free_.size());
  for (const Islands::Island& island : step_.islands.all()) {
    find_guess(step_.islands.members(island));
  }
}

}  // namespace carom::motion
