// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/motion/crowd.hpp>
#include <carom/motion/flight.hpp>
#include <carom/motion/instant.hpp>
#include <carom/motion/start.hpp>
#include <carom/motion/stretch.hpp>

namespace carom::motion {

/// One event-driven run: flights and smooth segments, each up to an event, and what happens there.
///
///     Setting                    what does not change
///     Contacts, Present          modes and state, which the parts below read and write
///     Neighbours                 contacts within reach
///     Slip, Spins, Equations     forces and accelerations for fixed modes
///     Projection                 keeps the state on its constraints
///     Sampler                    tells the recorder
///     Flight                     the next event of free flight
///     Stretch                    the next event of contact: Course (one step of integration, Creep
///                                where slip is slow), EventSearch on its Indicators
///     Instant                    what happens at an event: ImpactResolver, Settler, ModeDecision
class Run {
 public:
  Run(const Model& model, const std::vector<Surface>& surfaces, const Options& options);

  /// Starts from a given state. Throws InputError.
  void begin(const State& state);
  /// Continues a run.
  void load(const Progress& progress);
  /// Starts from where steps have come to. False if contacts cannot be closed.
  [[nodiscard]] bool begin_again(const Progress& progress);
  [[nodiscard]] Progress save();
  [[nodiscard]] Summary go(Recorder& recorder);

  /// Events told by others.
  void count_events(std::size_t events) { sampler_.events = events; }
  /// From now on the run fails as crowded where steps of length h should take over.
  void hand_over_crowds(double h) { crowd_.time = h; }

 private:
  void grow();
  /// The first event. False if it fails.
  [[nodiscard]] bool start_event();
  /// Follows the motion until it ends.
  [[nodiscard]] Ending follow(Recorder& recorder);
  [[nodiscard]] bool handle(Trigger trigger);
  [[nodiscard]] bool is_stalled(const Trigger& trigger);
  /// @param happens  whether there was an event, or a step of integration
  [[nodiscard]] bool is_crowded(bool happens);
  /// What there is to compute now, with its islands.
  [[nodiscard]] Load load_of_present();

  // What moves.
  const Setting setting_;
  Trouble trouble_;
  Contacts contacts_;
  CompliantContacts compliant_;
  Present now_;
  Neighbours neighbours_;
  // How it moves.
  Slip slip_;
  Spins spins_;
  Equations equations_;
  Projection projection_;
  Sampler sampler_;
  Start start_;
  Flight flight_;
  Stretch stretch_;
  Instant instant_;
  Islands islands_;
  bool fresh_ = true;   ///< no event has occurred yet
  bool again_ = false;  ///< steps came before, and modes are to be decided
  double stalls_ = 0.;  ///< consecutive events without progress in time
  double last_event_time_ = -infinite;
  Crowd crowd_;
};

}  // namespace carom::motion
