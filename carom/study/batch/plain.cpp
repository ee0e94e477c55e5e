// SPDX-License-Identifier: Apache-2.0
#include <carom/study/batch/kernels.hpp>

namespace carom::study {

template <>
struct Lanes<double> {
  static constexpr std::size_t width = 1;
  static double load(const double* from) { return *from; }
  template <class T>
  static void store(T* to, double x) {
    *to = static_cast<T>(x);
  }
};

void solve_plain(const KernelTask& task) { solve_kernel<double>(task); }

}  // namespace carom::study
