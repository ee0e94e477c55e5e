// SPDX-License-Identifier: Apache-2.0
#include "many_lzb_siconos.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include <SiconosKernel.hpp>

namespace carom::benchmarks {
namespace {

SP::LagrangianLinearTIDS ball(double position, double velocity) {
  const auto q = std::make_shared<SiconosVector>(1);
  const auto v = std::make_shared<SiconosVector>(1);
  (*q)(0) = position;
  (*v)(0) = velocity;
  const auto M = std::make_shared<SimpleMatrix>(1, 1);
  (*M)(0, 0) = 1.;
  return std::make_shared<LagrangianLinearTIDS>(q, v, M);
}

SP::Interaction contact(double restitution) {
  const auto H = std::make_shared<SimpleMatrix>(1, 2);
  (*H)(0, 0) = -1.;
  (*H)(0, 1) = 1.;
  const auto law = std::make_shared<MultipleImpactNSL>(restitution, 1., 1.5);
  return std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(H));
}

}  // namespace

SiconosChain siconos_chain(std::size_t balls, double restitution, double step) {
  constexpr double gap = 0.1;  // in front of the first ball, so that it strikes at t = 0.1
  const auto model = std::make_shared<NonSmoothDynamicalSystem>(0., 2. * gap);
  std::vector<SP::LagrangianLinearTIDS> row;
  for (std::size_t i = 0; i < balls; ++i) {
    row.push_back(i == 0 ? ball(-gap, 1.) : ball(0., 0.));
    model->insertDynamicalSystem(row.back());
  }
  for (std::size_t i = 0; i + 1 < balls; ++i) {
    model->link(contact(restitution), row[i], row[i + 1]);
  }
  const auto times = std::make_shared<TimeDiscretisation>(0., 2. * gap);
  const auto simulation = std::make_shared<EventDriven>(model, times);
  simulation->insertIntegrator(std::make_shared<LsodarOSI>());
  const auto impact = std::make_shared<MultipleImpact>("BiStiffness", step);
  constexpr unsigned no_limit = 2'000'000'000;
  impact->SetNstepMax(no_limit);
  simulation->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
  simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);

  SiconosChain found;
  while (simulation->hasNextEvent()) {
    simulation->advanceToEvent();
    const auto start = std::chrono::steady_clock::now();
    simulation->processEvents();
    // The impact is the event that takes longest by far; others do nothing.
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    found.microseconds = std::max(found.microseconds, taken.count());
  }
  for (const auto& b : row) found.velocity.push_back((*b->velocity())(0));
  return found;
}

}  // namespace carom::benchmarks
