// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <vector>

#include <carom/motion/simulation.hpp>

#include "piles.hpp"

/// Piles at rest, made by Carom's own steps and kept in files.
namespace carom::benchmarks {

constexpr double residual = 1e-6;  ///< of Carom's contacts

/// Says nothing, and stops a run after so much processor time [s].
class Silent : public motion::Recorder {
 public:
  explicit Silent(double most) : most_(most) {}
  bool stop() override {
    return static_cast<double>(std::clock() - start_) > most_ * CLOCKS_PER_SEC;
  }
  void event(const motion::Event& /*event*/) override {}
  void sample(const motion::Sample& /*sample*/) override {}

 private:
  double most_;
  std::clock_t start_ = std::clock();
};

/// Of the measured runs.
[[nodiscard]] const std::vector<Surface>& surfaces();
[[nodiscard]] motion::Options stepping(double step, double tolerance, double end_time);

/// A pile at rest, and impulses of its contacts: with others it might slip.
struct Settled {
  Pile pile{};
  std::vector<ContactId> found{};
  std::vector<double> impulses{};
};

/// The settled pile, from a file in the folder if it is there; null if it does not come to rest.
[[nodiscard]] const Settled* settled(Kind kind, std::size_t n, const std::filesystem::path& folder);

/// The state of a run in a settled pile, after a few steps.
[[nodiscard]] motion::Progress begin(const Model& model, const Settled& s);

}  // namespace carom::benchmarks
