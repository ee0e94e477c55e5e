// SPDX-License-Identifier: Apache-2.0
// Pictures of the figures: maps over two quantities.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <papers/sun-baruh/rod.hpp>

namespace carom::papers::sb {
namespace {

/// Figs 3 to 5. @param asks  further lines of [map]
Drawing plane_map(std::string_view title, std::string_view asks) {
  return map(fmt::format(R"(title = "A falling rod: {}"
[system]
type = "rod"
mass = 1.0
half_length = {}
inertia_factor = {}
angle_deg = 0
velocity = [1.0, 1.0]
[surface]
restitution = 0.7
friction = 0.4
[map]
x = {{ vary = "system.angle_deg", from = -70, to = 70, points = 281 }}
y = {{ vary = "slip_ratio", from = 0, to = 4, points = 201 }}
{})",
                         title, half_length, cylinder, asks));
}

/// @param asks  the lines of [map]
Drawing space_map(std::string_view title, const SpatialFall& fall, std::string_view asks) {
  return map(fmt::format(R"(title = "{}"
[system]
type = "space-rod"
mass = 1.0
half_length = {}
radius = {}
angle1_deg = {}
angle2_deg = {}
velocity = [0.4, 1.0, 0.0]
[surface]
restitution = {}
friction = {}
[map]
{})",
                         title, half_length, radius, fall.angle1_deg, fall.angle2_deg,
                         fall.surface.restitution, fall.surface.friction, asks));
}

/// A surface, and the angles up to which both are varied.
struct Angles {
  double restitution;
  double friction;
  double widest_deg;
};
constexpr Angles of_fig_8{0.8, 0.2, 25.};
constexpr Angles of_fig_10{0.7, 0.4, 50.};
constexpr Angles of_fig_11{0.5, 0.4, 50.};

/// @param title  with places for mu and e
Drawing angle_map(fmt::format_string<double, double> title, const Angles& a,
                  std::string_view asks) {
  const std::string axes = fmt::format(
      R"(x = {{ vary = "system.angle1_deg", from = -{0}, to = {0}, points = 101 }}
y = {{ vary = "system.angle2_deg", from = 0, to = {0}, points = 51 }}
)",
      a.widest_deg);
  return space_map(fmt::format(title, double{a.friction}, double{a.restitution}),
                   {0., 0., {.restitution = a.restitution, .friction = a.friction}},
                   axes + std::string(asks));
}

Drawing surface_map(std::string_view title, double angle1_deg) {
  return space_map(title, {angle1_deg, 15., {.restitution = 0.5, .friction = 0.5}},
                   R"(x = { vary = "surface.friction", from = 0, to = 1, points = 301 }
y = { vary = "surface.restitution", from = 0, to = 1, points = 101 }
show = ["mode", "restitution", "energy"]
laws = ["sun-baruh"]
)");
}

}  // namespace

Computations maps() {
  constexpr auto figure = R"(show = ["mode", "rebound", "energy"]
laws = ["sun-baruh"])";
  constexpr auto parting = R"(show = ["mode", "parting", "energy"]
laws = ["sun-baruh", "poisson"]
compare = "difference")";
  return {
      .pictures = {
          {"sun-baruh-3", plane_map("e = 0.7, μ = 0.4 (Sun & Baruh, Fig. 3)",
                                    R"(show = ["mode", "rebound", "energy"]
laws = ["poisson"])")},
          {"sun-baruh-4", plane_map("e = 0.7, μ = 0.4 (Sun & Baruh, Fig. 4)",
                                    R"(show = ["rebound", "energy"]
laws = ["energetic"])")},
          {"sun-baruh-5", plane_map("poisson over energetic (Sun & Baruh, Fig. 5)",
                                    R"(show = ["rebound", "energy"]
laws = ["poisson", "energetic"]
compare = "ratio")")},
          {"sun-baruh-8",
           angle_map("A rod in space: μ = {}, e = {} (Sun & Baruh, Fig. 8)", of_fig_8, figure)},
          {"sun-baruh-9", angle_map("A rod in space: μ = {}, e = {} (Sun & Baruh, Fig. 9)",
                                    of_fig_8, R"(show = ["mode", "rebound", "energy"]
laws = ["sun-baruh:energetic"])")},
          {"sun-baruh-10",
           angle_map("A rod in space: μ = {}, e = {} (Sun & Baruh, Fig. 10)", of_fig_10, figure)},
          {"sun-baruh-11",
           angle_map("A rod in space: μ = {}, e = {} (Sun & Baruh, Fig. 11)", of_fig_11, figure)},
          {"sun-baruh-exact-8",
           angle_map("sun-baruh against the exact process: μ = {}, e = {}", of_fig_8, parting)},
          {"sun-baruh-exact-10",
           angle_map("sun-baruh against the exact process: μ = {}, e = {}", of_fig_10, parting)},
          {"sun-baruh-12",
           surface_map("A rod in space: θ₁ = 20°, θ₂ = 15° (Sun & Baruh, Fig. 12)", 20.)},
          {"sun-baruh-13",
           surface_map("A rod in space: θ₁ = −20°, θ₂ = 15° (Sun & Baruh, Fig. 13)", -20.)}}};
}

}  // namespace carom::papers::sb
