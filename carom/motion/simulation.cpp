// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/simulation.hpp>

#include <array>

#include <carom/core/error.hpp>
#include <carom/motion/automatic.hpp>
#include <carom/motion/run.hpp>
#include <carom/motion/stepping.hpp>

namespace carom::motion {

namespace {

void require_steps(const Options& options) {
  const std::string refusal = refuses_steps(options);
  if (!refusal.empty()) throw InputError("method", "stepping is not possible: " + refusal);
}

}  // namespace

std::string_view name(Failure failure) {
  constexpr std::array<std::string_view, 10> names{
      "none",       "mass-matrix",     "no-acceleration", "step-size", "no-forces",
      "no-outcome", "endless-impacts", "stalled",         "crowded",   "crushed"};
  return names[static_cast<std::size_t>(failure)];
}

Progress start(const Model& model, const State& state, const std::vector<Surface>& surfaces,
               const Options& options) {
  if (options.method == MotionMethod::automatic) {
    return start_automatically(model, state, surfaces, options);
  }
  if (options.method == MotionMethod::stepping) {
    require_steps(options);
    Stepping stepping(model, surfaces, options);
    stepping.begin(state);
    return stepping.save();
  }
  Run run(model, surfaces, options);
  run.begin(state);
  return run.save();
}

Summary simulate(const Model& model, const std::vector<Surface>& surfaces, const Options& options,
                 const Progress& progress, Recorder& recorder) {
  if (options.method == MotionMethod::automatic) {
    return simulate_automatically(model, surfaces, options, progress, recorder);
  }
  if (options.method == MotionMethod::stepping) {
    require_steps(options);
    Stepping stepping(model, surfaces, options);
    stepping.load(progress);
    return stepping.go(recorder);
  }
  Run run(model, surfaces, options);
  run.load(progress);
  return run.go(recorder);
}

}  // namespace carom::motion
