// SPDX-License-Identifier: Apache-2.0
// Errata of Tables 4 and 5 and of the figures, L29 to L39 and L41, each with a computation that
// shows it.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/LU>

#include <papers/engine/largest.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_measured.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_motion.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_patterns.hpp>
#include <papers/liu-zhang-zhao-brogliato/disc_ball_readings.hpp>
#include <papers/liu-zhang-zhao-brogliato/parts.hpp>

namespace carom::papers::disc_ball {
namespace {

Erratum uncertainty() {
  double most = 0.;  // the larger of the two bounds on theta', relative, but for case 3
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1 || c.number == 3) continue;
    const Spread& s = printed_spread(c.number)[1];
    const double larger = std::max(parse_printed(s.up).value, parse_printed(s.down).value);
    most = largest(most, larger / std::abs(c.measured[1]));
  }
  const double three = std::abs(disc_ball_case(3).measured[1]);
  return {.id = "L29",
          .reason = Reason::scan,
          .where = "Table 4, case 3",
          .printed = "uncertainty 0.507 of theta'",
          .corrected = "0.0507",
          .shown = fmt::format(
              "0.507 is {:.0f} % of theta', 0.0507 is {:.1f} %; in the other cases it is "
              "{:.1f} % at most",
              50.7 / three, 5.07 / three, 100. * most),
          .holds = 0.507 / three > 2. * most && 0.0507 / three < most};
}

Erratum lost_sign() {
  const DiscBallRow r = disc_ball_case(7).printed();
  const double v1 = r.v2 + (second_gauge - gauge) * r.spin;
  return {.id = "L30",
          .reason = Reason::scan,
          .where = "Table 4, case 7, v_1",
          .printed = "0.0521",
          .corrected = "-0.0521",
          .shown = fmt::format("v_2 + (h_2 - h_1) theta' = {:.4f}", v1),
          .holds = std::abs(v1 + 0.0521) < 5e-4};
}

Erratum inconsistent_row() {
  const DiscBallRow r = disc_ball_case(9).printed();
  const double turned = (second_gauge - gauge) * r.spin;
  return {
      .id = "L31",
      .reason = Reason::misprint,
      .where = "Table 4, case 9, numerical",
      .printed = "0.1670, 1.7274, 0.1170",
      .corrected = "one of them is wrong: v_1 = 0.1749 would fit the others",
      .shown = fmt::format("v_1 - v_2 = {:.4f}, but (h_2 - h_1) theta' = {:.4f} m/s; v_1 would be "
                           "{:.4f}",
                           r.v1 - r.v2, turned, r.v2 + turned),
      .holds = std::abs(r.v1 - r.v2 - turned) > 1e-3};
}

/// The distance between the lasers that the numerical columns of a case imply, (v_1 - v_2)/theta'
/// [mm], and by how much rounding of the printed numbers blurs it.
double implied_distance(int number) {
  const DiscBallRow r = disc_ball_case(number).printed();
  return 1e3 * (r.v1 - r.v2) / r.spin;
}
double blur_of_distance(int number) {
  return 1e3 * 1e-4 / std::abs(disc_ball_case(number).printed().spin);
}

Erratum radius_used() {
  double sum = 0., weight = 0.;
  bool within = true;
  for (int n = 2; n <= 8; ++n) {
    const double w = 1. / std::pow(blur_of_distance(n), 2);
    sum += w * implied_distance(n);
    weight += w;
    within = within && std::abs(implied_distance(n) - 33.55) < blur_of_distance(n);
  }
  const DiscBallRow five = disc_ball_case(5).printed();
  const double radius = 1e3 * five.v2 / std::abs(five.spin);
  return {
      .id = "L32",
      .reason = Reason::misprint,
      .where = "Table 4, all numerical values",
      .printed = "r = 37.5 mm, h_2 - h_1 = 33.5 mm",
      .corrected = "37.55 mm and 33.55 mm were used",
      .shown = fmt::format("(v_1 - v_2)/theta' of cases 2 to 8: {:.3f} mm on average, all within "
                           "rounding of 33.55; case 5 sticks, and v_2/|theta'| = {:.3f} mm",
                           sum / weight, radius),
      .holds = within && std::abs(sum / weight - 33.55) < 0.01 && std::abs(radius - 37.55) < 0.012};
}

