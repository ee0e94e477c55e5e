// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/lemke.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/complementarity/lemke_few.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

using lemke::negligible;
using lemke::tie;

/// Above this size pivots are gathered, because the table no longer fits the nearest cache.
constexpr std::size_t direct_size = 64;  // 64^2 doubles fill 32 KiB
constexpr std::size_t most_deferred = 8;
/// At worst the number of pivots grows as 2^n; beyond this many it is given up.
constexpr std::size_t most_pivots_per_row = 40;
constexpr std::size_t most_pivots_at_least = 100;

/// Adds to each of two rows its factor times v, in groups of four.
void add_to_two(double* __restrict a, double* __restrict b, double f, double g,
                const double* __restrict v, std::size_t size) {
  for (std::size_t j = 0; j < size; j += 4) {
    a[j] += f * v[j];
    a[j + 1] += f * v[j + 1];
    a[j + 2] += f * v[j + 2];
    a[j + 3] += f * v[j + 3];
    b[j] += g * v[j];
    b[j + 1] += g * v[j + 1];
    b[j + 2] += g * v[j + 2];
    b[j + 3] += g * v[j + 3];
  }
}

/// table += u v^T
void add_products(double* table, std::size_t rows, std::size_t stride, const double* u,
                  const double* v) {
  std::size_t i = 0;
  for (; i + 1 < rows; i += 2) {
    double* const row = table + i * stride;
    add_to_two(row, row + stride, u[i], u[i + 1], v, stride);
  }
  if (i == rows) return;
  double* const row = table + i * stride;
  for (std::size_t j = 0; j < stride; ++j) row[j] += u[i] * v[j];
}

}  // namespace

void Lemke::resize(std::size_t n) {
  if (n == n_) return;
  n_ = n;
  stride_ = (n + 4) / 4 * 4;  // a multiple of four, so that loops have no remainder
  table_.resize(n * stride_);
  up_.assign(n * most_deferred, 0.);
  across_.assign(stride_ * most_deferred, 0.);
  value_.resize(n);
  entering_.resize(n);
  pivot_row_.resize(stride_);
  scratch_.resize(2 * stride_);
  basic_.resize(n);
  other_.resize(n + 1);
  place_.resize(2 * n + 1);
  ties_.reserve(n);
  scale_.resize(n);
  z_.resize(n);
  w_.resize(n);
  ray_.resize(n);
}

/// Scales by s_i = 1/sqrt(M_ii). A row without diagonal (a slack) is scaled by its largest entry.
void Lemke::read(std::span<const double> M, std::span<const double> q) {
  const std::size_t n = n_;
  for (std::size_t i = 0; i < n; ++i) {
    const double d = M[i * n + i];
    scale_[i] = d > 0. ? 1. / power_of_two(std::sqrt(d)) : 0.;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (M[i * n + i] > 0.) continue;
    double largest = 0.;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(M[j * n + j] > 0.)) continue;
      largest = std::max(largest, std::abs(M[i * n + j]) * scale_[j]);
    }
    scale_[i] = largest > 0. ? 1. / power_of_two(largest) : 1.;
  }
  double largest = 0.;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(q[i]) * scale_[i]);
  unit_ = largest > 0. ? power_of_two(largest) : 1.;
  for (std::size_t i = 0; i < n; ++i) {
    double* to = &table_[i * stride_];
    const double s = scale_[i];
    for (std::size_t j = 0; j < n; ++j) to[j] = M[i * n + j] * s * scale_[j];
    std::fill(to + n, to + stride_, 0.);
    to[n] = 1.;  // the covering vector
    value_[i] = q[i] * s / unit_;
    basic_[i] = static_cast<std::uint32_t>(n + i);
    place_[n + i] = static_cast<std::uint32_t>(i);
    other_[i] = static_cast<std::uint32_t>(i);
    place_[i] = static_cast<std::uint32_t>(n + i);
  }
  other_[n] = static_cast<std::uint32_t>(2 * n);
  place_[2 * n] = static_cast<std::uint32_t>(2 * n);
  deferred_ = 0;
}

void Lemke::column(std::size_t s) {
  for (std::size_t i = 0; i < n_; ++i) {
    double x = table_[i * stride_ + s];
    for (std::size_t k = 0; k < deferred_; ++k) {
      x += up_[i * most_deferred + k] * across_[k * stride_ + s];
    }
    entering_[i] = x;
  }
}

