// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace carom {

/// Radau's method IIA with seven stages, order 13: collocation at the zeros of P_7 - P_6 on [0, 1],
/// the last of which is the end of the step, so that the method is L-stable
/// [Hairer & Wanner 1996, section IV.5].
///
///     Y_k = y0 + h sum_j a_kj f(Y_j),    a_kj = integral of l_j from 0 to c_k,    y1 = Y_7
///
/// with l_j the polynomial of Lagrange of stage j.
struct Radau7 {
  static constexpr std::size_t stages = 7;
  /// Of the error estimate and of the course within the step.
  static constexpr double order = 8.;
  static constexpr std::array<double, stages> nodes{0.029316427159784891972,
                                                    0.14807859966848429185,
                                                    0.3369846902811542991,
                                                    0.55867151877155013208,
                                                    0.76923386203005450092,
                                                    0.92694567131974111485,
                                                    1.};
  static constexpr std::array<double, stages> weights{
      0.074494235556010317933, 0.15910211573365074087, 0.2123518895029778042,
      0.22355491450728323475,  0.1904749368221155769,  0.11961374461265620289,
      0.020408163265306122449};

  using Row = std::array<double, stages>;
  using FullRow = std::array<double, stages + 1>;  ///< the start of the step is the first

  /// Node of a full row.
  static constexpr double node(std::size_t j) { return j == 0 ? 0. : nodes[j - 1]; }

  /// The polynomials of Lagrange through the start and all stages, at x.
  static constexpr FullRow lagrange(double x) {
    FullRow l{};
    for (std::size_t j = 0; j <= stages; ++j) {
      l[j] = 1.;
      for (std::size_t m = 0; m <= stages; ++m) {
        if (m != j) l[j] *= (x - node(m)) / (node(j) - node(m));
      }
    }
    return l;
  }

  /// The polynomials of Lagrange through the stages alone, at the start.
  static constexpr Row at_start() {
    Row l{};
    for (std::size_t j = 0; j < stages; ++j) {
      l[j] = 1.;
      for (std::size_t m = 0; m < stages; ++m) {
        if (m != j) l[j] *= -nodes[m] / (nodes[j] - nodes[m]);
      }
    }
    return l;
  }

  /// The integrals of the others from 0 to x, by the method's own quadrature, which is exact for
  /// them. The course y(x) = y0 + h sum_j integral_j f_j has the slope f at the start: where y - y0
  /// grows like x^2 its relative error stays bounded.
  static constexpr FullRow integrals(double x) {
    FullRow sum{};
    for (std::size_t m = 0; m < stages; ++m) {
      const FullRow l = lagrange(x * nodes[m]);
      for (std::size_t j = 0; j <= stages; ++j) sum[j] += x * weights[m] * l[j];
    }
    return sum;
  }

  /// a_kj.
  static constexpr std::array<Row, stages> inner() {
    std::array<Row, stages> a{};
    for (std::size_t k = 0; k < stages; ++k) {
      for (std::size_t j = 0; j < stages; ++j) {
        for (std::size_t m = 0; m < stages; ++m) {
          double l = 1.;
          for (std::size_t i = 0; i < stages; ++i) {
            if (i != j) l *= (nodes[k] * nodes[m] - nodes[i]) / (nodes[j] - nodes[i]);
          }
          a[k][j] += nodes[k] * weights[m] * l;
        }
      }
    }
    return a;
  }

  /// The result less that of the interpolating quadrature without the end of the step: a multiple
  /// of the divided difference of order 7 of the rates, so that it is O(h^8).
  static constexpr FullRow error() {
    double size = 0.;  // the integral of x (x - c_1) ... (x - c_6)
    for (std::size_t m = 0; m < stages; ++m) {
      double p = weights[m];
      for (std::size_t j = 0; j < stages; ++j) p *= nodes[m] - node(j);
      size += p;
    }
    FullRow e{};
    for (std::size_t j = 0; j <= stages; ++j) {
      e[j] = size;
      for (std::size_t m = 0; m <= stages; ++m) {
        if (m != j) e[j] /= node(j) - node(m);
      }
    }
    return e;
  }
};

}  // namespace carom