/// What the printed velocities of a case say of its impulses, if the ground pushed at A alone (at C
/// for b < 0) with sliding friction, and D slid, too.
struct Implied {
  double at_D = 0.;         ///< normal impulse [N s]
  double alone = 0.;        ///< what D would have without the ground [N s]
  double velocity = 0.;     ///< v_n+ at A or C [m/s]
  double restitution = 0.;  ///< at D, velocity after over before
};
/// @param ratio  P_t/P_n at D
Implied implied_by_print(int number, double ratio) {
  const DiscBallCase& c = disc_ball_case(number);
  const DiscBallRow row = c.printed();
  const double I =
      disc_mass * (disc_radius * disc_radius / 4. + half_thickness * half_thickness / 3.);
  const double side = c.height > 0. ? half_thickness : -half_thickness;
  const double mu =
      slip(row, disc_radius) > 0. ? -c.friction : c.friction;  // P_t/P_n on the ground
  // m y' = P_D + mu P_g,   I theta' = (side + r mu) P_g - (b + h ratio) P_D
  Eigen::Matrix2d K;
  K << 1., mu, -(c.height + half_thickness * ratio), side + disc_radius * mu;
  const Eigen::Vector2d P = K.inverse() * Eigen::Vector2d(disc_mass * row.v2, I * row.spin);
  const MultiAtImpact at = at_impact(system_of(c));
  const double* G = at.contact.G.diagonal(3);
  Implied found;
  found.at_D = P(0);
  found.alone = (1. + surfaces_of(c)[3].restitution) * c.velocity / (G[0] + ratio * G[1]);
  found.velocity = (P(1) + ratio * P(0)) / disc_mass + side * row.spin;
  found.restitution = (P(0) / ball_mass - c.velocity + row.v2 - c.height * row.spin) / c.velocity;
  return found;
}

/// The deviation of theta' from print, as written and by the variant [%].
struct Off {
  double written = 0.;
  double variant = 0.;
};
Off off_of(int number) {
  const DiscBallCase& c = disc_ball_case(number);
  const DiscBallRow p = c.printed();
  const DiscBallRow w = disc_ball_as_written(system_of(c), surfaces_of(c));
  const DiscBallRow v = disc_ball_variant(system_of(c), surfaces_of(c));
  const auto percent = [](double x, double to) { return 100. * (x / to - 1.); };
  return {percent(w.spin, p.spin), percent(v.spin, p.spin)};
}

/// "of 270 readings the nearest is 1.2 % off"
std::string nearest_words(const NearestReading& n) {
  return fmt::format("of {} readings tried here the nearest is {:.1f} % off", n.tried,
                     100. * n.off);
}

Erratum case6() {
  const Implied plus = implied_by_print(6, 0.07), minus = implied_by_print(6, -0.07);
  const DiscBallCase& c = disc_ball_case(6);
  const NearestReading nearest = nearest_reading(c);
  DiscBallCase other = c;
  other.height = 0.0165;
  other.velocity = disc_ball_case(8).velocity;
  const double off = off_from_print(c, disc_ball_variant(system_of(other), surfaces_of(other)));
  return {
      .id = "L33",
      .reason = Reason::unexplained,
      .where = "Table 4, case 6, numerical",
      .printed = "-0.0559, -5.4828, 0.1280 for b = 15.5 mm, v_b = 0.311 m/s",
      .corrected = "not reachable from these inputs",
      .shown = fmt::format(
          "The printed velocities need v_A = {:.4f} or {:.4f} m/s, into the ground, and a "
          "restitution of {:.2f} or {:.2f} at D (friction there one way or the other), where "
          "0.7043 is given; {}. The variant with b = 16.5 mm and the speed of case 8, {:g} m/s, "
          "would come within {:.1f} %, but two numbers can always be fitted to two",
          plus.velocity, minus.velocity, plus.restitution, minus.restitution,
          nearest_words(nearest), other.velocity, 100. * off),
      .holds = plus.velocity < 0. && minus.velocity < 0. &&
               std::min(plus.restitution, minus.restitution) > 0.9 && nearest.off > 0.003};
}

Erratum case7() {
  const Implied plus = implied_by_print(7, 0.07), minus = implied_by_print(7, -0.07);
  const NearestReading nearest = nearest_reading(disc_ball_case(7));
  return {
      .id = "L34",
      .reason = Reason::unexplained,
      .where = "Table 4, case 7, numerical",
      .printed = "-0.0521, -4.7004, 0.1056 for b = 18.5 mm, v_b = 0.305 m/s",
      .corrected = "not reachable from these inputs",
      .shown = fmt::format(
          "The printed velocities need {:.4f} or {:.4f} N s at D, less than the {:.4f} or {:.4f} "
          "that the ball alone would give a free disc; {}",
          plus.at_D, minus.at_D, plus.alone, minus.alone, nearest_words(nearest)),
      .holds = plus.at_D < plus.alone && minus.at_D < minus.alone && nearest.off > 0.003};
}

