// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/study/comparison.hpp>
#include <carom/study/quantity.hpp>

/// Which quantities the forms of a comparison show, and what stands in a cell of them.
namespace carom::report {

/// Is a quantity of contacts, and not of the impact as a whole?
[[nodiscard]] bool is_of_contacts(study::Over over);

[[nodiscard]] bool has_several(const study::Comparison& comparison);

/// Is a quantity shown there, for such contacts?
[[nodiscard]] bool is_shown(const study::Quantity& quantity, const study::Comparison& comparison,
                            study::Shown where);

/// What one answer has in one cell; "-" where it is not defined.
[[nodiscard]] std::string cell(const study::Comparison& comparison, const study::Answer& answer,
                               const study::QuantityEntry& entry);

/// Is there something to show of it under any law?
[[nodiscard]] bool any(const study::Comparison& comparison, const study::QuantityEntry& entry);

}  // namespace carom::report
