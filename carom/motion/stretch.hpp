// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/course.hpp>
#include <carom/motion/event_search.hpp>
#include <carom/motion/projection.hpp>
#include <carom/motion/sampler.hpp>

namespace carom::motion {

/// Smooth segments: steps of integration up to the next event, with samples, and projection onto
/// the constraints.
class Stretch {
 public:
  Stretch(const Setting& setting, Contacts& contacts, CompliantContacts& compliant, Slip& slip,
          Spins& spins, Equations& equations, Projection& projection, Neighbours& neighbours,
          Sampler& sampler, Present& now, Trouble& trouble);
  void grow() { indicators_.grow(); }

  /// @param trigger  why it ends, if it ends with an event
  [[nodiscard]] Advance step(Trigger& trigger);

  void save(Progress& progress) const;
  void load(const Progress& progress);

 private:
  /// `stepped` if nothing vanishes.
  [[nodiscard]] Advance vanish(Trigger& trigger);
  [[nodiscard]] double longest_search() const;
  [[nodiscard]] double take_first_side(const Trigger& trigger, double time);
  [[nodiscard]] bool diverges(Trigger& trigger);
  [[nodiscard]] Advance jumped(double time, Trigger& trigger);
  void accept(double until, const Trigger& trigger);

  const Setting& setting_;
  Contacts& contacts_;
  CompliantContacts& compliant_;
  Slip& slip_;
  Spins& spins_;
  Equations& equations_;
  Projection& projection_;
  Sampler& sampler_;
  Present& now_;
  Trouble& trouble_;
  Indicators indicators_;
  Course course_;
  EventSearch search_;
  double h_;                           ///< size of the next trial step [s]
  std::size_t steps_ = 0;              ///< so far
  std::vector<double> shared_at_end_;  ///< the distribution of forces at the end of a step [N]
  std::vector<double> trial_;
  /// A run that ends within a step is resumed from the start of the step.
  struct Start {
    bool ended_within = false;
    std::vector<ContactStatus> status;
    std::vector<double> creeping;
    std::vector<double> shared;  ///< the last distribution of forces
  } start_;
};

}  // namespace carom::motion
