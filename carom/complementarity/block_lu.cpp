// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/block_lu.hpp>

#include <algorithm>
#include <limits>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <carom/core/linear_system.hpp>

namespace carom::complementarity {
namespace {

constexpr auto none = std::numeric_limits<std::uint32_t>::max();

/// Distance between the rows of a block of U. Rows of three numbers are padded to four, which fills
/// a SIMD vector.
template <std::size_t d>
constexpr std::size_t wide = d == 3 ? 4 : d;

/// `from` minus a b, for the blocks in the given columns.
template <std::size_t d>
void subtract_products(const double* a, const double* b, std::span<const std::uint32_t> columns,
                       double* from) {
  if constexpr (d == 3) return subtract_blocks(a, b, columns.data(), columns.size(), from);
  for (const std::uint32_t column : columns) {
    double* const to = from + column * d * d;
    for (std::size_t r = 0; r < d; ++r) {
      for (std::size_t c = 0; c < d; ++c) {
        double sum = a[r * d] * b[c];
        for (std::size_t k = 1; k < d; ++k) sum += a[r * d + k] * b[k * d + c];
        to[r * d + c] -= sum;
      }
    }
    b += d * d;
  }
}

/// a b. The rows of a are `wide` apart.
template <std::size_t d>
void multiply(const double* a, const double* b, double* made) {
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c < d; ++c) {
      double sum = a[r * wide<d>] * b[c];
      for (std::size_t k = 1; k < d; ++k) sum += a[r * wide<d> + k] * b[k * d + c];
      made[r * d + c] = sum;
    }
  }
}

/// The rows of a are `wide` apart.
template <std::size_t d>
bool invert(const double* a, double* inverse) {
  typename LinearSystem<d>::Matrix m;
  for (std::size_t r = 0; r < d; ++r) std::copy_n(a + r * wide<d>, d, m[r].begin());
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

  order_rows();
  kept_.assign(rows_, 1);
  fill_known_ = false;
}

void BlockLu::keep(std::span<const std::uint8_t> rows) {
  if (std::equal(rows.begin(), rows.end(), kept_.begin(), kept_.end())) return;
  kept_.assign(rows.begin(), rows.end());
  fill_known_ = false;
}

void BlockLu::order_rows() {
  Eigen::SparseMatrix<double> pattern(static_cast<int>(rows_), static_cast<int>(rows_));
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t i = 0; i < rows_; ++i) {
    triplets.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.);
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      triplets.emplace_back(static_cast<int>(i), static_cast<int>(column_[k]), 1.);
    }
  }
  pattern.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  least_fill_.resize(rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    least_fill_[i] = static_cast<std::uint32_t>(permutation.indices()(static_cast<int>(i)));
  }
}

/// Symbolic factorization. The columns of row i of L are those on the paths to i, starting from the
/// columns of A before i, in the elimination tree. The parent of a row in this tree is the first
/// column of its row of U [Davis 2006]. The tree is walked twice: to count, and to store the
/// columns.
void BlockLu::find_fill() {
  place_.assign(rows_, none);
  order_.clear();
  for (const std::uint32_t old : least_fill_) {
    if (kept_[old] == 0) continue;
    place_[old] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(old);
  }
  const std::size_t n = order_.size();
  const auto walk = [&](const auto& visit) {
    parent_.assign(n, none);
    seen_.assign(n, none);
    for (std::uint32_t i = 0; i < n; ++i) {
      seen_[i] = i;
      const std::size_t old = order_[i];
      for (std::size_t k = begin_[old]; k < begin_[old + 1]; ++k) {
        const std::uint32_t first = place_[column_[k]];
        if (first == none || first > i) continue;
        for (std::uint32_t j = first; seen_[j] != i; j = parent_[j]) {
          if (parent_[j] == none) parent_[j] = i;
          seen_[j] = i;
          visit(i, j);
        }
      }
    }
  };
  upper_begin_.assign(n + 1, 0);
  lower_begin_.assign(n + 1, 0);
  walk([&](std::uint32_t i, std::uint32_t j) {
    ++upper_begin_[j + 1];
    ++lower_begin_[i + 1];
  });
  for (std::size_t i = 0; i < n; ++i) {
    upper_begin_[i + 1] += upper_begin_[i];
    lower_begin_[i + 1] += lower_begin_[i];
  }
  upper_column_.resize(upper_begin_[n]);
  lower_column_.resize(lower_begin_[n]);
  next_.assign(upper_begin_.begin(), upper_begin_.end());
  walk([&](std::uint32_t i, std::uint32_t j) { upper_column_[next_[j]++] = i; });
  next_.assign(lower_begin_.begin(), lower_begin_.end());
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::size_t k = upper_begin_[j]; k < upper_begin_[j + 1]; ++k) {
      lower_column_[next_[upper_column_[k]]++] = j;
    }
  }
  const std::size_t wide_block = block_ * (block_ == 3 ? wide<3> : block_);
  upper_.resize(upper_column_.size() * wide_block);
  lower_.resize(lower_column_.size() * block_ * block_);
  inverse_.resize(n * block_ * block_);
  row_.assign(n * wide_block, 0.);
  y_.resize(n * block_);
  fill_known_ = true;
}

