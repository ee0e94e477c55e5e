// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include <carom/core/block_matrix.hpp>
#include <carom/mechanics/configuration.hpp>

/// Systems with several contacts at the instant of impact.
namespace carom {

/// Contact space of several contacts.
struct MultiContact {
  BlockMatrix G;                 ///< [1/kg]
  std::vector<double> approach;  ///< [m/s]
};

/// A system in generalized coordinates with several contacts: M, W, u, sparse.
struct MultiConfiguration {
  std::size_t components = 2;              ///< 1 frictionless, 2 plane, 3 space
  Eigen::SparseMatrix<double> M;           ///< mass matrix
  Eigen::SparseMatrix<double> W;           ///< a column for each component of each contact
  std::vector<double> u;                   ///< velocities before
  std::vector<Coordinate> coordinates;     ///< of the velocities, e.g. "ball.v_x" [m/s]
  std::vector<double> support_velocity{};  ///< of what the contacts push against, contact space;
                                           ///< empty: at rest

  [[nodiscard]] std::size_t contacts() const {
    return static_cast<std::size_t>(W.cols()) / components;
  }
};

/// G = W^T M^-1 W and v = W^T u - the velocity of the support. Throws InputError under `mass`
/// (which must be symmetric positive definite), `directions`, `velocity` or `support_velocity`.
[[nodiscard]] MultiContact contact_space(const MultiConfiguration& configuration);

/// u+ = u + M^-1 W P.
[[nodiscard]] std::vector<double> velocity_after(const MultiConfiguration& configuration,
                                                 const std::vector<double>& impulse);

/// 1/2 u.M.u [J].
[[nodiscard]] double kinetic_energy(const MultiConfiguration& configuration,
                                    const std::vector<double>& u);

/// A system at the instant of impact.
struct MultiAtImpact {
  MultiContact contact;
  std::vector<std::string> names;                   ///< of the contacts: "A", "1-2", "box-floor 3"
  std::optional<MultiConfiguration> configuration;  ///< empty for raw contact space
};

/// "1", "2", ...: default names of contacts.
[[nodiscard]] std::vector<std::string> numbered(std::size_t contacts);

/// A system in generalized coordinates, at the instant of impact. Throws as contact_space does.
/// @param names  of the contacts
[[nodiscard]] MultiAtImpact at_impact(MultiConfiguration configuration,
                                      std::vector<std::string> names);

}  // namespace carom
