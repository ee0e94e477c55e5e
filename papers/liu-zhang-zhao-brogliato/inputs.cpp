// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 3, the restitution of case 1, and the duration of an impact.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/laws/lzb.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_cases.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

Part materials_and_cases() {
  const double ball = ball_mass / (4. / 3. * std::numbers::pi * std::pow(ball_radius, 3));
  const double disc =
      disc_mass / (std::numbers::pi * disc_radius * disc_radius * 2. * half_thickness);
  Table materials{
      .caption =
          "Table 1: what ball and disc are made of. Their densities follow; the "
          "ball carries a small tube for its strings",
      .columns = {"body", "mass [g]", "radius [mm]", "thickness [mm]", "Y [GPa]", "nu",
                  "density [kg/m^3]"},
      .rows = {{{given("ball"), given("69.24"), given("12.5"), given("-"), given("206"),
                 given("0.3"), ours(std::round(ball))}},
               {{given("disc"), given("209.69"), given("37.5"), given("6"),
                 given("1.20 (paper on its face)"), given("0.3"), ours(std::round(disc))}}}};
  Table cases{.caption = "Table 2: the nine impacts",
              .columns = {"case", "b [mm]", "b/r", "v_b [m/s]"},
              .rows = {}};
  for (const DiscBallCase& c : disc_ball_cases()) {
    cases.rows.push_back(
        {{given(fmt::format("{}", c.number)), given(fmt::format("{:g}", 1e3 * c.height)),
          compared(c.height / disc_radius, std::string(c.ratio)),
          given(fmt::format("{:g}", c.velocity))}});
  }
  return {.id = "Tables 1 and 2",
          .title = "Materials and impacts",
          .text = "Inputs. Only the relative heights can be compared.",
          .tables = {std::move(materials), std::move(cases)}};
}

MultiOutcome central_impact(MultiAtImpact& at) {
  const DiscBallCase& c = disc_ball_case(1);
  const DiscBallSurfaces surfaces = surfaces_of(c);
  at = at_impact(system_of(c));
  return solve_lzb({.G = at.contact.G,
                    .approach = at.contact.approach,
                    .surfaces = {surfaces.begin(), surfaces.end()}},
                   {.tolerance = 1e-11});
}

Part central_part() {
  MultiAtImpact at;
  const MultiOutcome o = central_impact(at);
  const std::vector<double> u = velocity_after(*at.configuration, o.impulse);
  const double v_b = disc_ball_case(1).velocity;
  const double e = (u[2] - u[0]) / v_b;
  const double ground = std::abs(o.impulse[0]) + std::abs(o.impulse[2]) + std::abs(o.impulse[4]);
  return {.id = "Eq. 3.3",
          .title = "Restitution from the central impact, case 1",
          .text =
              "Case 1 under `lzb` with e_D of Table 3. Through the centre the ground has no part, "
              "and all hypotheses of restitution agree: eq. 3.3 gives back the e_D that is put in, "
              "0.7043.",
          .tables = {{.caption = "Case 1, after the impact",
                      .columns = {"ball [m/s]", "disc [m/s]", "theta' [rad/s]", "e_D put in",
                                  "e_D, eq. 3.3"},
                      .rows = {{{ours(u[0]), ours(u[2]), ours(u[4]), given("0.7043"), ours(e)}}}}},
          .statements = {
              {.says = "The disc does not turn, and the ground takes no part",
               .holds = std::abs(u[4]) * disc_radius < 1e-10 * v_b && ground < 1e-10 * o.impulse[6],
               .found = fmt::format("theta' = {:.1e} rad/s, impulse of the ground {:.1e} "
                                    "of that at D",
                                    u[4], ground / o.impulse[6])}}};
}

