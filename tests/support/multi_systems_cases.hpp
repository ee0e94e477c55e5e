// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

/// The cases of tests/reference/multi.json as systems: contact space and generalized coordinates.
namespace carom::test {

struct MultiSystemCase {
  std::string id;
  std::size_t components = 2;
  Eigen::MatrixXd G;         ///< [1/kg]
  Eigen::VectorXd approach;  ///< [m/s]
  Eigen::MatrixXd mass;
  Eigen::MatrixXd directions;
  Eigen::VectorXd velocity;
  Eigen::VectorXd velocity_after;
  std::vector<double> impulse;  ///< empty where part of it is not defined
  double height = 0.;           ///< of disc-ball, b [m]
  std::string line;             ///< for `carom solve --stream`, in contact space
  std::string generalized;      ///< the same in generalized coordinates
  std::string sparse;           ///< the same in contact space, by triplets
};

[[nodiscard]] const std::vector<MultiSystemCase>& multi_system_cases();

/// The one of that name; throws where there is none.
[[nodiscard]] const MultiSystemCase& multi_system_case(const std::string& id);

}  // namespace carom::test
