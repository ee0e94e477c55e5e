// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/block_lu.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <carom/core/linear_system.hpp>

namespace carom::complementarity {
namespace {

template <std::size_t d>
void subtract_product(const double* a, const double* b, double* from) {
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c < d; ++c) {
      double sum = a[r * d] * b[c];
      for (std::size_t k = 1; k < d; ++k) sum += a[r * d + k] * b[k * d + c];
      from[r * d + c] -= sum;
    }
  }
}

/// a = a b
template <std::size_t d>
void multiply_by(double* a, const double* b) {
  double made[d * d];
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c < d; ++c) {
      double sum = a[r * d] * b[c];
      for (std::size_t k = 1; k < d; ++k) sum += a[r * d + k] * b[k * d + c];
      made[r * d + c] = sum;
    }
  }
  std::copy_n(made, d * d, a);
}

template <std::size_t d>
bool invert(const double* a, double* inverse) {
  typename LinearSystem<d>::Matrix m;
  for (std::size_t r = 0; r < d; ++r) std::copy_n(a + r * d, d, m[r].begin());
  const LinearSystem<d> system(m);
  if (!system.regular()) return false;
  for (std::size_t c = 0; c < d; ++c) {
    typename LinearSystem<d>::Vector unit{};
    unit[c] = 1.;
    const auto x = system.solve(unit);
    for (std::size_t r = 0; r < d; ++r) inverse[r * d + c] = x[r];
  }
  return true;
}

}  // namespace

void BlockLu::analyze(std::size_t block, std::span<const std::size_t> begin,
                      std::span<const std::uint32_t> column) {
  const bool known = block == block_ &&
                     std::equal(begin.begin(), begin.end(), begin_.begin(), begin_.end()) &&
                     std::equal(column.begin(), column.end(), column_.begin(), column_.end());
  if (known) return;
  block_ = block;
  begin_.assign(begin.begin(), begin.end());
  column_.assign(column.begin(), column.end());
  rows_ = begin.size() - 1;
  diagonal_at_ = column.size() * block * block;
  entries_.assign(diagonal_at_ + rows_ * block * block, 0.);

  Eigen::SparseMatrix<double> pattern(static_cast<int>(rows_), static_cast<int>(rows_));
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t i = 0; i < rows_; ++i) {
    triplets.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.);
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) {
      triplets.emplace_back(static_cast<int>(i), static_cast<int>(column[k]), 1.);
    }
  }
  pattern.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  order_.resize(rows_);
  place_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    order_[i] = static_cast<std::uint32_t>(permutation.indices()(static_cast<int>(i)));
    place_[order_[i]] = static_cast<std::uint32_t>(i);
  }

  // The pattern of row i of U: of A beyond the diagonal, and of every row of U whose first column
  // is i, what comes after i.
  std::vector<std::vector<std::uint32_t>> upper(rows_);
  std::vector<std::vector<std::uint32_t>> children(rows_);
  std::vector<std::uint32_t> seen(rows_, static_cast<std::uint32_t>(rows_));
  for (std::uint32_t i = 0; i < rows_; ++i) {
    auto& row = upper[i];
    const auto add = [&](std::uint32_t j) {
      if (j <= i || seen[j] == i) return;
      seen[j] = i;
      row.push_back(j);
    };
    const std::size_t old = order_[i];
    for (std::size_t k = begin[old]; k < begin[old + 1]; ++k) add(place_[column[k]]);
    for (const std::uint32_t child : children[i]) {
      for (const std::uint32_t j : upper[child]) add(j);
    }
    std::sort(row.begin(), row.end());
    if (!row.empty()) children[row.front()].push_back(i);
  }
  upper_begin_.assign(rows_ + 1, 0);
  lower_begin_.assign(rows_ + 1, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    upper_begin_[i + 1] = upper_begin_[i] + upper[i].size();
    for (const std::uint32_t j : upper[i]) ++lower_begin_[j + 1];
  }
  for (std::size_t i = 0; i < rows_; ++i) lower_begin_[i + 1] += lower_begin_[i];
  upper_column_.clear();
  lower_column_.resize(upper_begin_[rows_]);
  std::vector<std::size_t> next(lower_begin_.begin(), lower_begin_.end() - 1);
  for (std::uint32_t i = 0; i < rows_; ++i) {
    for (const std::uint32_t j : upper[i]) {
      upper_column_.push_back(j);
      lower_column_[next[j]++] = i;
    }
  }
  const std::size_t dd = block * block;
  upper_.resize(upper_column_.size() * dd);
  lower_.resize(lower_column_.size() * dd);
  inverse_.resize(rows_ * dd);
  row_.assign(rows_ * dd, 0.);
  y_.resize(rows_ * block);
}

