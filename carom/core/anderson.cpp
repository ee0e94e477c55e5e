// SPDX-License-Identifier: Apache-2.0
#include <carom/core/anderson.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {

void Anderson::next(std::span<double> x, std::span<const double> g) {
  const std::size_t n = x.size();
  if (count_ == 0) {
    dg_.resize(most * n);
    df_.resize(most * n);
    last_g_.resize(n);
    last_f_.resize(n);
  }
  if (count_ > 0) {
    double* const dg = &dg_[(count_ - 1) % most * n];
    double* const df = &df_[(count_ - 1) % most * n];
    for (std::size_t i = 0; i < n; ++i) {
      dg[i] = g[i] - last_g_[i];
      df[i] = g[i] - x[i] - last_f_[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    last_g_[i] = g[i];
    last_f_[i] = g[i] - x[i];
  }
  // Least squares by modified Gram-Schmidt on the differences of residuals, the newest first. One
  // that depends on newer ones is left out.
  constexpr double independent = 1e-8;
  const std::size_t m = std::min(count_, most);
  ++count_;
  std::copy(g.begin(), g.end(), x.begin());
  std::array<double, most * most> products{};
  std::array<double, most> right{};
  std::array<std::size_t, most> column{};
  for (std::size_t a = 0; a < m; ++a) column[a] = (count_ - 2 - a) % most;
  for (std::size_t a = 0; a < m; ++a) {
    const double* const fa = &df_[column[a] * n];
    for (std::size_t b = 0; b <= a; ++b) {
      const double* const fb = &df_[column[b] * n];
      double sum = 0.;
      for (std::size_t i = 0; i < n; ++i) sum += fa[i] * fb[i];
      products[a * most + b] = sum;
    }
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i) sum += fa[i] * last_f_[i];
    right[a] = sum;
  }
  // Cholesky factors of the products.
  std::array<bool, most> used{};
  for (std::size_t a = 0; a < m; ++a) {
    const double diagonal = products[a * most + a];
    for (std::size_t b = 0; b < a; ++b) {
      if (!used[b]) continue;
      double sum = products[a * most + b];
      for (std::size_t c = 0; c < b; ++c) {
        if (used[c]) sum -= products[a * most + c] * products[b * most + c];
      }
      products[a * most + b] = sum / products[b * most + b];
    }
    double pivot = diagonal;
    for (std::size_t b = 0; b < a; ++b) {
      if (used[b]) pivot -= products[a * most + b] * products[a * most + b];
    }
    used[a] = pivot > independent * diagonal && diagonal > 0.;
    products[a * most + a] = used[a] ? std::sqrt(pivot) : 1.;
  }
  std::array<double, most> weight{};
  for (std::size_t a = 0; a < m; ++a) {
    if (!used[a]) continue;
    double sum = right[a];
    for (std::size_t b = 0; b < a; ++b) {
      if (used[b]) sum -= products[a * most + b] * weight[b];
    }
    weight[a] = sum / products[a * most + a];
  }
  for (std::size_t a = m; a-- > 0;) {
    if (!used[a]) continue;
    double sum = weight[a];
    for (std::size_t b = a + 1; b < m; ++b) {
      if (used[b]) sum -= products[b * most + a] * weight[b];
    }
    weight[a] = sum / products[a * most + a];
    const double* const dg = &dg_[column[a] * n];
    for (std::size_t i = 0; i < n; ++i) x[i] -= weight[a] * dg[i];
  }
}

}  // namespace carom
