// SPDX-License-Identifier: Apache-2.0
// Errata of Tables 4 and 5 and of the figures, L29 to L39 and L41.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/LU>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

namespace carom::papers::disc_ball {
namespace {

constexpr double last_digit = 1e-4;  // of Table 4

/// How far theta' was measured from its mean, relative.
double spread_of_spin(const Case& c) {
  return std::max(c.up[1], c.down[1]) / std::abs(c.measured[1]);
}

Found uncertainty() {
  double others = 0.;
  for (const Case& c : cases()) {
    if (c.number != 3) others = largest(others, spread_of_spin(c));
  }
  const double mended = spread_of_spin(case_of(3)), printed = 10. * mended;
  return {printed > 2. * others && mended < others,
          {{"printed", 100. * printed}, {"mended", 100. * mended}, {"others", 100. * others}}};
}

/// v_1 that the other two numerical values of a case imply.
double implied_v1(int number) {
  const Velocities& p = case_of(number).numerical;
  return p.v2 + (second_gauge - gauge) * p.spin;
}

Found lost_sign() {
  const double v1 = implied_v1(7);
  return {std::abs(v1 - case_of(7).numerical.v1) < 5e-4, {{"v1", v1}}};
}

Found inconsistent_row() {
  const Velocities& p = case_of(9).numerical;
  const double apart = p.v1 - p.v2, turned = implied_v1(9) - p.v2;
  return {std::abs(apart - turned) > 1e-3,
          {{"apart", apart}, {"turned", turned}, {"v1", implied_v1(9)}}};
}

/// The distance between the lasers that the numerical columns imply, (v_1 - v_2)/theta' [mm],
/// weighted by how much rounding of the printed numbers blurs it, and r by case 5, which sticks.
Found radius_used() {
  double sum = 0., weight = 0.;
  bool within = true;
  for (const Case& c : cases().first(7)) {
    const Velocities& p = c.numerical;
    const double distance = 1e3 * (p.v1 - p.v2) / p.spin;
    const double blur = 1e3 * last_digit / std::abs(p.spin);
    sum += distance / (blur * blur);
    weight += 1. / (blur * blur);
    within = within && std::abs(distance - 33.55) < blur;
  }
  const Velocities& five = case_of(5).numerical;
  const double mean = sum / weight, radius = 1e3 * five.v2 / std::abs(five.spin);
  return {within && std::abs(mean - 33.55) < 0.01 && std::abs(radius - 37.55) < 0.012,
          {{"mean", mean}, {"radius", radius}}};
}

/// The normal impulse at D that a disc without ground would get. @param ratio  P_t/P_n there
double impulse_alone(const Case& c, double ratio) {
  const BlockMatrix G = at_impact(system_of(c)).contact.G;
  return (1. + c.surfaces[3].restitution) * c.velocity / (G(6, 6) + ratio * G(6, 7));
}

/// What the printed velocities of a case say of its impulses, if the ground pushed at A alone (at C
/// for b < 0) with sliding friction, and D slid, too.
struct Implied {
  double at_D = 0.;         ///< normal impulse
  double alone = 0.;        ///< what D would have without the ground
  double velocity = 0.;     ///< v_n+ at A or C
  double restitution = 0.;  ///< at D, velocity after over before
};
/// @param ratio  P_t/P_n at D
Implied implied_by_print(int number, double ratio) {
  const Case& c = case_of(number);
  const Velocities& p = c.numerical;
  const double m = disc().mass, r = disc().radius, h = disc().half_thickness;
  const double side = c.height > 0. ? h : -h;
  const double mu = (p.v2 + r * p.spin > 0. ? -1. : 1.) * c.surfaces[0].friction;
  // m y' = P_D + mu P_g,   I theta' = (side + r mu) P_g - (b + h ratio) P_D
  Eigen::Matrix2d K;
  K << 1., mu, -(c.height + h * ratio), side + r * mu;
  const Eigen::Vector2d P =
      K.inverse() * Eigen::Vector2d(m * p.v2, disc_model().inertia() * p.spin);
  return {.at_D = P(0),
          .alone = impulse_alone(c, ratio),
          .velocity = (P(1) + ratio * P(0)) / m + side * p.spin,
          .restitution = (P(0) / ball().mass - c.velocity + p.v2 - c.height * p.spin) / c.velocity};
}

Found case_6() {
  const Case& c = case_of(6);
  const double mu = c.surfaces[3].friction;
  const Implied plus = implied_by_print(6, mu), minus = implied_by_print(6, -mu);
  const Nearest nearest = nearest_reading(c);
  Case other = c;
  other.height = 0.0165;
  other.velocity = case_of(8).velocity;
  return {plus.velocity < 0. && minus.velocity < 0. &&
              std::min(plus.restitution, minus.restitution) > 0.9 && nearest.off > 0.003,
          {{"v_plus", plus.velocity},
           {"v_minus", minus.velocity},
           {"e_plus", plus.restitution},
           {"e_minus", minus.restitution},
           {"tried", nearest.tried},
           {"nearest", 100. * nearest.off},
           {"v_b", other.velocity},
           {"other", 100. * off_from_print(c, velocities_by(variant(), other))}}};
}

Found case_7() {
  const double mu = case_of(7).surfaces[3].friction;
  const Implied plus = implied_by_print(7, mu), minus = implied_by_print(7, -mu);
  const Nearest nearest = nearest_reading(case_of(7));
  return {plus.at_D < plus.alone && minus.at_D < minus.alone && nearest.off > 0.003,
          {{"plus", plus.at_D},
           {"minus", minus.at_D},
           {"alone_plus", plus.alone},
           {"alone_minus", minus.alone},
           {"tried", nearest.tried},
           {"nearest", 100. * nearest.off}}};
}

Found cases_8_and_9() {
  const Nearest eight = nearest_reading(case_of(8)), nine = nearest_reading(case_of(9));
  return {eight.off > 0.003 && nine.off > 0.003,
          {{"tried", eight.tried}, {"eight", 100. * eight.off}, {"nine", 100. * nine.off}}};
}

/// How far the variant is from print, in units of the last digit: v_1, theta', v_2.
std::array<double, 3> digits_off(const Case& c, double radius) {
  auto digits = velocities_by(variant(radius), c).printed();
  for (std::size_t k = 0; k < 3; ++k) {
    digits[k] = std::abs(digits[k] - c.numerical.printed()[k]) / last_digit;
  }
  return digits;
}

/// The most of cases 2 to 4, with another radius and another friction at D.
double fitted_digits(double radius, double friction) {
  double most = 0.;
  for (Case c : cases().first(3)) {
    c.surfaces[3].friction = friction;
    for (const double digits : digits_off(c, radius)) most = largest(most, digits);
  }
  return most;
}

Found driving_friction() {
  double written = 0., by_variant = 0.;  // theta' off, percent
  for (const Case& c : cases().first(4)) {
    written = largest(written, 100. * off(velocities_by({}, c).spin, c.numerical.spin));
    by_variant =
        largest(by_variant, 100. * off(velocities_by(variant(), c).spin, c.numerical.spin));
  }
  // Work of that friction in case 4: P_t and the slip that it makes at D have one sign.
  const Case& c = case_of(4);
  const double mu = c.surfaces[3].friction, P = impulse_alone(c, mu);
  const BlockMatrix G = at_impact(system_of(c)).contact.G;
  const double work = 0.5 * mu * P * (G(6, 7) + mu * G(7, 7)) * P;
  const double digits = fitted_digits(variant().radius, mu),
               fitted = fitted_digits(0.03754, 0.0694);
  const auto five = digits_off(case_of(5), variant().radius);
  return {written > 5. && by_variant < 0.2 && work > 0. && fitted < digits && digits < five[1],
          {{"written", written},
           {"variant", by_variant},
           {"work", work},
           {"digits", digits},
           {"fitted", fitted},
           {"five_spin", five[1]},
           {"five_v2", five[2]}}};
}

Found less_than_five_percent() {
  const std::array<const char*, 3> names{"v_1", "theta'", "v_2"};
  std::string list;
  int several = 0;
  for (const Case& c : cases()) {
    bool more = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const double apart = off(c.numerical.printed()[k], c.measured[k]);
      if (apart < 0.05) continue;
      more = true;
      list += fmt::format("{}case {} {} {:.1f} %", list.empty() ? "" : ", ", c.number, names[k],
                          100. * apart);
    }
    several += more ? 1 : 0;
  }
  return {several > 0, {{"cases", several}, {"list", list}}};
}

Found caption() {
  const std::string told = run_of(8, From::table_4, Duration::own).told(0.);
  return {told.starts_with("impacts at C, impacts at A"), {{"told", told}}};
}

Found other_boundaries() {
  const Boundaries w = boundaries(case_of(2).velocity, {});
  const Boundaries v = boundaries(case_of(2).velocity, variant(), time_constant());
  const auto apart = [](double x, std::size_t row) {
    return std::abs(x - rows("boundaries")[row].number("as written"));
  };
  const bool differs = apart(v.stick_begins, 1) > 5e-4 && apart(v.stick_ends, 2) > 5e-4 &&
                       apart(v.contact_ends, 3) > 5e-5;
  return {differs && apart(w.stick_begins, 1) > apart(v.stick_begins, 1) &&
              apart(w.stick_ends, 2) > apart(v.stick_ends, 2) &&
              apart(w.contact_ends, 3) > apart(v.contact_ends, 3),
          {{"v1", v.stick_begins},
           {"v2", v.stick_ends},
           {"v3", v.contact_ends},
           {"w1", w.stick_begins},
           {"w2", w.stick_ends},
           {"w3", w.contact_ends}}};
}

/// What comes after the line impact, with its impacts: "impacts at A (6)".
std::string after_line_impact(const DiscRun& run) {
  for (std::size_t k = 0; k + 1 < run.story.size(); ++k) {
    if (run.story[k].what != "line impact") continue;
    const Stretch& next = run.story[k + 1];
    return next.impacts > 0 ? fmt::format("{} ({})", next.what, next.impacts) : next.what;
  }
  return "none";
}

Found slip_after_line_impact() {
  const std::string written = after_line_impact(run_of(9, From::impact));
  const std::string printed = after_line_impact(run_of(9, From::table_4));
  const std::string own = after_line_impact(run_of(9, From::table_4, Duration::own));
  const auto hops = [](const std::string& what) { return what.starts_with("impacts at A"); };
  return {hops(written) && hops(printed) && hops(own),
          {{"written", written}, {"printed", printed}, {"own", own}}};
}

}  // namespace

Computations table_errata() {
  return {.checks = {{"L29", uncertainty},
                     {"L30", lost_sign},
                     {"L31", inconsistent_row},
                     {"L32", radius_used},
                     {"L33", case_6},
                     {"L34", case_7},
                     {"L35", driving_friction},
                     {"L36", less_than_five_percent},
                     {"L37", caption},
                     {"L38", cases_8_and_9},
                     {"L39", other_boundaries},
                     {"L41", slip_after_line_impact}}};
}

}  // namespace carom::papers::disc_ball
