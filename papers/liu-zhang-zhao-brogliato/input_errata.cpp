// SPDX-License-Identifier: Apache-2.0
// Errata of Sections 3 and 4a, L20 to L28, L40, L42 and L43, each with a computation that shows it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/laws/lzb.hpp>
#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

Erratum heights_of_lasers() {
  double highest = 0.;
  for (const DiscBallCase& c : disc_ball_cases()) highest = largest(highest, c.height);
  const DiscBallRow seven = disc_ball_case(7).printed();
  const double distance = 1e3 * (seven.v1 - seven.v2) / seven.spin;  // [mm]
  return {
      .id = "L20",
      .reason = Reason::scan,
      .where = "Section 3b",
      .printed = "lasers at heights b_1 = 4 mm, b_2 = 37.5 mm",
      .corrected = "h_1, h_2, as in eqs 3.1 and 3.2; b is where the ball strikes",
      .shown = fmt::format("Table 4, case 7: (v_1 - v_2)/theta' = {:.2f} mm, the difference of the "
                           "heights; the ball strikes at {:.1f} mm above the centre at most",
                           distance, 1e3 * highest),
      .holds = std::abs(distance - 33.5) < 0.1 && highest < second_gauge};
}

Erratum mass_of_disc() {
  const double density =
      disc_mass / (std::numbers::pi * disc_radius * disc_radius * 2. * half_thickness);
  return {
      .id = "L21",
      .reason = Reason::scan,
      .where = "Table 1",
      .printed = "m = 209.69 g of the disc",
      .corrected = "m_d",
      .shown = fmt::format("over the disc's volume it is {:.0f} kg/m^3: stainless steel", density),
      .holds = density > 7600. && density < 8100.};
}

Erratum sign_of_deformation() {
  const DiscBallCase& c = disc_ball_case(2);
  const DiscBallSurfaces s = surfaces_of(c);
  const MultiAtImpact at = at_impact(system_of(c));
  MultiTrace trace;
  (void)solve_lzb(
      {.G = at.contact.G, .approach = at.contact.approach, .surfaces = {s.begin(), s.end()}}, {},
      &trace);
  // delta_D is the integral of its velocity over the reconstructed time.
  double delta = 0., deepest = 0., F = 0.;
  for (std::size_t i = 1; i < trace.samples(); ++i) {
    const std::size_t now = i * trace.contacts + 3, before = now - trace.contacts;
    delta +=
        0.5 * (trace.velocity[now] + trace.velocity[before]) * (trace.time[i] - trace.time[i - 1]);
    if (delta >= deepest) continue;
    deepest = delta;
    F = trace.force[now];
  }
  const double corrected = s[3].stiffness * std::pow(-deepest, 1.5);
  return {
      .id = "L22",
      .reason = Reason::misprint,
      .where = "Eq. 3.4",
      .printed = "F = k delta^(3/2)",
      .corrected = "F = k (-delta)^(3/2): delta < 0 in contact",
      .shown = fmt::format("case 2: delta_D, its velocity summed over time, goes down to {:.2f} "
                           "micrometres, where F = {:.2f} N and k (-delta)^(3/2) = {:.2f} N; the "
                           "power 3/2 of a negative number is none",
                           1e6 * deepest, F, corrected),
      .holds = deepest < 0. && std::abs(corrected / F - 1.) < 5e-3};
}

Erratum moduli() {
  const double softness = 1. - poisson_ratio * poisson_ratio;
  const double printed = softness / steel_modulus + softness / paper_modulus;
  const double k_printed = hertz_stiffness(printed, ball_radius);
  const double k = hertz_stiffness(contact_modulus(steel_modulus, paper_modulus), ball_radius);
  return {
      .id = "L23",
      .reason = Reason::misprint,
      .where = "Section 3e, E*",
      .printed = "E* = (1 - nu_s^2)/E_s + (1 - nu_p^2)/E_p, E_i* = 2 (1 - nu_s^2)/E_s",
      .corrected = "1/E* is that; and E is Y of Table 1",
      .shown = fmt::format("k_D = {:.3e} with E* as printed, {:.4e} with its inverse; Table 3 has "
                           "1.9640e8",
                           k_printed, k),
      .holds = std::abs(k / 1.9640e8 - 1.) < 0.01 && k_printed < 1.};
}

