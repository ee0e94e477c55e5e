// SPDX-License-Identifier: Apache-2.0
// Section 4: the closed forms of a sphere that strikes a barrier, and their errata. r = mu_t/mu_t0,
// r' = mu_t'/mu_t'0.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/brach/sphere.hpp>

namespace carom::papers::br {
namespace {

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

// --- friction ------------------------------------------------------------------------------------

/// Coulomb's rule of `brach`, and the process of friction, which needs no ratio.
Found coulomb() {
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
}

/// Without rebound and with r = r' = 1.
Found rolls() {
  const auto most = [](const auto& quantity) {
    return worst(41, in_space, [&](Sphere s) {
      s.e_n = 0.;
      s.part = {1., 1.};
      return quantity(struck(s));
    });
  };
  const double lost = most([](const Struck& o) { return o.loss / (o.after.energy() + o.loss); });
  return rounding(
      {{"slip", most([](const Struck& o) { return tangential_size(o.after.contact_velocity()); })},
       {"rebound", most([](const Struck& o) { return std::abs(o.after.velocity.n); })}},
      lost < 1., {{"remains", 1. - lost}});
}

/// An example: quantities in the order of the file.
std::vector<Computed> example_rows() {
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
}

}  // namespace

Computations closed_forms() {
  return {.checks = {{"eqs-11-13", agrees(11, in_space, velocities_off)},
                     {"eqs-14-15", agrees(14, in_space, relative_spins_off)},
                     {"eq-15-printed", agrees(14, in_space, relative_spins_off, Form::printed)},
                     {"eq-16", agrees(16, in_space, off<loss_16>)},
                     {"eq-16-printed", agrees(16, in_space, off<loss_16>, Form::printed)},
                     {"eq-17", agrees(17, along_slip, off<loss_17>)},
                     {"eq-17-printed", agrees(17, along_slip, off<loss_17>, Form::printed)},
                     {"coulomb", coulomb},
                     {"rolls", rolls},
                     {"eqs-18-20", agrees(18, in_plane, motion_off)},
                     {"eqs-21-23", agrees(21, in_plane, impulses_off)},
                     {"eq-24", agrees(24, in_plane, off<loss_24>)},
                     {"eq-24-printed", agrees(24, in_plane, off<loss_24>, Form::printed)},
                     {"eq-25", agrees(25, without_couple, off<loss_25>)},
                     {"eq-25-printed", agrees(25, without_couple, off<loss_25>, Form::printed)},
                     {"B1", misprint(1, along_slip, parts_of_ratio_off)},
                     {"B5", misprint(5, in_space, spins_off<Misread::axes>)},
                     {"B6", misprint(6, in_space, spins_off<Misread::sign>)},
                     {"B7", misprint(7, in_space, spins_off<Misread::gamma>)},
                     {"B8", misprint(8, in_space, off<loss_16>)},
                     {"B9", misprint(9, along_slip, angle_off)},
                     {"B10", misprint(10, along_slip, off<loss_17>)},
                     {"B12", misprint(12, in_plane, critical_off)},
                     {"B13", misprint(13, in_plane, off<loss_24>)},
                     {"B14", misprint(14, without_couple, off<loss_25>)}},
          .tables = {{"example", example_rows}}};
}

}  // namespace carom::papers::br
