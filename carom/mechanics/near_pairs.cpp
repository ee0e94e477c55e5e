// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/near_pairs.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

/// The grid cell of a ball: integers, stored as double so that they do not overflow.
struct Celled {
  std::array<double, 3> cell{};
  std::size_t ball = 0;
};

bool before(const Celled& a, const Celled& b) {
  return a.cell != b.cell ? a.cell < b.cell : a.ball < b.ball;
}

bool near(const World3& a, const World3& b, double reach) {
  const World3 d{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return std::abs(d[0]) <= reach && std::abs(d[1]) <= reach && std::abs(d[2]) <= reach &&
         length(d) <= reach;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> near_pairs(const std::vector<World3>& centres,
                                                            const std::vector<double>& radii) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (centres.empty()) return pairs;
  std::vector<double> sorted = radii;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double large = 4. * *middle;
  const auto add = [&](std::size_t i, std::size_t j) {
    if (near(centres[i], centres[j], radii[i] + radii[j])) {
      pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
  };

  // Balls no larger than `large` are put into cells as wide as the largest of them, so that only
  // neighbouring cells matter.
  double width = 0.;
  for (const double r : radii) {
    if (r <= large) width = std::max(width, 2. * r);
  }
  std::vector<Celled> all;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    if (radii[i] > large) {
      for (std::size_t j = 0; j < centres.size(); ++j) {
        if (radii[j] <= large || j < i) add(i, j);
      }
      continue;
    }
    Celled c{.cell = {}, .ball = i};
    for (std::size_t k = 0; k < 3; ++k) {
      c.cell[k] = width > 0. ? std::floor(centres[i][k] / width) : 0.;
    }
    all.push_back(c);
  }
  std::sort(all.begin(), all.end(), before);
  // The cells beside those of the balls come in the same order as the balls: each of the nine rows
  // of neighbours is found by going on from where it was for the ball before.
  std::array<std::size_t, 9> rows{};
  for (const Celled& c : all) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t row = k / 3;
      const double dx = static_cast<double>(row) - 1.;
      const double dy = static_cast<double>(k % 3) - 1.;
      // Three consecutive cells.
      const Celled first{.cell = {c.cell[0] + dx, c.cell[1] + dy, c.cell[2] - 1.}, .ball = 0};
      const double last = c.cell[2] + 1.;
      while (rows[k] < all.size() && before(all[rows[k]], first)) ++rows[k];
      for (std::size_t i = rows[k]; i < all.size() && all[i].cell[0] == first.cell[0] &&
                                    all[i].cell[1] == first.cell[1] && all[i].cell[2] <= last;
           ++i) {
        if (all[i].ball > c.ball) add(c.ball, all[i].ball);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  // If cell numbers are so large that they are rounded, a neighbour may appear twice.
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace carom
