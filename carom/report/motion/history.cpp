// SPDX-License-Identifier: Apache-2.0
#include <carom/report/motion/history.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::report {
namespace {

/// Whether a contact does the same. In space the direction of slip turns.
bool is_alike(const motion::ContactStatus& a, const motion::ContactStatus& b) {
  if (a.touch != b.touch) return false;
  const double along = a.direction[0] * b.direction[0] + a.direction[1] * b.direction[1];
  return a.touch != motion::Touch::slip || along >= 0.;
}

constexpr std::size_t most_numbers = 20'000'000;  ///< of all samples that are kept: 160 MB
constexpr std::size_t fewest = 200;               ///< samples that are kept, however large they are

/// Of contacts that are not closed.
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Empties a list without freeing what is in it: millions of points take seconds to free, which the
/// end of the program does at once.
template <class T>
void abandon(std::vector<T>& list) {
  static auto* const abandoned = new std::vector<std::vector<T>>;  // never freed
  abandoned->push_back(std::move(list));
  list = {};
}

MotionHistory::Energy kept(const motion::EnergyAccount& e) {
  return {.kinetic = e.kinetic,
          .potential = e.potential,
          .drives = e.drives,
          .dampers = e.dampers,
          .dropped = e.dropped,
          .corrections = e.corrections,
          .impacts = {e.impacts, 0.},
          .friction = {e.friction, 0.}};
}

}  // namespace

ContactNumbers::ContactNumbers(const std::vector<double>& values, double usual)
    : size_(values.size()), usual_(usual) {
  const auto is_usual = [&](double x) {
    return x == usual || (std::isnan(x) && std::isnan(usual));
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_usual(values[i])) stored_.push_back({i, values[i]});
  }
  stored_.shrink_to_fit();
}

double ContactNumbers::operator[](std::size_t i) const {
  const auto found =
      std::lower_bound(stored_.begin(), stored_.end(), i,
                       [](const Entry& e, std::size_t place) { return e.place < place; });
  return found != stored_.end() && found->place == i ? found->value : usual_;
}

double ContactNumbers::sum() const {
  double sum = 0.;
  for (const Entry& e : stored_) sum += e.value;
  return sum;
}

MotionHistory::Point MotionHistory::point(const motion::Sample& s, RowSide side) {
  const auto count = [&](motion::Touch touch) {
    return static_cast<std::size_t>(
        std::count_if(s.contacts.begin(), s.contacts.end(),
                      [&](const motion::ContactStatus& c) { return c.touch == touch; }));
  };
  return {.order = order_++,
          .time = s.state.time,
          .q = {s.state.q.data(), s.state.q.data() + s.state.q.size()},
          .u = {s.state.u.data(), s.state.u.data() + s.state.u.size()},
          .velocity = {s.velocity, no_number},
          .energy = kept(s.energy),
          .side = side,
          .sticking = count(motion::Touch::stick),
          .slipping = count(motion::Touch::slip),
          .force = forces_ ? ContactNumbers(s.force, 0.) : ContactNumbers(),
          .gap = forces_ ? ContactNumbers(s.gap, no_number) : ContactNumbers()};
}

// Phases that run last until now.
void MotionHistory::go_on(std::size_t contacts, double time) {
  if (phases_.size() < contacts) {
    phases_.resize(contacts);
    impacts_.resize(contacts);
    running_.resize(contacts, false);
  }
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (running_[i]) phases_[i].back().to = time;
  }
}

void MotionHistory::change(std::size_t contact, const motion::ContactStatus& to, double time) {
  running_[contact] = to.touch != motion::Touch::open && phases_[contact].size() < most_marks_;
  if (running_[contact]) phases_[contact].push_back({.from = time, .to = time, .status = to});
}

// Steps of a given length tell of impacts only. What else changed is seen at the next sample.
void MotionHistory::see(const motion::Sample& s) {
  for (std::size_t i = 0; i < s.contacts.size(); ++i) {
    const motion::ContactStatus& now = s.contacts[i];
    const bool as_before =
        running_[i] ? is_alike(phases_[i].back().status, now) : now.touch == motion::Touch::open;
    if (!as_before) change(i, now, s.state.time);
  }
}

void MotionHistory::contact(std::size_t number, const ContactId& id) {
  if (found_.empty()) known_ = number;
  if (number - known_ >= found_.size()) found_.resize(number - known_ + 1);
  found_[number - known_] = id;
}

// How many points of this size are kept.
std::size_t MotionHistory::most_points(const Point& like) const {
  if (forces_) return most_;
  const std::size_t numbers =
      1 + like.q.size() + like.u.size() +
      2 * (like.velocity.stored().size() + like.energy.impacts.stored().size() +
           like.energy.friction.stored().size());
  return std::min(most_, std::max(fewest, most_numbers / numbers));
}

