// SPDX-License-Identifier: Apache-2.0
// Tables 1 to 3, the restitution of case 1, and the duration of an impact: Sections 3 and 4a.
// Table 4: the disc's velocities after the impact.
#include <algorithm>
#include <numbers>
#include <set>

#include <fmt/format.h>
#include <Eigen/LU>

#include <papers/liu-zhang-zhao-brogliato/patterns.hpp>

namespace carom::papers::disc_ball {
namespace {

// --- Tables 1 and 2, eq. 3.3 ---------------------------------------------------------------------

double density_of_disc() {
  const double r = disc().radius;
  return disc().mass / (std::numbers::pi * r * r * 2. * disc().half_thickness);
}

Course central_impact() { return course_of(case_of(1), {.tolerance = 1e-11}); }

std::vector<Computed> central() {
  const auto u = central_impact().after;
  return {{{"ball [m/s]", u[0]},
           {"disc [m/s]", u[2]},
           {"theta' [rad/s]", u[4]},
           {"e_D, eq. 3.3", (u[2] - u[0]) / case_of(1).velocity}}};
}

// --- Table 3 -------------------------------------------------------------------------------------

double stiffness_at_D() { return hertz_stiffness(modulus_at_D(), ball().radius); }
double printed_at_D() { return case_of(1).surfaces[3].stiffness; }

/// The power of a length that a quantity goes with, from its numbers in metres and millimetres.
Found unit(double in_metres, double in_millimetres, double power) {
  const double found = std::log10(in_millimetres / in_metres) / 3.;
  return {std::abs(found - power) < 1e-9,
          {{"metres", in_metres}, {"millimetres", in_millimetres}, {"power", found}}};
}

// --- Eq. 4.1 -------------------------------------------------------------------------------------

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
    const auto steps = std::lround(1e4 / (mass * course.at.problem.G(6, 6)));
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

// --- Table 4 -------------------------------------------------------------------------------------

/// v_1, theta' and v_2 of a case.
using Three = std::array<double, 3>;

Three printed(const Case& c) { return c.numerical.printed(); }
Three as_written(const Case& c) { return velocities_by({}, c).printed(); }
Three by_variant(const Case& c) { return velocities_by(variant(), c).printed(); }

/// Relative to v_2 for velocities, to theta' for spins: v_1 can be near zero.
double relative(const Three& x, const Three& to, std::size_t k) {
  return (x[k] - to[k]) / std::abs(to[k == 0 ? 2 : k]);
}
double percent(const Three& x, const Three& to, std::size_t k) {
  return std::round(1e4 * relative(x, to, k)) / 100.;
}

/// Both tables have three rows a case.
const Case& case_in(const Row& row) { return cases()[row.index / 3]; }

/// How many of the 24 values lie within the measured intervals.
int count_measured(Three (*values)(const Case&)) {
  int count = 0;
  for (const Case& c : cases()) {
    const Three x = values(c);
    for (std::size_t k = 0; k < 3; ++k) count += c.was_measured(k, x[k]) ? 1 : 0;
  }
  return count;
}

/// Printed numerical and measured values that differ by more than 5 %.
Found five_percent(bool as_printed) {
  constexpr std::array<const char*, 3> names{"v_1", "theta'", "v_2"};
  double most = 0.;
  std::string list;
  std::set<int> numbers;
  for (const Case& c : cases()) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double apart = off(printed(c)[k], c.measured[k]);
      most = largest(most, apart);
      if (apart < 0.05) continue;
      numbers.insert(c.number);
      list += fmt::format("{}case {} {} {:.1f} %", list.empty() ? "" : ", ", c.number, names[k],
                          100. * apart);
    }
  }
  return {numbers.empty() == as_printed,
          {{"percent", 100. * most}, {"cases", numbers.size()}, {"list", list}}};
}

// --- What the printed numbers say of themselves --------------------------------------------------

constexpr double last_digit = 1e-4;  // of Table 4

/// How far theta' was measured from its mean, relative.
double spread_of_spin(const Case& c) {
  return std::max(c.up[1], c.down[1]) / std::abs(c.measured[1]);
}

/// v_1 that the other two numerical values of a case imply.
double implied_v1(int number) {
  const Velocities& p = case_of(number).numerical;
  return p.v2 + (second_gauge - gauge) * p.spin;
}

