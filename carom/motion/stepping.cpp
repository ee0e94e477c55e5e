// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/stepping.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// Step by default, relative to the time in which a body falls by about its own length.
constexpr double usual_step = 0.005;

/// A step whose contacts are not solved is shortened to this part of itself at most: less does not
/// help where friction jams.
constexpr double shortest_part = 0.25;

/// Work of contacts above this part of g h times their impulses is a gain, which is avoided. Below
/// it is what the solver leaves.
constexpr double tolerated_gain = 1e-6;

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

/// Residual of contacts with which a step is accepted.
constexpr double acceptable = 2e-7;

/// Rounds in which contacts are added that impulses of the step close.
constexpr int most_rounds = 5;

/// How restitution is scaled down where contacts together would gain energy.
constexpr std::array restitution_scales{1., 0.5, 0.25, 0.};

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

Stepping::Stepping(const Model& model, const std::vector<Surface>& surfaces, const Options& options)
    : setting_(model, surfaces, options),
      model_(model),
      options_(options),
      components_(model.components()),
      contacts_(model),
      mechanics_(model, contacts_),
      step_(model),
      separation_(model),
      impact_(options),
      elsewhere_(model, contacts_) {
  told_contacts_ = contacts_.size();
}

bool Stepping::fail(Failure failure, std::string reason) {
  failure_ = failure;
  reason_ = std::move(reason);
  return false;
}

double Stepping::nominal_step() const { return motion::nominal_step(model_, options_); }

double nominal_step(const Model& model, const Options& options) {
  if (options.step > 0.) return options.step;
  const double h = default_step(model);
  const double interval = options.sample_interval;
  if (!(interval > 0.) || !std::isfinite(interval)) return h;
  return interval / std::ceil(interval / h);  // so that samples are at the ends of steps
}

double default_step(const Model& model) {
  return usual_step * std::sqrt(model.length_scale() / model.acceleration_scale());
}

// --- a step

double Stepping::rest_speed(double h) const {
  return options_.rest_speed >= 0. ? options_.rest_speed : 2. * model_.acceleration_scale() * h;
}

// M and forces in the middle of the step. Forces that depend on velocities are those of a velocity
// there, where M does not change alone.
bool Stepping::look_at_middle(double h) {
  middle_ = now_;
  middle_.time = now_.time + 0.5 * h;
  model_.displace(middle_, now_.u, 0.5 * h);
  model_.coast(now_, 0.5 * h, middle_);
  if (!mechanics_.at_step(middle_)) return false;
  if (model_.keeps_kinetic_energy()) return true;
  u_ = middle_.u;
  middle_.u += 0.5 * h * mechanics_.free();
  const bool possible = mechanics_.at_step(middle_);
  middle_.u = u_;
  return possible;
}

Stepping::Verdict Stepping::attempt(double h) {
  struck_.clear();
  shifted_ = false;
  drives_ = 0.;
  corrected_ = 0.;
  if (!look_at_middle(h)) {
    (void)fail(Failure::mass_matrix,
               "the mass matrix is not positive definite at t = " + shortest(now_.time) + " s");
    return Verdict::failed;
  }
  gather(h);
  find_islands();
  u_ = middle_.u;
  for (const Islands::Island& island : islands_.all()) {
    const std::size_t i = islands_.members(island)[0];
    if (island.size() == 1 && step_.found[i].strikes) strike(i);
  }
  u_start_ = u_;
  shift_.setZero(u_.size());
  for (const Struck& s : struck_) shift_struck(s.contact, h);
  mean_ = u_ + h * mechanics_.free();  // without impulses, until all islands are solved
  for (int round = 0; round < most_rounds; ++round) {
    u_ = mean_;
    for (const Islands::Island& island : islands_.all()) {
      if (!solve_island(islands_.members(island), h)) return Verdict::shorter;
    }
    if (!close_near(h)) break;
    find_islands();
  }
  if (!u_.allFinite()) {
    (void)fail(Failure::no_acceleration,
               "no finite force exists at t = " + shortest(now_.time) + " s; try a smaller step");
    return Verdict::failed;
  }
  mean_ = 0.5 * (u_start_ + u_);
  move(h);
  if (!separate(end_)) {
    shorter_ = 0.5 * h;
    return Verdict::shorter;
  }
  middle_.u = u_;
  model_.coast(middle_, 0.5 * h, end_);
  return Verdict::accepted;
}

