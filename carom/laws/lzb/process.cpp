// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/process.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/laws/lzb/process_events.hpp>
#include <carom/laws/lzb/process_friction.hpp>

namespace carom::lzb {

// How the error asked for is divided between steps, rest and neglected impulses. Slip whose
// direction is taken from its rate has a second-order effect, hence the root.
Tolerances::Tolerances(double asked_)
    : asked(asked_),
      local(0.03 * asked_),
      rest(std::max(rounding, 1e-2 * asked_)),
      slip(std::max(rounding, 1e-2 * asked_)),
      creep(0.3 * std::sqrt(asked_)),
      impulse(std::max(impulse_rounding, 1e-3 * asked_)) {}

namespace {

/// Above this tolerance steps of order 5 are faster (measured).
constexpr double low_order_above = 1e-7;
/// With friction at so many contacts events cut steps before errors do: 437 need as many steps of
/// either order at 1e-9, and those of order 5 take two thirds of the time (measured).
constexpr std::size_t many_contacts = 100;
constexpr double low_order_of_many_above = 1e-10;

}  // namespace

template <int D>
Process<D>::Process(const Model& model, double tolerance, std::size_t most_steps, Course* trace)
    : model_(model),
      groups_(make_groups(model)),
      tolerance_(tolerance),
      most_steps_(most_steps),
      system_(model, groups_),
      record_(model, trace),
      prospect_(model),
      collapse_(tolerance),
      tracing_(trace != nullptr),
      low_order_(tolerance > low_order_above ||
                 (D > 1 && model.size() > many_contacts && tolerance > low_order_of_many_above)) {
  begin();
}

template <int D>
std::vector<double> Process<D>::velocities() const {
  std::vector<double> v(model_.size() * d);
  for (std::size_t i = 0; i < model_.size(); ++i) {
    model_.velocity(i, state_.P.data(), v.data() + i * d);
  }
  return v;
}

template <int D>
bool Process<D>::recompressed() const {
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (record_.compressions(i) > 1) return true;
  }
  return false;
}

/// First contact. An approaching contact starts with the deformation that it has after a time so
/// short that its impulse is negligible. At zero deformation the ratios of forces, which decide
/// between slip and stick, are undefined.
template <int D>
void Process<D>::begin() {
  const std::size_t n = model_.size();
  state_.x.assign(n, 0.);
  state_.P.assign(n * d, 0.);
  state_.work.assign(n, 0.);
  state_.springs.assign(n, Spring::open);
  state_.frictions.assign(groups_.size(), {});
  awake_.assign(n, 0);
  seed_jams();
  double t = HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i) {
    const Contact& c = model_.contacts[i];
    const double v = -model_.approach[i * d];
    if (!(v > tolerance_.rest)) continue;
    state_.springs[i] = Spring::compress;
    const double a = c.exponent + 1.;
    t = std::min(t, std::pow(a * v * tolerance_.impulse / (c.mobility * c.stiffness), 1. / a) / v);
  }
  bool starts = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (state_.springs[i] == Spring::open) continue;
    starts = true;
    const double v = -model_.approach[i * d];
    if (v > tolerance_.rest && std::isfinite(t)) state_.x[i] = v * t;
  }
  idle_ = !starts;
  if (idle_) return;
  h_ = std::isfinite(t) ? t : 1.;
  // Only of the contacts that approach. Including those that they wake would wake all.
  const std::vector<Spring> starting = state_.springs;
  for (std::size_t i = 0; i < n; ++i) {
    if (starting[i] != Spring::open) wake_rings(i);
  }
  restart();
}

/// Rebuilds everything from the state, after events.
template <int D>
void Process<D>::restart() {
  bool rebuilt = false;
  if constexpr (D > 1) rebuilt = update_friction();
  if (rebuilt) {
    system_.take_frictions(state_);
  } else {
    system_.rebuild(state_);
  }
  const std::size_t size = system_.size();
  for (auto* v : {&y0_, &y1_, &f0_, &f1_, &weight_}) v->resize(size);
  stepper_.resize(size);
  system_.gather(state_, y0_.data());
  if constexpr (D > 1) system_.hold(y0_.data());
  system_.derivative(y0_.data(), f0_.data());
  v0_ = system_.velocity();
  F0_ = system_.force();
  if constexpr (D == 3) mark_creep();
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    const std::size_t at = system_.contact(i);
    record_.enter(at, state_.springs[at], motion(at), t_, y0_[i], y0_[i],
                  y0_.data() + system_.contacts() + i * d, v0_.data() + i * d);
  }
  if (tracing_) sample(t_, y0_.data());
}

