// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/infeasibility.hpp>

#include <algorithm>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Larger impulses count as none, in units in which b and the diagonal of G are about one: the
/// rounding of G P then exceeds a thousandth of b.
constexpr double most_impulse = 1e-3 / epsilon;

}  // namespace

bool FrictionInfeasibility::proved(const ScaledFriction& s) {
  // A contact whose P_n is given may have any xi_n.
  for (std::size_t i = 0; i < s.contacts; ++i) {
    if (s.pushes(i)) return false;
  }
  const std::size_t n = s.contacts;
  const std::size_t d = s.components;
  normal_rows_.assign(n * n, 0.);
  normal_b_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    normal_b_[i] = s.b[i * d];
    normal_rows_[i * n + i] = s.diagonal[i * d * d];
    s.for_blocks(i, [&](std::size_t j, const double* block) { normal_rows_[i * n + j] = *block; });
  }
  if (lemke_.solve(normal_rows_, normal_b_) != LemkeStatus::ray) return false;
  const auto y = lemke_.ray();
  const double largest = *std::max_element(y.begin(), y.end());
  if (!(largest > 0.)) return false;
  impulses_.assign(s.size(), 0.);
  velocities_.resize(s.size());
  double against = 0.;  // -b.N y
  for (std::size_t i = 0; i < n; ++i) {
    impulses_[i * d] = y[i] / largest;
    against -= normal_b_[i] * impulses_[i * d];
  }
  s.velocities(impulses_, velocities_);  // G N y + b
  double made = 0.;
  for (std::size_t k = 0; k < s.size(); ++k) {
    made = std::max(made, magnitude(velocities_[k] - s.b[k]));
  }
  return against > 0. && against >= most_impulse * made;
}

}  // namespace carom::complementarity
