// SPDX-License-Identifier: Apache-2.0
#include <papers/sun-baruh/rod.hpp>

#include <cmath>

#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <carom/mechanics/planar_system.hpp>
#include <carom/study/parallel.hpp>

namespace carom::papers::sb {
namespace {

constexpr World3 approach{0.4, 1., 0.};  // of the mass centre [m/s], y down
constexpr std::size_t grain = 256;

SpatialPoint point_at(const SpatialFall& fall) {
  const SpatialProblem p = problem_of(fall);
  return {.fall = fall,
          .poisson = told(fall, sun_baruh(p, Hypothesis::poisson)),
          .energetic = told(fall, sun_baruh(p, Hypothesis::energetic)),
          .exact = told(fall, darboux_keller(p, Hypothesis::poisson)),
          .exact_energetic = told(fall, darboux_keller(p, Hypothesis::energetic))};
}

/// Fills the points of a grid whose axes stand.
template <class Fall>
void fill(SpatialGrid& grid, const Fall& fall_at) {
  grid.points.resize(grid.x.size() * grid.y.size());
  study::parallel_blocks(grid.points.size(), grain, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      grid.points[k] = point_at(fall_at(grid.x[k % grid.x.size()], grid.y[k / grid.x.size()]));
    }
  });
}

}  // namespace

std::vector<double> steps(double from, double to, std::size_t count) {
  std::vector<double> values(count);
  const auto last = static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = from + (to - from) * (static_cast<double>(i) / last);
  }
  return values;
}

PlanarProblem problem_of(const PlanarFall& fall) {
  const Rod rod{.mass = 1.,
                .half_length = half_length,
                .inertia_factor = fall.inertia_factor,
                .angle = fall.angle_deg * degree,
                .velocity = {fall.ratio, 1.},
                .spin = 0.};
  const ContactSpace contact = contact_space(configuration(rod));
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface, .spin = {}};
}

double energy_ratio(const PlanarFall& fall, const PlanarOutcome& outcome) {
  const double before = 0.5 * (1. + fall.ratio * fall.ratio);
  return 1. + outcome.energy.change / before;
}

double rebound(const PlanarFall& fall, const PlanarOutcome& outcome) {
  return outcome.velocity.n / fall.surface.restitution;
}

Surface surface_of_fig_3() { return {.restitution = 0.7, .friction = 0.4}; }

PlanarGrid planar_grid(const Surface& surface, double inertia_factor) {
  PlanarGrid grid{.angles_deg = steps(-70., 70., 281), .ratios = steps(0., 4., 81), .points = {}};
  const std::size_t columns = grid.angles_deg.size();
  grid.points.resize(columns * grid.ratios.size());
  study::parallel_blocks(grid.points.size(), grain, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const PlanarFall fall{.angle_deg = grid.angles_deg[k % columns],
                            .ratio = grid.ratios[k / columns],
                            .surface = surface,
                            .inertia_factor = inertia_factor};
      const PlanarProblem p = problem_of(fall);
      grid.points[k] = {.fall = fall,
                        .poisson = routh(p, Hypothesis::poisson),
                        .energetic = routh(p, Hypothesis::energetic),
                        .newton = routh(p, Hypothesis::newton)};
    }
  });
  return grid;
}

SpatialRod rod_of(const SpatialFall& fall) {
  return {.mass = 1.,
          .half_length = half_length,
          .radius = radius,
          .angle1 = fall.angle1_deg * degree,
          .angle2 = fall.angle2_deg * degree,
          .velocity = approach,
          .spin = {}};
}

SpatialProblem problem_of(const SpatialFall& fall) {
  const SpatialContact contact = at_impact(rod_of(fall)).contact;
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface, .spin = {}};
}

Told told(const SpatialFall& fall, const SpatialOutcome& outcome) {
  const BodiesAtImpact rod(bodies_of(rod_of(fall)));
  const double before = rod.energy(0, rod.before(0)).total();
  const KineticParts after = rod.energy(0, rod.after(0, outcome.impulse));
  return {.velocity = outcome.velocity,
          .energy = after.total() / before,
          .rotation = after.rotation / before,
          .mode = outcome.mode};
}

double rebound(const SpatialFall& fall, const Told& told) {
  return told.velocity.n / fall.surface.restitution;
}

double distance(const Told& a, const Told& b) {
  const Vec3 d = a.velocity - b.velocity;
  return std::sqrt(dot(d, d));
}

SpatialGrid angle_grid(double widest_deg, double step_deg, double restitution, double friction,
                       double static_friction) {
  const auto half = static_cast<std::size_t>(std::lround(widest_deg / step_deg));
  SpatialGrid grid{.x = steps(-widest_deg, widest_deg, 2 * half + 1),
                   .y = steps(0., widest_deg, half + 1),
                   .points = {}};
  const SpatialSurface surface{
      .restitution = restitution, .friction = friction, .static_friction = static_friction};
  fill(grid, [&](double x, double y) {
    return SpatialFall{.angle1_deg = x, .angle2_deg = y, .surface = surface};
  });
  return grid;
}

SpatialGrid surface_grid(double angle1_deg, double angle2_deg) {
  SpatialGrid grid{.x = steps(0., 1., 101), .y = steps(0., 1., 101), .points = {}};
  fill(grid, [&](double x, double y) {
    return SpatialFall{.angle1_deg = angle1_deg,
                       .angle2_deg = angle2_deg,
                       .surface = {.restitution = y, .friction = x}};
  });
  return grid;
}

}  // namespace carom::papers::sb
