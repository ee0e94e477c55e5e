// SPDX-License-Identifier: Apache-2.0
#include <carom/core/block_matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom {
namespace {

constexpr auto matrix_field = "inverse_inertia";

std::string at(std::size_t r, std::size_t c) {
  return std::string(matrix_field) + "[" + std::to_string(r) + "][" + std::to_string(c) + "]";
}

/// The name of an entry is built only if it is needed.
void require_finite_entry(double x, std::size_t r, std::size_t c) {
  if (!std::isfinite(x)) require_finite(x, at(r, c));
}

void require_components(std::size_t components) {
  if (components < 1 || components > 3) {
    throw InputError("components", "must be 1 (frictionless), 2 (plane) or 3 (space), got " +
                                       std::to_string(components));
  }
}

/// The mean of two entries that mirror each other. Throws if they are too far apart.
/// @param diagonal  both entries of their rows on the diagonal
double mirrored(double a, double b, std::array<double, 2> diagonal, std::size_t r, std::size_t c) {
  const double scale =
      std::max({std::abs(a), std::abs(b), std::sqrt(std::abs(diagonal[0] * diagonal[1]))});
  if (std::abs(a - b) <= rounding * scale) return 0.5 * a + 0.5 * b;
  throw InputError(matrix_field, "must be symmetric, got " + shortest(a) + " at [" +
                                     std::to_string(r) + "][" + std::to_string(c) + "] and " +
                                     shortest(b) + " mirrored");
}

}  // namespace

BlockMatrix BlockMatrix::from_dense(const Eigen::MatrixXd& matrix, std::size_t components) {
  require_components(components);
  const auto n = static_cast<std::size_t>(matrix.rows());
  if (matrix.cols() != matrix.rows() || n == 0 || n % components != 0) {
    throw InputError(matrix_field, "must be square with a multiple of " +
                                       std::to_string(components) + " rows, got " +
                                       std::to_string(matrix.rows()) + " x " +
                                       std::to_string(matrix.cols()));
  }
  const auto entry = [&](std::size_t r, std::size_t c) {
    return matrix(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
  };
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) require_finite_entry(entry(r, c), r, c);
  }
  const std::size_t blocks = n / components;
  BlockMatrix m;
  m.components_ = components;
  m.begin_.reserve(blocks + 1);
  m.begin_.push_back(0);
  m.diagonal_.reserve(blocks);
  std::array<double, 9> block{};
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t j = 0; j < blocks; ++j) {
      bool is_zero = i != j;
      for (std::size_t k = 0; k < components * components; ++k) {
        const std::size_t r = i * components + k / components;
        const std::size_t c = j * components + k % components;
        const double x = entry(r, c);
        block[k] = r == c ? x : mirrored(x, entry(c, r), {entry(r, r), entry(c, c)}, r, c);
        is_zero = is_zero && x == 0. && entry(c, r) == 0.;
      }
      if (is_zero) continue;
      if (i == j) m.diagonal_.push_back(m.column_.size());
      m.column_.push_back(static_cast<std::uint32_t>(j));
      m.value_.insert(m.value_.end(), block.begin(), block.begin() + components * components);
    }
    m.begin_.push_back(m.column_.size());
  }
  return m;
}