void BlockLu::clear() { std::fill(entries_.begin(), entries_.end(), 0.); }

/// Row by row: what the rows above make of it is taken away as they come.
template <std::size_t d>
bool BlockLu::factorize_blocks() {
  constexpr std::size_t dd = d * d;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::size_t old = order_[i];
    for (std::size_t k = lower_begin_[i]; k < lower_begin_[i + 1]; ++k) {
      std::fill_n(&row_[lower_column_[k] * dd], dd, 0.);
    }
    for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      std::fill_n(&row_[upper_column_[k] * dd], dd, 0.);
    }
    std::copy_n(diagonal(old), dd, &row_[i * dd]);
    for (std::size_t k = begin_[old]; k < begin_[old + 1]; ++k) {
      std::copy_n(off_diagonal(k), dd, &row_[place_[column_[k]] * dd]);
    }
    for (std::size_t k = lower_begin_[i]; k < lower_begin_[i + 1]; ++k) {
      const std::size_t above = lower_column_[k];
      double* factor = &row_[above * dd];
      multiply_by<d>(factor, &inverse_[above * dd]);
      const double* u = &upper_[upper_begin_[above] * dd];
      for (std::size_t m = upper_begin_[above]; m < upper_begin_[above + 1]; ++m, u += dd) {
        subtract_product<d>(factor, u, &row_[upper_column_[m] * dd]);
      }
      std::copy_n(factor, dd, &lower_[k * dd]);
    }
    for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      std::copy_n(&row_[upper_column_[k] * dd], dd, &upper_[k * dd]);
    }
    if (!invert<d>(&row_[i * dd], &inverse_[i * dd])) return false;
  }
  return true;
}

template <std::size_t d>
void BlockLu::solve_blocks(std::span<double> x) {
  for (std::size_t i = 0; i < rows_; ++i) {
    double* y = &y_[i * d];
    std::copy_n(&x[order_[i] * d], d, y);
    for (std::size_t k = lower_begin_[i]; k < lower_begin_[i + 1]; ++k) {
      const double* a = &lower_[k * d * d];
      const double* z = &y_[lower_column_[k] * d];
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) y[r] -= a[r * d + c] * z[c];
      }
    }
  }
  for (std::size_t i = rows_; i-- > 0;) {
    double* y = &y_[i * d];
    for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      const double* a = &upper_[k * d * d];
      const double* z = &y_[upper_column_[k] * d];
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) y[r] -= a[r * d + c] * z[c];
      }
    }
    double made[d];
    const double* inverse = &inverse_[i * d * d];
    for (std::size_t r = 0; r < d; ++r) {
      made[r] = 0.;
      for (std::size_t c = 0; c < d; ++c) made[r] += inverse[r * d + c] * y[c];
    }
    std::copy_n(made, d, y);
  }
  for (std::size_t i = 0; i < rows_; ++i) std::copy_n(&y_[i * d], d, &x[order_[i] * d]);
}

bool BlockLu::factorize() {
  return block_ == 1   ? factorize_blocks<1>()
         : block_ == 2 ? factorize_blocks<2>()
                       : factorize_blocks<3>();
}

void BlockLu::solve(std::span<double> x) {
  if (block_ == 1) solve_blocks<1>(x);
  if (block_ == 2) solve_blocks<2>(x);
  if (block_ == 3) solve_blocks<3>(x);
}

}  // namespace carom::complementarity
