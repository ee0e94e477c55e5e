// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <carom/core/error.hpp>
#include <carom/motion/run.hpp>

// Closes small gaps at the start. Positions are written with a limited number of digits, so a body
// that rests on another starts slightly above or below its surface.
namespace carom::motion {

namespace {

/// Newton's method converges quadratically. Its first step is exact up to the square of a distance
/// below `start_tolerance`, so that two steps reach rounding; more are for contacts that are added.
constexpr int most_projections = 20;

/// A contact counts as at rest at the start if its normal velocity is at most this, relative to
/// the reference speed or to the speed of the contact, if that is larger. Velocities have as few
/// digits as positions.
constexpr double rest_velocity = 1e-6;

}  // namespace

// A small gap is closed where the contact then rests: the bodies overlap, or the gap is open and
// its normal velocity is zero. A body that moves towards a near surface or away from it does not
// rest there, and its gap stays as it is. A compliant contact rests with an overlap, and only an
// overlap without deformation is removed.
bool Run::closes_at_start(std::size_t i) {
  const ContactMotion& m = mechanics_.load(i, state_);
  if (std::abs(m.gap) > start_tolerance * scales_.length) return false;
  if (m.gap < 0.) return true;
  if (is_compliant(i)) return false;
  const double speed = std::max(scales_.speed, m.velocity.norm());
  return std::abs(m.velocity(0)) <= rest_velocity * speed;
}

// Of all displacements d that close these gaps to first order, W_n^T d = -gap, the one with the
// least d.M d: d = M^-1 W_n (W_n^T M^-1 W_n)^-1 (-gap). Hyperstatic contacts are closed in the
// sense of least squares. Repeated, because gaps depend on positions nonlinearly. A gap that this
// makes negative joins them.
void Run::close_gaps_at_start() {
  const double reach = start_tolerance * scales_.length;
  std::vector<std::size_t> closing;
  std::vector<std::size_t> near;
  double largest = 0.;
  list_touching(reach, near);
  for (const std::size_t i : near) {
    if (!closes_at_start(i)) continue;
    closing.push_back(i);
    largest = std::max(largest, std::abs(mechanics_.motion(i).gap));
  }
  if (!(largest > scales_.closed)) return;
  const Vector given = state_.q;
  double last = infinite;
  for (int round = 0; round < most_projections; ++round) {
    bool added = false;
    list_touching(reach, near);
    for (const std::size_t i : near) {
      const bool joins = std::find(closing.begin(), closing.end(), i) != closing.end();
      if (joins || !(gap(i) < -scales_.sunk)) continue;
      closing.push_back(i);
      added = true;
    }
    double error = 0.;
    for (const std::size_t i : closing) {
      error = std::max(error, std::abs(mechanics_.load(i, state_).gap));
    }
    // Where contacts contradict each other the error stops falling.
    if (error <= 1e-16 * scales_.length || (!added && !(error < 0.5 * last))) break;
    last = error;
    system_.clear();
    for (const std::size_t i : closing) system_.add(i, 0);
    system_.arrange(mechanics_);
    for (std::size_t a = 0; a < system_.x.size(); ++a) {
      system_.x[a] = -mechanics_.motion(system_.unknowns()[a].contact).gap;
    }
    if (!system_.solve(mechanics_)) break;
    shift_positions();
    if (!mechanics_.at(state_)) {
      throw InputError("mass", "the mass matrix must be finite and positive definite");
    }
  }
  moved_at_start_ = largest;
  for (std::size_t j = 0; j < positions_; ++j) {
    if (model_.position_unit(j) != "m") continue;
    moved_at_start_ = std::max(moved_at_start_, std::abs(state_.q(ix(j)) - given(ix(j))));
  }
  closed_at_start_ = static_cast<double>(closing.size());
}

std::string Run::start_note() const {
  std::array<char, 32> moved{};
  std::snprintf(moved.data(), moved.size(), "%.4g", moved_at_start_);
  return "small gaps at " + shortest(closed_at_start_) +
         (closed_at_start_ > 1. ? " contacts" : " contact") +
         " closed, which moved bodies by up to " + moved.data() + " m";
}

}  // namespace carom::motion
