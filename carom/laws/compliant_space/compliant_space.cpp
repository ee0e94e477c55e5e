// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/compliant_space/compliant_space.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <carom/core/runge_kutta.hpp>
#include <carom/core/scalar.hpp>
#include <carom/laws/compliant_space/slip_step.hpp>
#include <carom/laws/compliant_space/stick_waves.hpp>
#include <carom/laws/compliant_space/watcher.hpp>
#include <carom/laws/impact_units.hpp>

namespace carom {
namespace {

using springs::Reach;
using springs::SlidingContact;
using springs::SlipPoint;
using springs::SlipStep;
using springs::StickEvent;
using springs::StickPoint;
using springs::StickWaves;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Limit of the number of stretches of slip and stick.
constexpr int most_stretches = 1 << 15;
/// Limit of the number of recompressions. A contact that locks oscillates for ever; any that
/// separates has fewer.
constexpr int most_returns = 256;
/// Larger friction is reduced to this: the outcome agrees to twelve digits, and rounding errors do
/// not become forces.
constexpr double most_friction = 1e12;
/// Less friction is none.
constexpr double least_friction = 1e-100;
/// Less restitution ends the impact with compression: what it would add is rounding.
constexpr double least_restitution = 1e-15;
/// Limits of the number of steps of all slip, and of one stretch. An impact has tens.
constexpr int most_steps = 20'000;
constexpr int most_steps_of_stretch = 1'000;

/// The process from first contact to separation. Velocities and inverse inertias are in units in
/// which they are of order one, forces in units in which k = 1.
class Process {
 public:
  Process(const SpatialProblem& problem, const ImpactUnits& units, double tolerance,
          CompliantWatcher* watcher, int samples)
      : units_(units),
        watcher_(watcher),
        samples_(samples),
        G_(problem.G),
        approach_(problem.approach),
        e_(problem.surface.restitution),
        tolerance_(tolerance),
        contact_{.G = problem.G,
                 .friction = std::min(problem.surface.friction, most_friction),
                 .tangential_k = 1. / problem.surface.compliance_ratio},
        velocity_(problem.approach) {
    scale_ = std::abs(approach_.n) + length(tangential(approach_));
    mobility_ = std::max({G_.nn, G_.t11, G_.t22});
  }

  [[nodiscard]] SpatialOutcome run();

 private:
  enum class End : std::uint8_t { separated, never, too_many };
  enum class Event : std::uint8_t { none, slider_stops, normal_stops, recompresses };

  void start();
  void run_without_friction();
  bool stick();
  bool slip();

  // Slip.
  [[nodiscard]] SlipPoint here() const {
    return {.impulse = impulse_, .velocity = velocity_, .direction = direction_, .square = square_};
  }
  [[nodiscard]] double pull_in(const Tangent& s) const {
    return G_.nn - mu() * dot(coupling(G_), s);
  }
  [[nodiscard]] Reach first_reach() const;
  [[nodiscard]] Reach bounded(const Reach& wanted) const;
  [[nodiscard]] double impulse_left(const SlipPoint& x) const;
  [[nodiscard]] double error_of(const SlipStep& step) const;
  struct Watched {
    double value = 0.;
    double slope = 0.;  ///< with the normal impulse
  };
  [[nodiscard]] Watched watch(Event event, const SlipPoint& x) const;
  struct Found {
    Event event = Event::none;
    double x = 1.;  ///< fraction of the step
  };
  [[nodiscard]] Found first_event(const SlipStep& step) const;
  [[nodiscard]] bool land(Event event);
  [[nodiscard]] bool closes();
  void accept(const SlipStep& step);

  // Both.
  bool turn();
  bool compress_again();
  bool give_up(End why) {
    end_ = why;
    return false;
  }
  void add_normal_work(double square_after);
  void enter(Motion motion);
  void tell_phase();
  void show(const Tangent& friction) const;
  [[nodiscard]] bool compressing() const { return stage_ == Stage::compression; }
  [[nodiscard]] double mu() const { return contact_.friction; }
  /// mu k_n/k_t: the part of v_n in the speed of the slider.
  [[nodiscard]] double leverage() const { return mu() * (k_n_ / contact_.tangential_k); }

