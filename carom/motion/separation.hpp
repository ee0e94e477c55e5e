// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/complementarity/friction/velocity_newton.hpp>
#include <carom/motion/step_contacts.hpp>

namespace carom::motion {

/// The least displacement in the mass metric that removes overlap and closes gaps, to first order:
/// M^-1 W_n lambda with
///
///     0 <= lambda  _|_  gap + W_n^T displacement >= 0,    and = 0 for contacts that close.
///
/// Unlike Projection, which closes all of its gaps by one linear system an island, contacts may
/// open here, which makes it a complementarity problem: that of contacts without friction whose
/// velocities are displacements. A few sweeps of projected Gauss-Seidel come first, then the
/// semismooth Newton method of VelocityNewton if all bodies are free, and else more sweeps.
class Separation {
 public:
  /// @param mechanics  whose mass matrix is the metric
  /// @param closing  contacts whose gaps close, ascending
  /// @param goal  gaps up to this may be left [m]
  const Vector& find(const StepContacts& contacts, const Mechanics& mechanics,
                     std::span<const ContactId> closing, double goal);

 private:
  struct Unknown {
    double lambda = 0.;
    double inverse = 0.;    ///< 1/G_nn
    std::size_t place = 0;  ///< of its column of M^-1 W_n
    bool closes = false;
  };
  [[nodiscard]] double sweep(const StepContacts& contacts);
  [[nodiscard]] double gap_of(const StepContacts& contacts, std::size_t i) const;
  [[nodiscard]] bool solve(const StepContacts& contacts, double goal);
  [[nodiscard]] bool load(const StepContacts& contacts);

  std::vector<Unknown> unknowns_;
  std::vector<double> columns_;
  Mechanics::Columns mobility_;
  Vector displacement_;
  complementarity::VelocityNewton newton_;
  std::vector<std::uint32_t> number_;  ///< of bodies, by their first velocity
  std::vector<std::size_t> bodies_;    ///< where they begin among velocities
  std::vector<double> of_bodies_;      ///< displacements
};

}  // namespace carom::motion
