// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/pivoting.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::complementarity {

LemkeStatus FrictionPivoting::solve(const ScaledFriction& s, std::span<double> P,
                                    std::size_t most_pivots, std::size_t directions) {
  const std::size_t d = s.components;
  direction_.assign(1, {1., 0., 0.});
  if (d == 2) {
    direction_.push_back({0., 1., 0.});
    direction_.push_back({0., -1., 0.});
  } else if (d == 3) {
    for (std::size_t k = 0; k < directions / 2; ++k) {
      const double angle =
          2. * std::numbers::pi * static_cast<double>(k) / static_cast<double>(directions);
      direction_.push_back({0., std::cos(angle), std::sin(angle)});
      direction_.push_back({0., -std::cos(angle), -std::sin(angle)});
    }
  }
  const auto rubs = [&](std::size_t i) { return s.mu[i] > 0. && !s.slides(i); };
  const std::size_t with_friction = direction_.size();  // rows without the slack
  // Rows of a contact, of these directions: from first_row to rows_of, without the normal one where
  // P_n is given.
  const auto first_row = [&](std::size_t i) -> std::size_t { return s.pushes(i) ? 1 : 0; };
  const auto rows_of = [&](std::size_t i) { return rubs(i) ? with_friction : 1; };
  // What one unit of a row's unknown is in P: friction of a contact that slides is tied to P_n.
  const auto unit = [&](std::size_t i, std::size_t r) {
    std::array<double, 3> made = direction_[r];
    for (std::size_t c = 1; r == 0 && s.slides(i) && c < d; ++c) {
      made[c] = -s.mu[i] * s.prescribed[i].direction[c - 1];
    }
    return made;
  };
  first_.resize(s.contacts);
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    first_[i] = n;
    n += rows_of(i) - first_row(i) + (rubs(i) ? 1 : 0);
  }
  M_.assign(n * n, 0.);
  q_.assign(n, 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const std::size_t first = first_row(i);
    const std::size_t at = first_[i] - first;  // of the normal row, if there is one
    const std::size_t rows = rows_of(i);
    const auto along = [&](const std::array<double, 3>& e, const double* x, std::size_t stride) {
      double sum = e[0] * x[0];
      for (std::size_t c = 1; c < d; ++c) sum += e[c] * x[c * stride];
      return sum;
    };
    for (std::size_t r = first; r < rows; ++r) q_[at + r] = along(direction_[r], &s.b[i * d], 1);
    const auto add = [&](std::size_t j, const double* block, std::size_t step) {
      const std::size_t columns = rows_of(j);
      for (std::size_t r = first; r < rows; ++r) {
        std::array<double, 3> row{};  // of the block, along d_r
        for (std::size_t c = 0; c < d; ++c) row[c] = along(direction_[r], block + c, step);
        q_[at + r] += along(unit(j, 0), row.data(), 1) * s.floor[j];
        double* to = &M_[(at + r) * n + first_[j] - first_row(j)];
        for (std::size_t c = first_row(j); c < columns; ++c) {
          to[c] = along(unit(j, c), row.data(), 1);
        }
      }
    };
    add(i, &s.diagonal[i * d * d], d);
    s.for_blocks(i, [&](std::size_t j, const double* block) { add(j, block, s.step()); });
    if (!rubs(i)) continue;
    const std::size_t slack = at + rows;
    if (first == 0) M_[slack * n + at] = s.mu[i];
    q_[slack] = s.mu[i] * s.floor[i];
    for (std::size_t r = 1; r < rows; ++r) {
      M_[slack * n + at + r] = -1.;
      M_[(at + r) * n + slack] = 1.;
    }
  }
  const LemkeStatus status = lemke_.solve(M_, q_, most_pivots);
  const auto z = lemke_.z();
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const std::size_t at = first_[i] - first_row(i);
    P[i * d] = s.floor[i] + (s.pushes(i) ? 0. : z[at]);
    for (std::size_t c = 1; c < d; ++c) {
      P[i * d + c] = unit(i, 0)[c] * P[i * d];
      for (std::size_t r = 1; r < rows_of(i); ++r) P[i * d + c] += z[at + r] * direction_[r][c];
    }
    if (d != 2) continue;
    const double bound = s.mu[i] * P[i * d];
    P[i * d + 1] = std::clamp(P[i * d + 1], -bound, bound);
  }
  return status;
}

}  // namespace carom::complementarity
