// SPDX-License-Identifier: Apache-2.0
#include <carom/core/lanes.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

// Function multiversioning: one version for each vector width, chosen at program start. On other
// platforms there is one version.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_LANES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CAROM_LANES
#endif

namespace carom {
namespace {

/// Numbers in the widest vector. Narrower ones are used several times.
constexpr std::size_t vector = 8;

/// y -= f x, for n numbers, a multiple of the vector width. Inlined, so that it is compiled for the
/// instruction set of its caller.
[[gnu::always_inline]] inline void subtract_multiple(double* __restrict y, std::size_t n, double f,
                                                     const double* __restrict x) {
  for (std::size_t k = 0; k < n / vector * vector; ++k) y[k] -= f * x[k];
}

}  // namespace

CAROM_LANES
void add_multiple(double* __restrict y, std::size_t n, double a, const double* __restrict x) {
  for (std::size_t k = 0; k < n; ++k) y[k] += a * x[k];
}

CAROM_LANES
void add_two(double* __restrict y, std::size_t n, const double* a, const double* __restrict x,
             std::size_t stride) {
  const double a0 = a[0];
  const double a1 = a[1];
  const double* __restrict const x1 = x + stride;
  for (std::size_t k = 0; k < n; ++k) y[k] += a0 * x[k] + a1 * x1[k];
}

CAROM_LANES
void add_three(double* __restrict y, std::size_t n, const double* a, const double* __restrict x,
               std::size_t stride) {
  const double a0 = a[0];
  const double a1 = a[1];
  const double a2 = a[2];
  const double* __restrict const x1 = x + stride;
  const double* __restrict const x2 = x1 + stride;
  for (std::size_t k = 0; k < n; ++k) y[k] += a0 * x[k] + a1 * x1[k] + a2 * x2[k];
}

CAROM_LANES
double product(const double* a, const double* x, std::size_t n) {
  double sums[8] = {};
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8) {
    for (std::size_t l = 0; l < 8; ++l) sums[l] += a[k + l] * x[k + l];
  }
  for (std::size_t l = 0; k < n; ++k, ++l) sums[l] += a[k] * x[k];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

namespace {

/// The largest |x| of n numbers, a multiple of the vector width.
[[gnu::always_inline]] inline double largest_of(const double* x, std::size_t n) {
  double most[vector] = {};
  for (std::size_t k = 0; k < n; k += vector) {
    for (std::size_t l = 0; l < vector; ++l) {
      const double size = std::abs(x[k + l]);
      most[l] = size > most[l] ? size : most[l];
    }
  }
  for (std::size_t l = 1; l < vector; ++l) most[0] = most[l] > most[0] ? most[l] : most[0];
  return most[0];
}

}  // namespace

CAROM_LANES
std::size_t eliminate_completely(double* A, std::size_t rows, std::size_t cols, std::size_t stride,
                                 double threshold, double* L, std::size_t* row_order,
                                 std::size_t* col_order, double* sizes) {
  for (std::size_t i = 0; i < rows; ++i) {
    row_order[i] = i;
    sizes[i] = largest_of(A + i * stride, stride);
  }
  for (std::size_t j = 0; j < cols; ++j) col_order[j] = j;
  double least = 0.;
  std::size_t k = 0;
  for (; k < std::min(rows, cols); ++k) {
    std::size_t row = k;
    for (std::size_t i = k + 1; i < rows; ++i) row = sizes[i] > sizes[row] ? i : row;
    if (!(sizes[row] > least)) break;
    double* const above = A + k * stride;
    if (row != k) {
      double* const other = A + row * stride;
      for (std::size_t j = 0; j < stride; ++j) std::swap(above[j], other[j]);
      for (std::size_t j = 0; j < k; ++j) std::swap(L[k * stride + j], L[row * stride + j]);
      std::swap(row_order[k], row_order[row]);
      std::swap(sizes[k], sizes[row]);
    }
    std::size_t col = k;
    while (std::abs(above[col]) != sizes[k]) ++col;
    if (col != k) {
      for (std::size_t i = 0; i < rows; ++i) std::swap(A[i * stride + k], A[i * stride + col]);
      std::swap(col_order[k], col_order[col]);
    }
    if (k == 0) least = threshold * sizes[k];
    const std::size_t from = k / vector * vector;
    for (std::size_t i = k + 1; i < rows; ++i) {
      double* const own = A + i * stride;
      const double factor = own[k] / above[k];
      L[i * stride + k] = factor;
      if (factor == 0.) continue;  // contacts far from each other
      subtract_multiple(own + from, stride - from, factor, above + from);
      own[k] = 0.;
      sizes[i] = largest_of(own + from, stride - from);
    }
  }
  return k;
}

CAROM_LANES
bool solve_few(double* m, std::size_t n, std::size_t stride, double least, double* x) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    double largest = std::abs(m[k * stride + k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double size = std::abs(m[i * stride + k]);
      best = size > largest ? i : best;
      largest = size > largest ? size : largest;
    }
    if (!(largest > least)) return false;
    const std::size_t from = k / vector * vector;
    double* const above = m + k * stride;
    if (best != k) std::swap_ranges(above + from, above + stride, m + best * stride + from);
    const double inverse = 1. / above[k];
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = m + i * stride;
      subtract_multiple(row + from, stride - from, row[k] * inverse, above + from);
    }
    above[k] = inverse;
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = m[i * stride + n];
  for (std::size_t j = n; j-- > 0;) {
    const double y = x[j] * m[j * stride + j];
    for (std::size_t i = 0; i < j; ++i) x[i] -= m[i * stride + j] * y;
    x[j] = y;
  }
  return true;
}

