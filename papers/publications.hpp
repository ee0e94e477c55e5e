// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <papers/engine/computations.hpp>
#include <papers/engine/publication.hpp>

namespace carom::papers {

// What each publication computes, in its own folder.
[[nodiscard]] Computations liu_zhang_zhao_brogliato();
[[nodiscard]] Computations shen_townsend();

[[nodiscard]] Reproduction payr_glocker();
[[nodiscard]] Reproduction brach();
[[nodiscard]] Reproduction sun_baruh();

}  // namespace carom::papers
