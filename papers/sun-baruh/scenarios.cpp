// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {

std::string scenario_of(const PlanarFigure& f) {
  return fmt::format(R"(title = "{}"
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
show = [{}]
laws = [{}]
{})",
                     f.title, half_length, cylinder, f.show, f.laws, f.more);
}

std::string scenario_of(const SpatialFigure& f) {
  return fmt::format(R"(title = "{0}"
[system]
type = "space-rod"
mass = 1.0
half_length = {1}
radius = {2}
angle1_deg = 0
angle2_deg = 0
velocity = [0.4, 1.0, 0.0]
[surface]
restitution = {3}
friction = {4}
[map]
x = {{ vary = "system.angle1_deg", from = -{5}, to = {5}, points = {6} }}
y = {{ vary = "system.angle2_deg", from = 0, to = {5}, points = {7} }}
show = [{8}]
laws = [{9}]
{10})",
                     f.title, half_length, radius, f.restitution, f.friction, f.widest_deg,
                     f.points, f.points / 2 + 1, f.show, f.laws, f.more);
}

std::string scenario_of(const SurfaceFigure& f) {
  return fmt::format(R"(title = "{}"
[system]
type = "space-rod"
mass = 1.0
half_length = {}
radius = {}
angle1_deg = {}
angle2_deg = {}
velocity = [0.4, 1.0, 0.0]
[surface]
restitution = 0.5
friction = 0.5
[map]
x = {{ vary = "surface.friction", from = 0, to = 1, points = 301 }}
y = {{ vary = "surface.restitution", from = 0, to = 1, points = 101 }}
show = ["mode", "restitution", "energy"]
laws = ["sun-baruh"]
)",
                     f.title, half_length, radius, f.angle1_deg, f.angle2_deg);
}

}  // namespace carom::papers::sb
