// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <carom/motion/step_positions.hpp>
#include <carom/motion/step_sampler.hpp>
#include <carom/motion/step_solver.hpp>

/// Time-stepping by the scheme of Moreau and Jean with theta = 1/2 [Moreau 1999; Jean 1999]:
///
///     M (u+ - u-) = h f + W P,    q+ = q- + h (u- + u+)/2,
///
/// with M, f and W in the middle of the step, and for each closed contact
///
///     0 <= P_n  _|_  v_n+ + e v_n- >= 0,    -P_T in mu P_n Sgn(v_T+ + e_T v_T-).
///
/// e and e_T are zero for an approach slower than the speed of rest, since contacts at rest
/// approach by g h in each step. A contact that strikes alone, without another closed contact in
/// its island, goes through the scenario's own law instead, before the forces act.
///
/// Energy. (u- + u+)/2 times the first equation: the change of kinetic energy is the work of the
/// forces, h f.(u- + u+)/2, plus P.(v- + v+)/2 at each contact. Where forces are constant and
/// bodies free the first is exactly what the potential energy loses.
///
/// The work of contacts is not positive. For a closed contact that approaches this follows from the
/// law. Where normals and arms turn, though, a contact that was closed separates a little at the
/// start of a step, and one that stuck slips: v- of the order of h. There the law is for the mean
/// velocity (v- + v+)/2, which makes the work of the contact zero; in a large island only if its
/// contacts together would gain.
///
/// Overlap of what landed in the step is removed by the smallest displacement in the mass metric.
/// It changes no velocity. The potential energy that it changes has its own row in the account.
namespace carom::motion {

/// One run by steps.
///
///     Setting                    what does not change
///     Step                       the step that is tried, which the parts below read and write
///     StepContacts, Islands      contacts that may act in it, and bodies that they connect
///     StepSolver                 velocities at its end, impulses and works of contacts:
///                                SingleImpact where one strikes alone
///     StepPositions              positions at its end: Separation where bodies overlap
///     StepSampler                tells the recorder
class Stepping {
 public:
  Stepping(const Model& model, const std::vector<Surface>& surfaces, const Options& options);

  /// Throws InputError if the state is not valid.
  void begin(const State& state);
  void load(const Progress& progress);
  [[nodiscard]] Progress save() const;
  /// Steps until the end, or until a time.
  [[nodiscard]] Summary go(Recorder& recorder,
                           double until = std::numeric_limits<double>::infinity());
  /// Contacts of the largest island of the last step, and of the state that was begun with.
  [[nodiscard]] std::size_t largest_island() const { return step_.islands.largest(); }
  [[nodiscard]] std::size_t largest_island_at_start();

 private:
  void start_event();
  /// Steps until a time.
  [[nodiscard]] Ending follow(Recorder& recorder, double until);
  /// Takes a step, shortened as far as it must be. Returns false if none is possible.
  [[nodiscard]] bool take_step(double h);
  enum class Attempt : std::uint8_t { accepted, shorter, failed };
  [[nodiscard]] Attempt attempt(double h);
  [[nodiscard]] bool look_at_middle(double h);
  void remember();
  void account_for();
  /// The step becomes the present, and is reported.
  void advance();
  void sample(StepSampler::As kind) { sampler_.sample(now_, last_, account_, kind); }
  void side(StepSampler::As kind);
  [[nodiscard]] double same_time() const;

  const Setting setting_;
  Trouble trouble_;
  ContactList contacts_;
  Mechanics mechanics_;
  Step step_;
  StepSolver solver_;
  StepPositions positions_;
  StepSampler sampler_;
  State now_;
  State end_;                ///< of the step that is tried
  double end_of_step_ = 0.;  ///< of the nominal one [s]
  LastStep last_;
  OtherPower power_;  ///< of the step that is tried
  EnergyAccount account_;
  Progress progress_;  ///< what does not belong to steps
  /// For the log.
  struct Counts {
    double steps = 0.;
    double shorter = 0.;  ///< steps that were repeated with a shorter one
  } counts_;
};

}  // namespace carom::motion
