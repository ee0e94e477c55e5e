// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/step_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::motion {
namespace {

/// Of the energy that impulses exchange: less is what the solver leaves, and no gain.
constexpr double least_gain = 1e-6;

}  // namespace

void StepSampler::fill(const State& now, const LastStep& last) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Model& model = setting_.model;
  const std::size_t n = contacts_.size();
  const std::size_t d = setting_.components;
  told_.status.assign(n, {});
  told_.force.assign(n * d, 0.);
  told_.velocity.assign(n * d, unknown);
  told_.gap.assign(n, unknown);
  told_.couple.assign(setting_.any_couples ? 3 * n : 0, 0.);
  told_.spin.assign(setting_.any_couples ? 3 * n : 0, 0.);
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    model.contact(contacts_[i], now, motion_);
    told_.gap[i] = motion_.gap;
    for (std::size_t j = 0; j < d; ++j) told_.velocity[i * d + j] = motion_.velocity(ix(j));
  }
  for (const StepContact& c : last.contacts) {
    const std::size_t i = c.number;
    told_.status[i] = c.status();
    if (told_.status[i].touch == Touch::open) continue;
    told_.gap[i] = model.gap(c.id, now);
    for (std::size_t j = 0; j < d; ++j) {
      told_.force[i * d + j] = c.impulse[j] / last.h;
      const bool mean = j == 0 ? c.mean_normal && !c.is_near : c.mean_tangential;
      told_.velocity[i * d + j] = mean ? 0.5 * (c.before[j] + c.after[j]) : c.after[j];
    }
    if (!setting_.any_couples) continue;
    model.relative_spin(c.id, now, motion_);
    for (std::size_t j = 0; j < mechanics_.spins; ++j) {
      told_.couple[3 * i + j] = c.couple[j] / last.h;
      told_.spin[3 * i + j] = motion_.velocity(ix(j));
    }
  }
}

void StepSampler::sample(const State& now, const LastStep& last, const EnergyAccount& account,
                         As kind) {
  if (!mechanics_.at_step(now)) return;
  fill(now, last);
  EnergyAccount energy = account;
  energy.impacts.resize(contacts_.size(), 0.);
  energy.friction.resize(contacts_.size(), 0.);
  energy.kinetic = mechanics_.kinetic(now.u);
  energy.potential = setting_.model.potential_energy(now);
  report({.state = now,
          .contacts = told_.status,
          .force = told_.force,
          .velocity = told_.velocity,
          .gap = told_.gap,
          .kinetic = energy.kinetic,
          .potential = energy.potential,
          .energy = energy,
          .couple = told_.couple,
          .spin = told_.spin},
         now.time, kind);
}

std::size_t StepSampler::report_impacts(const Step& step, double time) {
  std::size_t impacts = 0;
  const double gh = setting_.scales.acceleration * step.h;  // what residuals are relative to
  for (const Islands::Island& island : step.islands.all()) {
    Event impact;
    double work = 0.;       // of all contacts of the island: those at rest take up what others gain
    double exchanged = 0.;  // by their impulses, without signs
    for (const std::size_t i : step.islands.members(island)) {
      const StepContact& c = step.contacts.found[i];
      work += c.normal_work() + c.friction_work + c.law_change;
      exchanged += c.impulse[0] * std::max(gh, std::abs(c.before[0]) + std::abs(c.after[0])) +
                   std::abs(c.friction_work) + std::abs(c.law_change);
      if (!c.strikes) continue;
      impact.contacts.push_back(c.number);
      impact.from.push_back({});
      impact.to.push_back(c.done ? ContactStatus{} : c.status());
      impact.energy_change += c.normal_work() + c.slip_work();
      for (std::size_t j = 0; j < setting_.components; ++j) {
        impact.impulse.push_back(c.struck ? c.impulse[j] + c.law_impulse[j] : c.impulse[j]);
      }
      if (!c.struck) continue;
      impact.energy_change += c.law_change;
      impact.flags = c.law_flags;
    }
    if (impact.contacts.empty()) continue;
    impact.kind = EventKind::impact;
    impact.time = time;
    if (impact.flags.empty() && work > least_gain * exchanged) {
      impact.flags.add(Verdict::energy_gained);
    }
    event(impact);
    ++impacts;
  }
  return impacts;
}

}  // namespace carom::motion