/// Cases 2 to 4 by the variant with another radius and another ratio at D: the largest difference
/// from print, in units of the last digit.
double fitted_digits(double radius, double ratio) {
  constexpr double last_digit = 1e-4;
  double most = 0.;
  for (int n = 2; n <= 4; ++n) {
    const DiscBallCase& c = disc_ball_case(n);
    const DiscBallRow p = c.printed();
    const DiscBallRow r = disc_ball_by(c, {.ground_waits = true,
                                           .at_D = FrictionAtD::along,
                                           .radius = radius,
                                           .friction_at_D = ratio});
    most = largest({most, std::abs(r.v1 - p.v1) / last_digit,
                    std::abs(r.spin - p.spin) / last_digit, std::abs(r.v2 - p.v2) / last_digit});
  }
  return most;
}

/// Case 5 by the variant: theta' and v_2 off print, in units of the last digit.
struct DigitsOff {
  double spin = 0.;
  double v2 = 0.;
};
DigitsOff digits_of_case5() {
  constexpr double last_digit = 1e-4;
  const DiscBallCase& c = disc_ball_case(5);
  const DiscBallRow v = disc_ball_variant(system_of(c), surfaces_of(c));
  return {.spin = std::abs(v.spin - c.printed().spin) / last_digit,
          .v2 = std::abs(v.v2 - c.printed().v2) / last_digit};
}

Erratum reversed_friction() {
  const DigitsOff five = digits_of_case5();
  const double digits = fitted_digits(variant_radius, 0.07);
  const double fitted = fitted_digits(0.03754, 0.0694);
  double written = 0., variant = 0.;
  for (int n = 2; n <= 5; ++n) {
    const Off off = off_of(n);
    written = largest(written, std::abs(off.written));
    variant = largest(variant, std::abs(off.variant));
  }
  // Work of that friction in case 4: P_t and the slip that it makes at D have one sign.
  const DiscBallCase& c = disc_ball_case(4);
  const MultiAtImpact at = at_impact(system_of(c));
  const double* G = at.contact.G.diagonal(3);
  const double ratio = surfaces_of(c)[3].friction;
  const double P = (1. + surfaces_of(c)[3].restitution) * c.velocity / (G[0] + ratio * G[1]);
  const double work = 0.5 * ratio * P * (G[1] + ratio * G[3]) * P;
  return {
      .id = "L35",
      .reason = Reason::reading,
      .where = "Tables 4 and 5, Fig. 5",
      .printed = "computed by the model as written",
      .corrected =
          "cases 2 to 5 and the modes come out nearly with friction at D along its slip, the "
          "ground "
          "idle until D has finished, and r = 37.55 mm: none of it stated, nor sure",
      .shown = fmt::format("theta' of cases 2 to 5: off by up to {:.1f} % as written, {:.2f} % by "
                           "this variant, whose friction at D does work on the bodies, {:.1e} J in "
                           "case 4. In cases 2 to 4 it is {:.1f} units of the last digit off at "
                           "most (r = 37.54 mm and a ratio of 0.0694 at D would leave {:.1f}), in "
                           "case 5 {:.0f} in theta' and {:.0f} in v_2",
                           written, variant, work, digits, fitted, five.spin, five.v2),
      .holds = written > 5. && variant < 0.2 && work > 0. && fitted < digits && digits < five.spin};
}

Erratum less_than_five_percent() {
  std::string list;
  int cases = 0;
  const std::array<const char*, 3> names{"v_1", "theta'", "v_2"};
  for (const DiscBallCase& c : disc_ball_cases()) {
    if (c.number == 1) continue;
    const DiscBallRow r = c.printed();
    const std::array<double, 3> values{r.v1, r.spin, r.v2};
    bool more = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const double off = std::abs(values[k] / c.measured[k] - 1.);
      if (off < 0.05) continue;
      more = true;
      list += fmt::format("{}case {} {} {:.1f} %", list.empty() ? "" : ", ", c.number, names[k],
                          100. * off);
    }
    cases += more ? 1 : 0;
  }
  return {.id = "L36",
          .reason = Reason::reading,
          .where = "below eq. 4.1",
          .printed = "numerical and experimental values differ by less than 5 % in any case",
          .corrected = fmt::format("by more in {} of the eight", cases),
          .shown = list,
          .holds = cases > 0};
}