Erratum stiffness_D() {
  const double softness = 1. - poisson_ratio * poisson_ratio;
  const double E = contact_modulus(steel_modulus, paper_modulus);
  const double k = hertz_stiffness(E, ball_radius);
  const double rigid = hertz_stiffness(paper_modulus / softness, ball_radius);
  const double rounded = 4. / 3. * E * 0.1118;  // sqrt(r_b) to four digits
  // What modulus of the paper would give the printed value.
  const double needed = 1.9640e8 / (4. / 3. * std::sqrt(ball_radius));
  const double Y = softness / (1. / needed - softness / steel_modulus);
  return {.id = "L24",
          .reason = Reason::unexplained,
          .where = "Table 3, k_D",
          .printed = "1.9640e8 (its unit: L42)",
          .corrected = "1.9544e8 from Table 1",
          .shown = fmt::format(
              "{:.4e}, off by {:.2f} %; a rigid ball gives {:.4e}, sqrt(r_b) rounded as "
              "that of r was {:.4e}; Y_p would have to be {:.4f} GPa",
              k, 100. * (k / 1.9640e8 - 1.), rigid, rounded, 1e-9 * Y),
          .holds = std::abs(k - 1.9640e8) > 1e5 && std::abs(rigid - 1.9640e8) > 1e5 &&
                   std::abs(rounded - 1.9640e8) > 1e5};
}

Erratum stiffness_A() {
  const double E = contact_modulus(steel_modulus, steel_modulus);
  const double k = hertz_stiffness(E, disc_radius);
  const double rounded = 4. / 3. * E * 0.1936;
  return {.id = "L40",
          .reason = Reason::misprint,
          .where = "Table 3, k of A, B and C",
          .printed = "2.9217e10 (its unit: L42)",
          .corrected = "2.9225e10; the square root of r was rounded to 0.1936",
          .shown = fmt::format("{:.5e} from Table 1, {:.5e} with that root", k, rounded),
          .holds = std::abs(rounded - 2.9217e10) < 0.5e6 && std::abs(k - 2.9217e10) > 0.5e6};
}

Erratum unit_of_stiffness() {
  const double E = contact_modulus(steel_modulus, paper_modulus);
  const double in_metres = hertz_stiffness(E, ball_radius);
  const double in_millimetres = hertz_stiffness(1e-6 * E, 1e3 * ball_radius);
  const double power = std::log10(in_metres / in_millimetres) / 3.;
  return {
      .id = "L42",
      .reason = Reason::misprint,
      .where = "Table 3, unit of k",
      .printed = "N m^-1",
      .corrected = "N m^(-3/2), by eq. 3.4",
      .shown = fmt::format("k_D from Table 1 is {:.4e} in newtons and metres, {:.1f} in newtons "
                           "and millimetres: it goes with the power -{:.2f} of a length",
                           in_metres, in_millimetres, power),
      .holds = std::abs(power - 1.5) < 1e-9};
}

Erratum unit_of_time_constant() {
  const double E = contact_modulus(steel_modulus, paper_modulus);
  const double m = reduced_mass();
  const auto constant = [m](double radius, double modulus) {
    return 2.87 * std::pow(m * m / (radius * modulus * modulus), 0.2);
  };
  const double in_metres = constant(ball_radius, E);
  const double in_millimetres = constant(1e3 * ball_radius, 1e-3 * E);  // kg/(mm s^2)
  const double power = std::log10(in_millimetres / in_metres) / 3.;
  return {
      .id = "L43",
      .reason = Reason::misprint,
      .where = "Eq. 4.1, unit of k_Tc",
      .printed = "m^(-1/5) s^(4/5)",
      .corrected = "m^(1/5) s^(4/5)",
      .shown = fmt::format("k_Tc from Table 1 is {:.4e} in kilograms, metres and seconds, {:.4e} "
                           "with millimetres: it goes with the power {:.2f} of a length",
                           in_metres, in_millimetres, power),
      .holds = std::abs(power - 0.2) < 1e-9};
}

Erratum time_constant() {
  const double k = contact_time_constant();
  const double printed =
      pattern_boundaries(0.275, Way::variant, printed_time_constant).contact_begins;
  const double ours = pattern_boundaries(0.275, Way::variant, k).contact_begins;
  return {.id = "L25",
          .reason = Reason::misprint,
          .where = "Eq. 4.1, k_Tc",
          .printed = "4.7531e-4",
          .corrected = "4.7646e-4 from Table 1",
          .shown = fmt::format(
              "k_Tc = {:.4e}; the first boundary of Table 5 (0.0507, by the variant) is "
              "{:.4f} with it, {:.4f} with the printed constant",
              k, ours, printed),
          .holds = std::abs(ours - 0.0507) < 0.5e-4 && std::abs(printed - 0.0507) > 0.5e-4};
}

