// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/compliant_contact.hpp>

#include <cmath>

namespace carom::motion {

void CompliantContacts::grow() {
  std::size_t count = size();
  for (std::size_t i = place_.size(); i < contacts_.size(); ++i) {
    place_.push_back(setting_.is_compliant(contacts_.surface_of(i)) ? count++ : nowhere);
  }
  for (auto* v : {&level, &stage, &peak, &deformation}) v->resize(count, 0.);
}

double CompliantContacts::force(std::size_t i) const {
  const double x = deformation[place_[i]];
  const Surface& s = contacts_.surface(i);
  return x > 0. ? s.stiffness * std::pow(x, s.exponent) : 0.;
}

double CompliantContacts::rate(std::size_t i, double normal_velocity) const {
  switch (stage_of(i)) {
    case Stage::loading:
      return -normal_velocity;
    case Stage::unloading: {
      const double e = contacts_.surface(i).restitution;
      return -normal_velocity / (e * e);
    }
    case Stage::held:
      break;
  }
  return 0.;
}

void CompliantContacts::recover(const State& state) {
  if (size() == 0) return;
  for (const std::size_t i : contacts_.active) {
    if (level_of(i) == 0. || contacts_.is_closed(i)) continue;
    if (contacts_.gap(i, state) > 0.) level[place_[i]] = 0.;
  }
}

}  // namespace carom::motion
