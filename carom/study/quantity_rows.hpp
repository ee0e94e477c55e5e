// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/study/quantity.hpp>

/// The built-in rows of the table of quantities.
namespace carom::study {

[[nodiscard]] std::span<const Quantity> built_in_quantities();

/// Those of vehicles, in the words of crash reconstruction; see docs/vehicles.md.
[[nodiscard]] std::span<const Quantity> vehicle_quantities();

/// Has the law no answer, so that nothing of the outcome is a number?
[[nodiscard]] bool has_no_answer(const Outcome& outcome);

}  // namespace carom::study