void Lemke::row(std::size_t r, double* out) const {
  std::copy_n(&table_[r * stride_], stride_, out);
  for (std::size_t k = 0; k < deferred_; ++k) {
    const double f = up_[r * most_deferred + k];
    const double* a = &across_[k * stride_];
    for (std::size_t j = 0; j < stride_; ++j) out[j] += f * a[j];
  }
}

void Lemke::apply_deferred() {
  const double* a[most_deferred];
  for (std::size_t k = 0; k < most_deferred; ++k) a[k] = &across_[k * stride_];
  for (std::size_t i = 0; i < n_; ++i) {
    double* __restrict t = &table_[i * stride_];
    const double* __restrict u = &up_[i * most_deferred];
    for (std::size_t j = 0; j < stride_; ++j) {
      double x = t[j];
      for (std::size_t k = 0; k < most_deferred; ++k) x += u[k] * a[k][j];
      t[j] = x;
    }
  }
  deferred_ = 0;
}

/// Exchanges the basic variable of row r and the nonbasic variable of column s, whose entries are
/// in `entering_`. With row r and column s removed, the table gains the product of u = (column s,
/// with 1 at r) and v = -(row r)/p, with 1/p at s.
void Lemke::pivot(std::size_t r, std::size_t s) {
  row(r, pivot_row_.data());
  const double inverse = 1. / pivot_row_[s];
  double* v = pivot_row_.data();
  for (std::size_t j = 0; j < stride_; ++j) v[j] *= -inverse;
  v[s] = inverse;
  const double step = -value_[r] * inverse;
  for (std::size_t i = 0; i < n_; ++i) value_[i] += entering_[i] * step;
  value_[r] = step;

  for (std::size_t i = 0; i < n_; ++i) table_[i * stride_ + s] = 0.;
  std::fill_n(&table_[r * stride_], stride_, 0.);
  entering_[r] = 1.;
  if (n_ <= direct_size) {
    add_products(table_.data(), n_, stride_, entering_.data(), v);
  } else {
    for (std::size_t k = 0; k < deferred_; ++k) {
      up_[r * most_deferred + k] = 0.;
      across_[k * stride_ + s] = 0.;
    }
    std::copy_n(v, stride_, &across_[deferred_ * stride_]);
    for (std::size_t i = 0; i < n_; ++i) up_[i * most_deferred + deferred_] = entering_[i];
    if (++deferred_ == most_deferred) apply_deferred();
  }
  std::swap(basic_[r], other_[s]);
  place_[basic_[r]] = static_cast<std::uint32_t>(r);
  place_[other_[s]] = static_cast<std::uint32_t>(n_ + s);
  ++pivots_;
}

/// Recomputes the table of the current basis from the input, which removes accumulated rounding
/// errors. Pivots are chosen by size.
void Lemke::refresh(std::span<const double> M, std::span<const double> q) {
  const std::size_t n = n_;
  const std::size_t pivots = pivots_;
  std::vector<std::uint32_t> wanted(basic_.begin(), basic_.end());
  std::vector<char> stays(2 * n + 1, 0);
  for (const std::uint32_t v : wanted) stays[v] = 1;
  read(M, q);
  std::vector<std::uint32_t> enter;
  for (const std::uint32_t v : wanted) {
    if (v < n || v == 2 * n) enter.push_back(v);
  }
  while (!enter.empty()) {
    const std::uint32_t v = enter.back();
    enter.pop_back();
    const std::size_t s = place_[v] - n;
    column(s);
    std::size_t r = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (stays[basic_[i]] != 0) continue;
      if (r == n || std::abs(entering_[i]) > std::abs(entering_[r])) r = i;
    }
    pivot(r, s);
  }
  pivots_ = pivots;
}

/// Entry of row `row` and column j of the inverse of the basis (in terms of the initial w).
double Lemke::inverse_entry(std::size_t row, std::size_t j, const double* table_row) const {
  const std::uint32_t at = place_[n_ + j];
  if (at < n_) return at == row ? 1. : 0.;
  return -table_row[at - n_];
}

