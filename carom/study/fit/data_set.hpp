// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <carom/scenario/csv_table.hpp>
#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/measured_impacts.hpp>

/// Measured impacts from a table of a file.
namespace carom::study::fit {

/// What the rows are for.
enum class Use : std::uint8_t {
  fit,      ///< velocities after are needed; rows that [fit.keep] does not keep are left out
  predict,  ///< velocities after need not be there; all rows
};

/// The data set that a request describes, of the rows of `table`. Rows come in the order of their
/// ids, so that nothing depends on their order in the file. Rows that are not fitted and cannot be
/// read are listed in `unreadable`. Throws InputError with file and line, and the column that may
/// be meant.
/// @param columns  that parameters depend on, `columns_of`
[[nodiscard]] MeasuredImpacts read_impacts(const scenario::FitRequest& request,
                                           const scenario::CsvTable& table,
                                           const std::vector<scenario::PlacedText>& columns,
                                           Use use);

}  // namespace carom::study::fit
