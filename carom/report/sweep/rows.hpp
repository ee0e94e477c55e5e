// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <carom/study/sweep/sweep.hpp>

namespace carom::report {

/// Calls `take(first, inputs, values)` with the rows of a sweep, block by block: the number of the
/// first row, a column for each input, and one for each result. @pre rows are kept
void for_rows(const study::SweepPlan& plan, const study::BlockStore& store,
              const std::function<void(std::size_t first, const study::Columns& inputs,
                                       const study::Columns& values)>& take);

/// A row for each point, or where rows are not kept a row for each statistic.
void write_sweep_csv(const study::SweepPlan& plan, const study::SweepResult& result,
                     const study::BlockStore& store,
                     const std::function<void(std::string_view)>& sink);

/// Columns, statistics, indices, with units, the scenario and the request; no times, so that equal
/// sweeps are equal files.
void write_sweep_hdf5(const study::SweepPlan& plan, const study::SweepResult& result,
                      const study::BlockStore& store, const std::filesystem::path& file);

/// What carom.plot draws.
[[nodiscard]] std::string sweep_record(const study::SweepPlan& plan,
                                       const study::SweepResult& result,
                                       const study::BlockStore& store);

}  // namespace carom::report
