// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <carom/motion/run.hpp>

// Contacts within reach. All contacts whose gap is at most `reach_` at the state `listed_` are in
// `active_`. They are all that can close until something has moved by half of it
// [Verlet 1967].
namespace carom::motion {

namespace {

/// Reach relative to the reference length. Far enough for many slow steps, near enough to have few
/// contacts.
constexpr double usual = 0.1;

}  // namespace

double Run::usual_reach() const { return usual * scales_.length; }

void Run::find_near(double reach) {
  take(y_, time_);
  listed_ = state_;
  reach_ = reach;
  list_near();
}

void Run::list_near() {
  std::erase_if(active_, [&](std::size_t i) { return !is_closed(i); });
  model_.near_pairs(listed_, reach_, pairs_);
  for (const BodyPair& pair : pairs_) {
    model_.near_contacts(pair, listed_, reach_, near_contacts_);
    for (const NearContact& c : near_contacts_) active_.push_back(contacts_.number_of(c.id));
  }
  std::sort(active_.begin(), active_.end());
  active_.erase(std::unique(active_.begin(), active_.end()), active_.end());
  grow();
}

void Run::list_touching(double reach, std::vector<std::size_t>& out) {
  out.clear();
  for (const BodyPair& pair : pairs_) {
    model_.near_contacts(pair, state_, reach, near_contacts_);
    for (const NearContact& c : near_contacts_) {
      if (c.in_range && c.gap <= reach) out.push_back(contacts_.number_of(c.id));
    }
  }
  grow();
  const std::size_t known = active_.size();
  for (const std::size_t i : out) {
    if (!std::binary_search(active_.begin(), active_.begin() + ix(known), i)) active_.push_back(i);
  }
  std::sort(active_.begin(), active_.end());
  std::sort(out.begin(), out.end());
}

bool Run::pair_touches(const BodyPair& pair) const {
  return std::any_of(touching_.begin(), touching_.end(),
                     [&](std::size_t i) { return contacts_[i].pair == pair; });
}

/// Makes room for contacts that were found.
void Run::grow() {
  const std::size_t from = status_.size();
  const std::size_t to = contacts_.size();
  if (from == to) return;
  status_.resize(to);
  const std::size_t compliant_before = compliant_count_;
  for (std::size_t i = from; i < to; ++i) {
    const std::size_t surface = surfaces_.size() == 1 ? 0 : model_.surface_of(contacts_[i]);
    surface_of_.push_back(surface);
    const bool soft = options_.compliant.size() == 1
                          ? options_.compliant[0]
                          : surface < options_.compliant.size() && options_.compliant[surface];
    compliant_.push_back(soft ? compliant_count_++ : nowhere);
  }
  work_at_.resize(to, nowhere);
  memory_.last.resize(to, -10.);
  memory_.slow.resize(to, 0.);
  memory_.when.resize(to, 0.);
  for (auto* v : {&level_, &stage_, &peak_, &deformation_}) v->resize(compliant_count_, 0.);
  for (auto* v : {&slip_A_, &unit_force_, &ratio_, &approach_, &sample_gap_}) v->resize(to, 1.);
  for (auto* v : {&force_, &held_force_, &sample_velocity_}) v->resize(to * components_, 0.);
  slip_at_start_.resize(to, {});
  creep_direction_.resize(to, {});
  creeping_.resize(to, 0.);
  if (any_couples_) {
    spins_.resize(to);
    for (auto* v : {&couple_, &held_couple_, &sample_couple_, &sample_spin_}) v->resize(3 * to, 0.);
  }
  account_.impacts.resize(to, 0.);
  account_.friction.resize(to, 0.);
  if (compliant_count_ > compliant_before) lay_out_works({});
}

// Layout of y: positions, velocities, work of drives and of dampers; deformation and normal work of
// each compliant contact; then friction work of the contacts in `works_`.
void Run::lay_out() {
  note_touching();
  if (works_ != touching_) lay_out_works(touching_);
}

void Run::lay_out_works(const std::vector<std::size_t>& contacts) {
  for (const std::size_t i : works_) {
    account_.friction[i] += y_[work_at_[i]];
    work_at_[i] = nowhere;
  }
  works_ = contacts;
  y_.resize(std::min(y_.size(), size_ - last_works_));
  set_layout();
  std::fill(y_.end() - ix(works_.size()), y_.end(), 0.);
  visible_ = y_;
}

void Run::set_layout() {
  last_works_ = works_.size();
  const std::size_t first = deformation_at(compliant_count_);
  size_ = first + works_.size();
  moving_ = compliant_count_ > 0 ? first : positions_ + velocities_;
  for (std::size_t k = 0; k < works_.size(); ++k) work_at_[works_[k]] = first + k;
  ode_.resize(size_);
  for (auto* v : {&y_, &visible_, &allowed_, &end_, &dy_, &trial_, &sampled_}) v->resize(size_);
}

}  // namespace carom::motion