// Contacts that impulses of the step close, act, too. Returns whether there are any.
bool Stepping::close_near(double h) {
  bool any = false;
  for (std::size_t i = 0; i < step_.found.size(); ++i) {
    StepContact& c = step_.found[i];
    if (c.acts) continue;
    const auto along = [&](const Vector& x) {
      std::array<double, 3> v{};
      friction_.velocity(i, {x.data(), static_cast<std::size_t>(x.size())}, v.data());
      return v;  // the offset of a contact that does not act yet is zero
    };
    double gap = c.gap;
    if (!struck_.empty()) gap += along(shift_)[0];
    const double v = along(u_)[0] - c.support[0];
    if (gap + 0.5 * h * v > -StepContacts::touch * c.size) continue;
    c.acts = true;
    c.is_near = true;
    c.before = along(u_start_);
    for (std::size_t j = 0; j < components_; ++j) c.before[j] -= c.support[j];
    // It strikes with the speed that it was given, or comes to rest, and its gap is closed.
    c.strikes = v < -let_fall * rest_speed(h);
    c.closing = c.strikes ? surface(c.id).restitution * v : 0.;
    c.mean_normal = c.before[0] > 0.;
    any = true;
  }
  return any;
}

// The contacts of the step as a problem, with what is remembered of the last one.
void Stepping::gather(double h) {
  const double g = model_.acceleration_scale();
  // What is at rest falls by g h^2/2 in the step.
  const double within = model_.moved(now_, middle_) + g * h * h;
  step_.find(middle_, h, std::isfinite(within) ? within : model_.length_scale());
  const double rest = rest_speed(h);
  friction_.clear(components_);
  auto last = last_.begin();
  for (std::size_t i = 0; i < step_.found.size(); ++i) {
    StepContact& c = step_.found[i];
    const ContactMotion& m = step_.motion[i];
    const Surface& s = surface(c.id);
    while (last != last_.end() && last->id < c.id) ++last;
    const bool known = last != last_.end() && last->id == c.id;
    if (known) {
      c.number = last->number;
      c.stuck = last->sticks;
    } else {
      c.number = contacts_.number_of(c.id);
    }
    // One that was closed stays so, unless it separates faster than forces could close it.
    const bool closed = c.gap - 0.5 * h * c.before[0] <= StepContacts::touch * c.size;
    if (closed && c.before[0] < g * h) c.acts = true;
    c.strikes = c.acts && c.before[0] < -rest;
    c.mean_normal = c.before[0] > 0.;
    complementarity::FactoredFriction::Contact contact;
    for (std::size_t j = 0; j < 2; ++j) {
      contact.sides[j] = {.begin = m.ranges[j].begin, .size = m.ranges[j].size};
    }
    contact.mu = friction_of(c);
    contact.rolling = s.rolling_friction();
    contact.drilling = components_ == 3 ? s.drilling_friction() : 0.;
    mechanics_.mobility(m, components_, mobility_);
    friction_.add(contact, m.W.data(), mobility_.data());
    for (std::size_t j = 0; j < components_; ++j) {
      double carried = 0.;
      Eigen::Index row = 0;
      for (const VelocityRange& r : m.ranges) {
        for (std::size_t n = 0; n < r.size; ++n, ++row) {
          carried += m.W(row, ix(j)) * middle_.u(ix(r.begin + n));
        }
      }
      c.support[j] = carried - c.before[j];
    }
    if (contact.rolling > 0. || contact.drilling > 0.) {
      model_.relative_spin(c.id, middle_, spin_);
      mechanics_.mobility(spin_, friction_.spins(), mobility_);
      friction_.add_spin(spin_.W.data(), mobility_.data());
    }
    if (known && last_h_ > 0. && !c.strikes) {
      // Friction that pushed along what is now slip would do positive work.
      c.mean_tangential =
          last->impulse[1] * c.before[1] + last->impulse[2] * c.before[2] > 0. && c.stuck;
      for (std::size_t j = 0; j < components_; ++j) {
        friction_.impulse(i)[j] = h / last_h_ * last->impulse[j];
      }
      for (std::size_t j = 0; j < friction_.spins(); ++j) {
        friction_.couple(i)[j] = h / last_h_ * last->couple[j];
      }
    }
  }
}

void Stepping::find_islands() {
  islands_.clear();
  for (std::size_t i = 0; i < step_.found.size(); ++i) {
    if (step_.found[i].acts) islands_.add(i, mechanics_.blocks_of(step_.motion[i]));
  }
  islands_.find(mechanics_.blocks());
}

std::size_t Stepping::largest_island_at_start() {
  middle_ = now_;
  gather(0.);
  find_islands();
  return islands_.largest();
}

// --- impacts at one contact

