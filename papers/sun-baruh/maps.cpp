// SPDX-License-Identifier: Apache-2.0
// Pictures of the figures: maps over two quantities, as maps.csv lists them.
#include <fmt/format.h>

#include <papers/sun-baruh/rod.hpp>

namespace carom::papers::sb {
namespace {

/// The rod without angles of its own is that in the plane.
std::string scenario_of(const Row& row) {
  const auto cell = [&](const char* head) -> const std::string& { return row.text(head); };
  const std::string rod =
      cell("θ₁").empty()
          ? fmt::format("type = 'rod'\ninertia_factor = {}\nangle_deg = 0\nvelocity = [1.0, 1.0]",
                        cylinder)
          : fmt::format(
                "type = 'space-rod'\nradius = {}\nangle1_deg = {}\nangle2_deg = {}\n"
                "velocity = [0.4, 1.0, 0.0]",
                radius, cell("θ₁"), cell("θ₂"));
  return fmt::format(R"(title = '{}'
[system]
mass = 1.0
half_length = {}
{}
[surface]
restitution = {}
friction = {}
[map]
x = {{ vary = '{}', from = {}, to = {}, points = {} }}
y = {{ vary = '{}', from = {}, to = {}, points = {} }}
show = [{}]
laws = [{}]
{})",
                     cell("title"), half_length, rod, cell("e"), cell("μ"), cell("x"), cell("from"),
                     cell("to"), cell("points"), cell("y"), cell("bottom"), cell("top"),
                     cell("rows"), cell("show"), cell("laws"),
                     cell("compare").empty() ? "" : "compare = '" + cell("compare") + "'\n");
}

}  // namespace

Computations maps() {
  Computations all;
  for (const Row& row : printed_rows("sun-baruh/maps")) {
    all.pictures.emplace(row.text("picture"), map(scenario_of(row)));
  }
  return all;
}

}  // namespace carom::papers::sb
