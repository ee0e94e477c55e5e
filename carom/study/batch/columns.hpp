// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include <carom/core/error.hpp>
#include <carom/study/batch/batch.hpp>

/// How batches check their columns and name them in errors.
namespace carom::study {

/// A column, and the field of a single problem that it stands for.
template <class Batch>
struct ColumnName {
  std::string_view field;  ///< as `validate` of one problem calls it
  std::string_view name;
  Column Batch::*column;
  bool optional = false;  ///< may be empty
};

/// Checks the sizes of the columns, then every problem. Throws InputError that names the column and
/// the impact: "nn[17]".
template <class Batch>
void validate_columns(const Batch& batch, std::span<const ColumnName<Batch>> names,
                      Release release) {
  for (const ColumnName<Batch>& n : names) {
    const Column& column = batch.*n.column;
    const bool for_all = !column.varies() && !column.empty();
    if (for_all || (column.empty() && n.optional)) continue;
    if (column.size() != batch.size) {
      throw InputError(std::string(n.name), "must have " + std::to_string(batch.size) +
                                                " entries, got " + std::to_string(column.size()));
    }
  }
  for (std::size_t i = 0; i < batch.size; ++i) {
    try {
      validate(problem_at(batch, i), release);
    } catch (const InputError& e) {
      const auto n =
          std::ranges::find(names, std::string_view(e.field()), &ColumnName<Batch>::field);
      if (n == names.end()) throw;
      std::string field(n->name);
      if ((batch.*(n->column)).varies()) field += "[" + std::to_string(i) + "]";
      throw InputError(field, e.problem());
    }
  }
}

}  // namespace carom::study
