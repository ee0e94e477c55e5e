// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <carom/motion/simulation.hpp>

namespace carom::test {

/// A sample that outlives the run.
struct KeptSample {
  double time = 0.;
  Eigen::VectorXd q;
  Eigen::VectorXd u;
  std::vector<double> force;
  std::vector<double> gap;
  double energy = 0.;
};

/// Keeps everything.
class MotionLog final : public motion::Recorder {
 public:
  void event(const motion::Event& e) override { events.push_back(e); }
  void sample(const motion::Sample& s) override {
    samples.push_back(
        {s.state.time, s.state.q, s.state.u, s.force, s.gap, s.kinetic + s.potential});
  }
  void last(const motion::Sample& s) override {
    lasts.push_back({s.state.time, s.state.q, s.state.u, s.force, s.gap, s.kinetic + s.potential});
  }
  bool stop() override { return asked++ >= stop_after; }

  std::vector<motion::Event> events;
  std::vector<KeptSample> samples;
  std::vector<KeptSample> lasts;  ///< at the end of each piece, where no sample was
  std::size_t asked = 0;
  std::size_t stop_after = static_cast<std::size_t>(-1);
};

/// Counts, and remembers nothing.
class MotionCounter final : public motion::Recorder {
 public:
  void event(const motion::Event& /*event*/) override { ++events; }
  void sample(const motion::Sample& /*sample*/) override { ++samples; }
  std::size_t events = 0;
  std::size_t samples = 0;
};

/// A run of the disc in tests/reference/motion.json.
struct ReferenceEvent {
  double time = 0.;
  std::string kind;  ///< start, impact, line-impact, slip-to-stick, ..., surface-impact
  std::string contact;
  std::string from;
  std::string to;
  std::string text;
};
struct ReferenceRun {
  std::string id;
  bool bar = false;
  bool local_time = false;
  double striker_speed = 0.;
  double friction = 0.;
  double static_friction = 0.;
  std::vector<double> start;
  std::vector<ReferenceEvent> events;
  std::vector<std::pair<double, double>> v1;  ///< by time; NaN after the end
};
inline std::ostream& operator<<(std::ostream& out, const ReferenceRun& r) { return out << r.id; }
[[nodiscard]] const std::vector<ReferenceRun>& reference_runs();

}  // namespace carom::test
