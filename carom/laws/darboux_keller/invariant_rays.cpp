// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/darboux_keller/invariant_rays.hpp>

#include <cmath>
#include <numbers>

namespace carom {
namespace {

Tangent direction(double angle) { return {.t1 = std::cos(angle), .t2 = std::sin(angle)}; }

/// Bisection: the zero of a function of the angle that changes its sign between `low` and `high`.
template <class Function>
double zero(const Function& f, double low, double high) {
  const bool rises = f(high) > 0.;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) return middle;
    ((f(middle) > 0.) == rises ? high : low) = middle;
  }
}

}  // namespace

std::vector<InvariantRay> invariant_rays(const SpatialProblem& problem) {
  const SlipFlow flow(problem.G, problem.surface.friction);
  const double least = SlipFlow::ray_tolerance * flow.rate();
  const auto h = [&](double angle) {
    const double turning = flow.turning(direction(angle));
    return std::abs(turning) <= least ? 0. : turning;
  };
  const auto slope = [&](double angle) { return flow.attraction(direction(angle)); };

  // h has two harmonics. Between two angles half a degree apart it is monotone or has one extremum.
  // The extremum is added to the angles, so that two rays close together are not missed.
  constexpr int steps = 720;
  std::vector<double> places;
  for (int i = 0; i < steps; ++i) {
    // Offset from tangent 1, where rays are frequent.
    const double low = (i + 0.3) * 2. * std::numbers::pi / steps;
    const double high = (i + 1.3) * 2. * std::numbers::pi / steps;
    places.push_back(low);
    if (slope(low) * slope(high) < 0.) places.push_back(zero(slope, low, high));
  }
  places.push_back(places.front() + 2. * std::numbers::pi);

  std::vector<InvariantRay> rays;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const double a = h(places[i]);
    const double b = h(places[i + 1]);
    if (!(a * b < 0. || (a == 0. && b != 0.))) continue;
    const Tangent e = direction(a == 0. ? places[i] : zero(h, places[i], places[i + 1]));
    rays.push_back({.direction = e, .growth = flow.growth(e), .attraction = flow.attraction(e)});
  }
  return rays;
}

}  // namespace carom
