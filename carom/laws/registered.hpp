// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <carom/laws/table.hpp>

/// Who finds a law that was registered at run time.
namespace carom {

enum class Listed : std::uint8_t {
  always,   ///< it is among laws(), so that it may be chosen by default
  by_name,  ///< find_law finds it
  no,       ///< nobody; those who have its row may still ask it
};

/// @param law  the row that register_law returned
void list_law(const Law& law, Listed listed);

}  // namespace carom
