// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/separation.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

constexpr int few_sweeps = 20;
constexpr int most_sweeps = 5000;

/// Rounds of Newton's method, R of them relative to the inertia at a contact, and to which part of
/// the goal they are solved: see VelocityNewton.
constexpr int most_rounds = 20;
constexpr double rho = 1e-4;
constexpr double part_of_goal = 0.1;

}  // namespace

// Projected Gauss-Seidel.
const Vector& Separation::find(const StepContacts& contacts, const Mechanics& mechanics,
                               std::span<const ContactId> closing, double goal) {
  displacement_.setZero(ix(mechanics.n));
  columns_.clear();
  unknowns_.clear();
  for (std::size_t i = 0; i < contacts.found.size(); ++i) {
    const ContactMotion& m = contacts.motion[i];
    mechanics.mobility(m, 1, mobility_);
    Unknown unknown{.place = columns_.size()};
    double g = 0.;
    for (Eigen::Index r = 0; r < m.W.rows(); ++r) {
      columns_.push_back(mobility_(r, 0));
      g += m.W(r, 0) * mobility_(r, 0);
    }
    unknown.inverse = g > 0. ? 1. / g : 0.;
    unknown.closes = std::binary_search(closing.begin(), closing.end(), contacts.found[i].id);
    unknowns_.push_back(unknown);
  }
  for (int k = 0; k < most_sweeps; ++k) {
    if (sweep(contacts) <= goal || (k == few_sweeps && solve(contacts, goal))) break;
  }
  return displacement_;
}

double Separation::gap_of(const StepContacts& contacts, std::size_t i) const {
  const ContactMotion& m = contacts.motion[i];
  double gap = contacts.found[i].gap;
  Eigen::Index row = 0;
  for (const VelocityRange& r : m.ranges) {
    for (std::size_t j = 0; j < r.size; ++j, ++row) {
      gap += m.W(row, 0) * displacement_(ix(r.begin + j));
    }
  }
  return gap;
}

// From where sweeps have come to. Returns whether the goal is reached; otherwise nothing is
// changed.
bool Separation::solve(const StepContacts& contacts, double goal) {
  if (!load(contacts)) return false;
  double largest = 0.;  // of G_nn: what a displacement is in the metric of M
  for (const Unknown& unknown : unknowns_) {
    if (unknown.inverse > 0.) largest = std::max(largest, 1. / unknown.inverse);
  }
  const double least = part_of_goal * goal / std::sqrt(largest);
  const std::size_t block = of_bodies_.size() / bodies_.size();
  const Vector before = displacement_;
  newton_.begin();
  for (int round = 0; round < most_rounds; ++round) {
    if (!newton_.round(of_bodies_, least, rho, false)) break;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      for (std::size_t j = 0; j < block; ++j) {
        displacement_(ix(bodies_[b] + j)) = of_bodies_[b * block + j];
      }
    }
    double worst = 0.;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const double gap = gap_of(contacts, i);
      const bool presses = newton_.impulse(i)[0] > 0. || unknowns_[i].closes;
      worst = std::max(worst, presses ? std::abs(gap) : -gap);
    }
    if (worst <= goal) return true;
  }
  displacement_ = before;
  return false;
}

// Returns false if not all bodies are free: velocities of one are three in the plane, six in space.
bool Separation::load(const StepContacts& contacts) {
  using complementarity::VelocityNewton;
  std::size_t block = 0;
  number_.assign(static_cast<std::size_t>(displacement_.size()), VelocityNewton::ground);
  bodies_.clear();
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    for (const VelocityRange& r : contacts.motion[i].ranges) {
      if (r.size == 0) continue;
      if (block == 0) block = r.size;
      if (r.size != block || (block != 3 && block != 6)) return false;
      if (number_[r.begin] != VelocityNewton::ground) continue;
      number_[r.begin] = static_cast<std::uint32_t>(bodies_.size());
      bodies_.push_back(r.begin);
    }
  }
  if (bodies_.empty()) return false;
  newton_.clear(bodies_.size(), block);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const ContactMotion& m = contacts.motion[i];
    const auto number = [&](const VelocityRange& r) {
      return r.size == 0 ? VelocityNewton::ground : number_[r.begin];
    };
    newton_.add(number(m.ranges[0]), number(m.ranges[1]), unknowns_[i].closes);
    const double* const W = m.W.data();
    const double* const Y = &columns_[unknowns_[i].place];
    const std::size_t second = m.ranges[0].size;
    newton_.add_component({W, W + second}, {Y, Y + second}, 1., contacts.found[i].gap,
                          unknowns_[i].lambda);
  }
  of_bodies_.resize(bodies_.size() * block);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    for (std::size_t j = 0; j < block; ++j) {
      of_bodies_[b * block + j] = displacement_(ix(bodies_[b] + j));
    }
  }
  return true;
}

/// @return the largest gap that had to be changed
double Separation::sweep(const StepContacts& contacts) {
  double largest = 0.;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const ContactMotion& m = contacts.motion[i];
    Unknown& unknown = unknowns_[i];
    const double gap = gap_of(contacts, i);
    const double free = unknown.lambda - unknown.inverse * gap;
    const double next = unknown.closes ? free : std::max(0., free);
    const double by = next - unknown.lambda;
    unknown.lambda = next;
    if (by == 0.) continue;
    largest = std::max(largest, std::abs(gap));
    const double* y = &columns_[unknown.place];
    for (const VelocityRange& r : m.ranges) {
      for (std::size_t j = 0; j < r.size; ++j) displacement_(ix(r.begin + j)) += *y++ * by;
    }
  }
  return largest;
}

}  // namespace carom::motion
