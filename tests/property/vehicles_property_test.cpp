// SPDX-License-Identifier: Apache-2.0
// Any two vehicles: momentum, energy, and that nothing depends on how the world's axes lie.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <carom/mechanics/vehicles.hpp>
#include <carom/study/quantity.hpp>

namespace carom::test {
namespace {

using shapes::plane::Point;

Point unit(double degrees) {
  const auto [x, y] = unit_direction(degrees);
  return {x, y};
}

Vehicle any_vehicle() {
  Vehicle v;
  v.mass = *rc::gen::inRange(500, 40'000);
  v.yaw_inertia = v.mass * *thousandths(500, 9000);
  v.forward = unit(*rc::gen::inRange(-180, 180));
  v.impulse_centre = {*thousandths(-3000, 3000), *thousandths(-1000, 1000)};
  v.velocity = *thousandths(0, 50'000) * unit(*rc::gen::inRange(-180, 180));
  v.yaw_rate = *thousandths(-2000, 2000);
  v.crush_share = 0.5;
  return v;
}

/// The whole world turned.
Vehicle turned_by(Vehicle v, const Point& axis) {
  v.forward = turned(axis, v.forward);
  v.velocity = turned(axis, v.velocity);
  return v;
}

/// An impact under `brach`, with all that quantities need.
struct Crash {
  SystemAtImpact system;
  Outcome outcome;
  std::vector<double> after;

  Crash(Vehicles vehicles, const Surface& surface) : system(at_impact(std::move(vehicles))) {
    system.problem.surfaces = {surface};
    Workspace workspace;
    solve(*find_law("brach"), system.problem, {}, workspace, outcome);
    after = system.velocity_after(outcome.impulse);
  }
  [[nodiscard]] double value(const char* name, std::size_t i = 0) const {
    const study::OutcomeView view{.law = find_law("brach"),
                                  .problem = &system.problem,
                                  .outcome = &outcome,
                                  .energy_before = system.energy_before(),
                                  .system = &system,
                                  .after = &after};
    return value_of(study::find_quantity(name, "test"), view, i);
  }
};

struct Drawn {
  Vehicles vehicles;
  Surface surface;
};

Drawn any_crash() {
  Drawn d;
  d.vehicles.each = {any_vehicle(), any_vehicle()};
  const Point along = unit(*rc::gen::inRange(-90, 90));
  const auto& each = d.vehicles.each;
  const Point apart =
      each[1].to_world(each[1].impulse_centre) - each[0].to_world(each[0].impulse_centre);
  RC_PRE(std::abs(cross(along, apart)) > 0.1);
  d.vehicles.normal = contact_normal(each, along);
  d.surface.restitution = *restitution();
  d.surface.friction = *friction();
  if (*rc::gen::inRange(0, 2) == 1) d.surface.moment[0] = *thousandths(-1000, 0);
  return d;
}

RC_GTEST_PROP(Vehicles, KeepMomentumAndTheirEnergyIsThatOfTheImpulse, ()) {
  const Drawn d = any_crash();
  const Crash crash(d.vehicles, d.surface);
  RC_PRE(crash.outcome.impulse[0] > 0.);
  const auto& each = crash.system.vehicles->each;
  const auto& u = crash.system.u;
  const auto& v = crash.after;
  Point linear{};
  double angular = 0.;  // about the impulse centre
  double size = 0.;
  double turning = 0.;
  double energy = 0.;
  double most_energy = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    const Point change = each[i].mass * Point{v[3 * i] - u[3 * i], v[3 * i + 1] - u[3 * i + 1]};
    const double spin = each[i].yaw_inertia * (v[3 * i + 2] - u[3 * i + 2]);
    const Point from = -each[i].to_world(each[i].impulse_centre);
    linear = linear + change;
    angular += spin + cross(from, change);
    size += length(change);
    turning += std::abs(spin) + std::abs(cross(from, change));
    const auto kinetic = [&](const std::vector<double>& w) {
      return 0.5 * each[i].mass * (w[3 * i] * w[3 * i] + w[3 * i + 1] * w[3 * i + 1]) +
             0.5 * each[i].yaw_inertia * w[3 * i + 2] * w[3 * i + 2];
    };
    energy += kinetic(v) - kinetic(u);
    most_energy += kinetic(v) + kinetic(u);
  }
  constexpr double tight = 1e-10;
  RC_ASSERT(length(linear) <= tight * size);
  RC_ASSERT(std::abs(angular) <= tight * turning);
  RC_ASSERT(std::abs(energy - crash.outcome.energy.change) <= tight * most_energy);
  // Delta-V is impulse over mass; the forces are opposite.
  RC_ASSERT(std::abs(crash.value("delta_v", 0) * each[0].mass -
                     crash.value("delta_v", 1) * each[1].mass) <= tight * size);
  // The energy that EES stands for is what was lost.
  const double by_ees = 0.5 * each[0].mass * std::pow(crash.value("ees", 0), 2) +
                        0.5 * each[1].mass * std::pow(crash.value("ees", 1), 2);
  RC_ASSERT(std::abs(by_ees - std::max(0., -energy)) <= tight * most_energy);
}

RC_GTEST_PROP(Vehicles, AreTheSameInATurnedWorld, ()) {
  const Drawn d = any_crash();
  const double degrees = *rc::gen::inRange(-180, 180);
  const Point axis = unit(degrees);
  Drawn e = d;
  for (Vehicle& v : e.vehicles.each) v = turned_by(v, axis);
  e.vehicles.normal = turned(axis, d.vehicles.normal);
  const Crash one(d.vehicles, d.surface);
  const Crash other(e.vehicles, e.surface);
  // Impacts at the edge of stick and slip may fall to either side, and badly conditioned ones vary.
  RC_PRE(one.outcome.impulse[0] > 0. && other.outcome.impulse[0] > 0.);
  double scale = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    scale = std::max({scale, one.value("delta_v", i), one.value("speed", i)});
  }
  constexpr double tight = 1e-8;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const char* name : {"speed", "delta_v", "delta_v_forward", "delta_v_left", "ees"}) {
      RC_ASSERT(std::abs(one.value(name, i) - other.value(name, i)) <= tight * scale);
    }
    RC_ASSERT(std::abs(one.value("yaw_rate", i) - other.value("yaw_rate", i)) * degree *
                  std::sqrt(d.vehicles.each[i].yaw_inertia / d.vehicles.each[i].mass) <=
              tight * scale);
  }
}

}  // namespace
}  // namespace carom::test
