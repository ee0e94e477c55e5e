// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <xsimd/xsimd.hpp>

#include <carom/study/batch_kernels.hpp>

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
};

template <class Arch>
struct Pack {
  using Lanes = xsimd::batch<double, Arch>;

  Lanes lanes;

  Pack() : lanes(0.) {}
  explicit Pack(double same) : lanes(same) {}
  Pack(const Lanes& each) : lanes(each) {}  // NOLINT(google-explicit-constructor)

  friend Pack operator+(const Pack& a, const Pack& b) { return a.lanes + b.lanes; }
  friend Pack operator-(const Pack& a, const Pack& b) { return a.lanes - b.lanes; }
  friend Pack operator*(const Pack& a, const Pack& b) { return a.lanes * b.lanes; }
  friend Pack operator/(const Pack& a, const Pack& b) { return a.lanes / b.lanes; }
  // xsimd has 0 - a for some instruction sets, which is wrong for a = 0.
  friend Pack operator-(const Pack& a) { return a.lanes ^ Lanes(-0.); }

  using M = PackMask<Arch>;
  friend M operator<(const Pack& a, const Pack& b) { return {a.lanes < b.lanes}; }
  friend M operator>(const Pack& a, const Pack& b) { return {a.lanes > b.lanes}; }
  friend M operator<=(const Pack& a, const Pack& b) { return {a.lanes <= b.lanes}; }
  friend M operator>=(const Pack& a, const Pack& b) { return {a.lanes >= b.lanes}; }
  friend M operator==(const Pack& a, const Pack& b) { return {a.lanes == b.lanes}; }
};

template <class A>
PackMask<A> both(const PackMask<A>& a, const PackMask<A>& b) {
  return {a.lanes & b.lanes};
}
template <class A>
PackMask<A> either(const PackMask<A>& a, const PackMask<A>& b) {
  return {a.lanes | b.lanes};
}
template <class A>
PackMask<A> negate(const PackMask<A>& a) {
  return {~a.lanes};
}
template <class A>
bool any(const PackMask<A>& a) {
  return xsimd::any(a.lanes);
}

template <class A>
Pack<A> select(const PackMask<A>& chosen, const Pack<A>& yes, const Pack<A>& no) {
  return xsimd::select(chosen.lanes, yes.lanes, no.lanes);
}
template <class A>
PackMask<A> select(const PackMask<A>& chosen, const PackMask<A>& yes, const PackMask<A>& no) {
  return {(chosen.lanes & yes.lanes) | (~chosen.lanes & no.lanes)};
}

template <class A>
Pack<A> magnitude(const Pack<A>& x) {
  return xsimd::abs(x.lanes);
}
template <class A>
Pack<A> root(const Pack<A>& x) {
  return select(x > Pack<A>(0.), Pack<A>(xsimd::sqrt(x.lanes)), Pack<A>(0.));
}

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
