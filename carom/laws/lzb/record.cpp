// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/record.hpp>

#include <cmath>

namespace carom::lzb {

Record::Record(const Model& model, Course* trace)
    : model_(model), trace_(trace), contacts_(model.size()) {
  if (trace_ == nullptr) return;
  *trace_ = {};
  trace_->contacts = model.size();
}

void Record::enter(std::size_t contact, Spring spring, Motion motion, double time, double x,
                   double x_next, const double* P, const double* v) {
  Entry& c = contacts_[contact];
  if (spring == c.spring && motion == c.motion && x == x_next) return;
  const std::size_t d = model_.components;
  const Contact& surface = model_.contacts[contact];
  // dE = -v_n F dt in compression: the work on the bodies is -dE. In expansion it is -e^2 dE.
  const double stored = surface.energy(x);
  if (c.spring == Spring::compress) c.work.compression -= stored - c.energy;
  if (c.spring == Spring::expand) {
    c.work.restitution += surface.restitution * surface.restitution * (c.energy - stored);
  }
  c.energy = c.spring == Spring::open ? 0. : surface.energy(x_next);
  if (c.spring != Spring::open && P[0] > c.reported) {
    const Units& u = model_.units;
    Phase phase;
    phase.contact = contact;
    phase.stage = c.spring == Spring::expand ? Stage::restitution : Stage::compression;
    phase.motion = c.motion;
    phase.time = time * u.time();
    for (std::size_t k = 0; k < d; ++k) {
      phase.impulse[k] = P[k] * u.impulse();
      phase.velocity[k] = v[k] * u.velocity;
    }
    const bool same = c.spring == Spring::compress && !c.fresh;
    if (c.spring == Spring::compress && !same) ++c.compressions;
    c.fresh = false;
    c.reported = P[0];
    c.pushed = true;
    c.last = c.motion;
    if (phases_.size() < most_phases) {
      phases_.push_back(phase);
    } else {
      ++phases_left_out_;
    }
  }
  if (spring == Spring::compress && (c.spring != Spring::compress || x_next < x)) c.fresh = true;
  c.spring = spring;
  c.motion = motion;
}

void Record::stop(std::size_t contact, double work) {
  contacts_[contact].work.compression += work;
  contacts_[contact].pushed = true;
}

void Record::pass(std::size_t contact, double x, double distance) {
  Entry& c = contacts_[contact];
  const Contact& surface = model_.contacts[contact];
  const double work = surface.force(x) * distance;
  if (c.spring == Spring::compress) {
    c.work.restitution += work;
    c.energy -= work * surface.expansion;
  } else {
    c.work.compression -= work;
    c.energy += work;
  }
}

void Record::sample(double time, const State& state, const std::vector<double>& v,
                    const std::vector<double>& F) {
  if (trace_ == nullptr) return;
  const Units& u = model_.units;
  const std::size_t d = model_.components;
  trace_->time.push_back(time * u.time());
  const auto tangential = [d](const double* a) {
    if (d == 1) return 0.;
    return d == 2 ? a[1] : std::hypot(a[1], a[2]);
  };
  for (std::size_t i = 0; i < model_.size(); ++i) {
    trace_->impulse.push_back(state.P[i * d] * u.impulse());
    trace_->velocity.push_back(v[i * d] * u.velocity);
    trace_->slip.push_back(tangential(v.data() + i * d) * u.velocity);
    trace_->force.push_back(F[i * d] * u.force());
    trace_->friction.push_back(tangential(F.data() + i * d) * u.force());
    trace_->energy.push_back(model_.contacts[i].energy(state.x[i]) * u.energy());
  }
}

void Record::write(const State& state, Outcome& o) const {
  const double unit = model_.units.energy();
  o.contacts.assign(model_.size(), {});
  for (std::size_t i = 0; i < model_.size(); ++i) {
    const Entry& c = contacts_[i];
    EnergyLedger& e = o.contacts[i].energy;
    e.stages = StageWork{.compression = c.work.compression * unit,
                         .restitution = c.work.restitution * unit};
    e.normal = e.stages->compression + e.stages->restitution;
    e.friction = model_.components > 1 ? state.work[i] * unit : 0.;
    e.change = e.normal + e.friction;
    if (!c.pushed) continue;
    if (model_.components == 1) {
      o.contacts[i].mode = Mode::closed;
    } else {
      o.contacts[i].mode = c.last == Motion::stick ? Mode::stick : Mode::slip;
    }
  }
  o.energy = sum(o.contacts);
  o.phases = phases_;
  o.phases_left_out = phases_left_out_;
}

}  // namespace carom::lzb
