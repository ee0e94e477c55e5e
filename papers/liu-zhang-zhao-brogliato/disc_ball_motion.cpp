// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include <carom/motion/disc_model.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion_reader.hpp>
#include <papers/engine/embedded.hpp>

namespace carom::papers {
namespace {

using motion::EventKind;
using motion::Touch;

/// Tells the events as stretches.
class Storyteller {
 public:
  explicit Storyteller(const motion::Model& model) : model_(model), status_(model.contacts()) {}

  void event(const motion::Event& e) {
    const bool impact = e.kind == EventKind::impact || e.kind == EventKind::impact_to_contact ||
                        e.kind == EventKind::accumulation;
    if (impact) struck(e);
    if (!story_.empty()) story_.back().to = e.time;
    if (e.kind == EventKind::end) return;
    for (std::size_t k = 0; k < e.contacts.size(); ++k) status_[e.contacts[k]] = e.to[k];
    if (impact && e.contacts.size() > 1) begin("line impact", e.time);
    if (const std::string now = in_contact(); now.empty()) {
      if (story_.empty() || story_.back().what.rfind("impacts", 0) != 0) begin("flight", e.time);
    } else {
      begin(now, e.time);
    }
  }

  [[nodiscard]] std::vector<Stretch> take() { return std::move(story_); }

 private:
  void begin(const std::string& what, double time) {
    story_.push_back({.what = what, .from = time, .to = time});
  }

  /// The flight that an impact ends takes its name from where it strikes.
  void struck(const motion::Event& e) {
    if (story_.empty()) return;
    Stretch& last = story_.back();
    if (e.contacts.size() > 1) return;
    const std::string name = "impacts at " + model_.contact_name(e.contacts.front());
    if (last.what == "flight") last.what = name;
    if (last.what.rfind("impacts", 0) != 0) return;
    if (last.what != name) begin(name, last.to);
    ++story_.back().impacts;
  }

  [[nodiscard]] std::string in_contact() const {
    for (std::size_t i = 0; i < status_.size(); ++i) {
      if (status_[i].touch == Touch::open) continue;
      return model_.contact_name(i) + " " + motion::name(status_[i], 2);
    }
    return {};
  }

  const motion::Model& model_;
  std::vector<motion::ContactStatus> status_;
  std::vector<Stretch> story_;
};

class RunRecorder final : public motion::Recorder {
 public:
  RunRecorder(const motion::Model& model, DiscRun& run) : teller_(model), run_(run) {}
  void event(const motion::Event& e) override {
    teller_.event(e);
    run_.events.push_back(e);
  }
  void sample(const motion::Sample& s) override {
    const double v = s.state.u(0), z = s.state.q(1), spin = s.state.u(2);
    run_.time.push_back(s.state.time);
    run_.v1.push_back(v + (z - gauge) * spin);  // eq. 3.2
    run_.v2.push_back(v + (z - second_gauge) * spin);
    run_.slip.push_back(s.velocity[1]);
    run_.theta.push_back(s.state.q(2));
    run_.spin.push_back(spin);
    run_.ratio.push_back(s.force[0] > 0. ? s.force[1] / s.force[0]
                                         : std::numeric_limits<double>::quiet_NaN());
  }
  void finish() { run_.story = teller_.take(); }

 private:
  Storyteller teller_;
  DiscRun& run_;
};

DiscRun follow(const motion::Model& model, const std::vector<MultiSurface>& surfaces,
               motion::Options options, const motion::State& from, double interval) {
  options.sample_interval = interval;
  DiscRun run;
  RunRecorder recorder(model, run);
  const auto summary = motion::simulate(model, surfaces, options,
                                        motion::start(model, from, surfaces, options), recorder);
  recorder.finish();
  run.lies = summary.ending == motion::Ending::model;
  return run;
}

/// The examples are the model as written.
DiscRun from_impact(const DiscBallCase& c, ImpactTime time, double interval) {
  scenario::MotionScenario s = scenario::parse_motion(
      example(fmt::format("motion/disc-ball-{}", c.number)), "built-in scenario");
  if (time == ImpactTime::local) s.options.contact_time = motion::ContactTime::local;
  return follow(*s.model, s.surfaces, s.options, s.start, interval);
}

std::array<double, 3> printed_velocity(const DiscBallCase& c) {
  const DiscBallRow row = c.printed();
  if (c.number > 6) {
    return {row.v2, disc_ball_variant(system_of(c), surfaces_of(c), disc_radius).rise, row.spin};
  }
  // Case 5 sticks: its slip is zero and not what rounding of the printed numbers left.
  const double v = c.number == 5 ? -disc_radius * row.spin : row.v2;
  return {v, -half_thickness * row.spin, row.spin};
}

}  // namespace

std::string DiscRun::told(double shortest) const {
  std::string text;
  for (const Stretch& s : story) {
    if (s.what != "line impact" && s.to - s.from < shortest) continue;
    if (!text.empty()) text += ", ";
    text += s.what;
  }
  return text;
}

double DiscRun::begin_of(const std::string& what) const {
  for (const Stretch& s : story) {
    if (s.what == what) return s.from;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

DiscRun run_disc(const DiscBallCase& c, StartFrom from, ImpactTime time, double interval) {
  return from == StartFrom::impact ? from_impact(c, time, interval)
                                   : run_disc(c, printed_velocity(c), time, interval);
}

DiscRun run_disc(const DiscBallCase& c, const std::array<double, 3>& velocity, ImpactTime time,
                 double interval) {
  const motion::DiscModel model({.mass = disc_mass,
                                 .radius = disc_radius,
                                 .half_thickness = half_thickness,
                                 .gravity = gravity});
  const std::vector<MultiSurface> surfaces(3, surfaces_of(c).front());
  motion::Options options;
  options.end_time = 0.6;
  options.settling = motion::Settling::contact_time;
  if (time == ImpactTime::ball) {
    options.contact_time = motion::ContactTime::given;
    options.given_contact_time = printed_contact_time(c.velocity);
  }
  motion::State from;
  from.q = Eigen::Vector3d(0., disc_radius, 0.5 * std::numbers::pi);
  from.u = Eigen::Vector3d(velocity[0], velocity[1], velocity[2]);
  return follow(model, surfaces, options, from, interval);
}

}  // namespace carom::papers
