// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/semidefinite.hpp>

#include <cmath>
#include <string>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom {

void require_semidefinite(const Eigen::MatrixXd& G, std::string_view field) {
  const Eigen::Index n = G.rows();
  const std::string name(field);
  const std::string must = "must be positive semidefinite, got ";
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (G(i, i) < 0.) throw InputError(name, must + shortest(G(i, i)) + " on the diagonal");
    scale(i) = G(i, i) > 0. ? 1. / std::sqrt(G(i, i)) : 0.;
    for (Eigen::Index j = 0; j < i; ++j) {
      if (std::abs(G(i, j)) <= (1. + rounding) * std::sqrt(G(i, i)) * std::sqrt(G(j, j))) continue;
      throw InputError(name, must + shortest(G(i, j)) + " at [" + std::to_string(i) + "][" +
                                 std::to_string(j) + "]");
    }
  }
  const double smallest = symmetric_eigenvalues(scale.asDiagonal() * G * scale.asDiagonal())(0);
  if (!(smallest >= -rounding * static_cast<double>(n))) {
    throw InputError(name,
                     must + "an eigenvalue " + shortest(smallest) + " of its correlation matrix");
  }
}

}  // namespace carom
