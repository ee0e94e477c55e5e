// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/planar/outcome.hpp>

namespace carom {

std::string_view describe(Mode mode) {
  switch (mode) {
    case Mode::slides:
      return "slips throughout";
    case Mode::stops_in_compression_sticks:
      return "slip stops in compression, then sticks";
    case Mode::stops_in_compression_slips:
      return "slip stops in compression, then reverses";
    case Mode::stops_in_restitution_sticks:
      return "slip stops in restitution, then sticks";
    case Mode::stops_in_restitution_slips:
      return "slip stops in restitution, then reverses";
    case Mode::no_slip_sticks:
      return "no slip at first, sticks";
    case Mode::no_slip_slides:
      return "no slip at first, then slips";
    case Mode::backward_slip:
      return "slips backward";
    case Mode::stick:
      return "sticks";
    case Mode::forward_slip:
      return "slips forward";
    case Mode::slip:
      return "slips";
    case Mode::compliant:
      return "gives way";
    case Mode::closed:
      return "pushes without friction";
    case Mode::no_impulse:
      return "nothing happens";
  }
  return "";
}

PlanarOutcome algebraic_outcome(const Vec2& approach, const Vec2& impulse, const Vec2& velocity,
                                Mode mode) {
  PlanarOutcome o;
  o.impulse = impulse;
  o.velocity = velocity;
  o.energy.normal = 0.5 * impulse.n * (approach.n + velocity.n);
  o.energy.friction = 0.5 * impulse.t * (approach.t + velocity.t);
  o.energy.change = o.energy.normal + o.energy.friction;
  o.mode = mode;
  o.flags.add_if(gains_energy(o.energy), Verdict::energy_gained);
  return o;
}

PlanarOutcome unchanged(const Vec2& approach, Verdict why) {
  PlanarOutcome outcome;
  outcome.velocity = approach;
  outcome.flags.add(why);
  return outcome;
}

}  // namespace carom
