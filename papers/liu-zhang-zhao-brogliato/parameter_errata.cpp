// SPDX-License-Identifier: Apache-2.0
// Errata of Sections 3 and 4a, L20, L21, L23 to L28, L40, L42 and L43.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

namespace carom::papers::disc_ball {
namespace {

Found heights_of_lasers() {
  double highest = 0.;
  for (const Case& c : cases()) highest = largest(highest, c.height);
  const Velocities& seven = case_of(7).numerical;
  const double distance = (seven.v1 - seven.v2) / seven.spin;
  return {std::abs(distance - (second_gauge - gauge)) < 1e-4 && highest < second_gauge,
          {{"distance", 1e3 * distance}, {"highest", 1e3 * highest}}};
}

Found mass_of_disc() {
  const double r = disc().radius;
  const double density = disc().mass / (std::numbers::pi * r * r * 2. * disc().half_thickness);
  return {density > 7600. && density < 8100., {{"density", density}}};
}

double stiffness_at_D() { return hertz_stiffness(modulus_at_D(), ball().radius); }
double printed_at_D() { return case_of(1).surfaces[3].stiffness; }

Found inverse_modulus() {
  const double printed = hertz_stiffness(1. / modulus_at_D(), ball().radius);
  return {off(stiffness_at_D(), printed_at_D()) < 0.01 && printed < 1.,
          {{"printed", printed}, {"k", stiffness_at_D()}}};
}

Found stiffness_D() {
  const double rigid = hertz_stiffness(disc().modulus / softness(), ball().radius);
  const double rounded = 4. / 3. * modulus_at_D() * 0.1118;  // sqrt(r_b) to four digits
  // The modulus of the paper that would give the printed value.
  const double E = printed_at_D() / (4. / 3. * std::sqrt(ball().radius));
  const double Y = softness() / (1. / E - softness() / ball().modulus);
  const auto differs = [](double k) { return std::abs(k - printed_at_D()) > 1e5; };
  return {differs(stiffness_at_D()) && differs(rigid) && differs(rounded),
          {{"k", stiffness_at_D()},
           {"percent", 100. * (stiffness_at_D() / printed_at_D() - 1.)},
           {"rigid", rigid},
           {"rounded", rounded},
           {"Y", 1e-9 * Y}}};
}

Found stiffness_A() {
  const double printed = case_of(1).surfaces[0].stiffness;
  const double k = hertz_stiffness(modulus_on_ground(), disc().radius);
  const double rounded = 4. / 3. * modulus_on_ground() * 0.1936;
  return {std::abs(rounded - printed) < 0.5e6 && std::abs(k - printed) > 0.5e6,
          {{"k", k}, {"rounded", rounded}}};
}

/// What a number becomes in millimetres, and the power of a length that it goes with.
Found unit(double in_metres, double in_millimetres, double power) {
  const double found = std::log10(in_millimetres / in_metres) / 3.;
  return {std::abs(found - power) < 1e-9,
          {{"metres", in_metres}, {"millimetres", in_millimetres}, {"power", found}}};
}

Found unit_of_stiffness() {
  return unit(stiffness_at_D(), hertz_stiffness(1e-6 * modulus_at_D(), 1e3 * ball().radius), -1.5);
}

Found unit_of_time_constant() {
  return unit(time_constant(), hertz_time(1e-3 * modulus_at_D(), 1e3 * ball().radius), 0.2);
}

Found constant_of_time() {
  const double first = rows("boundaries")[0].number("as written");
  const double v_b = case_of(2).velocity;
  const double ours = boundaries(v_b, variant(), time_constant()).contact_begins;
  const double printed = boundaries(v_b, variant()).contact_begins;
  return {std::abs(ours - first) < 0.5e-4 && std::abs(printed - first) > 0.5e-4,
          {{"k", time_constant()}, {"ours", ours}, {"printed", printed}}};
}

double duration_of(int number) {
  return time_constant() * std::pow(case_of(number).velocity, -0.2);
}

Found duration() {
  const double fast = duration_of(5), slow = duration_of(2);
  const double steel = hertz_time(modulus_on_ground(), ball().radius) * std::pow(0.3, -0.2);
  return {fast > 5e-4 && slow < 6.5e-4 && std::abs(steel - 1e-4) < 2e-5,
          {{"fast", 1e3 * fast}, {"slow", 1e3 * slow}, {"steel", 1e3 * steel}}};
}

Found rate_of_samples() {
  const double T = duration_of(2);
  return {T * 50. < 1. && T * sampling_rate > 5.,
          {{"T", 1e3 * T}, {"few", T * 50.}, {"many", T * sampling_rate}}};
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
  EulerError error;
  for (const Case& c : cases()) {
    const Course course = course_of(c, {.tolerance = 1e-10});
    const double steps = 1e4 / (mass * course.at.contact.G.diagonal(3)[0]);
    const auto exact = velocities_of(course.after).printed();
    const auto euler =
        velocities_of(
            course_of(c, {.euler_steps = static_cast<std::size_t>(std::lround(steps))}).after)
            .printed();
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

Computations parameter_errata() {
  return {.checks = {{"L20", heights_of_lasers},
                     {"L21", mass_of_disc},
                     {"L23", inverse_modulus},
                     {"L24", stiffness_D},
                     {"L25", constant_of_time},
                     {"L26", duration},
                     {"L27", rate_of_samples},
                     {"L28", mass_of_step},
                     {"L40", stiffness_A},
                     {"L42", unit_of_stiffness},
                     {"L43", unit_of_time_constant}}};
}

}  // namespace carom::papers::disc_ball