Part stiffness_part() {
  const double k_D = hertz_stiffness(contact_modulus(steel_modulus, paper_modulus), ball_radius);
  const double k_A = hertz_stiffness(contact_modulus(steel_modulus, steel_modulus), disc_radius);
  const auto row = [](const char* point, const char* e, const char* mu_s, const char* mu, Cell k,
                      const char* cases) {
    return Table::Row{{given(point), given(e), given(mu_s), given(mu), std::move(k), given(cases)}};
  };
  Table parameters{
      .caption =
          "Table 3: coefficients of the contacts; stiffness k = 4/3 E* sqrt(R) from Table 1 (its "
          "unit is printed as N/m: L42)",
      .columns = {"point", "e", "mu_s", "mu", "k [N/m^1.5]", "cases"},
      .rows = {
          row("D", "0.7043", "0.075", "0.07", compared(k_D, "1.9640e8", "L24"), "1-9"),
          row("A, B, C", "0.9064", "0.15", "0.14", compared(k_A, "2.9217e10", "L40"), "1-4, 7-9"),
          row("A, B, C", "0.9064", "0.23", "0.185", ours(k_A), "5"),
          row("A, B, C", "0.9064", "0.23", "0.17", ours(k_A), "6")}};
  Table halves{
      .caption = "Friction at D is half that on the ground",
      .columns = {"coefficient", "half of cases 1-4"},
      .rows = {
          {{given("mu_D"), compared(0.5 * surfaces_of(disc_ball_case(1))[0].friction, "0.07")}},
          {{given("mu_D,s"),
            compared(0.5 * surfaces_of(disc_ball_case(1))[0].static_friction, "0.075")}}}};
  return {.id = "Table 3",
          .title = "Coefficients of the contacts",
          .text =
              "Restitution and friction are inputs, found by experiment; stiffness follows from "
              "Hertz's contact and Table 1. The printed stiffnesses are used for everything "
              "that follows.",
          .tables = {std::move(parameters), std::move(halves)}};
}

/// How long ball and disc touch in a central elastic impact, from the course of `lzb` [s].
double elastic_duration(double v_b) {
  DiscBallCase c = disc_ball_case(1);
  c.velocity = v_b;
  DiscBallSurfaces surfaces = surfaces_of(c);
  surfaces[3].restitution = 1.;
  surfaces[3].stiffness =
      hertz_stiffness(contact_modulus(steel_modulus, paper_modulus), ball_radius);
  const MultiAtImpact at = at_impact(system_of(c));
  MultiTrace trace;
  (void)solve_lzb({.G = at.contact.G,
                   .approach = at.contact.approach,
                   .surfaces = {surfaces.begin(), surfaces.end()}},
                  {.tolerance = 1e-11}, &trace);
  return trace.time.back() - trace.time.front();
}

Part duration_part() {
  const double k = contact_time_constant();
  Table constant{.caption = "T_c = k_Tc v_b^(-1/5) (the unit is printed as m^-0.2 s^0.8: L43)",
                 .columns = {"k_Tc [m^0.2 s^0.8]"},
                 .rows = {{{compared(k, "4.7531e-4", "L25")}}}};
  Table times{.caption = "Duration of the impacts",
              .columns = {"case", "v_b [m/s]", "T_c [ms], eq. 4.1",
                          "T_c [ms], course of lzb, e = 1", "samples at 50 kHz"},
              .rows = {}};
  double worst = 0., shortest = 1., longest = 0.;
  for (const DiscBallCase& c : disc_ball_cases()) {
    const double T = k * std::pow(c.velocity, -0.2);
    const double followed = elastic_duration(c.velocity);
    worst = largest(worst, std::abs(followed - T) / T);
    shortest = std::min(shortest, T);
    longest = largest(longest, T);
    times.rows.push_back(
        {{given(fmt::format("{}", c.number)), given(fmt::format("{:g}", c.velocity)), ours(1e3 * T),
          ours(1e3 * followed), ours(std::round(T * sampling_rate))}});
  }
  return {
      .id = "Eq. 4.1",
      .title = "Duration of an impact",
      .text =
          "Hertz's time of a central elastic impact of ball and disc, from Table 1, beside the "
          "time that `lzb` reconstructs from forces and impulses.",
      .tables = {std::move(constant), std::move(times)},
      .statements = {
          {.says = "T_c is the duration of a normal impact between ball and disc",
           .holds = worst < 1e-3,
           .found = fmt::format("the course of `lzb` agrees to {:.2f} % (2.87 is rounded "
                                "from 2.868)",
                                100. * worst)},
          {.says = "T_c is about 0.1 ms, which is five samples",
           .holds = shortest > 0.5e-4 && longest < 1.5e-4,
           .found = fmt::format("{:.3f} to {:.3f} ms, {:.0f} to {:.0f} samples", 1e3 * shortest,
                                1e3 * longest, shortest * sampling_rate, longest * sampling_rate),
           .known = "L26"}}};
}

}  // namespace

std::vector<Part> input_parts() { return {materials_and_cases(), central_part()}; }

std::vector<Part> stiffness_parts() { return {stiffness_part(), duration_part()}; }

}  // namespace carom::papers::disc_ball