Erratum caption() {
  const std::string told =
      run_disc(disc_ball_case(8), StartFrom::printed, ImpactTime::local).told(0.);
  return {.id = "L37",
          .reason = Reason::scan,
          .where = "Fig. 8, caption",
          .printed = "impacts at C pass to impacts at C; inset of C0",
          .corrected = "impacts at C pass to impacts at A; inset of (b)",
          .shown = fmt::format("case 8 from Table 4: {}", told),
          .holds = told.rfind("impacts at C, impacts at A", 0) == 0};
}

Erratum cases8and9() {
  const NearestReading eight = nearest_reading(disc_ball_case(8));
  const NearestReading nine = nearest_reading(disc_ball_case(9));
  return {.id = "L38",
          .reason = Reason::unexplained,
          .where = "Table 4, cases 8 and 9, numerical",
          .printed = "0.1750, 0.8854, 0.1453 and 0.1670, 1.7274, 0.1170",
          .corrected =
              "unknown. Tried here: the ground at once or after D, friction at D against its "
              "slip, along it or none, r = 37.5 or 37.55 mm, points A, B, C, or A and C, or B, "
              "friction of any row of Table 3, restitution of the ground 0.9064, 0.7043 or 0",
          .shown = fmt::format("case 8: {}; case 9, v_1 left out: {}", nearest_words(eight),
                               nearest_words(nine)),
          .holds = eight.off > 0.003 && nine.off > 0.003};
}

/// What the stretch after the line impact of case 9 is, with its impacts: "impacts at A (6)".
std::string after_line_impact(const DiscRun& run) {
  for (std::size_t k = 0; k + 1 < run.story.size(); ++k) {
    if (run.story[k].what != "line impact") continue;
    const Stretch& next = run.story[k + 1];
    return next.impacts > 0 ? fmt::format("{} ({})", next.what, next.impacts) : next.what;
  }
  return "none";
}

Erratum slip_after_line_impact() {
  const DiscBallCase& c = disc_ball_case(9);
  const std::array<std::string, 3> next{
      after_line_impact(run_disc(c, StartFrom::impact)),
      after_line_impact(run_disc(c, StartFrom::printed)),
      after_line_impact(run_disc(c, StartFrom::printed, ImpactTime::local))};
  return {
      .id = "L41",
      .reason = Reason::unexplained,
      .where = "after Fig. 8, case 9",
      .printed = "the line impact sets off slip at A",
      .corrected = "the disc hops on A first, and then sticks; unknown why it should slip",
      .shown = fmt::format(
          "after the line impact of case 9, as written: {}; from Table 4: {}; the same with T_c "
          "of each impact: {}",
          next[0], next[1], next[2]),
      .holds = std::all_of(next.begin(), next.end(), [](const std::string& what) {
        return what.rfind("impacts at A", 0) == 0;
      })};
}

Erratum other_boundaries() {
  const PatternBoundaries w = pattern_boundaries(0.275, Way::as_written);
  const PatternBoundaries b = pattern_boundaries(0.275, Way::variant, contact_time_constant());
  return {.id = "L39",
          .reason = Reason::unexplained,
          .where = "Table 5, boundaries but the first",
          .printed = "0.244, 0.254, 0.4344",
          .corrected = "unknown; the variant of Table 4 comes near",
          .shown = fmt::format("by the variant {:.4f}, {:.4f}, {:.4f}; as written {:.4f}, {:.4f}, "
                               "{:.4f}",
                               b.stick_begins, b.stick_ends, b.contact_ends, w.stick_begins,
                               w.stick_ends, w.contact_ends),
          .holds = std::abs(b.stick_begins - 0.244) > 5e-4 &&
                   std::abs(b.stick_ends - 0.254) > 5e-4 &&
                   std::abs(b.contact_ends - 0.4344) > 5e-5 &&
                   std::abs(w.stick_begins - 0.244) > std::abs(b.stick_begins - 0.244) &&
                   std::abs(w.stick_ends - 0.254) > std::abs(b.stick_ends - 0.254) &&
                   std::abs(w.contact_ends - 0.4344) > std::abs(b.contact_ends - 0.4344)};
}

}  // namespace

std::vector<Erratum> table_errata() {
  return {uncertainty(), lost_sign(),  inconsistent_row(),  radius_used(),
          case6(),       case7(),      reversed_friction(), less_than_five_percent(),
          caption(),     cases8and9(), other_boundaries(),  slip_after_line_impact()};
}

}  // namespace carom::papers::disc_ball
