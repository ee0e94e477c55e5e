// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

/// Sums of multiples of vectors, the inner loops of dense methods. Each entry is computed by itself
/// and without fused multiplications, so that the bits are the same however many are computed at
/// once.
namespace carom {

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

/// So many numbers, and a few more that fill the last vector, however wide.
[[nodiscard]] inline std::size_t whole_vectors(std::size_t n) { return (n + 7) / 8 * 8; }

/// y += a x
void add_multiple(double* y, std::size_t n, double a, const double* x);

/// y += a_0 x_0 + a_1 x_1 (+ a_2 x_2), with x_k = x + k stride
void add_two(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);
void add_three(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);

/// The sum of a_k x_k, as eight sums one after the other.
[[nodiscard]] double product(const double* a, const double* x, std::size_t n);

/// Solves n equations by Gaussian elimination with the largest pivot of each column: the rows of m,
/// `stride` apart and as long, whole vectors of them, with the right-hand sides in column n. False
/// where a pivot is not above `least`. What m holds is lost.
bool solve_few(double* m, std::size_t n, std::size_t stride, double least, double* x);

/// So many columns are eliminated at once.
inline constexpr std::size_t panel = 8;

/// A = L U of up to `panel` columns, `apart` numbers from each other, in their place, with the
/// largest pivot of each column. Row k was exchanged with row partner[k], one after the other.
/// False where a pivot is not above `least`.
bool factorize_columns(double* a, std::size_t rows, std::size_t apart, std::size_t width,
                       double least, std::size_t* partner);

/// x = L^-1 x of `panel` rows of n numbers, whole vectors, `stride` apart, with L by columns.
void solve_panel(double* x, std::size_t n, std::size_t stride, const double* L, std::size_t apart);

/// The rows y_i = y + i stride, i < rows, of n numbers, whole vectors: each y_i -= f_i0 x_0, then
/// f_i1 x_1, and so on to `panel` of them, with f_ik = f[i + k apart] and x_k = x + k stride.
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    std::size_t apart, const double* x);

/// Blocks of three rows of three, with room for a fourth number in each row: those of y at the
/// places given less f times those of x, one after the other; f has no such room.
void subtract_blocks(const double* f, const double* x, const std::uint32_t* places, std::size_t n,
                     double* y);

}  // namespace carom
