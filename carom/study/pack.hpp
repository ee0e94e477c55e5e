// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <carom/study/batch/kernels.hpp>

/// Several doubles as one scalar, for the laws' kernels; see carom/core/scalar.hpp for what a
/// scalar brings.
///
/// For inclusion in the one source file of an instruction set. All is in an unnamed namespace:
/// the linker keeps one copy of an inline function or template of each name, and a copy made of
/// one machine's instructions must not end up in another's program. What is instantiated on a type
/// of an unnamed namespace is private to its file. A ctest looks at the object files.
namespace carom::study {
namespace {

template <class Arch>
struct PackMask {
  using Lanes = xsimd::batch_bool<double, Arch>;

  Lanes lanes = typename Lanes::register_type{};  // false

  friend PackMask both(const PackMask& a, const PackMask& b) { return {a.lanes & b.lanes}; }
  friend PackMask either(const PackMask& a, const PackMask& b) { return {a.lanes | b.lanes}; }
  friend PackMask negate(const PackMask& a) { return {~a.lanes}; }
  friend bool any(const PackMask& a) { return xsimd::any(a.lanes); }
  friend PackMask select(const PackMask& chosen, const PackMask& yes, const PackMask& no) {
    return either(both(chosen, yes), both(negate(chosen), no));
  }
};

template <class Arch>
struct Pack {
  using Lanes = xsimd::batch<double, Arch>;
  using M = PackMask<Arch>;
  /// All bits of a lane set or none, or a bit a lane in a register of its own?
  static constexpr bool masks_are_vectors =
      std::is_same_v<typename M::Lanes::register_type, typename Lanes::register_type>;

  Lanes lanes;

  Pack() : lanes(0.) {}
  explicit Pack(double same) : lanes(same) {}
  Pack(const Lanes& each) : lanes(each) {}  // NOLINT(google-explicit-constructor)
  // Not defaulted: g++ copies structs of trivial ones through memory, in halves.
  Pack(const Pack& other) : lanes(other.lanes) {}
  Pack& operator=(const Pack& other) {
    lanes = other.lanes;
    return *this;
  }

  friend Pack operator+(const Pack& a, const Pack& b) { return a.lanes + b.lanes; }
  friend Pack operator-(const Pack& a, const Pack& b) { return a.lanes - b.lanes; }
  friend Pack operator*(const Pack& a, const Pack& b) { return a.lanes * b.lanes; }
  friend Pack operator/(const Pack& a, const Pack& b) { return a.lanes / b.lanes; }
  // xsimd has 0 - a for some instruction sets, which is wrong for a = 0.
  friend Pack operator-(const Pack& a) { return a.lanes ^ Lanes(-0.); }

  friend M operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
  friend M operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
  friend M operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
  friend M operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }
  friend M operator==(const Pack& a, const Pack& b) { return {a.lanes == b.lanes}; }

  friend Pack select(const M& chosen, const Pack& yes, const Pack& no) {
    if constexpr (masks_are_vectors) {
      // The intrinsic, which g++ 12 takes for a comparison of the mask with zero, costs half as
      // much again.
      typename Lanes::register_type blend;
      asm("vblendvpd %3, %2, %1, %0"
          : "=x"(blend)
          : "x"(no.lanes.data), "xm"(yes.lanes.data), "x"(chosen.lanes.data));
      return Lanes(blend);
    } else {
      return xsimd::select(chosen.lanes, yes.lanes, no.lanes);
    }
  }

  // What follows is in carom/core/scalar.hpp for any scalar, and here in fewer instructions.
  friend Pack only_where(const M& chosen, const Pack& x) {
    if constexpr (masks_are_vectors) {
      return Lanes(chosen.lanes.data) & x.lanes;
    } else {
      return select(chosen, x, Pack(0.));
    }
  }
  friend Pack times_sign(const Pack& x, const Pack& y) {
    if constexpr (masks_are_vectors) {
      return x.lanes ^ only_where(y < Pack(0.), Pack(-0.)).lanes;
    } else {
      return select(y < Pack(0.), -x, x);
    }
  }
  friend Pack divisor(const Pack& x) { return x; }
  friend Pack divisor(const M&, const Pack& x) { return x; }
  friend Pack magnitude(const Pack& x) { return xsimd::abs(x.lanes); }
  friend Pack positive_part(const Pack& x) {
    return xsimd::max(Lanes(0.), x.lanes);  // its second operand where neither is greater: -0, NaN
  }
  friend Pack root(const Pack& x) { return only_where(x > Pack(0.), Pack(xsimd::sqrt(x.lanes))); }
};

template <class T, std::size_t width>
struct VectorOf {
  typedef T type [[gnu::vector_size(sizeof(T) * width)]];  // NOLINT(modernize-use-using)
};

/// Stores whole numbers that fit.
template <class Whole, class A>
void store_whole(Whole* to, const Pack<A>& x) {
  constexpr std::size_t width = xsimd::batch<double, A>::size;
  const typename VectorOf<double, width>::type numbers = x.lanes.data;
  const auto ints = __builtin_convertvector(numbers, typename VectorOf<std::int32_t, width>::type);
  const auto wholes = __builtin_convertvector(ints, typename VectorOf<Whole, width>::type);
  __builtin_memcpy(to, &wholes, sizeof wholes);
}

}  // namespace

template <class A>
struct Lanes<Pack<A>> {
  static constexpr std::size_t width = xsimd::batch<double, A>::size;
  static Pack<A> load(const double* from) { return xsimd::batch<double, A>::load_unaligned(from); }
  static void store(double* to, const Pack<A>& x) { x.lanes.store_unaligned(to); }
  static void store(std::uint8_t* to, const Pack<A>& x) { store_whole(to, x); }
  static void store(std::uint16_t* to, const Pack<A>& x) { store_whole(to, x); }
};

}  // namespace carom::study