void MotionHistory::sample(const motion::Sample& s) {
  go_on(s.contacts.size(), s.state.time);
  see(s);
  if (told_++ % every_ != 0) return;
  samples_.push_back(point(s, RowSide::sample));
  if (samples_.size() >= most_points(samples_.back())) thin_samples();
}

void MotionHistory::thin_samples() {
  std::size_t kept = 1;
  for (std::size_t k = 2; k < samples_.size(); k += 2) samples_[kept++] = std::move(samples_[k]);
  samples_.resize(kept);
  every_ *= 2;
}

void MotionHistory::thin(std::size_t most) {
  constexpr std::size_t few = 4;
  std::size_t part = 1;
  const auto left = [&] { return (samples_.size() + part - 1) / part; };
  while (left() > few && left() > most / 2) part *= 2;
  std::vector<Point> samples;
  for (std::size_t k = 0; k < samples_.size(); k += part) samples.push_back(std::move(samples_[k]));
  abandon(samples_);
  samples_ = std::move(samples);
  every_ *= part;
  std::size_t moments = moments_.size();
  while (moments > few && 2 * moments > most / 2) moments /= 2;
  if (moments == moments_.size()) return;
  const double least = least_jump(moments);
  std::vector<Moment> kept;
  for (Moment& m : moments_) {
    if (kept.size() < moments && m.jump >= least) kept.push_back(std::move(m));
  }
  moments_left_out_ += moments_.size() - kept.size();
  abandon(moments_);
  moments_ = std::move(kept);
}

void MotionHistory::side(const motion::Sample& s, motion::Side side) {
  go_on(s.contacts.size(), s.state.time);
  if (side == motion::Side::before) {
    moments_.push_back({.before = point(s, RowSide::before), .after = {}, .events = {}});
    moments_.back().after = moments_.back().before;
    open_ = true;
    return;
  }
  see(s);
  if (!open_) return;
  open_ = false;
  Moment& m = moments_.back();
  if (m.events.empty()) {
    moments_.pop_back();  // nothing came of it
    return;
  }
  m.after = point(s, RowSide::after);
  // A contact that was found may have no velocity: NaN, which std::max leaves out.
  for (const ContactNumbers::Entry& before : m.before.velocity.stored()) {
    m.jump = std::max(m.jump, std::abs(m.after.velocity[before.place] - before.value));
  }
  if (moments_.size() >= most_points(m.after) / 2) thin_moments();
}

// The least jump of so many moments, those with the largest ones.
double MotionHistory::least_jump(std::size_t moments) const {
  std::vector<double> jumps;
  for (const Moment& m : moments_) jumps.push_back(m.jump);
  const auto least = jumps.end() - static_cast<std::ptrdiff_t>(moments);
  std::nth_element(jumps.begin(), least, jumps.end());
  return *least;
}

void MotionHistory::thin_moments() {
  const std::size_t before = moments_.size();
  std::size_t allowed = before / 2;  // of equal jumps the first
  const double least = least_jump(before - before / 2);
  std::erase_if(moments_, [&](const Moment& m) {
    const bool keep = allowed > 0 && m.jump >= least;
    if (keep) --allowed;
    return !keep;
  });
  moments_left_out_ += before - moments_.size();
}

const MotionHistory::Point* MotionHistory::last_point() const {
  const Point* sample = samples_.empty() ? nullptr : &samples_.back();
  const Point* side = moments_.empty() ? nullptr : &moments_.back().after;
  if (sample == nullptr || side == nullptr) return sample != nullptr ? sample : side;
  return sample->order > side->order ? sample : side;
}

void MotionHistory::event(const motion::Event& e) {
  if (open_) {
    moments_.back().events.push_back(e);
  } else if (const Point* last = last_point()) {
    // It changes nothing, as where steps take over.
    moments_.push_back({.before = *last, .after = *last, .events = {e}});
  }
  for (std::size_t k = 0; k < e.contacts.size(); ++k) {
    const std::size_t i = e.contacts[k];
    go_on(i + 1, e.time);
    if (!e.impulse.empty() && impacts_[i].size() < most_marks_) impacts_[i].push_back(e.time);
    if (k >= e.to.size()) continue;
    if (running_[i] && phases_[i].back().status == e.to[k]) continue;
    change(i, e.to[k], e.time);
  }
}

std::vector<const MotionHistory::Point*> MotionHistory::points() const {
  std::vector<const Point*> all;
  for (const Point& p : samples_) all.push_back(&p);
  const auto samples = static_cast<std::ptrdiff_t>(all.size());
  for (const Moment& m : moments_) {
    all.push_back(&m.before);
    if (m.after.order != m.before.order) all.push_back(&m.after);
  }
  std::inplace_merge(all.begin(), all.begin() + samples, all.end(),
                     [](const Point* a, const Point* b) { return a->order < b->order; });
  all.erase(std::unique(all.begin(), all.end(),
                        [](const Point* a, const Point* b) { return a->order == b->order; }),
            all.end());
  return all;
}

}  // namespace carom::report
