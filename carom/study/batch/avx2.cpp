// SPDX-License-Identifier: Apache-2.0
#include <carom/study/pack.hpp>

namespace carom::study {

void solve_avx2(const KernelTask& task) { solve_kernel<Pack<xsimd::avx2>>(task); }

}  // namespace carom::study
