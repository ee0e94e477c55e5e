// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <papers/engine/computations.hpp>
#include <papers/engine/publication.hpp>

namespace carom::papers {

// What each publication computes, in its own folder.
[[nodiscard]] Computations brach();
[[nodiscard]] Computations liu_zhang_zhao_brogliato();
[[nodiscard]] Computations payr_glocker();
[[nodiscard]] Computations shen_townsend();
[[nodiscard]] Computations sun_baruh();
[[nodiscard]] Computations measured(const Work& work);

}  // namespace carom::papers
