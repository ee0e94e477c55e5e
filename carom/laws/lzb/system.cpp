// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/system.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/laws/lzb/system_friction.hpp>

namespace carom::lzb {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <int D>
System<D>::System(const Model& model, const Groups& groups) : model_(model), all_groups_(groups) {
  local_.assign(model.size(), none);
  group_at_.assign(groups.size(), none);
  is_watched_.assign(model.size(), 0);
}

template <int D>
void System<D>::rebuild(const State& state) {
  for (const std::uint32_t i : contact_) local_[i] = none;
  for (const LocalGroup& g : groups_) group_at_[g.group] = none;
  contact_.clear();
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (state.springs[i] == Spring::open) continue;
    local_[i] = static_cast<std::uint32_t>(contact_.size());
    contact_.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t m = contact_.size();
  coefficients_.clear();
  pace_.clear();
  expands_.clear();
  begin_.assign(1, 0);
  column_.clear();
  block_.clear();
  base_.assign(m * d, 0.);
  watch_.clear();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    coefficients_.push_back(model_.contacts[at]);
    const bool expands = state.springs[at] == Spring::expand;
    expands_.push_back(expands ? 1 : 0);
    pace_.push_back(expands ? coefficients_.back().expansion : 1.);
    double* base = base_.data() + i * d;
    for (std::size_t c = 0; c < d; ++c) base[c] = model_.approach[at * d + c];
    const auto row = model_.row(at);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = model_.block(at, k);
      if (local_[row[k]] != none) {
        column_.push_back(local_[row[k]]);
        block_.insert(block_.end(), b, b + d * d);
        continue;
      }
      is_watched_[row[k]] = 1;
      const double* P = state.P.data() + row[k] * d;
      for (std::size_t c = 0; c < d; ++c) {
        for (std::size_t e = 0; e < d; ++e) base[c] += b[c * d + e] * P[e];
      }
    }
    begin_.push_back(column_.size());
  }
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (is_watched_[i] != 0) watch_.push_back(static_cast<std::uint32_t>(i));
    is_watched_[i] = 0;
  }
  watch_begin_.assign(1, 0);
  watch_column_.clear();
  watch_block_.clear();
  watch_base_.clear();
  for (const std::uint32_t at : watch_) {
    double base = model_.approach[at * d];
    const auto row = model_.row(at);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = model_.block(at, k);
      if (local_[row[k]] != none) {
        watch_column_.push_back(local_[row[k]]);
        watch_block_.insert(watch_block_.end(), b, b + d);
        continue;
      }
      for (std::size_t e = 0; e < d; ++e) base += b[e] * state.P[row[k] * d + e];
    }
    watch_base_.push_back(base);
    watch_begin_.push_back(watch_column_.size());
  }
  v_.assign(m * d, 0.);
  F_.assign(m * d, 0.);

  groups_.clear();
  if (D == 1) return;
  group_.assign(m, 0);
  for (std::size_t i = 0; i < m; ++i) {
    const std::uint32_t g = all_groups_.of[contact_[i]];
    if (group_at_[g] == none) {
      group_at_[g] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({.group = g, .members = {}, .friction = {}});
    }
    group_[i] = group_at_[g];
    LocalGroup& group = groups_[group_at_[g]];
    group.members.push_back(static_cast<std::uint32_t>(i));
    group.rough = group.rough || coefficients_[i].static_friction > 0.;
  }
  take_frictions(state);
}

template <int D>
void System<D>::take_frictions(const State& state) {
  sticking_.clear();
  creeping_.clear();
  hyperstatic_ = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].friction = state.frictions[groups_[g].group];
    if (groups_[g].friction.sliding == Sliding::stick) sticking_.push_back(g);
    if (groups_[g].friction.sliding == Sliding::creep) creeping_.push_back(g);
  }
  factor_stick();
  factor_creep();
}

template <int D>
void System<D>::set_stage(std::size_t i, bool expands) {
  expands_[i] = expands ? 1 : 0;
  pace_[i] = expands ? coefficients_[i].expansion : 1.;
}

template <int D>
void System<D>::deform_around(std::size_t i, double impulse_time, double* y) const {
  for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
    const std::size_t j = column_[k];
    if (j == i) continue;
    y[j] -= pace_[j] * block_[k * d * d] * impulse_time;  // G is symmetric
  }
}

