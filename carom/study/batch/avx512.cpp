// SPDX-License-Identifier: Apache-2.0
#include <carom/study/pack.hpp>

namespace carom::study {

void solve_avx512(const KernelTask& task) { solve_kernel<Pack<xsimd::avx512dq>>(task); }

}  // namespace carom::study
