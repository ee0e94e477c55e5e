// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/core/dop853_tableau.hpp>

/// Explicit Runge-Kutta methods with embedded error estimates.
namespace carom::lzb {

using dop853::Sum;

/// Order 5, six stages, first-same-as-last [Dormand & Prince 1980].
struct DormandPrince5 {
  static constexpr std::size_t stages = 6;
  static constexpr double order = 5.;
  static constexpr bool needs_end = true;  ///< the estimate uses the derivative at the end

  static constexpr std::array<Sum, stages> inner = {{
      {0, {}},
      {1, {{{0, 1. / 5.}}}},
      {2, {{{0, 3. / 40.}, {1, 9. / 40.}}}},
      {3, {{{0, 44. / 45.}, {1, -56. / 15.}, {2, 32. / 9.}}}},
      {4, {{{0, 19372. / 6561.}, {1, -25360. / 2187.}, {2, 64448. / 6561.}, {3, -212. / 729.}}}},
      {5,
       {{{0, 9017. / 3168.},
         {1, -355. / 33.},
         {2, 46732. / 5247.},
         {3, 49. / 176.},
         {4, -5103. / 18656.}}}},
  }};
  static constexpr Sum result = {5,
                                 {{{0, 35. / 384.},
                                   {2, 500. / 1113.},
                                   {3, 125. / 192.},
                                   {4, -2187. / 6784.},
                                   {5, 11. / 84.}}}};
  /// Difference to the result of order 4.
  static constexpr std::array<Sum, 1> errors = {{{6,
                                                  {{{0, 71. / 57600.},
                                                    {2, -71. / 16695.},
                                                    {3, 71. / 1920.},
                                                    {4, -17253. / 339200.},
                                                    {5, 22. / 525.},
                                                    {6, -1. / 40.}}}}}};
  static double size(const std::array<double, 1>& error) { return error[0]; }
};

/// Order 8, 12 stages, estimates of orders 5 and 3
/// [Hairer, Norsett & Wanner 1993, sec. II.5, DOP853].
struct DormandPrince8 {
  static constexpr std::size_t stages = dop853::step_stages;
  static constexpr double order = 8.;
  static constexpr bool needs_end = false;

  static constexpr const auto& inner = dop853::inner;
  static constexpr Sum result = dop853::inner[stages];
  static constexpr std::array<Sum, 2> errors = {dop853::fifth, dop853::third};
  /// [Hairer, Norsett & Wanner 1993, eq. II.10.17]
  static double size(const std::array<double, 2>& error) {
    const double both = std::sqrt(error[0] * error[0] + 0.01 * error[1] * error[1]);
    return both == 0. ? 0. : error[0] * error[0] / both;  // propagates NaN
  }
};

}  // namespace carom::lzb