template <int D>
void System<D>::gather(const State& state, double* y) const {
  const std::size_t m = contacts();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    y[i] = state.x[at];
    for (std::size_t c = 0; c < d; ++c) y[m + i * d + c] = state.P[at * d + c];
    if (D > 1) y[m + m * d + i] = state.work[at];
  }
}

template <int D>
void System<D>::scatter(const double* y, State& state) const {
  const std::size_t m = contacts();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    state.x[at] = y[i];
    for (std::size_t c = 0; c < d; ++c) state.P[at * d + c] = y[m + i * d + c];
    if (D > 1) state.work[at] = y[m + m * d + i];
  }
}

template <int D>
void System<D>::derivative(const double* y, double* f) {
  const std::size_t m = contacts();
  const double* P = y + m;
  for (std::size_t i = 0; i < m; ++i) {
    double v[d];
    for (std::size_t c = 0; c < d; ++c) v[c] = base_[i * d + c];
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      const double* b = block_.data() + k * d * d;
      const double* p = P + column_[k] * d;
      for (std::size_t c = 0; c < d; ++c) {
        for (std::size_t e = 0; e < d; ++e) v[c] += b[c * d + e] * p[e];
      }
    }
    for (std::size_t c = 0; c < d; ++c) v_[i * d + c] = v[c];
    f[i] = -v[0] * pace_[i];
    F_[i * d] = coefficients_[i].force(y[i]);
  }
  if constexpr (D == 1) {
    for (std::size_t i = 0; i < m; ++i) f[m + i] = F_[i];
  } else {
    add_friction();
    double* work = f + m + m * d;
    for (std::size_t i = 0; i < m; ++i) {
      work[i] = 0.;
      for (std::size_t c = 1; c < d; ++c) work[i] += F_[i * d + c] * v_[i * d + c];
      if (groups_[group_[i]].friction.sliding == Sliding::stick) work[i] = 0.;
    }
    std::copy(F_.begin(), F_.end(), f + m);
  }
}

template <int D>
double System<D>::rate(std::size_t i, std::size_t component, const double* F) const {
  double sum = 0.;
  for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
    const double* b = block_.data() + k * d * d + component * d;
    const double* p = F + column_[k] * d;
    for (std::size_t e = 0; e < d; ++e) sum += b[e] * p[e];
  }
  return sum;
}

template <int D>
double System<D>::watched_velocity(std::size_t k, const double* P) const {
  return watch_base_[k] + watched_rate(k, P);
}

template <int D>
double System<D>::watched_rate(std::size_t w, const double* F) const {
  double sum = 0.;
  for (std::size_t k = watch_begin_[w]; k < watch_begin_[w + 1]; ++k) {
    const double* p = F + watch_column_[k] * d;
    for (std::size_t e = 0; e < d; ++e) sum += watch_block_[k * d + e] * p[e];
  }
  return sum;
}

template <int D>
double System<D>::watched_bend(std::size_t w, const double* y, const double* f) const {
  double sum = 0.;
  for (std::size_t k = watch_begin_[w]; k < watch_begin_[w + 1]; ++k) {
    const std::size_t j = watch_column_[k];
    sum += watch_block_[k * d] * coefficients_[j].rate(y[j]) * f[j];
  }
  return sum;
}

template <int D>
double System<D>::static_limit(const LocalGroup& g, const double* F) const {
  double sum = 0.;
  for (const std::uint32_t i : g.members) sum += coefficients_[i].static_friction * F[i * d];
  return sum;
}

template <int D>
double System<D>::kinetic_limit(const LocalGroup& g, const double* F) const {
  double sum = 0.;
  for (const std::uint32_t i : g.members) sum += coefficients_[i].friction * F[i * d];
  return sum;
}

template <int D>
std::array<double, 2> System<D>::friction(const LocalGroup& g, const double* F) const {
  std::array<double, 2> sum{};
  for (const std::uint32_t i : g.members) {
    for (std::size_t c = 1; c < d; ++c) sum[c - 1] += F[i * d + c];
  }
  return sum;
}

template <int D>
const double* System<D>::local_block(std::size_t i, std::size_t j) const {
  const auto first = column_.begin() + static_cast<std::ptrdiff_t>(begin_[i]);
  const auto last = column_.begin() + static_cast<std::ptrdiff_t>(begin_[i + 1]);
  const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(j));
  if (found == last || *found != j) return nullptr;
  return block_.data() + static_cast<std::size_t>(found - column_.begin()) * d * d;
}

template class System<1>;
template class System<2>;
template class System<3>;

}  // namespace carom::lzb
