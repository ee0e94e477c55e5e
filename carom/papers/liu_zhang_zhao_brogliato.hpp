// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/papers/publication.hpp>

/// The parts of [Liu, Zhang, Zhao & Brogliato 2013], each topic in a file of its own.
namespace carom::papers::disc_ball {

[[nodiscard]] std::vector<Part> model_parts();      ///< Section 2: equations, law, Painlevé
[[nodiscard]] std::vector<Part> input_parts();      ///< Tables 1 and 2, eq. 3.3
[[nodiscard]] Part friction_part();                 ///< Fig. 4
[[nodiscard]] std::vector<Part> stiffness_parts();  ///< Table 3, eq. 4.1
[[nodiscard]] Part velocity_part();                 ///< Table 4
[[nodiscard]] std::vector<Part> pattern_parts();    ///< Fig. 5 and Table 5
[[nodiscard]] std::vector<Part> motion_parts();     ///< Figs 6, 7 and 8
[[nodiscard]] std::vector<Erratum> model_errata();  ///< L1 to L19
[[nodiscard]] std::vector<Erratum> data_errata();   ///< L20 and on

}  // namespace carom::papers::disc_ball
