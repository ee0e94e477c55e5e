// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace carom::motion {

/// What there is to compute, by counts: the same on every machine.
struct Load {
  double bodies = 0.;    ///< that move
  double pairs = 0.;     ///< of bodies near each other
  double listed = 0.;    ///< contacts that may close, of these pairs
  double touching = 0.;  ///< contacts
  double cubes = 0.;     ///< of the numbers of unknown forces, summed over islands
  bool shared = false;   ///< whether the motion depends on how hyperstatic forces are distributed
};

/// Decides where steps of time-stepping take over from events: where events take much more work for
/// the time that they advance, and there are more than a few bodies.
///
/// The unit of work is what a step does for a body without contacts, about a microsecond. As
/// measured in the plane and in space, with 2 to 60 bodies, to a factor of about two:
///
///     event, or step of integration   20 + 2 listed + 5 touching + cubes/40
///     step of time-stepping           bodies + pairs/2 + 10 touching
///
/// Where the motion depends on the distribution of forces the cubes take ten times as long. Other
/// steps of integration count fully only while events are behind: contacts at rest take few. Work
/// accumulates that is beyond twice that of steps in the same time, and beyond ten events of few
/// contacts in the time of one step: an allowance that decreases with the number of bodies, since
/// of few bodies events are worth more time than steps.
class Crowd {
 public:
  double time = 0.;   ///< of a step of time-stepping [s]; 0: not watched
  double since = 0.;  ///< when work was added last [s]
  double work = 0.;   ///< that is behind

  /// Adds the work of an event or a step of integration up to `now`. Returns whether too much is
  /// behind.
  /// @param happens  whether it is an event
  [[nodiscard]] bool add(const Load& load, double now, bool happens);
};

}  // namespace carom::motion
