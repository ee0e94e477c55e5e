// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/impact/contact_problem.hpp>

/// An impact in the units of `lzb`, in which velocities, inverse inertias and the duration are of
/// order one.
namespace carom::lzb {

/// Stage of a contact.
enum class Spring : std::uint8_t {
  open,      ///< no stored energy, no force
  compress,  ///< v_n < 0, or at rest with a neighbour pushing
  expand,    ///< v_n > 0
};

/// Coefficients of one contact, dimensionless.
struct Contact {
  enum class Law : std::uint8_t { linear, hertz, power };

  double stiffness = 1.;
  double exponent = 1.5;
  Law law = Law::hertz;
  double restitution = 0.;
  double expansion = 0.;  ///< dx/dt = -expansion v_n in expansion: 1/e^2
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
  /// Whether the force is differentiable at x = 0.
  [[nodiscard]] bool smooth() const { return exponent >= 1.; }
  /// dF/dx.
  [[nodiscard]] double rate(double x) const { return x > 0. ? exponent * force(x) / x : 0.; }
  /// Angular frequency of small oscillations of the contact alone about x > 0: sqrt(G dF/dx).
  [[nodiscard]] double swing(double x) const {
    return std::sqrt(mobility * exponent * force(x) / x);
  }
  /// k x^(a+1)/(a+1), the stored energy.
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

/// The whole problem, dimensionless, with G by block rows.
struct Model {
  std::size_t components = 1;
  Units units;
  std::vector<Contact> contacts;
  std::vector<double> approach;
  std::vector<std::size_t> begin;      ///< start of each block row, in blocks
  std::vector<std::uint32_t> columns;  ///< column of each block
  std::vector<double> blocks;

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t i) const {
    return {columns.data() + begin[i], begin[i + 1] - begin[i]};
  }
  [[nodiscard]] const double* block(std::size_t i, std::size_t k) const {
    return blocks.data() + (begin[i] + k) * components * components;
  }
  /// The block in row i and column j, or null.
  [[nodiscard]] const double* find(std::size_t i, std::size_t j) const;

  /// Velocity of contact i for impulses P.
  void velocity(std::size_t i, const double* P, double* v) const;
};

/// @param speed  the unit of velocity [m/s]
[[nodiscard]] Model make_model(const ContactProblem& problem, double speed);

}  // namespace carom::lzb
