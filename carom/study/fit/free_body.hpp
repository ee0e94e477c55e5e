// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/measured_impacts.hpp>

/// The systems of measured impacts. Each makes, for one row, the contact of what strikes.
///
/// A free body strikes a surface at rest whose normal points up. Its velocities are those of a
/// tracked point; r goes from there to the contact, in the axes of the laboratory:
///
///     plane  v_n = v_y + r_x w, v_t = v_x - r_y w
///     space  v_c = v/s + w x r, normal z, tangents x and y; s is the scale of lengths
///
/// The mass centre is at c = R (mass_centre) from the tracked point, R from the angle or the
/// quaternion; its velocity is v/s + w x c. A corner between faces at right angles that is rounded
/// to radius rho touches at r (1 - rho/h) - rho n instead of r, h the half width.
namespace carom::study::fit {

/// How the system reads the row: `numbers[i]` of an impact is the column of the i-th name.
struct SystemColumns {
  std::vector<std::string> names;    ///< of the numbers of the system: "rx", "angle"
  std::vector<std::size_t> columns;  ///< where they are in MeasuredImpact::numbers
};

/// Fills `body`, `contact_of`, `components` and the units of the coordinates. Throws InputError
/// with the place in the file.
void set_system(const scenario::FitRequest& request, const SystemColumns& columns,
                MeasuredImpacts& data);

/// How many coordinates the system has, or 0 where a scenario's velocities are not known yet.
[[nodiscard]] std::size_t coordinates_of(const scenario::FitRequest& request);

/// k of the metric if [fit] does not say it: the given radius of gyration, or root(I/m). Throws
/// InputError where there is none.
[[nodiscard]] double radius_of(const scenario::FitRequest& request);

}  // namespace carom::study::fit