BlockMatrix BlockMatrix::from_triplets(std::size_t blocks, std::size_t components,
                                       std::span<const Triplet> triplets) {
  require_components(components);
  const std::size_t n = blocks * components;
  // Sorted by row and column, equal ones added up.
  std::vector<Triplet> sorted;
  sorted.reserve(triplets.size());
  for (const Triplet& t : triplets) {
    if (t.row >= n || t.column >= n) {
      throw InputError(at(t.row, t.column),
                       "must be within " + std::to_string(n) + " rows and columns");
    }
    require_finite_entry(t.value, t.row, t.column);
    sorted.push_back(t);
  }
  const auto before = [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  std::stable_sort(sorted.begin(), sorted.end(), before);
  std::vector<Triplet> entries;
  entries.reserve(sorted.size());
  for (const Triplet& t : sorted) {
    if (!entries.empty() && entries.back().row == t.row && entries.back().column == t.column) {
      entries.back().value += t.value;
    } else {
      entries.push_back(t);
    }
  }
  const auto entry = [&](std::size_t r, std::size_t c) -> const Triplet* {
    const Triplet wanted{.row = r, .column = c};
    const auto found = std::lower_bound(entries.begin(), entries.end(), wanted, before);
    return found != entries.end() && found->row == r && found->column == c ? &*found : nullptr;
  };
  const auto diagonal_entry = [&](std::size_t r) {
    const Triplet* d = entry(r, r);
    return d == nullptr ? 0. : d->value;
  };

  // Each entry with its mirror image, averaged.
  std::vector<Triplet> both;
  both.reserve(2 * entries.size());
  for (const Triplet& t : entries) {
    const Triplet* mirror = entry(t.column, t.row);
    double value = t.value;
    if (mirror != nullptr && t.row != t.column) {
      value = mirrored(t.value, mirror->value, {diagonal_entry(t.row), diagonal_entry(t.column)},
                       t.row, t.column);
    }
    both.push_back({t.row, t.column, value});
    if (mirror == nullptr) both.push_back({t.column, t.row, value});
  }
  for (std::size_t i = 0; i < n; ++i) both.push_back({i, i, 0.});  // every diagonal block
  const auto block_before = [components](const Triplet& a, const Triplet& b) {
    const std::size_t ra = a.row / components;
    const std::size_t rb = b.row / components;
    return ra != rb ? ra < rb : a.column / components < b.column / components;
  };
  std::stable_sort(both.begin(), both.end(), block_before);

  BlockMatrix m;
  m.components_ = components;
  m.begin_.assign(blocks + 1, 0);
  m.diagonal_.assign(blocks, 0);
  std::size_t row = blocks;  // of the block being filled: none yet
  std::size_t column = blocks;
  for (const Triplet& t : both) {
    if (t.row / components != row || t.column / components != column) {
      row = t.row / components;
      column = t.column / components;
      if (row == column) m.diagonal_[row] = m.column_.size();
      m.column_.push_back(static_cast<std::uint32_t>(column));
      m.value_.resize(m.value_.size() + components * components, 0.);
      ++m.begin_[row + 1];
    }
    double* block = m.value_.data() + m.value_.size() - components * components;
    block[(t.row % components) * components + t.column % components] += t.value;
  }
  for (std::size_t i = 0; i < blocks; ++i) m.begin_[i + 1] += m.begin_[i];
  return m;
}

void BlockMatrix::assign_block(std::size_t components, std::span<const double> block) {
  components_ = components;
  begin_.assign({0, 1});
  column_.assign({0});
  diagonal_.assign({0});
  value_.assign(block.begin(), block.end());
}

const double* BlockMatrix::find(std::size_t i, std::size_t j) const {
  const auto row = columns(i);
  const auto found = std::lower_bound(row.begin(), row.end(), static_cast<std::uint32_t>(j));
  if (found == row.end() || *found != j) return nullptr;
  return block(i, static_cast<std::size_t>(found - row.begin()));
}

double BlockMatrix::operator()(std::size_t r, std::size_t c) const {
  const double* b = find(r / components_, c / components_);
  return b == nullptr ? 0. : b[(r % components_) * components_ + c % components_];
}

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
  const std::size_t d = components_;
  for (std::size_t i = 0; i < blocks(); ++i) {
    const auto row = columns(i);
    double* out = y.data() + i * d;
    std::fill(out, out + d, 0.);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = block(i, k);
      const double* in = x.data() + row[k] * d;
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) out[r] += b[r * d + c] * in[c];
      }
    }
  }
}

Eigen::MatrixXd BlockMatrix::dense() const {
  const auto n = static_cast<Eigen::Index>(size());
  const auto d = static_cast<Eigen::Index>(components_);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < blocks(); ++i) {
    const auto row = columns(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = block(i, k);
      for (Eigen::Index r = 0; r < d; ++r) {
        for (Eigen::Index c = 0; c < d; ++c) {
          m(static_cast<Eigen::Index>(i) * d + r, static_cast<Eigen::Index>(row[k]) * d + c) =
              b[r * d + c];
        }
      }
    }
  }
  return m;
}

}  // namespace carom
