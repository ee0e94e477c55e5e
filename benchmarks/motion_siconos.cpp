// SPDX-License-Identifier: Apache-2.0
// The scenes in Siconos: Moreau and Jean's time stepping, and its event-driven scheme for the ball.
#include <SiconosKernel.hpp>

#include "motion_rivals.hpp"

namespace carom::benchmarks {
namespace {

/// A body with coordinates x, y and its angle, whose lowest point may touch the floor.
struct Body {
  SP::LagrangianLinearTIDS system;
  SP::NonSmoothDynamicalSystem model;
};

Body body(double mass, double inertia, double arm, double height, double velocity, double spin,
          const SP::NonSmoothLaw& law, bool friction, double end) {
  const auto q = std::make_shared<SiconosVector>(3);
  const auto v = std::make_shared<SiconosVector>(3);
  q->zero();
  v->zero();
  (*q)(1) = height;
  (*v)(0) = velocity;
  (*v)(2) = spin;
  const auto M = std::make_shared<SimpleMatrix>(3, 3);
  M->zero();
  (*M)(0, 0) = (*M)(1, 1) = mass;
  (*M)(2, 2) = inertia;
  Body b;
  b.system = std::make_shared<LagrangianLinearTIDS>(q, v, M);
  const auto weight = std::make_shared<SiconosVector>(3);
  weight->zero();
  (*weight)(1) = -mass * gravity;
  b.system->setFExtPtr(weight);
  const auto H = std::make_shared<SimpleMatrix>(friction ? 2 : 1, 3);
  H->zero();
  (*H)(0, 1) = 1.;
  if (friction) {
    (*H)(1, 0) = 1.;
    (*H)(1, 2) = arm;
  }
  const auto relation = std::make_shared<LagrangianLinearTIR>(H);
  const auto contact = std::make_shared<Interaction>(law, relation);
  b.model = std::make_shared<NonSmoothDynamicalSystem>(0., end);
  b.model->insertDynamicalSystem(b.system);
  b.model->link(contact, b.system);
  return b;
}

SP::TimeStepping stepping(const Body& b, double dt, const SP::OneStepNSProblem& problem) {
  const auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
  const auto times = std::make_shared<TimeDiscretisation>(0., dt);
  return std::make_shared<TimeStepping>(b.model, times, integrator, problem);
}

constexpr double end = 20.;

Answer ball(double dt) {
  const BouncingBall s;
  const Body b = body(s.mass, 1., 0., s.height, 0., 0.,
                      std::make_shared<NewtonImpactNSL>(s.restitution), false, end);
  const auto steps = stepping(b, dt, std::make_shared<LCP>());
  return bounce(
      s, dt,
      [&] {
        steps->computeOneStep();
        const double v = (*b.system->velocity())(1);
        steps->nextStep();
        return v;
      },
      [&] { return (*b.system->q())(1); });
}

Answer ball_by_events() {
  const BouncingBall s;
  const Body b = body(s.mass, 1., 0., s.height, 0., 0.,
                      std::make_shared<NewtonImpactNSL>(s.restitution), false, 6.);
  const auto integrator = std::make_shared<LsodarOSI>();
  const auto times = std::make_shared<TimeDiscretisation>(0., 6.);
  const auto simulation = std::make_shared<EventDriven>(b.model, times);
  simulation->insertIntegrator(integrator);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
  int struck = 0;
  while (simulation->hasNextEvent()) {
    simulation->advanceToEvent();
    const bool impact = simulation->eventsManager()->nextEvent()->getType() == 2;
    simulation->processEvents();
    if (!impact || ++struck < s.impacts) continue;
    const double v = (*b.system->velocity())(1);
    return {simulation->startingTime(), v * v / (2. * gravity)};
  }
  return {NAN, NAN};
}

Answer slips(const Body& b, double arm, double slip, double dt, bool rolls) {
  const auto steps = stepping(b, dt, std::make_shared<FrictionContact>(2));
  return slide(
      slip, dt,
      [&] {
        steps->computeOneStep();
        const SiconosVector& u = *b.system->velocity();
        const double now = u(0) + arm * u(2);
        steps->nextStep();
        return now;
      },
      [&] { return rolls ? (*b.system->velocity())(0) : (*b.system->q())(0); });
}

Answer backspin(double dt) {
  const Backspin s;
  const Body b = body(s.mass, 0.4 * s.mass * s.radius * s.radius, s.radius, 0., s.velocity, s.spin,
                      std::make_shared<NewtonImpactFrictionNSL>(0., 0., s.friction, 2), true, end);
  return slips(b, s.radius, s.slip(), dt, true);
}

Answer block(double dt) {
  const SlidingBlock s;
  const Body b = body(s.mass, 1., 0., 0., s.velocity, 0.,
                      std::make_shared<NewtonImpactFrictionNSL>(0., 0., s.friction, 2), true, end);
  return slips(b, 0., s.velocity, dt, false);
}

}  // namespace

void add_siconos(std::vector<Rival>& rivals) {
  rivals.push_back({"ball", "siconos, events", [] { return ball_by_events(); }});
  for (const auto& [dt, name] :
       {std::pair{1e-3, "siconos, 1e-3 s"}, std::pair{1e-4, "siconos, 1e-4 s"}}) {
    const double step = dt;
    rivals.push_back({"ball", name, [step] { return ball(step); }});
    rivals.push_back({"backspin", name, [step] { return backspin(step); }});
    rivals.push_back({"slide", name, [step] { return block(step); }});
  }
}

}  // namespace carom::benchmarks
