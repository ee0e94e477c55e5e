// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/impact/contact_problem.hpp>

/// An impact as `lzb` computes it: in units that make velocities, inverse inertias and the time
/// that it takes of order one.
namespace carom::lzb {

/// What a contact does with its stored energy.
enum class Spring : std::uint8_t {
  open,      ///< nothing stored, no force
  compress,  ///< v_n < 0, or at rest with others pushing
  expand,    ///< v_n > 0
};

/// One contact's coefficients, dimensionless.
struct Contact {
  enum class Law : std::uint8_t { linear, hertz, power };

  double stiffness = 1.;
  double exponent = 1.5;
  Law law = Law::hertz;
  double restitution = 0.;
  double expansion = 0.;  ///< dx/dt = -v_n times this in expansion: 1/e^2
  double friction = 0.;
  double static_friction = 0.;
  double mobility = 0.;  ///< G_nn

  /// k x^a.
  [[nodiscard]] double force(double x) const {
    if (!(x > 0.)) return 0.;
    switch (law) {
      case Law::linear:
        return stiffness * x;
      case Law::hertz:
        return stiffness * (x * std::sqrt(x));
      case Law::power:
        break;
    }
    return stiffness * std::pow(x, exponent);
  }
  /// The force has a slope everywhere.
  [[nodiscard]] bool smooth() const { return exponent >= 1.; }
  /// dF/dx.
  [[nodiscard]] double rate(double x) const { return x > 0. ? exponent * force(x) / x : 0.; }
  /// The frequency at which the contact by itself would swing about x > 0: sqrt(G dF/dx).
  [[nodiscard]] double swing(double x) const {
    return std::sqrt(mobility * exponent * force(x) / x);
  }
  /// k x^(a+1)/(a+1), what the spring stores.
  [[nodiscard]] double energy(double x) const {
    return x > 0. ? force(x) * x / (exponent + 1.) : 0.;
  }
};

/// The units, in SI.
struct Units {
  double velocity = 1.;  ///< [m/s]
  double mobility = 1.;  ///< [1/kg]
  double length = 1.;    ///< [m], of deformation

  [[nodiscard]] double time() const { return length / velocity; }
  [[nodiscard]] double impulse() const { return velocity / mobility; }
  [[nodiscard]] double energy() const { return velocity * impulse(); }
  [[nodiscard]] double force() const { return impulse() / time(); }
};

/// The whole problem, dimensionless, G by rows of blocks.
struct Model {
  std::size_t components = 1;
  Units units;
  std::vector<Contact> contacts;
  std::vector<double> approach;
  std::vector<std::size_t> begin;      ///< of each row, in blocks
  std::vector<std::uint32_t> columns;  ///< of each block
  std::vector<double> blocks;

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
    return {columns.data() + begin[i], begin[i + 1] - begin[i]};
  }
  [[nodiscard]] const double* block(std::size_t i, std::size_t k) const {
    return blocks.data() + (begin[i] + k) * components * components;
  }
  /// The block of row i and column j, or null.
  [[nodiscard]] const double* find(std::size_t i, std::size_t j) const;

  /// Velocities where the impulses are P, one contact's.
  void velocity(std::size_t i, const double* P, double* v) const;
};

/// @param speed  the velocity that counts as one [m/s]
[[nodiscard]] Model make_model(const ContactProblem& problem, double speed);

}  // namespace carom::lzb
