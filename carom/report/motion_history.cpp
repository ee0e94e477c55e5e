// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion_history.hpp>

namespace carom::report {

void MotionHistory::grow(std::size_t contacts) {
  if (phases_.size() >= contacts) return;
  phases_.resize(contacts);
  impacts_.resize(contacts);
  running_.resize(contacts, false);
}

void MotionHistory::sample(const motion::Sample& s) {
  grow(s.contacts.size());
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    if (running_[i]) phases_[i].back().to = s.state.time;
  }
  if (told_++ % every_ != 0) return;
  points_.push_back({.time = s.state.time,
                     .q = {s.state.q.data(), s.state.q.data() + s.state.q.size()},
                     .velocity = s.velocity,
                     .force = s.force,
                     .kinetic = s.kinetic,
                     .potential = s.potential});
  if (points_.size() < most_) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < points_.size(); k += 2) points_[kept++] = std::move(points_[k]);
  points_.resize(kept);
  every_ *= 2;
}

void MotionHistory::event(const motion::Event& e) {
  for (std::size_t k = 0; k < e.contacts.size(); ++k) {
    const std::size_t i = e.contacts[k];
    grow(i + 1);
    if (e.kind == motion::EventKind::impact && impacts_[i].size() < most_marks) {
      impacts_[i].push_back(e.time);
    }
    if (k >= e.to.size()) continue;
    if (running_[i]) phases_[i].back().to = e.time;
    running_[i] = e.to[k].touch != motion::Touch::open && phases_[i].size() < most_marks;
    if (running_[i]) phases_[i].push_back({.from = e.time, .to = e.time, .status = e.to[k]});
  }
}

}  // namespace carom::report
