// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/compliant_events.hpp>

#include <algorithm>
#include <cmath>

// A constant acceleration a towards a compliant contact (the weight) does not change v_n+ = e v_n-.
// But from v_n = 0 it loads the contact to x_s = ((1 + exponent) a/(G_nn k))^(1/exponent), and a
// residual deformation of each such cycle would let the body sink without end. A contact that
// releases with less energy than the weight has over x_s, v_n^2/2 < a x_s, therefore holds, too.
namespace carom::motion {

namespace {

using Stage = CompliantContacts::Stage;

/// A rebound slower than this part of the approach is below the accuracy of any run: the unloading
/// counts as rigid.
constexpr double rigid_unloading = 1e-12;

}  // namespace

void CompliantEvents::set_stage(std::size_t i, Stage stage, double deformation) {
  const std::size_t k = compliant_.place(i);
  compliant_.stage[k] = static_cast<double>(stage);
  now_.y[now_.deformation_at(k)] = deformation;
  if (stage != Stage::loading) compliant_.peak[k] = std::max(compliant_.peak[k], deformation);
}

/// Opens a compliant contact. It has a force again below the gap that it has now.
void CompliantEvents::release(std::size_t i) {
  const std::size_t k = compliant_.place(i);
  set_stage(i, Stage::loading, 0.);
  compliant_.peak[k] = 0.;
  now_.take();
  compliant_.level[k] = std::min(0., contacts_.gap(i, now_.state));
  contacts_.modes.status[i] = {};
}

/// Whether a contact that has returned its energy moves away too slowly to be released.
bool CompliantEvents::rests_at_release(std::size_t i) {
  const Surface& s = contacts_.surface(i);
  if (!(s.restitution < 1.)) return false;
  const ContactStatus kept = contacts_.modes.status[i];
  contacts_.modes.status[i] = {};
  dy_.resize(now_.size());
  const bool possible = equations_.rate(now_.time, now_.y, dy_);
  contacts_.modes.status[i] = kept;
  if (!possible) return false;
  const ContactMotion& m = now_.mechanics.load(i, now_.state);
  const double a = -now_.mechanics.acceleration(i, 0, equations_.acceleration);
  if (!(a > 0.)) return false;
  const double G = now_.mechanics.coupling(i, i)(0, 0);
  const double x = std::pow((1. + s.exponent) * a / (G * s.stiffness), 1. / s.exponent);
  const double v = std::max(0., m.velocity(0));
  return 0.5 * v * v < a * x;
}

/// Removes the normal velocity of a contact that is held from now on, together with what this would
/// change at contacts that are held or stick already.
void CompliantEvents::hold(std::size_t i, Event& event) {
  set_stage(i, Stage::held, compliant_.peak[compliant_.place(i)]);
  if (!decision_.gather()) return;
  const double kinetic = now_.mechanics.kinetic(now_.state.u);
  std::vector<std::size_t> closed;
  for (const std::size_t k : decision_.closed()) {
    if (contacts_.is_closed(k)) closed.push_back(k);
  }
  const double pushed = projection_.stop(closed);
  now_.y[now_.drives_at()] += pushed;
  event.kind = EventKind::impact_to_contact;
  event.contacts.push_back(i);
  event.energy_change = now_.mechanics.kinetic(now_.state.u) - kinetic - pushed;
  now_.account.dropped += event.energy_change;
}

bool CompliantEvents::apply(const Trigger& trigger, Event& event) {
  if (trigger.contact == nowhere || !compliant_.has(trigger.contact)) return false;
  const std::size_t i = trigger.contact;
  const double x = now_.y[now_.deformation_at(compliant_.place(i))];
  switch (trigger.kind) {
    case TriggerKind::closes:
      set_stage(i, Stage::loading, 0.);
      compliant_.peak[compliant_.place(i)] = 0.;
      contacts_.modes.status[i] = {Touch::stick, {}};  // until the modes are decided
      break;
    case TriggerKind::turns:
      if (compliant_.stage_of(i) != Stage::loading) {
        set_stage(i, Stage::loading, compliant_.peak[compliant_.place(i)]);
      } else {
        set_stage(
            i, contacts_.surface(i).restitution > rigid_unloading ? Stage::unloading : Stage::held,
            x);
      }
      break;
    case TriggerKind::releases:
      if (compliant_.stage_of(i) == Stage::unloading && rests_at_release(i)) {
        hold(i, event);
        return true;
      }
      release(i);
      break;
    default:
      break;
  }
  return false;
}

void CompliantEvents::load_again(std::size_t i) {
  set_stage(i, Stage::loading, compliant_.peak[compliant_.place(i)]);
}

void CompliantEvents::release_held() {
  for (const std::size_t i : contacts_.active) {
    if (compliant_.is_held(i) && !contacts_.is_closed(i)) release(i);
  }
}

}  // namespace carom::motion
