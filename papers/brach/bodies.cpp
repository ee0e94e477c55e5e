// SPDX-License-Identifier: Apache-2.0
#include <papers/brach/bodies.hpp>

#include <array>

namespace carom::papers::br {
namespace {

SpatialBody random_body(FixedRandom& random, double side) {
  SpatialBody b;
  b.mass = random(0.3, 3.);
  b.inertia = {};
  for (std::size_t i = 0; i < 3; ++i) b.inertia[i][i] = b.mass * random(0.1, 0.16);
  b.contact_offset = {random(-0.5, 0.5), random(-0.5, 0.5), side * random(0.3, 1.)};
  b.velocity = {random(-1., 1.), random(-1., 1.), side * random(1., 3.)};
  b.spin = {random(-1., 1.), random(-1., 1.), random(-1., 1.)};
  return b;
}

std::array<double, 3> moment_coefficients(FixedRandom& random, Couples couples) {
  switch (couples) {
    case Couples::none:
      break;
    case Couples::some:
      return {random(-1., -0.2), random(-1., -0.2), random(-1., -0.2)};
    case Couples::stopped:
      return {0., -1., 0.};
  }
  return {-1., -1., -1.};
}

}  // namespace

double Pair::energy_before() const {
  return bodies.energy(0, bodies.before(0)).total() + bodies.energy(1, bodies.before(1)).total();
}

double Pair::energy_after() const {
  double sum = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    sum += bodies.energy(i, bodies.after(i, outcome.impulse, outcome.couple)).total();
  }
  return sum;
}

std::optional<Pair> random_pair(FixedRandom& random, Couples couples) {
  SpatialBodies given;
  given.first = random_body(random, -1.);
  given.second = random_body(random, 1.);
  SpatialSurface surface{.restitution = random(0., 1.)};
  const double mu = random(-0.5, 0.5);
  surface.impulse_ratio = std::array{mu, random(-0.5, 0.5)};
  surface.moment_coefficients = moment_coefficients(random, couples);

  const BodiesAtImpact bodies(given);
  const SpatialContact& c = bodies.contact();
  if (!(c.approach.n < -0.1)) return std::nullopt;
  const SpatialProblem problem{
      .G = c.G, .approach = c.approach, .surface = surface, .spin = c.spin};
  const SpatialOutcome outcome = brach(problem);
  if (outcome.verdict() == Verdict::no_solution) return std::nullopt;
  return Pair{.given = given, .bodies = bodies, .problem = problem, .outcome = outcome};
}

}  // namespace carom::papers::br