// Where the law has no outcome the contact stays with the others, which `moreau` answers.
void Stepping::strike(std::size_t i) {
  StepContact& c = step_.found[i];
  c.unanswered = !impact_.solve({friction_.diagonal(i), components_ * components_},
                                {c.before.data(), components_}, surface(c.id));
  if (c.unanswered) return;
  const Outcome& outcome = impact_.outcome();
  Struck struck{.contact = i, .change = outcome.energy.change, .flags = outcome.flags};
  std::copy_n(outcome.impulse.begin(), components_, struck.impulse.begin());
  friction_.push(i, struck.impulse.data(), {u_.data(), static_cast<std::size_t>(u_.size())});
  drives_ += dot(struck.impulse, c.support);
  struck_.push_back(struck);
  std::array<double, 3> v{};
  friction_.velocity(i, {u_.data(), static_cast<std::size_t>(u_.size())}, v.data());
  for (std::size_t j = 0; j < components_; ++j) c.before[j] = v[j] - c.support[j];
  c.struck = true;
  c.done = c.before[0] > 0.;
}

// By how much a body that struck within the step is displaced from where the velocity before would
// have brought it, but for half a step with the velocity at the end.
void Stepping::shift_struck(std::size_t i, double h) {
  const ContactMotion& m = step_.motion[i];
  const double v = m.velocity(0);
  const double gap = step_.found[i].gap - 0.5 * h * v;  // at the start
  const double time = std::clamp(-gap / v, 0., h);
  for (const VelocityRange& r : m.ranges) {
    for (std::size_t j = r.begin; j < r.begin + r.size; ++j) {
      shift_(ix(j)) = (time - 0.5 * h) * (middle_.u(ix(j)) - u_start_(ix(j)));
    }
  }
}

// --- several contacts, and contacts at rest

void Stepping::pose(std::size_t i, double scale) {
  const StepContact& c = step_.found[i];
  const Surface& s = surface(c.id);
  auto& offset = friction_.contact(i).c;
  for (std::size_t j = 0; j < components_; ++j) offset[j] = -c.support[j];
  if (c.struck) return;
  if (c.is_near) offset[0] += c.strikes ? scale * c.closing : c.closing;
  if (c.mean_normal && !c.strikes) offset[0] += c.before[0];
  for (std::size_t j = 1; j < components_ && c.mean_tangential; ++j) offset[j] += c.before[j];
  if (!c.strikes || c.is_near) return;
  offset[0] += scale * s.restitution * c.before[0];
  for (std::size_t j = 1; j < components_; ++j) {
    offset[j] += scale * s.tangential_restitution * c.before[j];
  }
}

void Stepping::read_island(std::span<const std::size_t> island) {
  const std::span<const double> u{u_.data(), static_cast<std::size_t>(u_.size())};
  for (const std::size_t i : island) {
    StepContact& c = step_.found[i];
    const auto& offset = friction_.contact(i).c;
    friction_.velocity(i, u, c.after.data());
    for (std::size_t j = 0; j < components_; ++j) {
      c.after[j] -= offset[j] + c.support[j];
      c.impulse[j] = friction_.impulse(i)[j];
    }
    for (std::size_t j = 0; j < friction_.spins(); ++j) c.couple[j] = friction_.couple(i)[j];
  }
}

double Stepping::slip_work_of(const StepContact& c) const {
  double work = 0.;
  for (std::size_t j = 1; j < components_; ++j) {
    work += 0.5 * c.impulse[j] * (c.before[j] + c.after[j]);
  }
  return work;
}

double Stepping::work_of(const StepContact& c) const {
  return 0.5 * c.impulse[0] * (c.before[0] + c.after[0]) + slip_work_of(c);
}

// Stick that static friction does not hold slips with kinetic friction. Slip that comes to zero
// sticks if static friction holds it: it is tried, once. Returns whether any coefficient changed.
bool Stepping::changes_friction(const std::vector<std::size_t>& members, double h, bool& tried) {
  bool changed = false;
  for (const std::size_t i : members) {
    const StepContact& c = step_.found[i];
    double& mu = friction_.contact(i).mu;
    if (!(mu > surface(c.id).friction) || sticks(i, h)) continue;
    mu = surface(c.id).friction;
    changed = true;
  }
  if (changed || tried) return changed;
  tried = true;
  for (const std::size_t i : members) {
    const StepContact& c = step_.found[i];
    const double mu_s = surface(c.id).static_friction;
    const double turned = c.before[1] * c.after[1] + c.before[2] * c.after[2];
    if (c.strikes || c.stuck || !(mu_s > surface(c.id).friction) || !(turned <= 0.) ||
        !(c.impulse[0] > 0.)) {
      continue;
    }
    friction_.contact(i).mu = mu_s;
    changed = true;
  }
  return changed;
}

