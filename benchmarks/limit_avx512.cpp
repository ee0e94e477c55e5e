// SPDX-License-Identifier: Apache-2.0
#include "limit_vectors.hpp"

namespace carom::limit {

void solve_avx512(Law law, const Columns& columns) { Kernel<8>::solve(law, columns); }

}  // namespace carom::limit
