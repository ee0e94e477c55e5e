// SPDX-License-Identifier: Apache-2.0
// The slide parameter of [Sun & Baruh 2022, Sec. 5].
#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/laws/routh.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

/// A particle: G = 1/m in all directions.
Statement particle() {
  std::size_t wrong = 0;
  for (const double s : {0.2, 0.5, 0.9, 0.99, 1.01, 1.1, 2., 5.}) {
    constexpr double mu = 0.4;
    const PlanarProblem p{.G = {.nn = 1., .nt = 0., .tt = 1.},
                          .approach = {.n = -1., .t = s * mu},
                          .surface = {.restitution = 0., .friction = mu},
                          .spin = {}};
    const bool ends = routh(p, Hypothesis::poisson).mode == Mode::stops_in_compression_sticks;
    if (ends != (s < 1.)) ++wrong;
  }
  return {.says = "A particle stops sliding in compression where s < 1, and slides on where s > 1",
          .holds = wrong == 0,
          .found = fmt::format("8 values of s from 0.2 to 5: {} otherwise", wrong),
          .known = {}};
}

}  // namespace

Part slide_parameter_part() {
  Table table{.caption = "s = v_Cx/(μ v_Cy) of the figures",
              .columns = {"figure", "v_Cx/v_Cy", "μ", "s"},
              .rows = {}};
  const Vec2 v{.n = -1., .t = 0.4};
  table.rows.push_back(
      {{given("Fig. 8"), given("0.4"), given("0.2"), compared(*slide_parameter(v, 0.2), "2")}});
  table.rows.push_back(
      {{given("Fig. 10"), given("0.4"), given("0.4"), compared(*slide_parameter(v, 0.4), "1")}});
  return {
      .id = "Section 5",
      .title = "The slide parameter",
      .text =
          "`slide_parameter` for the approach of the figures, and what it means for a particle.",
      .tables = {std::move(table)},
      .statements = {particle()},
      .pictures = {}};
}

}  // namespace carom::papers::sb
