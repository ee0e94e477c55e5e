// SPDX-License-Identifier: Apache-2.0
// Sparse equations of blocks against the dense ones.
#include <carom/complementarity/block_lu.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include <Eigen/LU>

namespace carom::complementarity {
namespace {

/// A symmetric pattern with entries that are not, and a diagonal that outweighs them.
struct Equations {
  std::size_t rows = 0;
  std::size_t block = 0;
  std::vector<std::size_t> begin{0};
  std::vector<std::uint32_t> column;
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

using Random = std::mt19937;

double draw(Random& random) { return static_cast<double>(random()) / 2147483648. - 1.; }

Equations random_equations(Random& random, std::size_t rows, std::size_t block) {
  Equations e;
  e.rows = rows;
  e.block = block;
  std::vector<std::vector<bool>> linked(rows, std::vector<bool>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) linked[i][j] = linked[j][i] = random() % rows < 3;
  }
  const auto size = static_cast<Eigen::Index>(rows * block);
  const auto d = static_cast<Eigen::Index>(block);
  e.A = Eigen::MatrixXd::Zero(size, size);
  const auto fill = [&](std::size_t i, std::size_t j) {
    auto made = e.A.block(static_cast<Eigen::Index>(i) * d, static_cast<Eigen::Index>(j) * d, d, d);
    for (double& x : made.reshaped()) x = draw(random);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      if (!linked[i][j]) continue;
      e.column.push_back(static_cast<std::uint32_t>(j));
      fill(i, j);
    }
    e.begin.push_back(e.column.size());
    fill(i, i);
  }
  for (Eigen::Index k = 0; k < size; ++k) e.A(k, k) += e.A.row(k).cwiseAbs().sum() + 1.;
  e.b = Eigen::VectorXd::NullaryExpr(size, [&] { return draw(random); });
  return e;
}

/// As a block by rows.
void put(const Equations& e, std::size_t i, std::size_t j, double* to) {
  for (std::size_t r = 0; r < e.block; ++r) {
    for (std::size_t c = 0; c < e.block; ++c) {
      to[r * e.block + c] = e.A(static_cast<Eigen::Index>(i * e.block + r),
                                static_cast<Eigen::Index>(j * e.block + c));
    }
  }
}

/// What the rows kept have as their solution, and b elsewhere.
Eigen::VectorXd dense_solution(const Equations& e, const std::vector<std::uint8_t>& kept) {
  std::vector<Eigen::Index> which;
  for (std::size_t k = 0; k < e.rows * e.block; ++k) {
    if (kept[k / e.block] != 0) which.push_back(static_cast<Eigen::Index>(k));
  }
  Eigen::VectorXd x = e.b;
  if (which.empty()) return x;
  const Eigen::MatrixXd part = e.A(which, which);
  const Eigen::VectorXd right = e.b(which);
  x(which) = part.fullPivLu().solve(right);
  return x;
}

void expect_solved(BlockLu& lu, const Equations& e, const std::vector<std::uint8_t>& kept) {
  lu.analyze(e.block, e.begin, e.column);
  lu.keep(kept);
  lu.clear();
  for (std::size_t i = 0; i < e.rows; ++i) {
    put(e, i, i, lu.diagonal(i));
    for (std::size_t k = e.begin[i]; k < e.begin[i + 1]; ++k) {
      put(e, i, e.column[k], lu.off_diagonal(k));
    }
  }
  ASSERT_TRUE(lu.factorize());
  std::vector<double> x(e.b.begin(), e.b.end());
  lu.solve(x);
  const Eigen::VectorXd expected = dense_solution(e, kept);
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double wanted = expected(static_cast<Eigen::Index>(k));
    if (kept[k / e.block] == 0) {
      EXPECT_EQ(x[k], wanted) << k;
    } else {
      EXPECT_NEAR(x[k], wanted, 1e-9) << k;
    }
  }
}

// Rows that leave and come back, other entries, other patterns: all on one object.
TEST(BlockLu, SolvesTheRowsKept) {
  Random random(11);
  BlockLu lu;
  for (const std::size_t block : {1U, 2U, 3U}) {
    for (const std::size_t rows : {1U, 2U, 7U, 20U, 60U}) {
      for (int pattern = 0; pattern < 5; ++pattern) {
        Equations e = random_equations(random, rows, block);
        const std::vector<std::uint8_t> all(rows, 1);
        SCOPED_TRACE(testing::Message() << rows << " rows of blocks of " << block);
        expect_solved(lu, e, all);
        for (const unsigned in_four : {3U, 2U, 1U, 0U}) {
          std::vector<std::uint8_t> some(rows);
          for (auto& k : some) k = random() % 4 < in_four ? 1 : 0;
          expect_solved(lu, e, some);
          expect_solved(lu, e, all);
          e.A *= 1.5;
          expect_solved(lu, e, some);
        }
        expect_solved(lu, e, all);
      }
    }
  }
}

// A singular diagonal block is reported where it takes part, and only there.
TEST(BlockLu, TellsSingularBlocks) {
  for (const std::size_t block : {1U, 2U, 3U}) {
    const std::vector<std::size_t> begin{0, 0, 0};
    BlockLu lu;
    lu.analyze(block, begin, {});
    lu.clear();
    for (std::size_t r = 0; r < block; ++r) lu.diagonal(0)[r * (block + 1)] = 2.;
    EXPECT_FALSE(lu.factorize());
    lu.keep(std::vector<std::uint8_t>{1, 0});
    ASSERT_TRUE(lu.factorize());
    std::vector<double> x(2 * block, 1.);
    lu.solve(x);
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(x[k], k < block ? 0.5 : 1.);
  }
}

}  // namespace
}  // namespace carom::complementarity
