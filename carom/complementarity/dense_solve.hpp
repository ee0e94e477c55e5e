// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace carom::complementarity {

/// Gaussian elimination with the largest pivot of each column, eight columns at a time.
/// @param m  n rows of `stride` > n numbers: the matrix, and in column n the right-hand side, which
///           the solution replaces
/// @return false where a pivot is not above `least`
bool solve_dense(double* m, std::size_t n, std::size_t stride, double least);

}  // namespace carom::complementarity