void BlockLu::clear() { std::fill(entries_.begin(), entries_.end(), 0.); }

/// Copies row i of A. Entries of the fill-in are zero.
template <std::size_t d>
void BlockLu::load_row(std::size_t i) {
  constexpr std::size_t size = d * wide<d>;
  const auto put = [&](const double* from, std::size_t column) {
    double* const to = &row_[column * size];
    for (std::size_t r = 0; r < d; ++r) std::copy_n(from + r * d, d, to + r * wide<d>);
  };
  for (std::size_t k = lower_begin_[i]; k < lower_begin_[i + 1]; ++k) {
    std::fill_n(&row_[lower_column_[k] * size], size, 0.);
  }
  for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
    std::fill_n(&row_[upper_column_[k] * size], size, 0.);
  }
  const std::size_t old = order_[i];
  put(diagonal(old), i);
  for (std::size_t k = begin_[old]; k < begin_[old + 1]; ++k) {
    const std::uint32_t column = place_[column_[k]];
    if (column != none) put(off_diagonal(k), column);
  }
}

/// Factorizes row by row. Each row is reduced by the rows above it.
template <std::size_t d>
bool BlockLu::factorize_blocks() {
  constexpr std::size_t size = d * wide<d>;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    load_row<d>(i);
    for (std::size_t k = lower_begin_[i]; k < lower_begin_[i + 1]; ++k) {
      const std::size_t above = lower_column_[k];
      double* const factor = &lower_[k * d * d];
      multiply<d>(&row_[above * size], &inverse_[above * d * d], factor);
      const std::size_t first = upper_begin_[above];
      subtract_products<d>(factor, &upper_[first * size],
                           {&upper_column_[first], upper_begin_[above + 1] - first}, row_.data());
    }
    for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      std::copy_n(&row_[upper_column_[k] * size], size, &upper_[k * size]);
    }
    if (!invert<d>(&row_[i * size], &inverse_[i * d * d])) return false;
  }
  return true;
}

template <std::size_t d>
void BlockLu::solve_blocks(std::span<double> x) {
  for (std::size_t i = 0; i < order_.size(); ++i) {
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
  for (std::size_t i = order_.size(); i-- > 0;) {
    double* y = &y_[i * d];
    for (std::size_t k = upper_begin_[i]; k < upper_begin_[i + 1]; ++k) {
      const double* a = &upper_[k * d * wide<d>];
      const double* z = &y_[upper_column_[k] * d];
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) y[r] -= a[r * wide<d> + c] * z[c];
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
  for (std::size_t i = 0; i < order_.size(); ++i) std::copy_n(&y_[i * d], d, &x[order_[i] * d]);
}

bool BlockLu::factorize() {
  if (!fill_known_) find_fill();
  return block_ == 1   ? factorize_blocks<1>()
         : block_ == 2 ? factorize_blocks<2>()
         : block_ == 3 ? factorize_blocks<3>()
                       : factorize_blocks<6>();
}

void BlockLu::solve(std::span<double> x) {
  if (block_ == 1) solve_blocks<1>(x);
  if (block_ == 2) solve_blocks<2>(x);
  if (block_ == 3) solve_blocks<3>(x);
  if (block_ == 6) solve_blocks<6>(x);
}

}  // namespace carom::complementarity