template <int D>
void Process<D>::run() {
  while (!finished() || resumes()) {
    if constexpr (D == 1) {
      if (ends_early()) {
        end_at_once();
        break;
      }
    }
    if (steps_ >= most_steps_ || !advance()) {
      converged_ = false;
      break;
    }
  }
  synchronize();
  if (converged_) let_rest();
  // The energy left in contacts at rest is below the tolerance.
  std::array<double, 3> v{};
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (state_.springs[i] == Spring::open) continue;
    model_.velocity(i, state_.P.data(), v.data());
    record_.enter(i, Spring::open, motion(i), t_, state_.x[i], 0., state_.P.data() + i * d,
                  v.data());
    state_.x[i] = 0.;
  }
}

/// Whether the impact has ended: no energy is stored, or the stored energy is in equilibrium
/// (bodies wedged between others).
template <int D>
bool Process<D>::finished() const {
  bool released = true;
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    if (v0_[i * d] < -tolerance_.rest) return false;
    if (!(y0_[i] > 0.)) continue;
    const Contact& c = system_.coefficients(i);
    released = released && 2. * c.mobility * c.energy(y0_[i]) <= tolerance_.rest * tolerance_.rest;
    if (!released && v0_[i * d] > tolerance_.rest) return false;
  }
  if (released) return true;
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    const Contact& c = system_.coefficients(i);
    const double swing = y0_[i] > 0. ? c.swing(y0_[i]) : 1.;
    for (std::size_t e = 0; e < d; ++e) {
      if (std::abs(system_.rate(i, e, F0_.data())) > tolerance_.rest * swing) return false;
    }
  }
  return true;
}

/// Whether the impact can be ended early. Checked only from time to time, because it costs about as
/// much as a few steps.
template <int D>
bool Process<D>::ends_early() {
  constexpr std::size_t interval = 64;
  if (steps_ < looked_ + interval) return false;
  looked_ = steps_;
  synchronize();
  if (!prospect_.look(state_)) return false;
  if (prospect_.most_off() <= 0.3 * tolerance_.asked) return true;
  return collapse_.watch(prospect_, prospect_.blows_to_come(state_));
}

/// All impulses together do the work P.v/2. A contact that is opening now but will still be pressed
/// by its neighbours would get a positive share, which is not physical. The loss is distributed
/// over the approaching contacts.
template <int D>
void Process<D>::end_at_once() {
  const std::vector<double>& P = prospect_.impulses();
  const std::vector<double>& v = prospect_.now();
  double work = 0.;
  double by_approach = 0.;
  for (std::size_t i = 0; i < P.size(); ++i) {
    if (!(P[i] > 0.)) continue;
    work += 0.5 * P[i] * v[i];
    by_approach += 0.5 * P[i] * std::min(v[i], 0.);
  }
  const double scale = by_approach < 0. ? std::max(0., work / by_approach) : 0.;
  for (std::size_t i = 0; i < P.size(); ++i) {
    if (!(P[i] > 0.)) continue;
    record_.stop(i, scale * 0.5 * P[i] * std::min(v[i], 0.));
    state_.P[i * d] += P[i];
    ++ended_early_;
  }
  // From here on the state is ahead of the system.
  system_.gather(state_, y0_.data());
}

/// Removes remaining approach velocities within the tolerance by normal impulses (Gauss-Seidel).
template <int D>
void Process<D>::let_rest() {
  constexpr int most_sweeps = 500;
  std::array<double, 3> v{};
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool any = false;
    for (std::size_t i = 0; i < model_.size(); ++i) {
      model_.velocity(i, state_.P.data(), v.data());
      const double mobility = model_.contacts[i].mobility;
      if (!(v[0] < -epsilon) || !(mobility > 0.)) continue;
      state_.P[i * d] -= v[0] / mobility;
      any = true;
    }
    if (!any) break;
  }
}

