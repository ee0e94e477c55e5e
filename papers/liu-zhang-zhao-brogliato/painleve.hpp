// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <papers/liu-zhang-zhao-brogliato/cases.hpp>

/// Painlevé's paradox of a disc that slides on the point A of its rim [eqs 2.38-2.43].
namespace carom::papers::disc_ball {

/// mu from which gap'' = A F + B has A < 0, from the contact inverse inertia; infinity: none.
[[nodiscard]] double critical_friction(double r_over_h, double theta);

/// theta' above which B > 0: A of this disc lifts off [eq. 2.43] [rad/s].
[[nodiscard]] double detaching_spin(double theta);

/// r/h of the shape that needs least friction, upright.
[[nodiscard]] double easiest_shape();

}  // namespace carom::papers::disc_ball
