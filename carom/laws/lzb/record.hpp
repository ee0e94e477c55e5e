// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/laws/lzb/system.hpp>
#include <carom/laws/solve_options.hpp>

namespace carom::lzb {

/// Records what an outcome reports besides its end: the work of each stage, phases, samples.
class Record {
 public:
  Record(const Model& model, Course* trace);

  /// Sets stage and motion of a contact from now on. `x` is its deformation up to now, `x_next`
  /// from now on.
  void enter(std::size_t contact, Spring spring, Motion motion, double time, double x,
             double x_next, const double* P, const double* v);

  /// Records that a contact was stopped at once, without restitution, by an impulse that does this
  /// work.
  void stop(std::size_t contact, double work);

  /// Records that a contact moved for a short distance in the other stage, at deformation x.
  void pass(std::size_t contact, double x, double distance);

  /// Number of its compressions with a nonzero impulse.
  [[nodiscard]] std::size_t compressions(std::size_t contact) const {
    return contacts_[contact].compressions;
  }

  void sample(double time, const State& state, const std::vector<double>& v,
              const std::vector<double>& F);

  /// Fills contacts, energy, modes and phases. Impulses and velocities are already set.
  void write(const State& state, Outcome& outcome) const;

 private:
  struct Entry {
    Spring spring = Spring::open;
    Motion motion = Motion::slip;
    double energy = 0.;    ///< stored energy when this stage began
    double reported = 0.;  ///< normal impulse at the end of the last reported phase
    StageWork work;
    std::size_t compressions = 0;
    bool fresh = false;  ///< this compression has not been counted yet
    bool pushed = false;
    Motion last = Motion::slip;
  };

  const Model& model_;
  Course* trace_;
  std::vector<Entry> contacts_;
  std::vector<Phase> phases_;
  std::size_t phases_left_out_ = 0;
};

}  // namespace carom::lzb
