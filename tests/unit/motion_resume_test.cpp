// SPDX-License-Identifier: Apache-2.0
// A run that is resumed from any of its checkpoints gives the bits of an uninterrupted one.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>

#include "support/motion_scenes.hpp"

namespace carom::scenario {
namespace {

const std::filesystem::path examples = std::filesystem::path(CAROM_SOURCE_DIR) / "examples/motion";

/// Keeps what is reported as numbers, and checkpoints with how much was reported before them.
class Tape final : public motion::Recorder {
 public:
  struct Checkpoint {
    motion::Progress progress;
    std::size_t told;
  };
  explicit Tape(bool wants) : wants_(wants) {}

  void event(const motion::Event& e) override {
    told.push_back(static_cast<double>(e.kind));
    told.push_back(e.time);
    told.push_back(e.energy_change);
    told.insert(told.end(), e.impulse.begin(), e.impulse.end());
  }
  void sample(const motion::Sample& s) override {
    told.push_back(s.state.time);
    told.insert(told.end(), s.state.q.begin(), s.state.q.end());
    told.insert(told.end(), s.state.u.begin(), s.state.u.end());
    for (const auto* list : {&s.force, &s.velocity, &s.gap}) {
      for (const double x : *list) told.push_back(std::isnan(x) ? unknown : x);
    }
    for (const auto& c : s.contacts) told.push_back(static_cast<double>(c.touch));
    told.push_back(s.energy.gap());
  }
  void last(const motion::Sample& /*sample*/) override {}
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const motion::Sample& s, motion::Side /*side*/) override { sample(s); }
  bool wants_progress() override { return wants_; }
  void progress(const motion::Progress& p) override { checkpoints.push_back({p, told.size()}); }

  static constexpr double unknown = -1e300;  ///< instead of NaN, which equals nothing
  std::vector<double> told;
  std::vector<Checkpoint> checkpoints;

 private:
  bool wants_;
};

TEST(MotionResume, FromCheckpointsOfEveryExampleToTheSameBits) {
  for (const auto& entry : std::filesystem::directory_iterator(examples)) {
    SCOPED_TRACE(entry.path().filename().string());
    MotionScenario s = read_motion(entry.path());
    s.options.most_events = 60;
    s.options.sample_interval = s.options.end_time / 50.;
    const motion::Progress start = motion::start(*s.model, s.start, s.surfaces, s.options);
    Tape alone(false);
    const auto whole = motion::simulate(*s.model, s.surfaces, s.options, start, alone);
    Tape tape(true);
    const auto watched = motion::simulate(*s.model, s.surfaces, s.options, start, tape);
    // Checkpoints do not change the run.
    ASSERT_EQ(tape.told, alone.told);
    ASSERT_EQ(test::numbers(watched.progress.next), test::numbers(whole.progress.next));
    ASSERT_FALSE(tape.checkpoints.empty());
    constexpr std::size_t tries = 6;
    for (std::size_t k = 0; k < tries; ++k) {
      const auto& [from, told] = tape.checkpoints[k * tape.checkpoints.size() / tries];
      Tape rest(false);
      const auto resumed = motion::simulate(*s.model, s.surfaces, s.options, from, rest);
      const std::vector<double> expected(tape.told.begin() + static_cast<std::ptrdiff_t>(told),
                                         tape.told.end());
      EXPECT_EQ(rest.told, expected) << "from " << from.state.time;
      EXPECT_EQ(test::numbers(resumed.progress.next), test::numbers(whole.progress.next))
          << "from " << from.state.time;
      EXPECT_EQ(resumed.progress.steps, whole.progress.steps);
      EXPECT_EQ(resumed.progress.energy.gap(), whole.progress.energy.gap());
    }
  }
}

}  // namespace
}  // namespace carom::scenario
