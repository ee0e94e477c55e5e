// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <carom/study/fit/measured_impacts.hpp>

/// How near any law could come to what was measured.
namespace carom::study::fit {

/// Impulses among which the best is sought.
struct ImpulseSet {
  bool loses_energy = true;          ///< the contact's work P.(v- + G P/2) is not positive
  std::optional<double> friction{};  ///< P_n >= 0 and |P_t| <= mu P_n; none: any impulse
};

/// The least error of one impact [1] that an impulse of the set can reach,
///
///     min |y+ - y- - M^-1 W P| / |y-|   in the metric of the data.
///
/// No rigid body law whose impulse lies in the set has a lower error, whatever its coefficients. A
/// convex problem: the best impulse that loses energy by one scalar equation; if it lies outside
/// the cone the best is on the cone's boundary, where each ray has a closed form. In space the ray
/// is found to 1e-8 of its angle. Where G is singular the cone is not taken into account, so that
/// the result remains a bound.
/// @param impact  y+ is known
[[nodiscard]] double least_error(const MeasuredImpacts& data, const MeasuredContact& contact,
                                 const MeasuredImpact& impact, const ImpulseSet& set);

/// The same of many impacts, in their order, with the body and the friction that `p` means.
struct LeastErrors {
  std::vector<double> any_impulse;    ///< what no impulse can produce
  std::vector<double> losing_energy;  ///< any impulse that loses energy
  std::vector<double> in_cone;        ///< of these, those in the friction cone
};
[[nodiscard]] LeastErrors least_errors(const Objective& objective,
                                       std::span<const std::size_t> impacts,
                                       std::span<const double> p, unsigned threads = 0);

}  // namespace carom::study::fit
