// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/lanes.hpp>

// One version for each width of vectors, chosen when the program starts. Elsewhere one version.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_LANES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define CAROM_LANES
#endif

namespace carom::complementarity {

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

CAROM_LANES
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    const double* __restrict x) {
  const double* __restrict const x1 = x + stride;
  const double* __restrict const x2 = x1 + stride;
  const double* __restrict const x3 = x2 + stride;
  const double* __restrict const x4 = x3 + stride;
  const double* __restrict const x5 = x4 + stride;
  const double* __restrict const x6 = x5 + stride;
  const double* __restrict const x7 = x6 + stride;
  for (std::size_t i = 0; i < rows; ++i) {
    double* __restrict const row = y + i * stride;
    const double* const g = f + i * stride;
    const double f0 = g[0], f1 = g[1], f2 = g[2], f3 = g[3];
    const double f4 = g[4], f5 = g[5], f6 = g[6], f7 = g[7];
    for (std::size_t k = 0; k < n; ++k) {
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

}  // namespace carom::complementarity
