// SPDX-License-Identifier: Apache-2.0
// Section 4: the closed forms of a sphere that strikes a barrier, and their errata. r = mu_t/mu_t0,
// r' = mu_t'/mu_t'0. Figs 4 and 5: energy that remains over the moment coefficient, and the impulse
// ratio over the angle of incidence.
#include <algorithm>

#include <fmt/format.h>

#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/brach/sphere.hpp>
#include <papers/publications.hpp>

namespace carom::papers {
namespace br {
namespace {

/// As in_space, with an impulse against the slip.
Sphere along_slip(FixedRandom& random) {
  Sphere s = in_space(random);
  s.part[1] = s.part[0];
  return s;
}

/// As in_plane, with e_m = -1.
Sphere without_couple(FixedRandom& random) {
  Sphere s = in_plane(random);
  s.e_m = -1.;
  return s;
}

/// With its e_n and e_m, but so that slip ends.
Struck rolled(const Sphere& s) {
  return struck(s, {.restitution = s.e_n,
                    .tangential_rule = BrachRule::coefficient,
                    .moment = {-1., -1., s.e_m}});
}

double square(double x) { return x * x; }

// --- velocities and spins ------------------------------------------------------------------------

/// V_n = -e_n v_n, V_t = v_t - r lambda v_Ct and so for t' (eqs 11 to 13; with a couple 18, 19).
Vec3 velocity_after(const Sphere& s) {
  const auto [t, t2] = lost_with_slip(s);
  return {.n = -s.e_n * s.velocity.n,
          .t1 = s.velocity.t1 - s.part[0] * t,
          .t2 = s.velocity.t2 - s.part[1] * t2};
}

enum class Misread : std::uint8_t {
  nothing,
  axes,   ///< left-handed: v_Ct' = v_t' - a w_t in eq. 14
  gamma,  ///< (5/7) a in eq. 14
  sign,   ///< minus in eq. 15, as printed
};

/// Omega_t = w_t - r' gamma v_Ct', gamma = 5/(7a) (eq. 14); Omega_t' = -e_m w_t' - e_m r a lambda
/// (v_t + e_m a w_t')/k^2 (eq. 20), which is w_t' + r gamma v_Ct without a couple (eq. 15).
Vec3 spin_after(const Sphere& s, Misread what = Misread::nothing) {
  const double a = s.radius;
  const double v_Ct2 = s.velocity.t2 + (what == Misread::axes ? -a : a) * s.spin.t1;
  const double gamma = what == Misread::gamma ? 5. / 7. * a : 5. / (7. * a);
  const double turned = s.part[0] * a * lost_with_slip(s)[0] / s.k2();
  return {.n = s.spin.n,
          .t1 = s.spin.t1 - s.part[1] * gamma * v_Ct2,
          .t2 = -s.e_m * (s.spin.t2 + (what == Misread::sign ? -turned : turned))};
}

double velocities_off(const Sphere& s, Form) {
  return size(velocity_after(s) - struck(s).after.velocity) / size(s.velocity);
}

template <Misread what>
double spins_off(const Sphere& s, Form form) {
  const Vec3 spin = spin_after(s, form == Form::printed ? what : Misread::nothing);
  return size(spin - struck(s).after.spin);
}

double relative_spins_off(const Sphere& s, Form form) {
  return s.radius * spins_off<Misread::sign>(s, form) / size(s.contact_velocity());
}

double motion_off(const Sphere& s, Form form) {
  const double turned = s.radius * spins_off<Misread::sign>(s, form);
  return largest(velocities_off(s, form), turned / size(s.velocity));
}

// --- impulses and ratios -------------------------------------------------------------------------

/// P_n = -m (1 + e_n) v_n, P_t = mu P_n, M_t' = -(1 + e_m)(m k^2 w - a P_t) (eqs 21 to 23).
double impulses_off(const Sphere& s, Form) {
  const Struck o = struck(s);
  const double P_n = -s.mass * (1. + s.e_n) * s.velocity.n;
  const double P_t = s.part[0] * critical(s)[0] * P_n;
  const double M_t2 = -(1. + s.e_m) * (s.mass * s.k2() * s.spin.t2 - s.radius * P_t);
  const Vec3 off{o.impulse.n - P_n, o.impulse.t1 - P_t, (o.couple.t2 - M_t2) / s.radius};
  return size(off) / P_n;
}

/// The angle [rad] from t to t' of an impulse against slip, from the slip before alone.
double against_slip(const Sphere& s) {
  const Vec3 v = s.contact_velocity();
  return std::atan2(-v.t2, -v.t1);
}

/// mu_t = mu cos eta, mu_t' = mu sin eta. As printed the parts are mu sin eta and cos eta: how far
/// from a ratio of size mu, wherever eta counts from.
double parts_of_ratio_off(const Sphere& s, Form form) {
  const auto [t, t2] = struck(s).ratio();
  const double mu = std::hypot(t, t2);
  const double eta = against_slip(s);
  if (form == Form::corrected) return std::hypot(t - mu * std::cos(eta), t2 - mu * std::sin(eta));
  return std::min(std::abs(std::hypot(mu * std::sin(eta), std::cos(eta)) - mu),
                  std::abs(std::hypot(mu * std::cos(eta), std::sin(eta)) - mu));
}

/// eta = arctan(mu_t'/mu_t), printed arctan(mu_t'/mu_t'), against the line of slip [deg].
double angle_off(const Sphere& s, Form form) {
  const auto [t, t2] = struck(s).ratio();
  const double eta = std::atan(t2 / (form == Form::printed ? t2 : t));
  return std::abs(eta - std::atan(std::tan(against_slip(s)))) / degree;
}

/// mu_0, printed as a velocity, against the ratio that ends slip.
double critical_off(const Sphere& s, Form form) {
  const double mu_0 = form == Form::printed ? lost_with_slip(s)[0] : critical(s)[0];
  const double ratio = rolled(s).ratio()[0];
  return std::abs(mu_0 - ratio) / std::max(1., std::abs(ratio));
}

// --- losses --------------------------------------------------------------------------------------

/// T_L = m/2 [(1 - e_n^2) v_n^2 + (2/7) r (2 - r) v_Ct^2 + (2/7) r' (2 - r') v_Ct'^2].
double point_contact_loss(const Sphere& s, double r, double v_Ct_squared) {
  const double along_t2 = s.part[1] * (2. - s.part[1]) * square(s.contact_velocity().t2);
  return 0.5 * s.mass *
         ((1. - square(s.e_n)) * square(s.velocity.n) +
          2. / 7. * (r * (2. - r) * v_Ct_squared + along_t2));
}

/// Printed: mu_t' mu_t0 for r.
double loss_16(const Sphere& s, Form form) {
  const auto mu_0 = critical(s);
  const double r = form == Form::printed ? s.part[1] * mu_0[1] * mu_0[0] : s.part[0];
  return point_contact_loss(s, r, square(s.contact_velocity().t1));
}

/// r = r'. Printed: v_C^2, the square of the whole contact velocity.
double loss_17(const Sphere& s, Form form) {
  const Vec3 c = s.contact_velocity();
  return point_contact_loss(s, s.part[0], form == Form::printed ? dot(c, c) : square(c.t1));
}

/// v_Ct' = 0. Printed: v_Ct, not its square.
double loss_25(const Sphere& s, Form form) {
  const double slip = s.contact_velocity().t1;
  return point_contact_loss(s, s.part[0], form == Form::printed ? slip : square(slip));
}

/// T_L = m/2 {(1 - e_n^2) v_n^2 + k^2 (1 - e_m^2) w^2 + lambda r (v_t + e_m a w) [2 (v_t - e_m^2 a
/// w)
/// - r lambda (v_t + e_m a w)(1 + e_m^2 a^2/k^2)]}. Printed: w^2 is missing, e_n stands for e_m
/// twice, and 2 e_m for e_m^2.
double loss_24(const Sphere& s, Form form) {
  const bool printed = form == Form::printed;
  const double v = s.velocity.t1;
  const double aw = s.radius * s.spin.t2;
  const double lambda_r = s.part[0] / (1. - s.e_m / K);
  const double e = printed ? s.e_n : s.e_m;
  const double last = lambda_r * (v + s.e_m * aw) * (1. + s.e_m * (printed ? 2. : s.e_m) / K);
  return 0.5 * s.mass *
         ((1. - square(s.e_n)) * square(s.velocity.n) +
          s.k2() * (1. - square(s.e_m)) * (printed ? 1. : square(s.spin.t2)) +
          lambda_r * (v + e * aw) * (2. * (v - square(e) * aw) - last));
}

template <double (*loss)(const Sphere&, Form)>
double off(const Sphere& s, Form form) {
  return std::abs(loss(s, form) - struck(s).loss) / s.energy();
}

// --- Fig. 4: e_n = 0, slip ends ------------------------------------------------------------------

/// The fraction of energy that remains, by the system equations.
double remaining(Sphere s, double e_m) {
  s.e_n = 0.;
  s.e_m = e_m;
  return 1. - rolled(s).loss / s.energy();
}

/// The same by eq. 27, T_R* = e_m^2/(K - e_m)^2 (v_t + k^2 w/a)^2 (1 + K)/(v_n^2 + v_t^2 + k^2
/// w^2); printed without the square of the bracket.
double remaining_27(const Sphere& s, double e_m, Form form) {
  const double rolling = s.velocity.t1 + s.k2() * s.spin.t2 / s.radius;
  const double squared = form == Form::printed ? rolling : rolling * rolling;
  return std::pow(e_m / (K - e_m), 2) * squared * (1. + K) * 0.5 * s.mass / s.energy();
}

/// Its bound, eq. 28.
double bound(const Sphere& s) { return remaining_27(s, -1., Form::corrected); }

double remaining_off(const Sphere& s, Form form) {
  const double solved = remaining(s, s.e_m);
  return std::abs(remaining_27(s, s.e_m, form) - solved) / std::max(1., solved);
}

/// Eq. 26: with e_m = 0 nothing remains.
double full_sticking_off(const Sphere& s, Form) { return std::abs(remaining(s, 0.)); }

constexpr double greatest_e_m = K / (2. + K);

Chart chart_of_remaining() {
  ChartPanel panel{
      .x = {.label = "moment coefficient e_m", .range = Range{-1., 0.3}},
      .y = {.label = "remaining energy T_R*", .range = Range{0., 1.}},
      .marks = {{.at = 0.}, {.at = greatest_e_m}},
      .spans = {{.from = -1., .to = 0., .colour = "#F0F0F0", .label = "rolls, rotation is damped"}},
      .texts = {{.x = -0.13, .y = 0.8, .text = "full sticking"},
                {.x = 0.12, .y = 0.8, .text = "1/6"}}};
  const auto add = [&](const char* label, const char* colour, double spin) {
    const Sphere s = skidding(spin);
    panel.series.push_back(
        through({.label = label, .colour = colour}, spread(-1., 0.3, 131),
                [&](double e_m) { return remaining_27(s, e_m, Form::corrected); }));
    panel.series.push_back(through({.colour = colour,
                                    .width = 1.2,
                                    .marker = Marker::circle,
                                    .marker_size = 0.8,
                                    .kind = SeriesKind::points},
                                   spread(-1., 0.3, 14),
                                   [&](double e_m) { return remaining(s, e_m); }));
  };
  add("rolling before, aω = v_t", "#0072B2", 1.);
  add("no spin before", "#009E73", 0.);
  add("back spin, aω = −v_t", "#D55E00", -1.);
  return {.heading = "Energy that remains after a sphere has struck without rebound",
          .subheading =
              "v_n = −1, v_t = 1 m/s, e_n = 0, μ = μ₀; lines: eq. 27 corrected, circles: brach",
          .panels = {std::move(panel)},
          .panel_width = 560,
          .panel_height = 340};
}

// --- Fig. 5 --------------------------------------------------------------------------------------

constexpr Surface fig_5{.restitution = 0.79, .friction = 0.14};

/// A sphere of unit speed without spin, its path at an angle to the surface; 90 deg is normal.
Sphere at_incidence(double angle_deg) {
  const double from_normal = (90. - angle_deg) * degree;
  return {.velocity = {.n = -std::cos(from_normal), .t1 = -std::sin(from_normal)}};
}

double ratio_at(double angle_deg, const Surface& surface = fig_5) {
  return struck(at_incidence(angle_deg), surface).ratio()[0];
}

/// The ratio that ends slip: mu_0 = 2 cot/(7 (1 + e_n)).
double critical_at(double angle_deg) {
  return 2. / (7. * (1. + fig_5.restitution) * std::tan(angle_deg * degree));
}

/// Where it is f: cot = 7 f (1 + e_n)/2.
double kink_deg() {
  return std::atan(1. / (3.5 * fig_5.friction * (1. + fig_5.restitution))) / degree;
}

Chart chart_of_incidence() {
  Series law = series_of("brach", "brach, f = 0.14");
  law.dash = Dash{};
  law.width = 3.;
  const Surface rough{.restitution = fig_5.restitution, .friction = 10.};
  return {
      .heading = "Impulse ratio of a sphere over its angle of incidence",
      .subheading = "e_n = 0.79, no spin before; 90° is normal incidence",
      .panels =
          {{.x = {.label = "angle of incidence, from the surface  [deg]", .range = Range{0., 90.}},
            .y = {.label = "impulse ratio P_t/P_n", .range = Range{0., 0.3}},
            .series =
                {through(law, spread(10., 90., 161), [](double deg) { return ratio_at(deg); }),
                 through({.label = "μ₀, slip just ends", .colour = "#56B4E9", .dash = {{10., 6.}}},
                         spread(10., 90., 161), [&](double deg) { return ratio_at(deg, rough); })},
            .marks = {{.at = kink_deg(), .label = fmt::format("{:.2f}°", kink_deg())}},
            .texts = {{.x = 25., .y = 0.125, .text = "slides throughout"},
                      {.x = 74., .y = 0.09, .text = "slip ends"}}}},
      .panel_width = 560,
      .panel_height = 320};
}

}  // namespace
}  // namespace br

Computations brach() {
  using namespace br;
  Computations paper = any_bodies();
  paper.checks["eqs-11-13"] = agrees(11, in_space, velocities_off);
  paper.checks["eqs-14-15"] = agrees(14, in_space, relative_spins_off);
  paper.checks["eq-15-printed"] = agrees(14, in_space, relative_spins_off, Form::printed);
  paper.checks["eq-16"] = agrees(16, in_space, off<loss_16>);
  paper.checks["eq-16-printed"] = agrees(16, in_space, off<loss_16>, Form::printed);
  paper.checks["eq-17"] = agrees(17, along_slip, off<loss_17>);
  paper.checks["eq-17-printed"] = agrees(17, along_slip, off<loss_17>, Form::printed);
  // Coulomb's rule of `brach`, and the process of friction, which needs no ratio.
  paper.checks["coulomb"] = []() -> Found {
    double ratio = 0.;
    double process = 0.;
    double turned = 0.;
    int slid = 0;
    FixedRandom random(171);
    for (int k = 0; k < trials; ++k) {
      const Sphere s = in_space(random);
      const double f = random(0., 0.5);
      const auto [t, t2] = critical(s);
      const double part = std::min(1., f / std::hypot(t, t2));
      if (part < 1.) ++slid;
      const SpatialProblem p = problem_of(s, {.restitution = s.e_n, .friction = f});
      const SpatialOutcome o = brach(p);
      const Vec3& P = o.impulse;
      const Vec3 exact = darboux_keller(p, Hypothesis::newton).velocity;
      ratio = largest(ratio, std::hypot(P.t1 / P.n - part * t, P.t2 / P.n - part * t2));
      process = largest(process, size(exact - o.velocity) / size(p.approach));
      turned = largest(turned, std::abs(exact.t1 * p.approach.t2 - exact.t2 * p.approach.t1) /
                                   dot(p.approach, p.approach));
    }
    return rounding({{"ratio", ratio}, {"process", process}, {"turned", turned}},
                    slid > 0 && slid < trials, {{"slid", slid}});
  };
  // Without rebound and with r = r' = 1.
  paper.checks["rolls"] = []() -> Found {
    const auto most = [](const auto& quantity) {
      return worst(41, in_space, [&](Sphere s) {
        s.e_n = 0.;
        s.part = {1., 1.};
        return quantity(struck(s));
      });
    };
    const double lost = most([](const Struck& o) { return o.loss / (o.after.energy() + o.loss); });
    return rounding(
        {{"slip",
          most([](const Struck& o) { return tangential_size(o.after.contact_velocity()); })},
         {"rebound", most([](const Struck& o) { return std::abs(o.after.velocity.n); })}},
        lost < 1., {{"remains", 1. - lost}});
  };
  paper.checks["eqs-18-20"] = agrees(18, in_plane, motion_off);
  paper.checks["eqs-21-23"] = agrees(21, in_plane, impulses_off);
  paper.checks["eq-24"] = agrees(24, in_plane, off<loss_24>);
  paper.checks["eq-24-printed"] = agrees(24, in_plane, off<loss_24>, Form::printed);
  paper.checks["eq-25"] = agrees(25, without_couple, off<loss_25>);
  paper.checks["eq-25-printed"] = agrees(25, without_couple, off<loss_25>, Form::printed);
  paper.checks["B1"] = misprint(1, along_slip, parts_of_ratio_off);
  paper.checks["B5"] = misprint(5, in_space, spins_off<Misread::axes>);
  paper.checks["B6"] = misprint(6, in_space, spins_off<Misread::sign>);
  paper.checks["B7"] = misprint(7, in_space, spins_off<Misread::gamma>);
  paper.checks["B8"] = misprint(8, in_space, off<loss_16>);
  paper.checks["B9"] = misprint(9, along_slip, angle_off);
  paper.checks["B10"] = misprint(10, along_slip, off<loss_17>);
  paper.checks["B12"] = misprint(12, in_plane, critical_off);
  paper.checks["B13"] = misprint(13, in_plane, off<loss_24>);
  paper.checks["B14"] = misprint(14, without_couple, off<loss_25>);
  // An example: quantities in the order of the file.
  paper.tables["example"] = []() -> std::vector<Computed> {
    const Sphere s{.mass = 2.,
                   .radius = 0.5,
                   .velocity = {.n = -2., .t1 = 3.},
                   .spin = {.t1 = 4.},
                   .e_n = 0.5,
                   .part = {0.6, 0.6}};
    const Vec3 v = velocity_after(s);
    const Vec3 w = spin_after(s);
    const Struck o = struck(s);
    const Vec3& V = o.after.velocity;
    const Vec3& W = o.after.spin;
    std::vector<Computed> rows;
    for (const auto& [closed, solved] : {std::pair{v.n, V.n},
                                         {v.t1, V.t1},
                                         {v.t2, V.t2},
                                         {w.t1, W.t1},
                                         {w.t2, W.t2},
                                         {loss_17(s, Form::corrected), o.loss}}) {
      rows.push_back({{"closed form", closed}, {"system equations", solved}});
    }
    return rows;
  };
  paper.checks["eq-26"] = agrees(26, in_plane, full_sticking_off);
  paper.checks["eq-27"] = agrees(27, in_plane, remaining_off);
  paper.checks["eq-27-printed"] = agrees(27, in_plane, remaining_off, Form::printed);
  // Between no couple and full sticking the energy that remains falls from the bound to zero.
  paper.checks["falls-to-zero"] = []() -> Found {
    bool falls = true;
    const double apart = worst(28, in_plane, [&](const Sphere& s) {
      double last = 2.;
      for (int j = 0; j <= 20; ++j) {
        const double now = remaining(s, -1. + 0.05 * j);
        falls = falls && now < last;
        last = now;
      }
      falls = falls && std::abs(last) < close;
      return std::abs(remaining(s, -1.) - bound(s));
    });
    return rounding({{"apart", apart}}, falls, {{"which", falls ? "each" : "not all"}});
  };
  // Beyond 0 the bound is met again at K/(2 + K).
  paper.checks["upper-limit"] = []() -> Found {
    const Sphere s = skidding(0.);
    const double limit =
        threshold(0., 0.35, [&](double e_m) { return remaining(s, e_m) <= bound(s); });
    return {std::abs(limit - greatest_e_m) < close, {{"limit", limit}}};
  };
  paper.checks["kink"] = []() -> Found {
    const double angle =
        threshold(1., 89., [](double deg) { return ratio_at(deg) >= fig_5.friction - 1e-14; });
    return {std::abs(angle - kink_deg()) < 1e-9, {{"law", angle}, {"formula", kink_deg()}}};
  };
  paper.checks["branches"] = []() -> Found {
    double slides = 0.;
    double ends = 0.;
    double exact = 0.;
    constexpr int angles = 90;
    for (int deg = 1; deg <= angles; ++deg) {
      const double mu = ratio_at(deg);
      const bool low = deg < kink_deg();
      double& branch = low ? slides : ends;
      branch = largest(branch, std::abs(mu - (low ? fig_5.friction : critical_at(deg))));
      const Vec3 P =
          darboux_keller(problem_of(at_incidence(deg), fig_5), Hypothesis::newton).impulse;
      exact = largest(exact, std::abs(P.t1 / P.n - mu));
    }
    return rounding({{"slides", slides}, {"ends", ends}, {"exact", exact}},
                    std::abs(ratio_at(90.)) < close, {{"angles", angles}});
  };
  paper.checks["B15"] = misprint(15, in_plane, remaining_off);
  paper.checks["B16"] = misprint(16, without_couple, remaining_off);
  paper.pictures["brach-4"] = chart(chart_of_remaining);
  paper.pictures["brach-5"] = chart(chart_of_incidence);
  return paper;
}

}  // namespace carom::papers