  const ImpactUnits units_;
  CompliantWatcher* const watcher_;  ///< may be null
  const int samples_;
  const Sym3 G_;
  const Vec3 approach_;
  const double e_;
  const double tolerance_;
  const SlidingContact contact_;
  double scale_ = 0.;     ///< of velocities
  double mobility_ = 0.;  ///< largest diagonal entry of G

  Vec3 impulse_;
  Vec3 velocity_;
  double k_n_ = 1.;
  double square_ = 0.;       ///< F_n^2
  double most_square_ = 0.;  ///< its greatest value so far, once restitution has begun
  Tangent friction_force_;   ///< F_T
  Tangent direction_;        ///< s
  StageWork work_;
  Stage stage_ = Stage::compression;
  Motion motion_ = Motion::slip;
  bool on_cone_ = false;    ///< stick begins where slip has stopped, or the impact begins
  bool returning_ = false;  ///< v_n < 0 in restitution
  int returns_ = 0;
  int steps_ = 0;
  bool exact_ = true;
  End end_ = End::separated;

  double told_ = 0.;  ///< normal impulse at the end of the last reported phase
  Verdicts flags_;
  SpatialPhases phases_;
  SliderStates slider_;
};

void Process::show(const Tangent& friction) const {
  watcher_->reach(impulse_, velocity_, friction, work_.compression + work_.restitution, stage_,
                  motion_);
}

void Process::tell_phase() {
  if (!(impulse_.n > told_)) return;  // zero length
  phases_.push_back({.stage = stage_,
                     .motion = motion_,
                     .impulse = units_.impulse_out_of(impulse_),
                     .velocity = units_.velocity_out_of(velocity_)});
  told_ = impulse_.n;
  if (watcher_ != nullptr) watcher_->end_phase();
}

/// The slider begins to stick or to slip.
void Process::enter(Motion motion) {
  tell_phase();
  motion_ = motion;
  slider_.enter(motion == Motion::stick ? SliderStates::State::stick : SliderStates::State::slip);
}

/// The normal spring has this F_n^2 now: what it took up or gave back is the normal work.
void Process::add_normal_work(double square_after) {
  double& work = compressing() ? work_.compression : work_.restitution;
  work += 0.5 * (square_ - square_after) / k_n_;
  square_ = square_after;
}

/// End of compression. Returns false if the impact ends too.
bool Process::turn() {
  velocity_.n = 0.;
  tell_phase();
  stage_ = Stage::restitution;
  most_square_ = square_;
  returning_ = false;
  if (e_ < least_restitution) {
    work_.restitution = 0.5 * (e_ * e_) * square_;
    return false;
  }
  k_n_ = 1. / (e_ * e_);
  return true;
}

/// Returns false after too many recompressions.
bool Process::compress_again() {
  add_normal_work(most_square_);
  tell_phase();
  stage_ = Stage::compression;
  k_n_ = 1.;
  flags_.add(Verdict::recompressed);
  return ++returns_ < most_returns || give_up(End::too_many);
}

// --- stick ---------------------------------------------------------------------------------------

bool Process::stick() {
  const Vec3 force = joined(std::sqrt(square_), friction_force_);
  const StickWaves waves(G_, k_n_, contact_.tangential_k, force, velocity_);
  const StickEvent event =
      waves.first_event({.friction = mu(),
                         .on_cone = on_cone_,
                         .compression = compressing(),
                         .most_force = std::sqrt(most_square_),
                         .at_most = square_ == most_square_ && velocity_.n == 0.});
  using What = StickEvent::What;
  if (event.what == What::nothing) return give_up(End::never);
  if (event.what == What::too_many) return give_up(End::too_many);
  const bool moves = event.time > 0.;
  if (moves) on_cone_ = false;
  const Vec3 P = impulse_;
  const auto go_to = [&](double t) {
    const StickPoint x = waves.at(t);
    impulse_ = P + x.impulse;
    velocity_ = approach_ + G_ * impulse_;
    friction_force_ = tangential(x.force);
    const double F = positive_part(x.force.n);
    add_normal_work(F * F);
  };
  if (moves && watcher_ != nullptr) {
    for (int i = 0; i < samples_; ++i) {
      if (i > 0) go_to(event.time * i / samples_);
      const double F = std::sqrt(square_);
      if (F > 0.) show((1. / F) * friction_force_);
    }
  }
  if (moves) go_to(event.time);
  const double F = std::sqrt(square_);
  if (event.what == What::turns) velocity_.n = 0.;
  if (event.what == What::slips) {
    const double size = length(friction_force_);
    direction_ = size > 0. ? (-1. / size) * friction_force_ : Tangent{.t1 = 1., .t2 = 0.};
  }
  if (moves && watcher_ != nullptr) {
    show(F > 0. ? (1. / F) * friction_force_ : -mu() * direction_);
  }
  switch (event.what) {
    case What::turns:
      return turn();
    case What::recompresses:
      return compress_again();
    default:
      enter(Motion::slip);
      returning_ = !compressing() && velocity_.n < 0.;
      return true;
  }
}

// --- slip ----------------------------------------------------------------------------------------

/// Normal impulse until F_n = 0 if s does not turn: a p^2 + 2 v_n p = u/k_n. Infinite if it does
/// not get there.
double Process::impulse_left(const SlipPoint& x) const {
  const double a = pull_in(x.direction);
  const double v = x.velocity.n;
  const double stored = x.square / k_n_;
  const double left = v * v + a * stored;
  if (left < 0.) return infinite;
  const double sum = v + std::sqrt(left);
  return sum > 0. ? stored / sum : infinite;
}

/// A guess: a part of the way to the end of the stage, and no more than what turns s.
Reach Process::first_reach() const {
  const SlipPoint x = here();
  if (!compressing()) {
    const double left = impulse_left(x);
    constexpr double first_rate = 0.3;
    if (left < infinite) return {.length = left, .rate = first_rate};
  }
  const double a = pull_in(direction_);
  const double slip = length(tangential(velocity_));
  double reach = a > 0. && compressing() ? -0.5 * velocity_.n / a : scale_ / mobility_;
  reach = std::min(reach, scale_ / (G_.nn > 0. ? G_.nn : mobility_));
  // Where F_n has not been zero before, s relaxes at this scale at first.
  if (square_ > 0. && slip > 0.) {
    constexpr double share = 0.5;
    const double relaxed = mu() * square_ / (contact_.tangential_k * slip);
    const double side = std::abs(dot(tangential(velocity_), quarter_turn(direction_))) / slip;
    if (side > tolerance_) reach = std::min(reach, std::max(share * relaxed, 1e-6 * reach));
  }
  return {.length = reach, .rate = 0.};
}

/// The step that is wanted, but not far beyond the end of the stage.
Reach Process::bounded(const Reach& wanted) const {
  const SlipPoint x = here();
  if (!compressing()) {
    const double left = impulse_left(x);
    if (left < infinite) {
      constexpr double most_rate = 4.;
      const double rate = wanted.rate > 0. ? wanted.rate : wanted.length / left;
      return {.length = left, .rate = std::min(rate, most_rate)};
    }
  }
  Reach reach = wanted;
  if (wanted.rate > 0.) reach = {.length = wanted.impulse(), .rate = 0.};
  const double a = pull_in(direction_);
  if (compressing() && a > 0.) {
    const double turn = -velocity_.n / a;
    constexpr double beyond = 1.05;  // so that the turn lies within the step
    if (turn > 0.) reach.length = std::min(reach.length, beyond * turn);
  }
  return reach;
}

/// Estimated error of a step in velocity, relative to the part of the tolerance that it may use.
double Process::error_of(const SlipStep& step) const {
  // The estimates are of order 8, the method of order 13: tolerance^(3/4).
  const double allowed = std::sqrt(tolerance_) * std::sqrt(std::sqrt(tolerance_));
  const double ahead = compressing() ? std::max(impulse_.n, scale_ / G_.nn)
                                     : std::min(impulse_left(step.at(0)), impulse_.n);
  const double impulse = step.impulse_error() + mu() * ahead * step.angle_error();
  return mobility_ * impulse / (allowed * scale_);
}

Process::Watched Process::watch(Event event, const SlipPoint& x) const {
  const double a = pull_in(x.direction);
  switch (event) {
    case Event::normal_stops: {
      const bool falls = !compressing() && !returning_;
      return falls ? Watched{.value = x.velocity.n, .slope = a}
                   : Watched{.value = -x.velocity.n, .slope = -a};
    }
    case Event::recompresses:
      return {.value = most_square_ - x.square, .slope = 2. * k_n_ * x.velocity.n};
    default: {
      const Tangent u = tangential(x.velocity);
      const Tangent across = quarter_turn(x.direction);
      const Tangent pull = coupling(G_) - mu() * tangential_product(G_, x.direction);
      const double slip = dot(u, x.direction);
      return {.value = slip + leverage() * x.velocity.n,
              .slope = dot(pull, x.direction) +
                       dot(u, across) * springs::turning_rate(contact_, k_n_, x) + leverage() * a};
    }
  }
}

/// The first zero of Hermite's cubic from (0, f0) to (1, f1), where it becomes negative; above 1 if
/// there is none.
double first_zero(double f0, double d0, double f1, double d1) {
  constexpr double none = 2.;
  const auto cubic = [&](double x) {
    const double y = 1. - x;
    return f0 * y * y * (1. + 2. * x) + d0 * x * y * y + f1 * x * x * (3. - 2. * x) -
           d1 * x * x * y;
  };
  double high = 1.;
  if (!(f1 < 0.)) {
    if (!(d0 < 0. && d1 > 0.)) return none;
    // Its lowest point, where its slope, a quadratic, is zero.
    const double c = 3. * (f1 - f0) - 2. * d0 - d1;
    const double e = d0 + d1 - 2. * (f1 - f0);
    const double root_of = std::sqrt(positive_part(c * c - 3. * d0 * e));
    const double sum = c + root_of;
    high = sum > 0. ? -d0 / sum : none;
    if (!(high < 1. && cubic(high) < 0.)) return none;
  }
  if (f0 <= 0.) return 0.;
  double low = 0.;
  constexpr int halvings = 30;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (cubic(middle) > 0. ? low : high) = middle;
  }
  return high;
}

/// The first event within a step, between its stages.
Process::Found Process::first_event(const SlipStep& step) const {
  Found found;
  for (const Event event : {Event::slider_stops, Event::normal_stops, Event::recompresses}) {
    if (event == Event::recompresses && !returning_) continue;
    Watched before = watch(event, step.at(0));
    for (std::size_t j = 1; j <= SlipStep::stages; ++j) {
      const double x0 = Radau7::node(j - 1);
      if (x0 >= found.x) break;
      const double dx = Radau7::node(j) - x0;
      const Watched after = watch(event, step.at(j));
      const double x = first_zero(before.value, before.slope * step.impulse_rate(j - 1) * dx,
                                  after.value, after.slope * step.impulse_rate(j) * dx);
      if (x <= 1.) {
        const double at = x0 + x * dx;
        if (at < found.x || found.event == Event::none) found = {.event = event, .x = at};
        break;
      }
      before = after;
    }
  }
  return found;
}

void Process::accept(const SlipStep& step) {
  if (watcher_ != nullptr) {
    for (std::size_t j = impulse_.n > told_ ? 1 : 0; j < SlipStep::stages; ++j) {
      const SlipPoint& x = step.at(j);
      impulse_ = x.impulse;
      velocity_ = x.velocity;
      add_normal_work(x.square);
      show(-mu() * x.direction);
    }
  }
  const SlipPoint& x = step.end();
  impulse_ = x.impulse;
  velocity_ = approach_ + G_ * impulse_;
  // Of unit length, in spite of rounding.
  direction_ = (1. / length(x.direction)) * x.direction;
  add_normal_work(x.square);
}

/// Goes from near an event to it, by Newton's method. The steps are tiny, forward or back.
bool Process::land(Event event) {
  constexpr int most_corrections = 8;
  const double size = std::max(impulse_.n, scale_ / mobility_ * epsilon);
  for (int i = 0; i < most_corrections; ++i) {
    const Watched g = watch(event, here());
    const double dp = g.slope < 0. ? -g.value / g.slope : 0.;
    if (std::abs(dp) <= 4. * epsilon * size)
      return g.slope < 0. || std::abs(g.value) <= rounding * scale_;
    SlipStep step;
    if (!step.solve(contact_, k_n_, here(), {.length = dp, .rate = 0.})) return false;
    accept(step);
  }
  return true;
}

/// Whether the rest of the impact is slip in a constant direction, up to the tolerance: then ends
/// it.
bool Process::closes() {
  const SlipPoint x = here();
  const double p = impulse_left(x);
  if (compressing() || !(x.velocity.n > 0.) || !(p < infinite)) return false;
  const Watched slider = watch(Event::slider_stops, x);
  const Tangent u = tangential(x.velocity);
  const Tangent across = quarter_turn(x.direction);
  const Tangent pull = coupling(G_) - mu() * tangential_product(G_, x.direction);
  const double a = pull_in(x.direction);
  // The angle by which s may turn: towards v_T, which may turn too.
  const double along = dot(u, x.direction);
  const double side = std::abs(dot(u, across)) + p * std::abs(dot(pull, across));
  const double angle = along > 0. && side < along ? side / along : (side > 0. ? 3. : 0.);
  if (!(mobility_ * mu() * p * angle <= 0.1 * tolerance_ * scale_)) return false;
  const double slider_slope = dot(pull, x.direction) + leverage() * a;
  if (!(slider.value + p * slider_slope >= 0.) || !(x.velocity.n + a * p >= 0.)) return false;
  if (watcher_ != nullptr && !(impulse_.n > told_)) show(-mu() * x.direction);
  impulse_ = impulse_ + joined(p, (-mu() * p) * x.direction);
  velocity_ = approach_ + G_ * impulse_;
  velocity_.n = positive_part(velocity_.n);
  add_normal_work(0.);
  if (watcher_ != nullptr) show(-mu() * x.direction);
  return true;
}

bool Process::slip() {
  Reach wanted = first_reach();
  constexpr double longest = 1e9;
  SlipStep step;
  const int last_step = std::min(steps_ + most_steps_of_stretch, most_steps);
  for (; steps_ < last_step; ++steps_) {
    if (closes()) return false;
    const Reach reach = bounded(wanted);
    if (!(reach.length > 0.) || impulse_.n * mobility_ > longest * scale_)
      return give_up(End::never);
    if (!(reach.impulse() > 1e-15 * epsilon * scale_ / mobility_)) return give_up(End::too_many);
    const double error = step.solve(contact_, k_n_, here(), reach) ? error_of(step) : infinite;
    if (!(error <= 1.)) {
      wanted = reach.part(step_factor<Radau7>(error, 0.2));
      continue;
    }
    const Found found = first_event(step);
    exact_ = exact_ && error == 0.;
    if (found.event != Event::none) {
      const Reach part = reach.part(found.x);
      if (found.x > 0. && part.impulse() > epsilon * impulse_.n) {
        if (!step.solve(contact_, k_n_, here(), part)) {
          wanted = reach.part(0.5);
          continue;
        }
        accept(step);
        if (!land(found.event)) {
          wanted = part;
          continue;
        }
        if (watcher_ != nullptr) show(-mu() * direction_);
      }
      switch (found.event) {
        case Event::slider_stops:
          friction_force_ = (-mu() * std::sqrt(square_)) * direction_;
          enter(Motion::stick);
          on_cone_ = true;
          return true;
        case Event::recompresses:
          returning_ = false;
          return compress_again();
        default:
          if (compressing()) return turn();
          velocity_.n = 0.;
          returning_ = !returning_;
          return true;
      }
    }
    accept(step);
    if (watcher_ != nullptr) show(-mu() * direction_);
    const double factor = step_factor<Radau7>(error, 0.2);
    wanted = reach.rate > 0. ? Reach{.length = reach.length, .rate = reach.rate * factor}
                             : Reach{.length = reach.length * factor, .rate = 0.};
  }
  return give_up(End::too_many);
}

// --- the whole -----------------------------------------------------------------------------------

/// Without friction v_n is linear in p, and slip only changes by the coupling.
void Process::run_without_friction() {
  enter(Motion::slip);
  const double p = -approach_.n / G_.nn;
  const auto go = [&](double normal, double square_after) {
    impulse_.n = normal;
    velocity_ = approach_ + G_ * impulse_;
    add_normal_work(square_after);
    if (watcher_ != nullptr) show({});
  };
  if (watcher_ != nullptr) show({});
  go(p, -approach_.n * p);
  if (!turn()) return;
  go((1. + e_) * p, 0.);
  velocity_.n = -e_ * approach_.n;
}

/// The slider slips at first if |v_T| > mu eta^2 |v_n|; in a tie, if it would speed up.
void Process::start() {
  const Tangent u = tangential(approach_);
  const double slip = length(u);
  on_cone_ = true;
  if (slip > 0.) {
    direction_ = (1. / slip) * u;
    const double speed = slip + leverage() * approach_.n;
    const Tangent pull = coupling(G_) - mu() * tangential_product(G_, direction_);
    const double growth = dot(pull, direction_) + leverage() * pull_in(direction_);
    if (speed > 0. || (speed == 0. && growth >= 0.)) {
      flags_.add_if(pull_in(direction_) < 0., Verdict::jam);
      return enter(Motion::slip);
    }
  }
  enter(Motion::stick);
}

SpatialOutcome Process::run() {
  if (!(G_.nn > 0.)) {
    end_ = End::never;  // no force changes v_n
  } else if (mu() < least_friction) {
    run_without_friction();
  } else {
    start();
    int stretches = 0;
    while (motion_ == Motion::stick ? stick() : slip()) {
      if (++stretches == most_stretches) {
        end_ = End::too_many;
        break;
      }
    }
  }
  tell_phase();
  SpatialOutcome outcome;
  if (end_ != End::separated) {
    outcome.flags.add(end_ == End::never ? Verdict::no_solution : Verdict::not_converged);
    return outcome;
  }
  outcome.impulse = impulse_;
  outcome.velocity = velocity_;
  // The work of all forces is P.(v- + v+)/2 on any path.
  const double change = 0.5 * dot(impulse_, approach_ + velocity_);
  outcome.mode = Mode::compliant;
  outcome.slider = slider_;
  outcome.flags = flags_;
  outcome.tolerance = exact_ ? 0. : tolerance_;
  outcome.phases = phases_;
  account_for_process(work_, change - (work_.compression + work_.restitution), change, outcome);
  return outcome;
}

/// Whether there is an impact. Without approach only if slip pulls the contact in.
bool happens(const SpatialProblem& p) {
  if (p.approach.n != 0.) return p.approach.n < 0.;
  const Tangent u = tangential(p.approach);
  const double slip = length(u);
  return slip > 0. && p.G.nn - p.surface.friction * (dot(coupling(p.G), u) / slip) < 0.;
}

}  // namespace

SpatialOutcome compliant(const SpatialProblem& problem, const SpatialOptions& options,
                         CompliantWatcher* watcher, int samples) {
  if (!happens(problem)) return process_without_impact(problem.approach, Verdict::no_impulse);
  const ImpactUnits units = ImpactUnits::of(problem);
  SpatialOutcome outcome =
      Process(units.into(problem), units, options.tolerance, watcher, samples).run();
  for (const Verdict why : {Verdict::no_solution, Verdict::not_converged}) {
    if (outcome.flags.has(why)) return process_without_impact(problem.approach, why);
  }
  units.out_of(outcome);
  return outcome;
}

SpatialOutcome compliant(const SpatialProblem& problem, const SpatialOptions& options) {
  return compliant(problem, options, nullptr, 0);
}

}  // namespace carom
