// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <papers/engine/publication.hpp>

/// The parts of [Liu, Zhang, Zhao & Brogliato 2013], each topic in a file of its own.
namespace carom::papers::disc_ball {

[[nodiscard]] std::vector<Part> model_parts();         ///< Section 2: equations and law
[[nodiscard]] Part painleve_part();                    ///< Section 2d
[[nodiscard]] std::vector<Part> input_parts();         ///< Tables 1 and 2, eq. 3.3
[[nodiscard]] Part friction_part();                    ///< Fig. 4
[[nodiscard]] std::vector<Part> stiffness_parts();     ///< Table 3, eq. 4.1
[[nodiscard]] Part velocity_part();                    ///< Table 4
[[nodiscard]] Part pattern_figure_part();              ///< Fig. 5
[[nodiscard]] Part pattern_table_part();               ///< Table 5
[[nodiscard]] std::vector<Part> motion_parts();        ///< Figs 6, 7 and 8
[[nodiscard]] std::vector<Erratum> equation_errata();  ///< L1 to L7, L14, L15
[[nodiscard]] std::vector<Erratum> law_errata();       ///< L8 to L13, L16 to L19
[[nodiscard]] std::vector<Erratum> input_errata();     ///< L20 to L28, L40, L42, L43
[[nodiscard]] std::vector<Erratum> table_errata();     ///< L29 to L39, L41

}  // namespace carom::papers::disc_ball
