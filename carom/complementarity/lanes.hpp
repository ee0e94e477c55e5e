// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// Sums of multiples of vectors, the inner loops of dense methods. Each entry is computed by itself
/// and without fused multiplications, so that the bits are the same however many are computed at
/// once.
namespace carom::complementarity {

/// y += a x
void add_multiple(double* y, std::size_t n, double a, const double* x);

/// y += a_0 x_0 + a_1 x_1 (+ a_2 x_2), with x_k = x + k stride
void add_two(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);
void add_three(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);

/// The rows y_i = y + i stride, i < rows: each y_i -= f_i0 x_0, then f_i1 x_1, and so on to
/// `panel` of them, with f_ik = f[i stride + k] and x_k = x + k stride.
inline constexpr std::size_t panel = 8;
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    const double* x);

}  // namespace carom::complementarity