/// The lexicographically first of the rows in `ties_`, by the rows of the inverse of the basis
/// divided by the entries of the entering column.
std::size_t Lemke::first_of_ties() {
  std::size_t best = ties_[0];
  double* best_row = scratch_.data();
  double* next_row = scratch_.data() + stride_;
  row(best, best_row);
  for (std::size_t c = 1; c < ties_.size(); ++c) {
    const std::size_t i = ties_[c];
    row(i, next_row);
    const double f = 1. / entering_[best];
    const double g = 1. / entering_[i];
    for (std::size_t j = 0; j < n_; ++j) {
      const double x = -inverse_entry(best, j, best_row) * f;
      const double y = -inverse_entry(i, j, next_row) * g;
      if (std::abs(x - y) <= tie * std::max(std::abs(x), std::abs(y))) continue;
      if (y < x) {
        best = i;
        std::swap(best_row, next_row);
      }
      break;
    }
  }
  return best;
}

/// The row of the leaving variable, or n if the entering variable can grow without bound.
std::size_t Lemke::leaving_row() {
  double largest = 1.;
  for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, std::abs(entering_[i]));
  const double cut = -negligible * largest;
  double least = std::numeric_limits<double>::infinity();
  std::size_t at = n_;
  std::size_t close = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(entering_[i] < cut)) continue;
    const double ratio = std::max(0., value_[i]) / -entering_[i];
    if (ratio < least) {
      close = ratio < least * (1. - tie) - epsilon ? 1 : close + 1;
      least = ratio;
      at = i;
    } else if (ratio <= least * (1. + tie) + epsilon) {
      ++close;
    }
  }
  if (at == n_ || close == 1) return at;
  ties_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(entering_[i] < cut)) continue;
    const double ratio = std::max(0., value_[i]) / -entering_[i];
    if (ratio > least * (1. + tie) + epsilon) continue;
    if (basic_[i] == 2 * n_)
      return i;  // the artificial variable leaves first: this ends the method
    ties_.push_back(static_cast<std::uint32_t>(i));
  }
  return ties_.size() == 1 ? ties_[0] : first_of_ties();
}

/// How z changes while the variable of column s grows, whose entries are in `entering_`.
void Lemke::record_ray(std::size_t s) {
  std::fill(ray_.begin(), ray_.end(), 0.);
  if (other_[s] < n_) ray_[other_[s]] = scale_[other_[s]];
  for (std::size_t i = 0; i < n_; ++i) {
    const std::uint32_t variable = basic_[i];
    if (variable < n_) ray_[variable] = std::max(0., entering_[i]) * scale_[variable];
  }
}

LemkeStatus Lemke::solve(std::span<const double> M, std::span<const double> q,
                         std::size_t most_pivots) {
  resize(q.size());
  if (n_ == 3 && lemke::solve_few<3>(M.data(), q.data(), z_.data(), w_.data(), pivots_)) {
    return LemkeStatus::solved;
  }
  read(M, q);
  pivots_ = 0;
  const std::size_t n = n_;
  if (most_pivots == 0) most_pivots = most_pivots_per_row * n + most_pivots_at_least;
  std::fill(z_.begin(), z_.end(), 0.);

  // The artificial variable enters at the most negative q. Of equal values the last row is chosen,
  // which is the lexicographic choice.
  std::size_t r = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (value_[i] < 0. && (r == n || value_[i] <= value_[r])) r = i;
  }
  LemkeStatus status = LemkeStatus::solved;
  if (r < n) {
    std::fill(entering_.begin(), entering_.end(), 1.);
    std::size_t s = n;
    std::size_t refreshed = 0;  // number of pivots at the last refresh
    for (;;) {
      const std::uint32_t left = basic_[r];
      pivot(r, s);
      if (left == 2 * n) break;
      // The artificial variable is basic but zero to rounding: a solution.
      if (value_[place_[2 * n]] <= rounding) break;
      if (pivots_ >= most_pivots) {
        status = LemkeStatus::too_many_pivots;
        break;
      }
      // The complement of the leaving variable enters.
      const std::size_t next = left >= n ? left - n : left + n;
      s = place_[next] - n;
      column(s);
      r = leaving_row();
      if (r == n && pivots_ > refreshed) {
        // A ray, or a rounding error that looks like one.
        refreshed = pivots_;
        refresh(M, q);
        s = place_[next] - n;
        column(s);
        r = leaving_row();
      }
      if (r == n) {
        status = LemkeStatus::ray;
        record_ray(s);
        break;
      }
    }
  }
  std::fill(w_.begin(), w_.end(), 0.);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t variable = basic_[i];
    if (variable == 2 * n) continue;
    const double x = std::max(0., value_[i]) * unit_;
    if (variable < n) {
      z_[variable] = x * scale_[variable];
    } else {
      w_[variable - n] = x / scale_[variable - n];
    }
  }
  return status;
}

}  // namespace carom::complementarity