/// The normal impulse at D that a disc without ground would get. @param ratio  P_t/P_n there
double impulse_alone(const Case& c, double ratio) {
  const BlockMatrix G = at_impact(system_of(c)).problem.G;
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
Implied implied_by_print(const Case& c, double ratio) {
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

/// Of cases 6 and 7: v_n+ into the ground and more restitution than there is, or less impulse at D
/// than the ball alone gives, whichever way friction acts at D.
Found unreachable(int number) {
  const Case& c = case_of(number);
  const double mu = c.surfaces[3].friction;
  const Implied plus = implied_by_print(c, mu), minus = implied_by_print(c, -mu);
  const Nearest nearest = nearest_reading(c);
  const bool into_ground = plus.velocity < 0. && minus.velocity < 0. &&
                           std::min(plus.restitution, minus.restitution) > 0.9;
  const bool weaker = plus.at_D < plus.alone && minus.at_D < minus.alone;
  Case fitted = c;  // to case 6
  fitted.height = 0.0165;
  fitted.velocity = case_of(8).velocity;
  return {(number == 6 ? into_ground : weaker) && nearest.off > 0.003,
          {{"v_plus", plus.velocity},
           {"v_minus", minus.velocity},
           {"e_plus", plus.restitution},
           {"e_minus", minus.restitution},
           {"plus", plus.at_D},
           {"minus", minus.at_D},
           {"alone_plus", plus.alone},
           {"alone_minus", minus.alone},
           {"tried", nearest.tried},
           {"nearest", 100. * nearest.off},
           {"v_b", fitted.velocity},
           {"fitted", 100. * off_from_print(c, velocities_by(variant(), fitted))}}};
}

/// How far the variant is from print, in units of the last digit.
Three digits_off(const Case& c, double radius) {
  Three digits = velocities_by(variant(radius), c).printed();
  for (std::size_t k = 0; k < 3; ++k) digits[k] = std::abs(digits[k] - printed(c)[k]) / last_digit;
  return digits;
}

/// The most of cases 2 to 4, with another radius and another friction at D.
double fitted_digits(double radius, double friction) {
  return greatest(cases().first(3), [&](Case c) {
    c.surfaces[3].friction = friction;
    const auto [v1, spin, v2] = digits_off(c, radius);
    return largest({v1, spin, v2});
  });
}

/// Of theta' in cases 2 to 5, the most [%].
double spin_off(const Reading& reading) {
  return greatest(cases().first(4), [&](const Case& c) {
    return 100. * off(velocities_by(reading, c).spin, c.numerical.spin);
  });
}

// --- picture -------------------------------------------------------------------------------------

Series points(std::string label, std::string colour, Marker marker, double size) {
  return {.label = std::move(label),
          .colour = std::move(colour),
          .width = 1.5,
          .marker = marker,
          .marker_size = size,
          .kind = SeriesKind::points};
}

ChartPanel panel_of(std::size_t k, const char* label) {
  const auto named = [&](const char* name) { return k == 2 ? name : ""; };  // one key for all
  const auto of_cases = [&](Series s, const auto& values) {
    return through(
        std::move(s), cases(), [&](const Case& c) { return std::invoke(values, c)[k]; },
        &Case::number);
  };
  Series written = series_of("lzb", named("as written"));
  written.kind = SeriesKind::points;
  written.marker = Marker::disc;
  written.marker_size = 0.8;
  Series spread{.label = {}, .colour = "#000000", .width = 1.5};  // error bars
  for (const Case& c : cases()) {
    spread.x.insert(spread.x.end(), 3, c.number);
    spread.y.insert(spread.y.end(),
                    {c.measured[k] - c.down[k], c.measured[k] + c.up[k], std::nan("")});
  }
  return {.title = {},
          .x = {.label = "case", .range = Range{1.5, 9.5}},
          .y = {.label = label},
          .series = {
              spread,
              of_cases(points(named("measured"), "#000000", Marker::square, 1.3), &Case::measured),
              of_cases(points(named("printed"), "#606060", Marker::cross, 1.1), printed),
              of_cases(written, as_written),
              of_cases(points(named("variant"), "#D55E00", Marker::triangle, 1.1), by_variant)}};
}

Chart chart_of_table() {
  return {.heading = "The disc after the impact, cases 2 to 9",
          .subheading =
              "measured means and intervals, printed numerical values, model as written, variant",
          .panels = {panel_of(0, "v_1  [m/s]"), panel_of(1, "dθ/dt  [rad/s]"),
                     panel_of(2, "v_2  [m/s]")},
          .columns = 3,
          .panel_width = 330,
          .panel_height = 330};
}

}  // namespace

Computations tables() {
  Computations paper;
  paper.checks["ground-takes-no-part"] = []() -> Found {
    const Course course = central_impact();
    const auto& P = course.outcome.impulse;
    const double spin = course.after[4];
    const double share = (std::abs(P[0]) + std::abs(P[2]) + std::abs(P[4])) / P[6];
    return {std::abs(spin) * disc().radius < 1e-10 * case_of(1).velocity && share < 1e-10,
            {{"spin", spin}, {"share", share}}};
  };
  paper.checks["course-agrees"] = []() -> Found {
    const double worst = greatest(
        all_cases(), [](const Case& c) { return off(followed_duration(c), duration_of(c)); });
    return {worst < 1e-3, {{"percent", 100. * worst}}};
  };
  paper.checks["tenth-of-a-millisecond"] = [] { return duration(true); };
  paper.checks["L20"] = []() -> Found {
    const double highest = greatest(cases(), [](const Case& c) { return c.height; });
    const Velocities& seven = case_of(7).numerical;
    const double distance = (seven.v1 - seven.v2) / seven.spin;
    return {std::abs(distance - (second_gauge - gauge)) < 1e-4 && highest < second_gauge,
            {{"distance", 1e3 * distance}, {"highest", 1e3 * highest}}};
  };
  paper.checks["L21"] = []() -> Found {
    const double density = density_of_disc();
    return {density > 7600. && density < 8100., {{"density", density}}};
  };
  paper.checks["L23"] = []() -> Found {
    const double k = stiffness_at_D();
    const double printed = hertz_stiffness(1. / modulus_at_D(), ball().radius);
    return {off(k, printed_at_D()) < 0.01 && printed < 1., {{"printed", printed}, {"k", k}}};
  };
  paper.checks["L24"] = []() -> Found {
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
  };
  paper.checks["L25"] = []() -> Found {
    const double v_b = case_of(2).velocity;
    const double ours = boundaries(v_b, variant(), time_constant())[0];
    const double printed = boundaries(v_b, variant())[0];
    const auto apart = [](double x) {
      return std::abs(x - rows("boundaries")[0].number("as written"));
    };
    return {apart(ours) < 0.5e-4 && apart(printed) > 0.5e-4,
            {{"k", time_constant()}, {"ours", ours}, {"printed", printed}}};
  };
  paper.checks["L26"] = [] { return duration(false); };
  paper.checks["L27"] = []() -> Found {
    const double T = duration_of(case_of(2));
    return {T * 50. < 1. && T * sampling_rate > 5.,
            {{"T", 1e3 * T}, {"few", T * 50.}, {"many", T * sampling_rate}}};
  };
  paper.checks["L28"] = []() -> Found {
    const EulerError d = euler_error(disc().mass), b = euler_error(ball().mass);
    const double times = std::min(d.times, b.times);
    return {d.relative < 1e-3 && b.relative < 1e-3 && times > 5.,
            {{"disc", d.relative},
             {"ball", b.relative},
             {"disc_digits", d.digits},
             {"ball_digits", b.digits},
             {"times", times}}};
  };
  paper.checks["L40"] = []() -> Found {
    const double printed = case_of(1).surfaces[0].stiffness;
    const double k = hertz_stiffness(modulus_on_ground(), disc().radius);
    const double rounded = 4. / 3. * modulus_on_ground() * 0.1936;
    return {std::abs(rounded - printed) < 0.5e6 && std::abs(k - printed) > 0.5e6,
            {{"k", k}, {"rounded", rounded}}};
  };
  paper.checks["L42"] = []() -> Found {
    return unit(stiffness_at_D(), hertz_stiffness(1e-6 * modulus_at_D(), 1e3 * ball().radius),
                -1.5);
  };
  paper.checks["L43"] = []() -> Found {
    return unit(time_constant(), hertz_time(1e-3 * modulus_at_D(), 1e3 * ball().radius), 0.2);
  };
  paper.tables["table-1"] = []() -> std::vector<Computed> {
    const double sphere = 4. / 3. * std::numbers::pi * std::pow(ball().radius, 3);
    return {{{"density [kg/m^3]", std::round(ball().mass / sphere)}},
            {{"density [kg/m^3]", std::round(density_of_disc())}}};
  };
  paper.tables["table-2"] = [](const Row& row) -> Computed {
    return {{"b/r", all_cases()[row.index].height / disc().radius}};
  };
  paper.tables["central"] = central;
  paper.tables["table-3"] = [](const Row& row) -> Computed {
    const double ground = hertz_stiffness(modulus_on_ground(), disc().radius);
    return {{"k [N/m^1.5]", row.text("point") == "D" ? stiffness_at_D() : ground}};
  };
  paper.tables["halves"] = []() -> std::vector<Computed> {
    const Surface& ground = case_of(1).surfaces[0];
    return {{{"half of cases 1-4", 0.5 * ground.friction}},
            {{"half of cases 1-4", 0.5 * ground.static_friction}}};
  };
  paper.tables["time-constant"] = [](const Row& /*row*/) -> Computed {
    return {{"k_Tc [m^0.2 s^0.8]", time_constant()}};
  };
  paper.tables["durations"] = []() -> std::vector<Computed> {
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
  };
  paper.checks["variant-fits"] = []() -> Found {
    const double worst = greatest(cases().first(4), [](const Case& c) {
      const Three v = by_variant(c), p = printed(c);
      return greatest(std::array{0U, 1U, 2U},
                      [&](unsigned k) { return std::abs(relative(v, p, k)); });
    });
    return {worst < 1.6e-3, {{"percent", 100. * worst}}};
  };
  // Normal impulse at D over that of all contacts on the ground, the least of all cases.
  paper.checks["d-dominates"] = []() -> Found {
    const double least = smallest(cases(), [](const Case& c) {
      const auto P = course_of(c).outcome.impulse;
      return P[6] / (P[0] + P[2] + P[4]);
    });
    return {least > 2., {{"least", least}}};
  };
  paper.checks["five-percent"] = [] { return five_percent(true); };
  paper.checks["L29"] = []() -> Found {
    const double others =
        greatest(cases(), [](const Case& c) { return c.number == 3 ? 0. : spread_of_spin(c); });
    const double mended = spread_of_spin(case_of(3)), as_printed = 10. * mended;
    return {as_printed > 2. * others && mended < others,
            {{"printed", 100. * as_printed}, {"mended", 100. * mended}, {"others", 100. * others}}};
  };
  paper.checks["L30"] = []() -> Found {
    const double v1 = implied_v1(7);
    return {std::abs(v1 - case_of(7).numerical.v1) < 5e-4, {{"v1", v1}}};
  };
  paper.checks["L31"] = []() -> Found {
    const Velocities& p = case_of(9).numerical;
    const double apart = p.v1 - p.v2, turned = implied_v1(9) - p.v2;
    return {std::abs(apart - turned) > 1e-3,
            {{"apart", apart}, {"turned", turned}, {"v1", implied_v1(9)}}};
  };
  // The distance between the lasers that the numerical columns imply, (v_1 - v_2)/theta' [mm],
  // weighted by how much rounding of the printed numbers blurs it, and r by case 5, which sticks.
  paper.checks["L32"] = []() -> Found {
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
  };
  paper.checks["L33"] = [] { return unreachable(6); };
  paper.checks["L34"] = [] { return unreachable(7); };
  paper.checks["L35"] = []() -> Found {
    const double written = spin_off({}), by_variant = spin_off(variant());
    // Work of that friction in case 4: P_t and the slip that it makes at D have one sign.
    const Case& c = case_of(4);
    const double mu = c.surfaces[3].friction, P = impulse_alone(c, mu);
    const BlockMatrix G = at_impact(system_of(c)).problem.G;
    const double work = 0.5 * mu * P * (G(6, 7) + mu * G(7, 7)) * P;
    const double digits = fitted_digits(variant().radius, mu);
    const double fitted = fitted_digits(0.03754, 0.0694);
    const Three five = digits_off(case_of(5), variant().radius);
    return {written > 5. && by_variant < 0.2 && work > 0. && fitted < digits && digits < five[1],
            {{"written", written},
             {"variant", by_variant},
             {"work", work},
             {"digits", digits},
             {"fitted", fitted},
             {"five_spin", five[1]},
             {"five_v2", five[2]}}};
  };
  paper.checks["L36"] = [] { return five_percent(false); };
  paper.checks["L38"] = []() -> Found {
    const Nearest eight = nearest_reading(case_of(8)), nine = nearest_reading(case_of(9));
    return {eight.off > 0.003 && nine.off > 0.003,
            {{"tried", eight.tried}, {"eight", 100. * eight.off}, {"nine", 100. * nine.off}}};
  };
  paper.tables["table-4"] = [](const Row& row) -> Computed {
    const Case& c = case_in(row);
    const std::size_t k = row.index % 3;
    const Three w = as_written(c), v = by_variant(c);
    return {{"printed", row.text("as written")},
            {"as written", w[k]},
            {"off [%]", percent(w, printed(c), k)},
            {"variant", v[k]},
            {"variant off [%]", percent(v, printed(c), k)}};
  };
  // How far each is from the experiment, and whether it lies within what was measured.
  paper.tables["spreads"] = [](const Row& row) -> Computed {
    const Case& c = case_in(row);
    const std::size_t k = row.index % 3;
    const auto within = [&](const Three& x) { return c.was_measured(k, x[k]) ? "yes" : "no"; };
    const Three p = printed(c), w = as_written(c), v = by_variant(c);
    return {{"measured", rows("table-4")[row.index].text("measured")},
            {"printed numerical", percent(p, c.measured, k)},
            {"in", within(p)},
            {"as written", percent(w, c.measured, k)},
            {"in", within(w)},
            {"variant", percent(v, c.measured, k)},
            {"in", within(v)}};
  };
  paper.pictures["liu-zhang-zhao-brogliato-table-4"] = chart(chart_of_table);
  paper.texts["Table 4"] = []() -> Values {
    return {{"printed", count_measured(printed)},
            {"written", count_measured(as_written)},
            {"variant", count_measured(by_variant)}};
  };
  return paper;
}

}  // namespace carom::papers::disc_ball
