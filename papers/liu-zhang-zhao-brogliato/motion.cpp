// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion_reader.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

using motion::EventKind;

/// Samples, and events as stretches.
class RunRecorder final : public motion::Recorder {
 public:
  RunRecorder(const motion::Model& model, DiscRun& run)
      : model_(model), status_(model.contacts()), run_(run) {}

  void event(const motion::Event& e) override {
    run_.events.push_back(e);
    auto& story = run_.story;
    const bool impact = e.kind == EventKind::impact || e.kind == EventKind::impact_to_contact ||
                        e.kind == EventKind::accumulation;
    const bool several = e.contacts.size() > 1;
    if (impact && !several && !story.empty()) struck(model_.contact_name(e.contacts.front()));
    if (!story.empty()) story.back().to = e.time;
    if (e.kind == EventKind::end) return;
    for (std::size_t k = 0; k < e.contacts.size(); ++k) status_[e.contacts[k]] = e.to[k];
    if (impact && several) begin("line impact", e.time);
    if (const std::string now = in_contact(); !now.empty()) {
      begin(now, e.time);
    } else if (story.empty() || !story.back().what.starts_with("impacts")) {
      begin("flight", e.time);
    }
  }

  void sample(const motion::Sample& s) override {
    const double v = s.state.u(0), z = s.state.q(1), spin = s.state.u(2);
    run_.samples.push_back({.time = s.state.time,
                            .v1 = v + (z - gauge) * spin,  // eq. 3.2
                            .v2 = v + (z - second_gauge) * spin,
                            .slip = s.velocity[1],
                            .theta = s.state.q(2),
                            .spin = spin,
                            .ratio = s.force[0] > 0. ? s.force[1] / s.force[0]
                                                     : std::numeric_limits<double>::quiet_NaN()});
  }

 private:
  void begin(const std::string& what, double time) {
    run_.story.push_back({.what = what, .from = time, .to = time});
  }

  /// The flight that an impact ends takes its name from where it strikes.
  void struck(const std::string& point) {
    const std::string name = "impacts at " + point;
    Stretch& last = run_.story.back();
    if (last.what == "flight") last.what = name;
    if (!last.what.starts_with("impacts")) return;
    if (last.what != name) begin(name, last.to);
    ++run_.story.back().impacts;
  }

  [[nodiscard]] std::string in_contact() const {
    for (std::size_t i = 0; i < status_.size(); ++i) {
      if (status_[i].touch == motion::Touch::open) continue;
      return model_.contact_name(i) + " " + motion::name(status_[i], 2);
    }
    return {};
  }

  const motion::Model& model_;
  std::vector<motion::ContactStatus> status_;
  DiscRun& run_;
};

DiscRun follow(const motion::Model& model, const std::vector<Surface>& surfaces,
               const motion::Options& options, const motion::State& from) {
  DiscRun run;
  RunRecorder recorder(model, run);
  const auto summary = motion::simulate(model, surfaces, options,
                                        motion::start(model, from, surfaces, options), recorder);
  run.lies = summary.ending == motion::Ending::model;
  return run;
}

/// (y', z', theta') by Table 4.
Eigen::Vector3d printed_velocity(const Case& c) {
  const Velocities& p = c.numerical;
  if (c.number > 6) return {p.v2, velocities_by(variant(disc().radius), c).rise, p.spin};
  // Case 5 sticks: its slip is zero and not what rounding of the printed numbers left.
  const double v = c.number == 5 ? -disc().radius * p.spin : p.v2;
  return {v, -disc().half_thickness * p.spin, p.spin};
}

}  // namespace

std::string DiscRun::told(double shortest) const {
  std::string text;
  for (const Stretch& s : story) {
    if (s.what != "line impact" && s.to - s.from < shortest) continue;
    text += (text.empty() ? "" : ", ") + s.what;
  }
  return text;
}

DiscRun run_disc(int number, From from, Duration duration, double interval) {
  if (from == From::impact) {  // the examples are the model as written
    scenario::MotionScenario s = scenario::parse_motion(
        example(fmt::format("motion/disc-ball-{}", number)), "built-in scenario");
    if (duration == Duration::own) s.options.contact_time = motion::ContactTime::local;
    s.options.sample_interval = interval;
    return follow(*s.model, s.surfaces, s.options, s.start);
  }
  const Case& c = case_of(number);
  motion::Options options;
  options.end_time = 0.6;
  options.sample_interval = interval;
  options.settling = motion::Settling::contact_time;
  if (duration == Duration::ball) {
    options.contact_time = motion::ContactTime::given;
    options.given_contact_time = printed_time_constant() * std::pow(c.velocity, -0.2);
  }
  return follow(disc_model(), std::vector<Surface>(3, c.surfaces[0]), options,
                state_of({0., disc().radius, 0.5 * std::numbers::pi}, printed_velocity(c)));
}

const DiscRun& run_of(int number, From from, Duration duration) {
  static std::mutex guard;
  static std::map<std::tuple<int, From, Duration>, DiscRun> runs;
  const std::lock_guard lock(guard);
  const auto [at, is_new] = runs.try_emplace({number, from, duration});
  if (is_new) at->second = run_disc(number, from, duration, 2e-4);
  return at->second;
}

}  // namespace carom::papers::disc_ball
