// SPDX-License-Identifier: Apache-2.0
#include <carom/report/hodograph_view.hpp>

#include <algorithm>
#include <cmath>

#include <carom/report/map_frame.hpp>

namespace carom::report {
namespace {

/// The same middle, at least `size` wide.
Range at_least(const Range& r, double size) {
  if (r.size() >= size) return r;
  const double middle = 0.5 * (r.least + r.most);
  return {.least = middle - 0.5 * size, .most = middle + 0.5 * size};
}

}  // namespace

SlipView slip_view(const SpatialPaths& paths, double speed, double aspect) {
  // Ranges begin as a point: the first slip.
  const Tangent first = tangential(paths.front().front().velocity);
  SlipView view{.t1 = {.least = first.t1, .most = first.t1},
                .t2 = {.least = first.t2, .most = first.t2}};
  for (const auto& path : paths) {
    for (const SpatialPathPoint& x : path) {
      view.t1.include(x.velocity.t1);
      view.t2.include(x.velocity.t2);
    }
  }
  const double extent = std::max(view.t1.size(), view.t2.size());
  const double farthest = std::max({-view.t1.least, view.t1.most, -view.t2.least, view.t2.most});
  // What changes of slip, of what there is: less is far away from zero, and still less is nothing.
  constexpr double little = 0.12;
  constexpr double nothing = 1e-3;
  const bool near = extent > little * farthest || !(extent > nothing * farthest);
  if (near) {
    view.t1.include(0.);
    view.t2.include(0.);
  }
  double size = std::max(view.t1.size(), view.t2.size());
  if (!(farthest > 1e-9 * speed)) size = speed > 0. ? speed : 1.;  // no slip at all
  // A margin, and something on both sides of what is straight.
  view.t1 = at_least(view.t1.widened(0.1), 0.3 * size);
  view.t2 = at_least(view.t2.widened(0.1), 0.3 * size);
  view.t1 = at_least(view.t1, aspect * view.t2.size());
  view.t2 = at_least(view.t2, view.t1.size() / aspect);
  return view;
}

RayKind kind_of(const InvariantRay& ray) {
  if (ray.attracts()) return ray.converges() ? attracting_in : attracting_out;
  return ray.converges() ? repelling_in : repelling_out;
}

bool has_kind(const std::vector<SeenRay>& rays, RayKind kind) {
  return std::any_of(rays.begin(), rays.end(),
                     [&](const SeenRay& r) { return kind_of(r.ray) == kind; });
}

std::vector<SeenRay> seen_rays(const std::vector<InvariantRay>& rays, const SlipView& view) {
  std::vector<SeenRay> seen;
  const double reach = 2. * (std::abs(view.t1.least) + std::abs(view.t1.most) +
                             std::abs(view.t2.least) + std::abs(view.t2.most));
  const Box box{
      .left = view.t1.least, .bottom = view.t2.least, .right = view.t1.most, .top = view.t2.most};
  for (const InvariantRay& ray : rays) {
    const Tangent far = reach * ray.direction;
    const auto inside = shares_inside({.x = 0., .y = 0.}, {.x = far.t1, .y = far.t2}, box);
    if (!inside || !(inside->size() > 0.)) continue;
    seen.push_back({.ray = ray, .from = inside->least * far, .to = inside->most * far});
  }
  return seen;
}

}  // namespace carom::report