// Within the cone, or at rest.
bool Stepping::sticks(std::size_t i, double h) const {
  const StepContact& c = step_.found[i];
  double friction = 0.;
  double slip = 0.;
  for (std::size_t j = 1; j < components_; ++j) {
    const double v = c.mean_tangential ? 0.5 * (c.before[j] + c.after[j]) : c.after[j];
    friction += c.impulse[j] * c.impulse[j];
    slip += v * v;
  }
  const double bound = friction_.contact(i).mu * c.impulse[0];
  const double still =
      std::max(residuals * options_.residual, least_slip) * model_.acceleration_scale() * h;
  return c.impulse[0] > 0. && (slip <= still * still || friction < within_cone * bound * bound);
}

bool Stepping::solve_island(std::span<const std::size_t> island, double h) {
  std::vector<std::size_t>& members = members_;
  members.clear();
  for (const std::size_t i : island) {
    if (!step_.found[i].done) members.push_back(i);
  }
  if (members.empty()) {
    read_island(island);
    return true;
  }
  const std::span<double> u{u_.data(), static_cast<std::size_t>(u_.size())};
  const double gh = model_.acceleration_scale() * h;
  bool restores = false;
  for (const std::size_t i : members) restores = restores || step_.found[i].strikes;
  const auto restart = [&] {
    for (const std::size_t i : members) {
      for (const VelocityRange& r : step_.motion[i].ranges) {
        for (std::size_t j = 0; j < r.size; ++j) u_(ix(r.begin + j)) = mean_(ix(r.begin + j));
      }
    }
  };
  int mean_rounds = 0;
  for (const std::size_t i : members) friction_.contact(i).mu = friction_of(step_.found[i]);
  bool tried = false;  // whether slip that came to zero was tried to stick
  std::size_t trial = 0;
  while (true) {
    for (const std::size_t i : members) pose(i, restitution_scales[trial]);
    const auto result = friction_.solve(
        members, u,
        {.tolerance = options_.residual, .acceptable = std::max(options_.residual, acceptable)});
    counts_.sweeps += static_cast<double>(result.sweeps);
    if (result.formed) counts_.formed += 1.;
    read_island(island);
    if (changes_friction(members, h, tried)) {
      restart();
      continue;
    }
    double work = 0.;
    double scale = 0.;
    for (const std::size_t i : members) {
      const StepContact& c = step_.found[i];
      work += work_of(c);
      scale += c.impulse[0] * gh;
    }
    const bool gains = work > tolerated_gain * scale;
    if (result.converged && !gains) return true;
    if (gains && mean_rounds < most_mean_rounds) {
      ++mean_rounds;
      bool any = false;
      for (const std::size_t i : members) {
        StepContact& c = step_.found[i];
        if (c.mean_tangential || c.strikes || !(slip_work_of(c) > 0.)) continue;
        c.mean_tangential = true;
        any = true;
      }
      if (any) {
        restart();
        continue;
      }
    }
    if (restores && trial + 1 < restitution_scales.size()) {
      ++trial;
      counts_.repeated += 1.;
      restart();
      continue;
    }
    if (!result.converged && h > shortest_part * nominal_step()) {
      shorter_ = 0.5 * h;
      return false;
    }
    if (!result.converged) counts_.not_converged += 1.;
    return true;
  }
}

// --- the end of a step

void Stepping::accept(double h) {
  account_.impacts.resize(contacts_.size(), 0.);
  account_.friction.resize(contacts_.size(), 0.);
  for (const Struck& s : struck_) account_.impacts[step_.found[s.contact].number] += s.change;
  for (StepContact& c : step_.found) {
    if (!c.acts) continue;
    const double normal = 0.5 * c.impulse[0] * (c.before[0] + c.after[0]);
    double tangential = slip_work_of(c);
    const std::size_t i = static_cast<std::size_t>(&c - step_.found.data());
    if (friction_.contact(i).turns && !c.done) {
      std::array<double, 3> spin{};
      friction_.spin(i, {mean_.data(), static_cast<std::size_t>(mean_.size())}, spin.data());
      for (std::size_t j = 0; j < friction_.spins(); ++j) tangential += c.couple[j] * spin[j];
    }
    account_.impacts[c.number] += normal + (c.strikes ? tangential : 0.);
    if (!c.strikes) account_.friction[c.number] += tangential;
    drives_ += dot(c.impulse, c.support);
    c.sticks = sticks(i, h);
    if (c.unanswered) ++progress_.other_law;
  }
  account_.drives += drives_;
  middle_.u = mean_;
  const OtherPower other = model_.other_power(middle_);
  account_.drives += h * other.drives;
  account_.dampers += h * other.dampers;
  account_.corrections += corrected_;
  last_.clear();
  for (const StepContact& c : step_.found) {
    if (c.acts) last_.push_back(c);
  }
  last_h_ = h;
}

}  // namespace carom::motion
