// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <Eigen/Core>

namespace carom {

/// Throws InputError under `field` unless a symmetric matrix is positive semidefinite up to
/// rounding. The rows may have any units.
void require_semidefinite(const Eigen::MatrixXd& G, std::string_view field);

}  // namespace carom
