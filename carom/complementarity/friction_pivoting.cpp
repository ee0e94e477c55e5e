// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction_pivoting.hpp>

#include <algorithm>
#include <array>

namespace carom::complementarity {

LemkeStatus FrictionPivoting::solve(const ScaledFriction& s, std::span<double> P,
                                    std::size_t most_pivots) {
  const std::size_t d = s.components;
  first_.resize(s.contacts + 1);
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    first_[i] = n;
    n += s.mu[i] > 0. ? 4U : 1U;
  }
  first_[s.contacts] = n;
  M_.assign(n * n, 0.);
  q_.assign(n, 0.);
  constexpr std::array<double, 3> sign = {1., 1., -1.};
  constexpr std::array<std::size_t, 3> component = {0, 1, 1};
  const auto rows_of = [&](std::size_t i) -> std::size_t { return s.mu[i] > 0. ? 3 : 1; };
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const std::size_t at = first_[i];
    const std::size_t rows = rows_of(i);
    for (std::size_t r = 0; r < rows; ++r) q_[at + r] = sign[r] * s.b[i * d + component[r]];
    const auto add = [&](std::size_t j, const double* block) {
      const std::size_t columns = rows_of(j);
      for (std::size_t r = 0; r < rows; ++r) {
        const double* from = block + component[r] * d;
        q_[at + r] += sign[r] * from[0] * s.floor[j];
        double* to = &M_[(at + r) * n + first_[j]];
        for (std::size_t c = 0; c < columns; ++c) to[c] = sign[r] * sign[c] * from[component[c]];
      }
    };
    add(i, &s.diagonal[i * d * d]);
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      add(s.column[k], &s.off[k * d * d]);
    }
    if (rows == 1) continue;
    double* slack = &M_[(at + 3) * n + at];
    slack[0] = s.mu[i];
    slack[1] = slack[2] = -1.;
    M_[(at + 1) * n + at + 3] = M_[(at + 2) * n + at + 3] = 1.;
    q_[at + 3] = s.mu[i] * s.floor[i];
  }
  const LemkeStatus status = lemke_.solve(M_, q_, most_pivots);
  const auto z = lemke_.z();
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const std::size_t at = first_[i];
    P[i * d] = z[at] + s.floor[i];
    if (d == 1) continue;
    const double bound = s.mu[i] * P[i * d];
    P[i * d + 1] = rows_of(i) == 1 ? 0. : std::clamp(z[at + 1] - z[at + 2], -bound, bound);
  }
  return status;
}

}  // namespace carom::complementarity
