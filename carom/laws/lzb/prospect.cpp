// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/prospect.hpp>

#include <algorithm>
#include <cmath>

namespace carom::lzb {
namespace {

/// Weight of a halving of the energy with so many impacts still to come at every contact. One
/// halving with 40 counts more than three with 20. Of 4500 random chains, including graded ones and
/// implosions, 1350 were classified as collapsed by this. None of them separated when followed to
/// the end.
double halving_with(double blows_to_come) {
  constexpr double few = 5.;
  constexpr double plenty = 40.;
  const double part = std::log(blows_to_come / few) / std::log(plenty / few);
  return part * part * part;
}

}  // namespace

bool Prospect::look(const State& state) {
  const std::size_t n = model_.size();
  v_.resize(n);
  for (std::size_t i = 0; i < n; ++i) model_.velocity(i, state.P.data(), &v_[i]);
  if (!solve()) return false;
  double square = 0.;
  double mobility = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    const Contact& c = model_.contacts[i];
    square += 2. * c.energy(state.x[i]) - P_[i] * v_[i];
    mobility = std::max(mobility, c.mobility);
  }
  off_ = std::sqrt(mobility * std::max(0., square));
  return true;
}

/// Active-set iteration: guesses which contacts stop, and corrects the guess by the signs of
/// impulses and velocities. Few iterations are needed, starting from the previous result. It may
/// fail to converge; then nothing is concluded.
bool Prospect::solve() {
  constexpr int most_guesses = 60;
  const std::size_t n = model_.size();
  if (stops_.empty()) {
    stops_.assign(n, 0);
    begin_.assign(1, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (const std::uint32_t j : model_.row(i)) {
        if (j != i) column_.push_back(j);
      }
      begin_.push_back(column_.size());
    }
    for (std::size_t i = 0; i < n; ++i) stops_[i] = v_[i] < 0. ? 1 : 0;
    lu_.analyze(1, begin_, column_);
    P_.resize(n);
    end_.resize(n);
  }
  double scale = 0.;
  for (const double v : v_) scale = std::max(scale, std::abs(v));
  constexpr double part = 1e-12;  // velocities below this part of the greatest are rounding errors
  const double rounding = part * scale;
  for (int guess = 0; guess < most_guesses; ++guess) {
    lu_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      P_[i] = stops_[i] != 0 ? -v_[i] : 0.;
      *lu_.diagonal(i) = 1.;
      std::size_t off = begin_[i];
      const auto row = model_.row(i);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const double entry = *model_.block(i, k);
        if (row[k] != i) {
          *lu_.off_diagonal(off++) = stops_[i] != 0 && stops_[row[k]] != 0 ? entry : 0.;
        } else if (stops_[i] != 0) {
          *lu_.diagonal(i) = entry;
        }
      }
    }
    if (!lu_.factorize()) return false;
    lu_.solve(P_);
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      double v = v_[i];
      const auto row = model_.row(i);
      for (std::size_t k = 0; k < row.size(); ++k) v += *model_.block(i, k) * P_[row[k]];
      end_[i] = v;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const bool stops = stops_[i] != 0 ? P_[i] > 0. : end_[i] < -rounding;
      if (stops != (stops_[i] != 0)) same = false;
      stops_[i] = stops ? 1 : 0;
    }
    if (!same) continue;
    for (std::size_t i = 0; i < n; ++i) {
      if (stops_[i] != 0) end_[i] = 0.;
    }
    return true;
  }
  return false;
}

double Prospect::blows_to_come(const State& state) {
  const std::size_t n = model_.size();
  // The largest over a contact, its neighbours and their neighbours. A contact that opens counts as
  // zero.
  blow_.assign(n, 0.);
  right_.assign(n, 0.);
  for (std::size_t i = 0; i < n; ++i) {
    if (stops_[i] == 0) continue;
    const Contact& c = model_.contacts[i];
    blow_[i] = std::max(0., -v_[i]) + std::sqrt(2. * c.mobility * c.energy(state.x[i]));
  }
  for (int ring = 0; ring < 2; ++ring) {
    for (std::size_t i = 0; i < n; ++i) {
      right_[i] = blow_[i];
      for (const std::uint32_t j : model_.row(i)) right_[i] = std::max(right_[i], blow_[j]);
    }
    std::swap(blow_, right_);
  }
  constexpr double arrived = 0.1;  // fraction of the remaining impulse
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < n; ++i) {
    if (stops_[i] == 0) continue;
    if (state.P[i] < arrived * P_[i]) return 0.;
    const double coming = model_.contacts[i].mobility * P_[i];
    if (!(coming >= least * blow_[i])) least = coming / blow_[i];
  }
  return least;
}

Collapse::Collapse(double tolerance)
    : tolerance_(tolerance), needed_((1. + std::ceil(-0.25 * std::log10(tolerance))) / 3.) {}

bool Collapse::watch(const Prospect& prospect, double blows_to_come) {
  constexpr double enough = 10.;  // with fewer, contacts may separate
  const double off = prospect.most_off();
  if (end_.empty()) {
    end_ = prospect.then();
    began_ = off;
    least_ = HUGE_VAL;
  }
  least_ = std::min(least_, blows_to_come);
  bool as_foreseen = least_ >= enough && std::isfinite(blows_to_come);
  for (std::size_t i = 0; as_foreseen && i < end_.size(); ++i) {
    as_foreseen = std::abs(prospect.then()[i] - end_[i]) <= 0.01 * tolerance_;
  }
  if (!as_foreseen) {
    quiet_ = 0.;
    end_.clear();
    return false;
  }
  if (!(off * off <= 0.5 * began_ * began_)) return false;
  quiet_ += halving_with(least_);
  began_ = off;
  least_ = HUGE_VAL;
  return quiet_ >= needed_;
}

}  // namespace carom::lzb
