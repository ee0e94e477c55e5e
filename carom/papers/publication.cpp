// SPDX-License-Identifier: Apache-2.0
#include <carom/papers/publication.hpp>

#include <algorithm>
#include <array>

namespace carom::papers {
namespace {

constexpr std::array<Publication, 5> all{{
    {.name = "payr-glocker",
     .authors = "M. Payr, Ch. Glocker",
     .year = 2005,
     .title =
         "Oblique frictional impact of a bar: analysis and comparison of different impact laws",
     .where = "Nonlinear Dynamics 41",
     .link = "https://doi.org/10.1007/s11071-005-8200-z",
     .about =
         "Impact with friction as a complementarity problem, on a bar that strikes the ground; its "
         "regimes, its critical friction, and how it compares with Walton's operator and a model "
         "of "
         "springs. Here it is the law `moreau`; Walton's operator is `walton`, the springs are "
         "`compliant`.",
     .reproduce = payr_glocker},
    {.name = "brach",
     .authors = "R. M. Brach",
     .year = 1998,
     .title = "Formulation of rigid body impact problems using generalized coefficients",
     .where = "International Journal of Engineering Science 36, 61-71",
     .link = "https://doi.org/10.1016/S0020-7225(97)00057-8",
     .about = "Impact as a linear system in space: a coefficient for each component of impulse and "
              "of couple, bounded by energy. Here it is the law `brach`.",
     .reproduce = brach},
    {.name = "liu-zhang-zhao-brogliato",
     .authors = "C. Liu, H. Zhang, Z. Zhao, B. Brogliato",
     .year = 2013,
     .title = "Impact-contact dynamics in a disc-ball system",
     .where = "Proceedings of the Royal Society A 469, 20120741",
     .link = "https://doi.org/10.1098/rspa.2012.0741",
     .about =
         "A ball strikes a disc that stands on the ground: four contacts at once, then sliding, "
         "sticking and more impacts. Here the impact is the law `lzb`, the motion after it "
         "`carom simulate`.",
     .reproduce = liu_zhang_zhao_brogliato},
    {.name = "shen-townsend",
     .authors = "H. Shen, M. A. Townsend",
     .year = 1998,
     .title = "Collisions of constrained rigid body systems with friction",
     .where = "Shock and Vibration",
     .link = "",
     .about =
         "Mechanisms that strike, with slip that stops or reverses and two coefficients of "
         "friction. Here it is `poisson` with `static_friction`, under the name `shen-townsend`.",
     .reproduce = shen_townsend},
    {.name = "sun-baruh",
     .authors = "H. Sun, H. Baruh",
     .year = 2022,
     .title = "Analysis of three-dimensional rigid-body impact with friction",
     .where = "Dynamics 2, 1-26",
     .link = "https://doi.org/10.3390/dynamics2010001",
     .about =
         "Modes of a falling rod in the plane, exactly, and in space with an algebraic estimate of "
         "the direction of slip. Here `poisson` and `energetic` in the plane, `sun-baruh` in "
         "space.",
     .reproduce = sun_baruh},
}};

}  // namespace

std::span<const Publication> publications() { return all; }

const Publication* find_publication(std::string_view name) {
  const auto* at =
      std::find_if(all.begin(), all.end(), [&](const Publication& p) { return p.name == name; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace carom::papers
