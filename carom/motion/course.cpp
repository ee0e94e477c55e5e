// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/course.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>

namespace carom::motion {

namespace {

using Method = DormandPrince8;

constexpr double least_factor = 0.2;  ///< by which a step is followed by a shorter one

}  // namespace

Course::Course(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
               Slip& slip, Spins& spins, Equations& equations, Indicators& indicators, Present& now,
               Trouble& trouble)
    : setting_(setting),
      contacts_(contacts),
      slip_(slip),
      spins_(spins),
      equations_(equations),
      indicators_(indicators),
      now_(now),
      trouble_(trouble),
      scales_(setting, compliant, now),
      creep_(setting, contacts, compliant, slip, equations, indicators, now) {}

void Course::note_slip() {
  slip_.note_at_start();
  if (setting_.components == 3 && !contacts_.spinning.empty()) spins_.note_at_start();
}

bool Course::start() {
  ode_.resize(now_.size());
  end_.resize(now_.size());
  contacts_.follow_status();
  creep_.leave();
  return equations_.rate(now_.time, now_.y, ode_.start_rate()) ||
         trouble_.no_acceleration(now_.time);
}

bool Course::start_as(bool creep) {
  creep_.activate(creep);
  if (!creep) note_slip();
  if (!equations_.rate(now_.time, now_.y, ode_.start_rate())) {
    return trouble_.no_acceleration(now_.time);
  }
  indicators_.get(at_start_);
  return true;
}

bool Course::try_step(double h) {
  if (creep_.is_active()) return creep_.step(h, ode_.start_rate(), scales_.allowed(), end_);
  const auto rates = [this](double t, std::span<const double> y, std::span<double> dy) {
    return indicators_.watched_rate(t, y, dy);
  };
  indicators_.watch();
  return ode_.step<Method>(now_.time, h, now_.y, end_, rates) &&
         equations_.rate(now_.time + h, end_, ode_.end_rate<Method>()) && !slip_.falls_too_fast() &&
         !(!contacts_.spinning.empty() && spins_.fall_too_fast());
}

bool Course::advance(double longest, double least) {
  scales_.set();
  indicators_.set_unit_forces(now_.mechanics);
  h_ = longest;
  creep_.prepare(h_, ode_.start_rate());
  // Again, with the scale of the forces known, if directions of slip may have changed.
  if (setting_.components == 2 && contacts_.spinning.empty()) {
    indicators_.get(at_start_);
  } else if (!start_as(creep_.is_stiff(h_))) {
    return false;
  }
  h_ = slip_.longest_fall(h_, equations_.acceleration, creep_.is_active());
  rejected_ = false;
  double error = 0.;
  while (true) {
    if (h_ < least) {
      return trouble_.fail(Failure::step_size,
                           "the step size fell to " + shortest(h_) +
                               " s at t = " + shortest(now_.time) +
                               " s: accelerations change too fast; try another tolerance");
    }
    if (creep_.is_active() && !creep_.is_stiff(h_) && !start_as(false)) return false;
    if (!try_step(h_)) {
      h_ *= 0.5;
      rejected_ = true;
      continue;
    }
    error = creep_.is_active() ? creep_.error(scales_.allowed())
                               : ode_.error<Method>(scales_.allowed());
    error /= scales_.part_of(h_);
    if (std::isfinite(error) && error <= 1.) break;
    h_ *= step_factor<Method>(error, least_factor);
    rejected_ = true;
  }
  indicators_.get(at_end_);
  const double factor = step_factor<Method>(error, least_factor);
  next_ = h_ * (rejected_ ? std::min(1., factor) : factor);
  return true;
}

bool Course::advance_by(double h) {
  h_ = h;
  const auto rates = [this](double t, std::span<const double> y, std::span<double> dy) {
    return equations_.stage_rate(t, y, dy);
  };
  return ode_.step<Method>(now_.time, h, now_.y, end_, rates) &&
         equations_.rate(now_.time + h, end_, ode_.end_rate<Method>());
}

bool Course::know() {
  if (creep_.is_active()) return true;
  const auto rates = [this](double t, std::span<const double> y, std::span<double> dy) {
    return equations_.stage_rate(t, y, dy);
  };
  return ode_.know_course(now_.y, end_, rates) || trouble_.no_acceleration(now_.time);
}

void Course::at(double time, std::vector<double>& y, std::size_t entries) {
  if (creep_.is_active()) {
    creep_.at(time, y, entries);
  } else {
    ode_.at(time, std::span(y).first(entries));
  }
}

void Course::keep_directions(bool at_end) {
  if (creep_.is_active()) creep_.keep_directions(at_end);
}

}  // namespace carom::motion
