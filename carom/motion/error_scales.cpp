// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/error_scales.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// Of the tolerance for each step, so that the total error is close to it.
constexpr double part_of_a_step = 0.1;
/// A step may have this part if it lasts so long, relative to the reference time. Others have more
/// or less in proportion: errors of many short steps add up to no more than those of a few long
/// ones. Otherwise the total error would fall more slowly than the tolerance.
constexpr double usual_step = 0.25;
/// Steps below `least_part * usual_step`, a tenth of the reference time, may all have this part of
/// it. They follow events, and are few. Without it a jump of a rate that no event has found would
/// shorten steps without end.
constexpr double least_part = 0.4;
/// Steps for this tolerance and smaller ones are accurate to rounding.
constexpr double least_tolerance = 1e-14;
/// Errors below this times the entry are rounding.
constexpr double rounding_of_entries = 8. * epsilon;
/// No error is relative to zero.
constexpr double tiny = 1e-300;

}  // namespace

ErrorScales::ErrorScales(const Setting& setting, const CompliantContacts& compliant,
                         const Present& now)
    : setting_(setting), compliant_(compliant), now_(now) {
  unit_.u.setZero(ix(setting.velocities));
  q_rate_.setZero(ix(setting.positions));
}

double ErrorScales::part_of(double h) const {
  const double finest = std::min(1., least_tolerance / setting_.options.tolerance);
  return std::max({h / (usual_step * setting_.scales.time), least_part, finest});
}

// The reference for the error of each entry, from the present energy: u_j = sqrt(2 E/M_jj), and the
// positions reached with such velocities in the reference time. A system at rest in equilibrium has
// neither energy nor forces: u_j is at least the reference speed V, or V/L if it is a spin, and the
// error of works is relative to at least the kinetic energy of such a velocity.
void ErrorScales::set() {
  const Scales& scales = setting_.scales;
  const Mechanics& mechanics = now_.mechanics;
  const double tolerance = part_of_a_step * setting_.options.tolerance;
  const double weight = mechanics.force().dot(mechanics.free());  // m a^2
  double energy =
      std::max(mechanics.kinetic(now_.state.u), weight / scales.acceleration * scales.length);
  const double moving = energy;
  allowed_.assign(now_.size(), 0.);
  double* q = allowed_.data();
  unit_.time = now_.state.time;
  unit_.q = now_.state.q;
  for (std::size_t j = 0; j < setting_.velocities; ++j) {
    const double mass = mechanics.mass_entry(j);
    const double least =
        setting_.model.velocity_unit(j) == "rad" ? scales.speed / scales.length : scales.speed;
    const double u = std::max(std::sqrt(2. * moving / mass), least);
    energy = std::max(energy, 0.5 * mass * least * least);
    allowed_[setting_.positions + j] = tolerance * u;
    unit_.u.setZero();
    unit_.u(ix(j)) = u * scales.time;
    setting_.model.kinematics(unit_, q_rate_);
    for (std::size_t k = 0; k < setting_.positions; ++k) {
      q[k] = std::max(q[k], tolerance * std::abs(q_rate_(ix(k))));
    }
  }
  const std::size_t works = setting_.positions + setting_.velocities;
  for (std::size_t k = 0; k < works; ++k) {
    allowed_[k] = std::max(allowed_[k], rounding_of_entries * std::abs(now_.y[k]) + tiny);
  }
  for (std::size_t k = works; k < now_.size(); ++k) {
    allowed_[k] = tolerance * energy + rounding_of_entries * std::abs(now_.y[k]) + tiny;
  }
  for (std::size_t k = 0; k < compliant_.size(); ++k) {
    allowed_[now_.deformation_at(k)] = tolerance * scales.length;
  }
}

}  // namespace carom::motion