CAROM_LANES
bool factorize_columns(double* a, std::size_t rows, std::size_t apart, std::size_t width,
                       double least, std::size_t* partner) {
  for (std::size_t k = 0; k < width; ++k) {
    double* const own = a + k * apart;
    double most[vector] = {};
    std::size_t i = k;
    for (; i + vector <= rows; i += vector) {
      for (std::size_t l = 0; l < vector; ++l) {
        const double x = std::abs(own[i + l]);
        most[l] = x > most[l] ? x : most[l];
      }
    }
    double largest = 0.;
    for (const double x : most) largest = x > largest ? x : largest;
    for (; i < rows; ++i) largest = std::abs(own[i]) > largest ? std::abs(own[i]) : largest;
    if (!(largest > least)) return false;
    std::size_t best = k;
    while (std::abs(own[best]) != largest) ++best;
    partner[k] = best;
    if (best != k) {
      for (std::size_t j = 0; j < width; ++j) std::swap(a[j * apart + k], a[j * apart + best]);
    }
    const double inverse = 1. / own[k];
    for (std::size_t r = k + 1; r < rows; ++r) own[r] *= inverse;
    const double* __restrict const done = own;
    for (std::size_t j = k + 1; j < width; ++j) {
      double* __restrict const column = a + j * apart;
      const double f = column[k];
      for (std::size_t r = k + 1; r < rows; ++r) column[r] -= done[r] * f;
    }
  }
  return true;
}

CAROM_LANES
void solve_panel(double* x, std::size_t n, std::size_t stride, const double* L, std::size_t apart) {
  for (std::size_t k = 1; k < panel; ++k) {
    for (std::size_t p = 0; p < k; ++p) {
      subtract_multiple(x + k * stride, n, L[p * apart + k], x + p * stride);
    }
  }
}

CAROM_LANES
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    std::size_t apart, const double* __restrict x) {
  const double* __restrict const x1 = x + stride;
  const double* __restrict const x2 = x1 + stride;
  const double* __restrict const x3 = x2 + stride;
  const double* __restrict const x4 = x3 + stride;
  const double* __restrict const x5 = x4 + stride;
  const double* __restrict const x6 = x5 + stride;
  const double* __restrict const x7 = x6 + stride;
  for (std::size_t i = 0; i < rows; ++i) {
    double* __restrict const row = y + i * stride;
    const double* const g = f + i;
    const double f0 = g[0], f1 = g[apart], f2 = g[2 * apart], f3 = g[3 * apart];
    const double f4 = g[4 * apart], f5 = g[5 * apart], f6 = g[6 * apart], f7 = g[7 * apart];
    for (std::size_t k = 0; k < n / vector * vector; ++k) {
      double t = row[k];
      t -= f0 * x[k];
      t -= f1 * x1[k];
      t -= f2 * x2[k];
      t -= f3 * x3[k];
      t -= f4 * x4[k];
      t -= f5 * x5[k];
      t -= f6 * x6[k];
      t -= f7 * x7[k];
      row[k] = t;
    }
  }
}

CAROM_LANES
void subtract_blocks(const double* f, const double* __restrict x, const std::uint32_t* places,
                     std::size_t n, double* __restrict y) {
  const double f00 = f[0], f01 = f[1], f02 = f[2];
  const double f10 = f[3], f11 = f[4], f12 = f[5];
  const double f20 = f[6], f21 = f[7], f22 = f[8];
  for (std::size_t k = 0; k < n; ++k, x += 12) {
    double* __restrict const to = y + places[k] * std::size_t{12};
    for (std::size_t c = 0; c < 4; ++c) to[c] -= f00 * x[c] + f01 * x[c + 4] + f02 * x[c + 8];
    for (std::size_t c = 0; c < 4; ++c) to[c + 4] -= f10 * x[c] + f11 * x[c + 4] + f12 * x[c + 8];
    for (std::size_t c = 0; c < 4; ++c) to[c + 8] -= f20 * x[c] + f21 * x[c + 4] + f22 * x[c + 8];
  }
}

}  // namespace carom
