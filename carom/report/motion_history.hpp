// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/simulation.hpp>

namespace carom::report {

/// A motion thinned for pictures: however long it is, no more than `most` samples are kept, evenly
/// over those that were told; events all but for a limit.
class MotionHistory {
 public:
  struct Point {
    double time = 0.;
    std::vector<double> q;
    std::vector<double> velocity;  ///< of the contacts
    std::vector<double> force;
    double kinetic = 0.;
    double potential = 0.;
  };

  explicit MotionHistory(std::size_t most = 4000) : most_(most) {}

  void sample(const motion::Sample& sample);
  void event(const motion::Event& event);

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

  /// A stretch in which a contact does not change what it does.
  struct Phase {
    double from = 0.;
    double to = 0.;
    motion::ContactStatus status;
  };
  /// Of each contact, all but open ones.
  [[nodiscard]] const std::vector<std::vector<Phase>>& phases() const { return phases_; }

  /// Times of impacts, by contact.
  [[nodiscard]] const std::vector<std::vector<double>>& impacts() const { return impacts_; }

 private:
  static constexpr std::size_t most_marks = 4000;  ///< of phases and impacts of a contact

  void grow(std::size_t contacts);

  std::size_t most_;
  std::size_t every_ = 1;  ///< one of so many samples is kept
  std::size_t told_ = 0;
  std::vector<Point> points_;
  std::vector<std::vector<Phase>> phases_;
  std::vector<std::vector<double>> impacts_;
  std::vector<bool> running_;  ///< the last phase goes on
};

}  // namespace carom::report
