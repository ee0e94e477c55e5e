// SPDX-License-Identifier: Apache-2.0
#include <papers/sun-baruh/rod.hpp>

#include <map>
#include <utility>

#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <carom/mechanics/planar_system.hpp>
#include <carom/study/parallel.hpp>

namespace carom::papers::sb {
namespace {

/// @param at  what is computed at (x, y)
template <class Point, class At>
Grid<Point> filled(std::vector<double> x, std::vector<double> y, const At& at) {
  Grid<Point> grid{.x = std::move(x), .y = std::move(y)};
  grid.points.resize(grid.x.size() * grid.y.size());
  study::parallel_blocks(grid.points.size(), 256, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      grid.points[k] = at(grid.x[k % grid.x.size()], grid.y[k / grid.x.size()]);
    }
  });
  return grid;
}

SpatialPoint spatial_point(const SpatialFall& fall) {
  const SpatialProblem p = problem_of(fall);
  return {.fall = fall,
          .poisson = after(fall, sun_baruh(p, Hypothesis::poisson)),
          .energetic = after(fall, sun_baruh(p, Hypothesis::energetic)),
          .exact = after(fall, darboux_keller(p, Hypothesis::poisson)),
          .exact_energetic = after(fall, darboux_keller(p, Hypothesis::energetic))};
}

SpatialGrid surface_grid(double angle1_deg) {
  return filled<SpatialPoint>(steps(0., 1., 101), steps(0., 1., 101), [&](double mu, double e) {
    return spatial_point({angle1_deg, 15., {.restitution = e, .friction = mu}});
  });
}

}  // namespace

std::vector<double> steps(double from, double to, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = from + (to - from) * (static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return values;
}

// --- in the plane --------------------------------------------------------------------------------

Configuration configuration_of(const PlanarFall& fall) {
  return configuration(Rod{.mass = 1.,
                           .half_length = half_length,
                           .inertia_factor = fall.inertia_factor,
                           .angle = fall.angle_deg * degree,
                           .velocity = {fall.ratio, 1.},
                           .spin = 0.});
}

PlanarProblem problem_of(const PlanarFall& fall) {
  const ContactSpace contact = contact_space(configuration_of(fall));
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface};
}

PlanarOutcome solved(const PlanarFall& fall, Hypothesis h) { return routh(problem_of(fall), h); }

PlanarGrid planar_grid(const Surface& surface, double inertia_factor) {
  const auto at = [&](double angle, double ratio) {
    const PlanarFall fall{angle, ratio, surface, inertia_factor};
    return PlanarPoint{fall, solved(fall), solved(fall, Hypothesis::energetic),
                       solved(fall, Hypothesis::newton)};
  };
  return filled<PlanarPoint>(steps(-70., 70., 281), steps(0., 4., 81), at);
}

const PlanarGrid& fig_3() {
  static const PlanarGrid grid = planar_grid(PlanarFall{}.surface);
  return grid;
}

double reverse_angle_deg(double inertia_factor) {
  return halved(0., 50., [&](double angle) {
    return reverses(solved({.angle_deg = angle, .inertia_factor = inertia_factor}).mode);
  });
}

GreatestDifference greatest_difference(double inertia_factor) {
  GreatestDifference best;
  for (const double angle : steps(27., 34., 281)) {
    for (const double ratio : steps(0.9, 1.4, 201)) {
      const PlanarFall fall{.angle_deg = angle, .ratio = ratio, .inertia_factor = inertia_factor};
      const double energetic = solved(fall, Hypothesis::energetic).velocity.n;
      const double per_cent = 100. * (1. - solved(fall).velocity.n / energetic);
      if (per_cent > best.per_cent) best = {angle, ratio, per_cent};
    }
  }
  return best;
}

// --- in space ------------------------------------------------------------------------------------

SpatialRod rod_of(const SpatialFall& fall) {
  return {.mass = 1.,
          .half_length = half_length,
          .radius = radius,
          .angle1 = fall.angle1_deg * degree,
          .angle2 = fall.angle2_deg * degree,
          .velocity = {0.4, 1., 0.}};
}

SpatialProblem problem_of(const SpatialFall& fall) {
  const SpatialContact contact = at_impact(rod_of(fall)).contact;
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface};
}

After after(const SpatialFall& fall, const SpatialOutcome& outcome) {
  const BodiesAtImpact rod(bodies_of(rod_of(fall)));
  const double before = rod.energy(0, rod.before(0)).total();
  const KineticParts left = rod.energy(0, rod.after(0, outcome.impulse));
  return {.velocity = outcome.velocity,
          .energy = left.total() / before,
          .rotation = left.rotation / before,
          .mode = outcome.mode};
}

SpatialGrid angle_grid(double widest_deg, const Surface& surface) {
  const auto at = [&](double x, double y) { return spatial_point({x, y, surface}); };
  return filled<SpatialPoint>(steps(-widest_deg, widest_deg, 101), steps(0., widest_deg, 51), at);
}

const SpatialGrid& fig(int number) {
  static const std::map<int, SpatialGrid> all{
      {8, angle_grid(25., {.restitution = 0.8, .friction = 0.2})},
      {10, angle_grid(50., {.restitution = 0.7, .friction = 0.4})},
      {11, angle_grid(50., {.restitution = 0.5, .friction = 0.4})},
      {12, surface_grid(20.)},
      {13, surface_grid(-20.)}};
  return all.at(number);
}

std::vector<SpatialPoint> falls_of(std::initializer_list<int> figures) {
  std::vector<SpatialPoint> all;
  for (const int n : figures) {
    all.insert(all.end(), fig(n).points.begin(), fig(n).points.end());
  }
  return all;
}

}  // namespace carom::papers::sb