/// Restarts contacts that still approach. Returns false if there are none.
template <int D>
bool Process<D>::resumes() {
  synchronize();
  std::array<double, 3> v{};
  bool any = false;
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (state_.springs[i] != Spring::open) continue;
    model_.velocity(i, state_.P.data(), v.data());
    if (!(v[0] < -tolerance_.rest)) continue;
    state_.springs[i] = Spring::compress;
    wake_rings(i);
    any = true;
  }
  if (any) restart();
  return any;
}

/// Computes y1 from y0, and f1, its derivative, if the step may be accepted. Returns the error
/// relative to the tolerance.
template <int D>
double Process<D>::try_step(double h) {
  return low_order_ ? try_step_with<DormandPrince5>(h) : try_step_with<DormandPrince8>(h);
}

template <int D>
template <class Tableau>
double Process<D>::try_step_with(double h) {
  step_with<Tableau>(h, y1_);
  weigh();
  if (Tableau::needs_end) {
    system_.derivative(y1_.data(), f1_.data());
    std::copy(f1_.begin(), f1_.end(), stepper_.end_rate<Tableau>().begin());
  }
  const double err = stepper_.error<Tableau>(weight_);
  if (!Tableau::needs_end && err <= 1.) system_.derivative(y1_.data(), f1_.data());
  return err;
}

/// y = y0 after h.
template <int D>
template <class Tableau>
void Process<D>::step_with(double h, std::vector<double>& y) {
  std::copy(f0_.begin(), f0_.end(), stepper_.start_rate().begin());
  static_cast<void>(stepper_.step<Tableau>(
      t_, h, y0_, y, [this](double /*t*/, std::span<const double> at, std::span<double> f) {
        system_.derivative(at.data(), f.data());
        return true;
      }));
}

template <int D>
double Process<D>::twice_integrated(std::size_t number) const {
  return low_order_ ? stepper_.twice_integrated<DormandPrince5>(number)
                    : stepper_.twice_integrated<DormandPrince8>(number);
}

/// Error weights: the effect of each state variable on velocities. For a deformation it is sqrt(G
/// dF/dx).
template <int D>
void Process<D>::weigh() {
  const std::size_t m = system_.contacts();
  top_swing_ = 0.;
  for (std::size_t i = 0; i < m; ++i) {
    const Contact& c = system_.coefficients(i);
    const double x = std::max(y0_[i], y1_[i]);
    const double swing = x > 0. ? c.swing(x) : 0.;
    weight_[i] = std::max(1., swing) / tolerance_.local;
    for (std::size_t e = 0; e < d; ++e) weight_[m + i * d + e] = c.mobility / tolerance_.local;
    top_swing_ = std::max(top_swing_, swing);
    if (D > 1) weight_[m + m * d + i] = c.mobility / tolerance_.local;
  }
  if constexpr (D == 3) {
    // The direction of slip must be accurate even if slip is small.
    constexpr double part = 1e-3;
    for (const auto& group : system_.groups()) {
      if (group.friction.sliding != Sliding::slip || !group.rough) continue;
      const double* v = v0_.data() + group.one() * d;
      const double slip = std::max(tolerance_.slip, std::hypot(v[1], v[2]));
      if (part * slip >= tolerance_.local) continue;
      for (const std::uint32_t i : group.members) {
        for (std::size_t e = 1; e < d; ++e) {
          weight_[m + i * d + e] = system_.coefficients(i).mobility / (part * slip);
        }
      }
    }
  }
}

/// One step, cut at the first event in it. Returns false if it makes no progress.
template <int D>
bool Process<D>::advance() {
  constexpr int most_attempts = 100;
  constexpr double least = 0.1;
  const auto factor = low_order_ ? step_factor<DormandPrince5> : step_factor<DormandPrince8>;
  double h = h_;
  bool cut = false;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (++tried_ > most_tries()) return false;
    const double err = try_step(h);
    if (!(err <= 1.)) {
      h *= factor(err, least);
      h_ = h;
      if (!(h > 0.)) return false;
      continue;
    }
    v1_ = system_.velocity();
    F1_ = system_.force();
    fired_.clear();
    const Judgement judged = judge(h);
    if (!at_start_.empty()) {
      fired_ = at_start_;
      ++standing_;
      fire();
      return standing_ < most_standing();
    }
    if (judged.retry) {
      if (!(judged.step > 0.)) return false;
      h = judged.step;
      cut = true;
      continue;
    }
    const double grown = h * factor(err, least);
    h_ = cut ? std::max(h_, grown) : grown;
    accept(h);
    return standing_ < most_standing();
  }
  return false;
}

