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

/// Allocates memory aligned to a cache line.
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

/// n rounded up to a multiple of the widest vector.
[[nodiscard]] inline std::size_t whole_vectors(std::size_t n) { return (n + 7) / 8 * 8; }

/// y += a x
void add_multiple(double* y, std::size_t n, double a, const double* x);

/// y += a_0 x_0 + a_1 x_1 (+ a_2 x_2), with x_k = x + k stride
void add_two(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);
void add_three(double* y, std::size_t n, const double* a, const double* x, std::size_t stride);

/// The dot product of a and x, accumulated as eight partial sums.
[[nodiscard]] double product(const double* a, const double* x, std::size_t n);

/// Solves n equations by Gaussian elimination with partial pivoting. The rows of m are `stride`
/// apart, a multiple of the vector width, with the right-hand sides in column n. Overwrites m.
/// Returns false if a pivot is not above `least`.
bool solve_few(double* m, std::size_t n, std::size_t stride, double least, double* x);

/// P A Q = L U by Gaussian elimination with complete pivoting, up to the rank, which is returned:
/// no entry that is left is above `threshold` times the first pivot. The rows of A and L are
/// `stride` apart, a multiple of the vector width, and end with zeros. A becomes U, with zeros
/// below it; L is that below its diagonal of ones.
/// @param row_order, col_order  the rows and columns of A in the order of U, by their numbers
/// before
/// @param sizes  room for a number a row
std::size_t eliminate_completely(double* A, std::size_t rows, std::size_t cols, std::size_t stride,
                                 double threshold, double* L, std::size_t* row_order,
                                 std::size_t* col_order, double* sizes);

/// Number of columns eliminated at once.
inline constexpr std::size_t panel = 8;

/// In-place LU factorization of up to `panel` columns, `apart` numbers from each other, with
/// partial pivoting. Row k was exchanged with row partner[k], in order. Returns false if a pivot is
/// not above `least`.
bool factorize_columns(double* a, std::size_t rows, std::size_t apart, std::size_t width,
                       double least, std::size_t* partner);

/// x = L^-1 x for `panel` rows of n numbers (a multiple of the vector width), `stride` apart, with
/// L stored by columns.
void solve_panel(double* x, std::size_t n, std::size_t stride, const double* L, std::size_t apart);

/// For the rows y_i = y + i stride, i < rows, of n numbers (a multiple of the vector width): y_i -=
/// f_i0 x_0, then f_i1 x_1, and so on for `panel` terms, with f_ik = f[i + k apart] and x_k = x + k
/// stride.
void subtract_panel(double* y, std::size_t rows, std::size_t n, std::size_t stride, const double* f,
                    std::size_t apart, const double* x);

/// Subtracts f times the blocks of x from the blocks of y at the given places, one after the other.
/// The 3 x 3 blocks of x and y have rows padded to four numbers; f is not padded.
void subtract_blocks(const double* f, const double* x, const std::uint32_t* places, std::size_t n,
                     double* y);

}  // namespace carom
