// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/measured_impacts.hpp>

namespace carom::study::fit {

struct SystemColumns;

/// The system of any scenario with one contact: columns give the numbers of [system] by their
/// paths, and the measured velocities are its generalized velocities. Numbers of [system] that no
/// column gives can be fitted by their paths. Throws InputError with the place in the file.
void set_scenario(const scenario::FitRequest& request, const SystemColumns& columns,
                  MeasuredImpacts& data);

}  // namespace carom::study::fit