template <int D>
void Process<D>::accept(double h) {
  if (tracing_) sample_within(h);
  ++steps_;
  standing_ = h > epsilon * t_ ? 0 : standing_ + 1;
  t_ += h;
  if constexpr (D > 1) watch_jams();
  if constexpr (D == 1) apply_late();
  std::swap(y0_, y1_);
  std::swap(f0_, f1_);
  std::swap(v0_, v1_);
  std::swap(F0_, F1_);
  if constexpr (D == 3) {
    if (!system_.creeping().empty()) {
      system_.align(y0_.data());
      system_.derivative(y0_.data(), f0_.data());
      v0_ = system_.velocity();
      F0_ = system_.force();
      mark_creep();
    }
  }
  if constexpr (D == 1) switch_late(h);
  settle();
  wake();
  if constexpr (D == 3) drop_offsets();
  if (fired_.empty() && !rebuild_) return;
  fire();
}

/// Stages that changed within the last step, at whose end y1, F1 and v1 are.
template <int D>
void Process<D>::switch_late(double h) {
  std::stable_sort(late_.begin(), late_.end(),
                   [](const Late& a, const Late& b) { return a.part < b.part; });
  const std::size_t m = system_.contacts();
  bool synchronized = false;
  for (const Late& late : late_) {
    const std::size_t i = late.contact;
    const std::size_t at = system_.contact(i);
    if (!late.switches) {
      if (late.passed > 0.) record_.pass(at, late.at, late.passed);
      continue;
    }
    const double t = t_ - (1. - late.part) * h;
    const Crossing impulse{.before = y1_[m + i * d],
                           .rate_before = h * F1_[i * d],
                           .after = y0_[m + i * d],
                           .rate_after = h * F0_[i * d]};
    const double P = std::min(impulse.at(late.part), y0_[m + i * d]);
    constexpr double stopped = 0.;
    const bool expands = !system_.expands(i);
    if (late.parted) record_.enter(at, Spring::open, motion(at), t, 0., 0., &P, &stopped);
    state_.springs[at] = expands ? Spring::expand : Spring::compress;
    record_.enter(at, state_.springs[at], motion(at), t, late.at, late.at, &P, &stopped);
    system_.set_stage(i, expands);
    f0_[i] = -v0_[i * d] * system_.pace(i);
    if (expands) continue;
    if (!synchronized) synchronize();
    synchronized = true;
    if (wake_rings(at)) rebuild_ = true;
  }
}

template <int D>
void Process<D>::synchronize() {
  system_.scatter(y0_.data(), state_);
  for (double& x : state_.x) x = std::max(x, 0.);
}

template <int D>
void Process<D>::sample(double t, const double* y) {
  State now = state_;
  std::vector<double> f(system_.size());
  system_.scatter(y, now);
  system_.derivative(y, f.data());
  std::vector<double> F(model_.size() * d, 0.);
  std::vector<double> v(model_.size() * d);
  for (std::size_t i = 0; i < model_.size(); ++i) {
    model_.velocity(i, now.P.data(), v.data() + i * d);
  }
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    for (std::size_t c = 0; c < d; ++c) F[system_.contact(i) * d + c] = system_.force()[i * d + c];
  }
  record_.sample(t, now, v, F);
}

/// Samples within the last step, each computed by a shorter step.
template <int D>
void Process<D>::sample_within(double h) {
  constexpr int points = 5;
  std::vector<double> y(y0_.size());
  for (int p = 1; p < points; ++p) {
    const double part = h * p / points;
    step_with<DormandPrince8>(part, y);
    sample(t_ + part, y.data());
  }
  sample(t_ + h, y1_.data());
}

template class Process<1>;
template class Process<2>;
template class Process<3>;

}  // namespace carom::lzb
