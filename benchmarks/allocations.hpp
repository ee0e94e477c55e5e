// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// How often the program has called operator new.
[[nodiscard]] std::size_t allocations();
