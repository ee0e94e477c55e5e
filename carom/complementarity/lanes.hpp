// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

/// Sums of multiples of vectors, the inner loops of dense methods. Each entry is computed by itself
/// and without fused multiplications, so that the bits are the same however many are computed at
/// once.
namespace carom::complementarity {

/// Memory that starts with a line of the cache.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>& /*other*/) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t /*n*/) { ::operator delete(p, line); }
  template <class U>
  bool operator==(const LineAllocator<U>& /*other*/) const {
    return true;
  }
};

using AlignedVector = std::vector<double, LineAllocator<double>>;

/// So many numbers, and perhaps a few more, that rows of a large matrix start with a line.
[[nodiscard]] inline std::size_t row_step(std::size_t n) { return n < 32 ? n : (n + 7) / 8 * 8; }

/// y += a x
void add_multiple(double* y, std::size_t n, double a, const double* x);

/// y += a_0 x_0 + a_1 x_1 (+ a_2 x_2), with x_k = x + k stride
void add_two(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);
void add_three(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);

/// The sum of a_k x_k, as eight sums one after the other.
[[nodiscard]] double product(const double* a, const double* x, std::size_t n);

/// The rows y_i = y + i stride, i < rows: each y_i -= f_i0 x_0, then f_i1 x_1, and so on to
/// `panel` of them, with f_ik = f[i stride + k] and x_k = x + k stride.
inline constexpr std::size_t panel = 8;
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    const double* x);

/// Blocks of three rows of three, with room for a fourth number in each row: those of y at the
/// places given less f times those of x, one after the other; f has no such room.
void subtract_blocks(const double* f, const double* x, const std::uint32_t* places, std::size_t n,
                     double* y);

}  // namespace carom::complementarity
