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
/// Rounds of a removal: normals turn with displacements. Each reduces the overlap to its square,
/// relative to a length.
constexpr int most_rounds = 6;
constexpr int most_sweeps = 200;
/// Sweeps end where they leave this part of the worst overlap.
constexpr double left_over = 1e-3;

}  // namespace

// Bodies that strike within the step move with u- until then, and with u+ from then on. The time is
// that of the first contact of their island.
void Stepping::move(double h) {
  shift_.setZero(u_.size());
  for (std::size_t k = 0; k + 1 < island_begin_.size(); ++k) {
    double first = h;
    bool lands = false;
    bool by_law = false;
    for (std::size_t a = island_begin_[k]; a < island_begin_[k + 1]; ++a) {
      const StepContact& c = step_.found[order_[a]];
      const double v = step_.motion[order_[a]].velocity(0);
      const double gap = c.gap - 0.5 * h * v;  // at the start
      if (!(v < 0.) || (!c.strikes && !(gap > StepContacts::touch * c.size))) continue;
      lands = true;
      by_law = c.struck;
      first = std::min(first, std::clamp(-gap / v, 0., h));
    }
    if (!lands) continue;
    for (std::size_t a = island_begin_[k]; a < island_begin_[k + 1]; ++a) {
      for (const VelocityRange& r : step_.motion[order_[a]].ranges) {
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
  const double V = model_.potential_energy(end_);
  model_.displace(end_, shift_, 1.);
  corrected_ += model_.potential_energy(end_) - V;
}

double Stepping::worst_overlap() const {
  double worst = 0.;
  for (const StepContact& c : separation_.found) worst = std::max(worst, -c.gap / c.size);
  return worst;
}

/// Removes overlap: the least displacement M^-1 W_n lambda with 0 <= lambda _|_ gap + W_n^T
/// displacement >= 0, by projected Gauss-Seidel, repeated as normals turn. Returns false if more
/// than `most_overlap` is left.
bool Stepping::separate(State& state) {
  // A contact of the step tells where it is at the end. What was farther cannot overlap much if
  // nothing moved far.
  bool overlaps = false;
  for (const StepContact& c : step_.found) {
    overlaps =
        overlaps || c.gap + 0.5 * (state.time - now_.time) * c.after[0] < -tolerated * c.size;
  }
  const double moved = model_.moved(middle_, state);
  if (!overlaps && moved < 0.25 * most_overlap * step_.smallest()) return true;
  double worst = 0.;
  for (int round = 0; round < most_rounds; ++round) {
    separation_.find_at(state, 0.);
    worst = worst_overlap();
    if (worst <= tolerated) return true;
    // Others nearby must not be pushed into each other.
    double deepest = 0.;
    for (const StepContact& c : separation_.found) deepest = std::max(deepest, -c.gap);
    separation_.find_at(state, deepest);
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
        const double next = std::max(0., lambda_[i] - inverse_[i] * gap);
        const double by = next - lambda_[i];
        lambda_[i] = next;
        if (by == 0.) continue;
        left = std::max(left, std::abs(gap));
        const double* y = &columns_[place_[i]];
        for (const VelocityRange& r : m.ranges) {
          for (std::size_t j = 0; j < r.size; ++j) displacement_(ix(r.begin + j)) += *y++ * by;
        }
      }
      if (left <= left_over * deepest) break;
    }
    const double V = model_.potential_energy(state);
    model_.displace(state, displacement_, 1.);
    corrected_ += model_.potential_energy(state) - V;
  }
  separation_.find_at(state, 0.);
  return worst_overlap() <= most_overlap;
}

}  // namespace carom::motion
