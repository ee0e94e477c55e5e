// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/reporter.hpp>

#include <cmath>

namespace carom::motion {

void Reporter::begin(Recorder& recorder, double now) {
  recorder_ = &recorder;
  told_.clear();
  told_version_ = nowhere;
  tell_contacts();
  if (interval_ != setting_.options.sample_interval) find_next(now);
  interval_ = setting_.options.sample_interval;
}

bool Reporter::stops() {
  stopped_ = stopped_ || recorder_->stop();
  return stopped_;
}

void Reporter::tell_contacts() {
  if (told_version_ == contacts_.version()) return;
  told_version_ = contacts_.version();
  const std::size_t known = setting_.model.contacts();
  for (std::size_t i = known; i < contacts_.size(); ++i) {
    if (i - known == told_.size()) {
      told_.push_back(contacts_[i]);
    } else if (told_[i - known] != contacts_[i]) {
      told_[i - known] = contacts_[i];
    } else {
      continue;
    }
    recorder_->contact(i, contacts_[i]);
  }
}

void Reporter::event(const Event& event) {
  ++events;
  for (const std::size_t i : event.contacts) contacts_.keep(i);
  tell_contacts();
  recorder_->event(event);
}

void Reporter::report(const Sample& sample, double time, As kind) {
  tell_contacts();
  switch (kind) {
    case As::before:
      return recorder_->side(sample, Side::before);
    case As::after:
      return recorder_->side(sample, Side::after);
    case As::last:
      return recorder_->last(sample);
    case As::sample:
      last_ = time;
      return recorder_->sample(sample);
  }
}

void Reporter::find_next(double after) {
  const double interval = setting_.options.sample_interval;
  if (!(interval > 0.) || !std::isfinite(interval)) {
    next_ = infinite;
    return;
  }
  // k is at most `most_samples` beyond the start, far below 2^53, above which k + 1 = k.
  double k = std::floor(after / interval);
  while (k * interval <= after) k += 1.;
  next_ = k * interval;
}

void Reporter::save(Progress& p) const {
  p.events = events;
  p.sample_interval = interval_;
  p.next_sample = next_;
  p.last_sample = last_;
}

void Reporter::load(const Progress& p) {
  events = p.events;
  interval_ = p.sample_interval;
  next_ = p.next_sample;
  last_ = p.last_sample;
}

}  // namespace carom::motion
