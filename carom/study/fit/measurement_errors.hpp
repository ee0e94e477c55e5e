// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <Eigen/Core>

#include <carom/study/fit/measured_impacts.hpp>

namespace carom::study::fit {

/// The residual of an impact whose velocities before have errors, too. With f(y-) the law's
/// prediction, F = df/dy-, and the measured y- and y+ of covariance S- and S+,
///
///     r = C^-1/2 (f(y-) - y+),   C = S+ + F S- F^T,
///
/// so that |r|^2 is the least of |dy-|^2/S- + |y+ - f(y- + dy-)|^2/S+ over the true y- + dy-, to
/// first order in dy-: total least squares with the velocities before as nuisance [Deming 1943]. C
/// depends on the coefficients, and derivatives of |r|^2 have to take that into account: with C
/// held constant, coefficients would be drawn towards zero. Components of r have deviation 1.
///
/// F is exact but for differences of the law at approaches that are off by a hundredth of their
/// standard error.
/// @pre the impact has both standard errors, and y+ is known
/// @param residual  objective.width() numbers
void whitened_residual(const Objective& objective, std::size_t impact, std::span<const double> p,
                       Eigen::VectorXd& residual);

/// Throws InputError that says which row of those to be fitted has no standard errors.
void require_errors(const MeasuredImpacts& data, std::span<const std::size_t> impacts);

}  // namespace carom::study::fit