Erratum duration() {
  const double fast = contact_time_constant() * std::pow(0.433, -0.2);
  const double slow = contact_time_constant() * std::pow(0.275, -0.2);
  const double E = contact_modulus(steel_modulus, steel_modulus);
  const double m = reduced_mass();
  const double steel = 2.87 * std::pow(m * m / (ball_radius * E * E * 0.3), 0.2);
  return {.id = "L26",
          .reason = Reason::misprint,
          .where = "below eq. 4.1",
          .printed = "T_c is about 0.1 ms, five samples",
          .corrected = "0.56 to 0.62 ms, about thirty samples",
          .shown =
              fmt::format("T_c = {:.3f} to {:.3f} ms; steel on steel at 0.3 m/s it would be {:.3f} "
                          "ms",
                          1e3 * fast, 1e3 * slow, 1e3 * steel),
          .holds = fast > 5e-4 && slow < 6.5e-4 && std::abs(steel - 1e-4) < 2e-5};
}

Erratum rate_of_samples() {
  const double T = contact_time_constant() * std::pow(0.275, -0.2);
  return {.id = "L27",
          .reason = Reason::scan,
          .where = "below eq. 4.1",
          .printed = "a sampling rate of 50 Hz",
          .corrected = "50 kHz, as in Section 3b",
          .shown = fmt::format("case 2 lasts {:.3f} ms: {:.2f} samples at 50 Hz, {:.0f} at 50 kHz",
                               1e3 * T, T * 50., T * sampling_rate),
          .holds = T * 50. < 1. && T * sampling_rate > 5.};
}

/// Cases 2 to 9 by explicit Euler with steps m v_b/10^4.
struct EulerError {
  double relative = 0.;  ///< of theta', the largest
  double digits = 0.;    ///< the same in units of the last digit that Table 4 prints
  /// How many times its error Euler would need to reach what is printed, in the quantity of a case
  /// that needs most; the least of all cases.
  double times = 1e9;
};
EulerError euler_error(double mass) {
  constexpr double last_digit = 1e-4;
  EulerError most;
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscBallSurfaces s = surfaces_of(c);
    const MultiAtImpact at = at_impact(system_of(c));
    const MultiProblem p{
        .G = at.contact.G, .approach = at.contact.approach, .surfaces = {s.begin(), s.end()}};
    const double steps = 1e4 / (mass * at.contact.G.diagonal(3)[0]);
    const auto row = [&](const MultiOptions& options) {  // v_1, theta', v_2
      const auto u = velocity_after(*at.configuration, solve_lzb(p, options).impulse);
      return std::array<double, 3>{u[2] + (disc_radius - gauge) * u[4], u[4], u[2]};
    };
    const auto exact = row({.tolerance = 1e-10});
    const auto euler = row({.euler_steps = static_cast<std::size_t>(std::lround(steps))});
    const std::array<double, 3> printed{c.printed().v1, c.printed().spin, c.printed().v2};
    double times = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
      const double error = std::max(std::abs(euler[k] - exact[k]), 0.5 * last_digit);
      times = largest(times, std::abs(printed[k] - exact[k]) / error);
    }
    most.times = std::min(most.times, times);
    most.relative = largest(most.relative, std::abs(euler[1] / exact[1] - 1.));
    most.digits = largest(most.digits, std::abs(euler[1] - exact[1]) / last_digit);
  }
  return most;
}

Erratum mass_of_step() {
  const EulerError disc = euler_error(disc_mass), ball = euler_error(ball_mass);
  return {
      .id = "L28",
      .reason = Reason::reading,
      .where = "Section 4a, the step m v_b/N",
      .printed = "m is not said",
      .corrected = "m_d, perhaps, the m of Table 1; it changes but the error of explicit Euler",
      .shown = fmt::format(
          "theta' of cases 2 to 9 by explicit Euler, N = 10^4: off by up to {:.1e} "
          "with m_d and {:.1e} with m_b, {:.0f} and {:.0f} units of the last digit "
          "that Table 4 prints. In every case some printed velocity is off by {:.0f} "
          "times the error of Euler (or half a digit), or more: it explains none",
          disc.relative, ball.relative, disc.digits, ball.digits, std::min(disc.times, ball.times)),
      .holds =
          disc.relative < 1e-3 && ball.relative < 1e-3 && std::min(disc.times, ball.times) > 5.};
}

}  // namespace

std::vector<Erratum> input_errata() {
  return {heights_of_lasers(), mass_of_disc(), sign_of_deformation(), moduli(),
          stiffness_D(),       stiffness_A(),  time_constant(),       duration(),
          rate_of_samples(),   mass_of_step(), unit_of_stiffness(),   unit_of_time_constant()};
}

}  // namespace carom::papers::disc_ball
