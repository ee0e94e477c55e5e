// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <carom/core/dop853_tableau.hpp>

namespace carom::motion {

/// One step of an ordinary differential equation y' = f(t, y), with error estimate and dense output
/// [Hairer, Norsett & Wanner 1993, DOP853]. Allocates only when its size changes.
///
/// `Rate` is called as rate(t, y, dy). It returns false if the rate is undefined.
class Dop853 {
 public:
  void resize(std::size_t size) {
    size_ = size;
    for (auto& k : k_) k.resize(size);
    for (auto& c : course_) c.resize(size);
    start_.resize(size);
    end_.resize(size);
    trial_.resize(size);
  }

  /// The rate at the start of the next step; the caller fills it in.
  [[nodiscard]] std::vector<double>& start_rate() { return k_[0]; }
  [[nodiscard]] const std::vector<double>& end() const { return end_; }

  /// Tries a step of length h from y at t. Returns false if a rate is undefined.
  template <class Rate>
  [[nodiscard]] bool step(double t, const std::vector<double>& y, double h, const Rate& rate) {
    t_ = t;
    h_ = h;
    start_ = y;
    course_known_ = false;
    for (std::size_t s = 1; s < dop853::step_stages; ++s) {
      advance(s, trial_);
      if (!rate(t + dop853::nodes[s] * h, trial_, k_[s])) return false;
    }
    advance(dop853::step_stages, end_);
    return rate(t + h, end_, k_[dop853::step_stages]);
  }

  /// The error of the last step divided by the allowed error of each entry: root mean square of the
  /// first `count` entries.
  [[nodiscard]] double error(const std::vector<double>& allowed, std::size_t count) const {
    double fifth = 0.;
    double third = 0.;
    for (std::size_t i = 0; i < count; ++i) {
      const double e5 = sum(dop853::fifth, i) / allowed[i];
      const double e3 = sum(dop853::third, i) / allowed[i];
      fifth += e5 * e5;
      third += e3 * e3;
    }
    if (fifth == 0. && third == 0.) return 0.;
    const double size = (fifth + 0.01 * third) * static_cast<double>(count);
    return std::abs(h_) * fifth / std::sqrt(size);
  }

  /// Prepares the dense output of at(): three more rates.
  template <class Rate>
  [[nodiscard]] bool know_course(const Rate& rate) {
    if (course_known_) return true;
    for (std::size_t s = dop853::step_stages + 1; s < dop853::stages; ++s) {
      advance(s, trial_);
      if (!rate(t_ + dop853::nodes[s] * h_, trial_, k_[s])) return false;
    }
    const auto& last = k_[dop853::step_stages];
    for (std::size_t i = 0; i < size_; ++i) {
      const double dy = end_[i] - start_[i];
      course_[0][i] = dy;
      course_[1][i] = h_ * k_[0][i] - dy;
      course_[2][i] = 2. * dy - h_ * (last[i] + k_[0][i]);
      for (std::size_t j = 0; j < 4; ++j) {
        double d = 0.;
        for (std::size_t s = 0; s < dop853::stages; ++s) d += dop853::polynomial[j][s] * k_[s][i];
        course_[3 + j][i] = h_ * d;
      }
    }
    course_known_ = true;
    return true;
  }

  /// Dense output: y at a time within the last step, after know_course().
  void at(double t, std::vector<double>& y) const {
    const double x = (t - t_) / h_;
    for (std::size_t i = 0; i < size_; ++i) {
      double v = 0.;
      for (std::size_t j = course_.size(); j-- > 0;) {
        v = (v + course_[j][i]) * (j % 2 == 0 ? x : 1. - x);
      }
      y[i] = start_[i] + v;
    }
  }

 private:
  [[nodiscard]] double sum(const dop853::Sum& s, std::size_t i) const {
    double v = 0.;
    for (std::size_t j = 0; j < s.size; ++j) v += s.terms[j].weight * k_[s.terms[j].stage][i];
    return v;
  }
  void advance(std::size_t stage, std::vector<double>& y) const {
    const auto& s = dop853::inner[stage];
    for (std::size_t i = 0; i < size_; ++i) y[i] = start_[i] + h_ * sum(s, i);
  }

  std::size_t size_ = 0;
  double t_ = 0.;
  double h_ = 0.;
  bool course_known_ = false;
  std::array<std::vector<double>, dop853::stages> k_;
  std::array<std::vector<double>, 7> course_;
  std::vector<double> start_;
  std::vector<double> end_;
  std::vector<double> trial_;
};

}  // namespace carom::motion
