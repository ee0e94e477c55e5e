// SPDX-License-Identifier: Apache-2.0
#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t calls = 0;

}  // namespace

std::size_t allocations() { return calls; }

// The forms for arrays and without exceptions call these.
void* operator new(std::size_t size) {
  ++calls;
  void* p = std::malloc(std::max<std::size_t>(size, 1));
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
