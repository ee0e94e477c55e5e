// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 3, the restitution of case 1, and the duration of an impact: Sections 3 and 4a.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- Tables 1 and 2, eq. 3.3 ---------------------------------------------------------------------

double density_of_disc() {
  const double r = disc().radius;
  return disc().mass / (std::numbers::pi * r * r * 2. * disc().half_thickness);
}

std::vector<Computed> densities() {
  const double sphere = 4. / 3. * std::numbers::pi * std::pow(ball().radius, 3);
  return {{{"density [kg/m^3]", std::round(ball().mass / sphere)}},
          {{"density [kg/m^3]", std::round(density_of_disc())}}};
}

Found steel_disc() {
  const double density = density_of_disc();
  return {density > 7600. && density < 8100., {{"density", density}}};
}

Computed relative_height(const Row& row) {
  return {{"b/r", all_cases()[row.index].height / disc().radius}};
}

Found heights_of_lasers() {
  const double highest = largest_of(cases(), [](const Case& c) { return c.height; });
  const Velocities& seven = case_of(7).numerical;
  const double distance = (seven.v1 - seven.v2) / seven.spin;
  return {std::abs(distance - (second_gauge - gauge)) < 1e-4 && highest < second_gauge,
          {{"distance", 1e3 * distance}, {"highest", 1e3 * highest}}};
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

// --- Table 3 -------------------------------------------------------------------------------------

double stiffness_at_D() { return hertz_stiffness(modulus_at_D(), ball().radius); }
double printed_at_D() { return case_of(1).surfaces[3].stiffness; }

Computed stiffness(const Row& row) {
  const double ground = hertz_stiffness(modulus_on_ground(), disc().radius);
  return {{"k [N/m^1.5]", row.text("point") == "D" ? stiffness_at_D() : ground}};
}

std::vector<Computed> halves() {
  const Surface& ground = case_of(1).surfaces[0];
  return {{{"half of cases 1-4", 0.5 * ground.friction}},
          {{"half of cases 1-4", 0.5 * ground.static_friction}}};
}

Found inverse_modulus() {
  const double k = stiffness_at_D();
  const double printed = hertz_stiffness(1. / modulus_at_D(), ball().radius);
  return {off(k, printed_at_D()) < 0.01 && printed < 1., {{"printed", printed}, {"k", k}}};
}

Found unexplained_at_D() {
  const double k = stiffness_at_D(), printed = printed_at_D();
  const double rigid = hertz_stiffness(disc().modulus / softness(), ball().radius);
  const double rounded = 4. / 3. * modulus_at_D() * 0.1118;  // sqrt(r_b) to four digits
  // The modulus of the paper that would give the printed value.
  const double E = printed / (4. / 3. * std::sqrt(ball().radius));
  const double Y = softness() / (1. / E - softness() / ball().modulus);
  const auto differs = [&](double x) { return std::abs(x - printed) > 1e5; };
  return {differs(k) && differs(rigid) && differs(rounded),
          {{"k", k},
           {"percent", 100. * (k / printed - 1.)},
           {"rigid", rigid},
           {"rounded", rounded},
           {"Y", 1e-9 * Y}}};
}

Found rounded_root() {
  const double printed = case_of(1).surfaces[0].stiffness;
  const double k = hertz_stiffness(modulus_on_ground(), disc().radius);
  const double rounded = 4. / 3. * modulus_on_ground() * 0.1936;
  return {std::abs(rounded - printed) < 0.5e6 && std::abs(k - printed) > 0.5e6,
          {{"k", k}, {"rounded", rounded}}};
}

/// The power of a length that a quantity goes with, from its numbers in metres and millimetres.
Found unit(double in_metres, double in_millimetres, double power) {
  const double found = std::log10(in_millimetres / in_metres) / 3.;
  return {std::abs(found - power) < 1e-9,
          {{"metres", in_metres}, {"millimetres", in_millimetres}, {"power", found}}};
}

Found unit_of_stiffness() {
  return unit(stiffness_at_D(), hertz_stiffness(1e-6 * modulus_at_D(), 1e3 * ball().radius), -1.5);
}

// --- Eq. 4.1 -------------------------------------------------------------------------------------

Computed constant(const Row& /*row*/) { return {{"k_Tc [m^0.2 s^0.8]", time_constant()}}; }

Found unit_of_constant() {
  return unit(time_constant(), hertz_time(1e-3 * modulus_at_D(), 1e3 * ball().radius), 0.2);
}

Found constant_by_boundary() {
  const double v_b = case_of(2).velocity;
  const double ours = boundaries(v_b, variant(), time_constant())[0];
  const double printed = boundaries(v_b, variant())[0];
  const auto apart = [](double x) {
    return std::abs(x - rows("boundaries")[0].number("as written"));
  };
  return {apart(ours) < 0.5e-4 && apart(printed) > 0.5e-4,
          {{"k", time_constant()}, {"ours", ours}, {"printed", printed}}};
}

double duration_of(const Case& c) { return time_constant() * std::pow(c.velocity, -0.2); }

/// How long ball and disc touch in a central elastic impact of that speed, from the course of
/// `lzb`.
double followed_duration(const Case& c) {
  Case central = case_of(1);
  central.velocity = c.velocity;
  central.surfaces[3].restitution = 1.;
  central.surfaces[3].stiffness = stiffness_at_D();
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
  const double worst = largest_of(
      all_cases(), [](const Case& c) { return off(followed_duration(c), duration_of(c)); });
  return {worst < 1e-3, {{"percent", 100. * worst}}};
}

/// T_c of the fastest and of the slowest ball, and of steel on steel at 0.3 m/s.
Found duration(bool as_printed) {
  const double fast = duration_of(case_of(5)), slow = duration_of(case_of(2));
  const double steel = hertz_time(modulus_on_ground(), ball().radius) * std::pow(0.3, -0.2);
  const bool corrected = fast > 5e-4 && slow < 6.5e-4 && std::abs(steel - 1e-4) < 2e-5;
  return {as_printed ? fast > 0.5e-4 && slow < 1.5e-4 : corrected,
          {{"fast", 1e3 * fast},
           {"slow", 1e3 * slow},
           {"steel", 1e3 * steel},
           {"fewest", fast * sampling_rate},
           {"most", slow * sampling_rate}}};
}

Found rate_of_samples() {
  const double T = duration_of(case_of(2));
  return {T * 50. < 1. && T * sampling_rate > 5.,
          {{"T", 1e3 * T}, {"few", T * 50.}, {"many", T * sampling_rate}}};
}

// --- Section 4a: cases 2 to 9 by explicit Euler with steps m v_b/10^4 ----------------------------

struct EulerError {
  double relative = 0.;  ///< of theta', the largest
  double digits = 0.;    ///< the same in units of the last digit that Table 4 prints
  /// How many times its error Euler would need to reach what is printed, in the quantity of a case
  /// that needs most; the least of all cases.
  double times = 1e9;
};
EulerError euler_error(double mass) {
  constexpr double last_digit = 1e-4;
  EulerError error;
  for (const Case& c : cases()) {
    const Course course = course_of(c, {.tolerance = 1e-10});
    const auto steps = std::lround(1e4 / (mass * course.at.contact.G(6, 6)));
    const Course stepped = course_of(c, {.euler_steps = static_cast<std::size_t>(steps)});
    const auto exact = velocities_of(course.after).printed();
    const auto euler = velocities_of(stepped.after).printed();
    double times = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
      const double by = std::max(std::abs(euler[k] - exact[k]), 0.5 * last_digit);
      times = largest(times, std::abs(c.numerical.printed()[k] - exact[k]) / by);
    }
    error.times = std::min(error.times, times);
    error.relative = largest(error.relative, off(euler[1], exact[1]));
    error.digits = largest(error.digits, std::abs(euler[1] - exact[1]) / last_digit);
  }
  return error;
}

