// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/stepping.hpp>

// Positions at the end of a step.
namespace carom::motion {

namespace {

/// Overlap above this part of the smaller body is removed.
constexpr double tolerated = 1e-6;
/// Overlap that is accepted, and half of it, to which nothing in the middle of a step needs a
/// second look if it moves less.
constexpr double most_overlap = 0.01;
/// And where a step this part of the nominal one leaves more: bodies that jam part later. Beyond
/// this they are crushed.
constexpr double short_step = 1. / 64.;
constexpr double most_jammed = 0.2;
/// Contacts with gaps up to so many times the deepest overlap take part: bodies may turn where they
/// are pushed apart, and must not come down on another corner.
constexpr double around = 20.;
/// Rounds of a removal: normals turn with displacements. Each reduces the overlap to its square,
/// relative to a length.
constexpr int most_rounds = 6;
constexpr int most_sweeps = 5000;
/// Sweeps end where they leave this part of the worst overlap.
constexpr double left_over = 1e-3;

}  // namespace

// Bodies that strike within the step move with u- until then, and with u+ from then on. The time is
// that of the first contact of their island.
void Stepping::move(double h) {
  shift_.setZero(u_.size());
  for (const Islands::Island& island : islands_.all()) {
    double first = h;
    bool lands = false;
    bool by_law = false;
    for (const std::size_t i : islands_.members(island)) {
      const StepContact& c = step_.found[i];
      const double v = step_.motion[i].velocity(0);
      const double gap = c.gap - 0.5 * h * v;  // at the start
      if (!(v < 0.) || (!c.strikes && !(gap > StepContacts::touch * c.size))) continue;
      lands = true;
      by_law = c.struck;
      first = std::min(first, std::clamp(-gap / v, 0., h));
    }
    if (!lands) continue;
    for (const std::size_t i : islands_.members(island)) {
      for (const VelocityRange& r : step_.motion[i].ranges) {
        for (std::size_t j = r.begin; j < r.begin + r.size; ++j) {
          const double before = middle_.u(ix(j));
          // Of an impact by a law the forces act afterwards.
          shift_(ix(j)) = by_law ? first * (before - u_start_(ix(j)))
                                 : (first - 0.5 * h) * (before - u_(ix(j)));
        }
      }
    }
    shifted_ = true;
  }
  end_ = now_;
  end_.time = now_.time + h;
  model_.displace(end_, mean_, h);
  if (!shifted_) return;
  displace(end_, shift_);
}

double Stepping::worst_overlap() const {
  double worst = 0.;
  for (const StepContact& c : separation_.found) worst = std::max(worst, -c.gap / c.size);
  return worst;
}

/// What a displacement changes and contacts do not: potential energy, and kinetic energy where M
/// depends on positions.
double Stepping::energy_of(const State& state) {
  double energy = model_.potential_energy(state);
  if (!model_.keeps_kinetic_energy() && elsewhere_.at_step(state)) energy += elsewhere_.kinetic(u_);
  return energy;
}

void Stepping::displace(State& state, const Vector& by) {
  const double before = energy_of(state);
  model_.displace(state, by, 1.);
  corrected_ += energy_of(state) - before;
}

/// Removes overlap, and closes gaps that the step was to close. Returns false if more than
/// `most_overlap` is left, or `most_jammed` by a short step.
bool Stepping::separate(State& state) {
  // A contact of the step tells where it is at the end. What was farther cannot overlap much if
  // nothing moved far.
  const double h = state.time - now_.time;
  bool overlaps = false;
  double widest = 0.;
  closing_.clear();
  for (const StepContact& c : step_.found) {
    overlaps = overlaps || c.gap + 0.5 * h * c.after[0] < -tolerated * c.size;
    if (!c.is_near || c.strikes || !(c.impulse[0] > 0.)) continue;
    closing_.push_back(c.id);
    widest = std::max(widest, c.gap);
  }
  widest = std::min(widest, model_.acceleration_scale() * h * h);
  const double moved = model_.moved(middle_, state);
  if (!overlaps && closing_.empty() && moved < 0.25 * most_overlap * step_.smallest()) return true;
  for (int round = 0; round < most_rounds; ++round) {
    separation_.find_at(state, 0.);
    if (worst_overlap() <= tolerated && (round > 0 || closing_.empty())) return true;
    // Others nearby must not be pushed into each other.
    double deepest = widest;
    for (const StepContact& c : separation_.found) deepest = std::max(deepest, -c.gap);
    separation_.find_at(state, around * deepest);
    project(state, left_over * deepest);
    closing_.clear();
  }
  separation_.find_at(state, 0.);
  return worst_overlap() <= (h > short_step * nominal_step() ? most_overlap : most_jammed);
}

/// The least displacement M^-1 W_n lambda in the mass metric with 0 <= lambda _|_ gap + W_n^T
/// displacement >= 0, and = 0 for contacts that close, by projected Gauss-Seidel.
void Stepping::project(State& state, double goal) {
  const std::size_t n = separation_.found.size();
  lambda_.assign(n, 0.);
  displacement_.setZero(u_.size());
  columns_.clear();
  place_.clear();
  inverse_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const ContactMotion& m = separation_.motion[i];
    mechanics_.mobility(m, 1, mobility_);
    place_.push_back(columns_.size());
    double g = 0.;
    for (Eigen::Index r = 0; r < m.W.rows(); ++r) {
      columns_.push_back(mobility_(r, 0));
      g += m.W(r, 0) * mobility_(r, 0);
    }
    inverse_.push_back(g > 0. ? 1. / g : 0.);
    const bool closes =
        std::binary_search(closing_.begin(), closing_.end(), separation_.found[i].id);
    separation_.found[i].is_near = closes;
  }
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double left = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      const ContactMotion& m = separation_.motion[i];
      double gap = separation_.found[i].gap;
      Eigen::Index row = 0;
      for (const VelocityRange& r : m.ranges) {
        for (std::size_t j = 0; j < r.size; ++j, ++row) {
          gap += m.W(row, 0) * displacement_(ix(r.begin + j));
        }
      }
      const double free = lambda_[i] - inverse_[i] * gap;
      const double next = separation_.found[i].is_near ? free : std::max(0., free);
      const double by = next - lambda_[i];
      lambda_[i] = next;
      if (by == 0.) continue;
      left = std::max(left, std::abs(gap));
      const double* y = &columns_[place_[i]];
      for (const VelocityRange& r : m.ranges) {
        for (std::size_t j = 0; j < r.size; ++j) displacement_(ix(r.begin + j)) += *y++ * by;
      }
    }
    if (left <= goal) break;
  }
  displace(state, displacement_);
}

}  // namespace carom::motion
