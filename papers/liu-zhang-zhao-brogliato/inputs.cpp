// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 3, the restitution of case 1, and the duration of an impact.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/impact.hpp>

namespace carom::papers::disc_ball {
namespace {

std::vector<Computed> densities() {
  const double r = disc().radius;
  const double sphere = 4. / 3. * std::numbers::pi * std::pow(ball().radius, 3);
  const double cylinder = std::numbers::pi * r * r * 2. * disc().half_thickness;
  return {{{"density [kg/m^3]", std::round(ball().mass / sphere)}},
          {{"density [kg/m^3]", std::round(disc().mass / cylinder)}}};
}

Computed relative_height(const Row& row) {
  return {{"b/r", all_cases()[row.index].height / disc().radius}};
}

Course central_impact() { return course_of(case_of(1), {.tolerance = 1e-11}); }

std::vector<Computed> central() {
  const auto u = central_impact().after;
  return {{{"ball [m/s]", u[0]},
           {"disc [m/s]", u[2]},
           {"theta' [rad/s]", u[4]},
           {"e_D, eq. 3.3", (u[2] - u[0]) / case_of(1).velocity}}};
}

Found ground_takes_no_part() {
  const Course course = central_impact();
  const auto& P = course.outcome.impulse;
  const double spin = course.after[4];
  const double share = (std::abs(P[0]) + std::abs(P[2]) + std::abs(P[4])) / P[6];
  return {std::abs(spin) * disc().radius < 1e-10 * case_of(1).velocity && share < 1e-10,
          {{"spin", spin}, {"share", share}}};
}

std::vector<Computed> stiffnesses() {
  const double k_D = hertz_stiffness(modulus_at_D(), ball().radius);
  const Computed ground{{"k [N/m^1.5]", hertz_stiffness(modulus_on_ground(), disc().radius)}};
  return {{{"k [N/m^1.5]", k_D}}, ground, ground, ground};
}

std::vector<Computed> halves() {
  const MultiSurface& ground = case_of(1).surfaces[0];
  return {{{"half of cases 1-4", 0.5 * ground.friction}},
          {{"half of cases 1-4", 0.5 * ground.static_friction}}};
}

double duration_of(const Case& c) { return time_constant() * std::pow(c.velocity, -0.2); }

/// How long ball and disc touch in a central elastic impact of that speed, from the course of
/// `lzb`.
double followed_duration(const Case& c) {
  Case central = case_of(1);
  central.velocity = c.velocity;
  central.surfaces[3].restitution = 1.;
  central.surfaces[3].stiffness = hertz_stiffness(modulus_at_D(), ball().radius);
  const auto time = course_of(central, {.tolerance = 1e-11}).trace.time;
  return time.back() - time.front();
}

std::vector<Computed> durations() {
  std::vector<Computed> all;
  for (const Row& row : rows("table-2")) {
    const Case& c = all_cases()[row.index];
    all.push_back({{"case", row.text("case")},
                   {"v_b [m/s]", row.text("v_b [m/s]")},
                   {"T_c [ms], eq. 4.1", 1e3 * duration_of(c)},
                   {"T_c [ms], course of lzb, e = 1", 1e3 * followed_duration(c)},
                   {"samples at 50 kHz", std::round(duration_of(c) * sampling_rate)}});
  }
  return all;
}

Found course_agrees() {
  double worst = 0.;
  for (const Case& c : all_cases()) {
    worst = largest(worst, std::abs(followed_duration(c) - duration_of(c)) / duration_of(c));
  }
  return {worst < 1e-3, {{"percent", 100. * worst}}};
}

Found tenth_of_a_millisecond() {
  double shortest = 1., longest = 0.;
  for (const Case& c : all_cases()) {
    shortest = std::min(shortest, duration_of(c));
    longest = largest(longest, duration_of(c));
  }
  return {shortest > 0.5e-4 && longest < 1.5e-4,
          {{"shortest", 1e3 * shortest},
           {"longest", 1e3 * longest},
           {"fewest", shortest * sampling_rate},
           {"most", longest * sampling_rate}}};
}

}  // namespace

Computations inputs() {
  return {.checks = {{"ground-takes-no-part", ground_takes_no_part},
                     {"course-agrees", course_agrees},
                     {"tenth-of-a-millisecond", tenth_of_a_millisecond}},
          .tables = {{"table-1", densities},
                     {"table-2", relative_height},
                     {"central", central},
                     {"table-3", stiffnesses},
                     {"halves", halves},
                     {"time-constant",
                      [](const Row&) {
                        return Computed{{"k_Tc [m^0.2 s^0.8]", time_constant()}};
                      }},
                     {"durations", durations}}};
}

}  // namespace carom::papers::disc_ball