Found mass_of_step() {
  const EulerError d = euler_error(disc().mass), b = euler_error(ball().mass);
  const double times = std::min(d.times, b.times);
  return {d.relative < 1e-3 && b.relative < 1e-3 && times > 5.,
          {{"disc", d.relative},
           {"ball", b.relative},
           {"disc_digits", d.digits},
           {"ball_digits", b.digits},
           {"times", times}}};
}

}  // namespace

Computations inputs() {
  return {.checks = {{"ground-takes-no-part", ground_takes_no_part},
                     {"course-agrees", course_agrees},
                     {"tenth-of-a-millisecond", [] { return duration(true); }},
                     {"L20", heights_of_lasers},
                     {"L21", steel_disc},
                     {"L23", inverse_modulus},
                     {"L24", unexplained_at_D},
                     {"L25", constant_by_boundary},
                     {"L26", [] { return duration(false); }},
                     {"L27", rate_of_samples},
                     {"L28", mass_of_step},
                     {"L40", rounded_root},
                     {"L42", unit_of_stiffness},
                     {"L43", unit_of_constant}},
          .tables = {{"table-1", densities},
                     {"table-2", relative_height},
                     {"central", central},
                     {"table-3", stiffness},
                     {"halves", halves},
                     {"time-constant", constant},
                     {"durations", durations}}};
}

}  // namespace carom::papers::disc_ball
