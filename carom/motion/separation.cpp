// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/separation.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

constexpr int most_sweeps = 5000;

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
    if (sweep(contacts) <= goal) break;
  }
  return displacement_;
}

/// @return the largest gap that had to be changed
double Separation::sweep(const StepContacts& contacts) {
  double largest = 0.;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    const ContactMotion& m = contacts.motion[i];
    Unknown& unknown = unknowns_[i];
    double gap = contacts.found[i].gap;
    Eigen::Index row = 0;
    for (const VelocityRange& r : m.ranges) {
      for (std::size_t j = 0; j < r.size; ++j, ++row) {
        gap += m.W(row, 0) * displacement_(ix(r.begin + j));
      }
    }
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
