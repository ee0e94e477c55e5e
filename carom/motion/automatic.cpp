// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/automatic.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/run.hpp>
#include <carom/motion/stepping.hpp>

namespace carom::motion {

namespace {

/// Steps of the first stretch: a few impacts of what touches.
constexpr double first_stretch = 16.;
/// A stretch is doubled so often at most: 16 000 steps.
constexpr double most_doubled = 10.;
/// Events that go on for so many stretches have recovered.
constexpr double recovered = 4.;

/// Passes everything on, with what decides between methods in the progress.
class Watch final : public Recorder {
 public:
  Watch(Recorder& to, Continuation& next) : to_(to), next_(next) {}

  void contact(std::size_t number, const ContactId& id) override { to_.contact(number, id); }
  void event(const Event& event) override { to_.event(event); }
  void sample(const Sample& sample) override { to_.sample(sample); }
  void last(const Sample& sample) override { to_.last(sample); }
  [[nodiscard]] bool wants_sides() const override { return to_.wants_sides(); }
  void side(const Sample& sample, Side side) override { to_.side(sample, side); }
  bool stop() override { return to_.stop(); }
  bool wants_progress() override { return to_.wants_progress(); }
  void progress(const Progress& progress) override {
    Progress all = progress;
    mark(all);
    to_.progress(all);
  }

  void mark(Progress& progress) const {
    if (next_.stepping == 0.) progress.next.step_counts = next_.step_counts;
    progress.next.stepping = next_.stepping;
    progress.next.stretch_end = next_.stretch_end;
    progress.next.stretches = next_.stretches;
  }

 private:
  Recorder& to_;
  Continuation& next_;
};

/// Whether steps may get through where events do not.
bool helps(Failure failure) {
  return failure != Failure::none && failure != Failure::mass_matrix && failure != Failure::crushed;
}

/// Whether contacts are too few for a large island: all are known from the start.
bool is_small(const Model& model) {
  return model.surfaces() == model.contacts() && model.contacts() <= most_in_island;
}

/// Length of a step [s].
double step_of(const Model& model, const Options& options) {
  return options.step > 0. ? options.step : default_step(model);
}

/// Steps go on from `time` for this long, and longer the next time.
void lengthen(Continuation& next, double time, double h) {
  next.stepping = 1.;
  next.stretch_end = time + h * first_stretch * std::exp2(next.stretches);
  next.stretches = std::min(most_doubled, next.stretches + 1.);
}

void tell(Progress& p, EventKind kind, std::string note, Recorder& recorder) {
  Event event;
  event.time = p.state.time;
  event.kind = kind;
  event.note = std::move(note);
  ++p.events;
  recorder.event(event);
}

}  // namespace

std::string refuses_steps(const Options& options) {
  const bool soft = std::find(options.compliant.begin(), options.compliant.end(), true) !=
                    options.compliant.end();
  if (soft) return "contacts are compliant";
  if (options.keeps_several && options.several != nullptr && options.several->name != "moreau") {
    return "the law of several contacts is " + std::string(options.several->name) +
           ", and steps know moreau alone";
  }
  return "";
}

Progress start_automatically(const Model& model, const State& state,
                             const std::vector<Surface>& surfaces, const Options& options) {
  if (!is_small(model) && refuses_steps(options).empty()) {
    Stepping stepping(model, surfaces, options);
    stepping.begin(state);
    if (stepping.largest_island_at_start() > most_in_island) {
      Progress p = stepping.save();
      lengthen(p.next, state.time, step_of(model, options));
      return p;
    }
  }
  Run run(model, surfaces, options);
  run.begin(state);
  return run.save();
}

Summary simulate_automatically(const Model& model, const std::vector<Surface>& surfaces,
                               const Options& options, const Progress& progress,
                               Recorder& recorder) {
  const std::string refusal = refuses_steps(options);
  Progress later;  // where the last stretch has ended
  const Progress* from = &progress;
  Continuation next;
  next.stepping = progress.next.stepping;
  next.stretch_end = progress.next.stretch_end;
  next.stretches = progress.next.stretches;
  next.step_counts = progress.next.step_counts;
  Watch watch(recorder, next);
  const double h = step_of(model, options);
  bool again = false;  // events begin anew after steps
  while (true) {
    if (next.stepping == 0.) {
      Run run(model, surfaces, options);
      if (again) {
        if (!run.begin_again(*from)) {
          lengthen(next, from->state.time, h);
          continue;
        }
        tell(later, EventKind::stepping_ends, "", recorder);
        run.count_events(later.events);
      } else {
        run.load(*from);
      }
      again = false;
      if (refusal.empty()) run.hand_over_crowds(h);
      Summary s = run.go(watch);
      const bool fails = s.ending == Ending::failed;
      if (fails && !refusal.empty()) s.reason += "; steps cannot take over: " + refusal;
      if (!fails || !refusal.empty() || !helps(s.failure)) {
        watch.mark(s.progress);
        return s;
      }
      later = std::move(s.progress);
      from = &later;
      const double lasted = later.state.time - next.stretch_end;
      const double stretch = h * first_stretch * std::exp2(next.stretches);
      next.stretches = next.stretch_end > 0. && lasted < recovered * stretch
                           ? std::min(most_doubled, next.stretches + 1.)
                           : 0.;
      next.stepping = 1.;
      next.stretch_end = later.state.time + h * first_stretch * std::exp2(next.stretches);
      tell(later, EventKind::stepping_begins, s.reason, recorder);
    }
    Stepping stepping(model, surfaces, options);
    later.next.step_counts = next.step_counts;
    stepping.load(*from);
    Summary s = stepping.go(watch, next.stretch_end);
    next.step_counts = s.progress.next.step_counts;
    if (s.ending != Ending::time || !(s.progress.state.time < options.end_time)) {
      watch.mark(s.progress);
      return s;
    }
    later = std::move(s.progress);
    from = &later;
    if (stepping.largest_island() > most_in_island) {
      lengthen(next, later.state.time, h);
      continue;
    }
    next.stepping = 0.;
    again = true;
  }
}

}  // namespace carom::motion
