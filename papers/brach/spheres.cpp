// SPDX-License-Identifier: Apache-2.0
// Section 4 of [Brach 1998]: the closed forms of a sphere that strikes a barrier.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <papers/brach/formulas.hpp>
#include <papers/brach/parts.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>

namespace carom::papers::br {
namespace {

constexpr double close = 1e-12;

double size(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// A closed form that is right, or one that is printed wrong.
Statement formula(std::string says, double error, const char* what, const char* known = "") {
  const bool printed = known[0] != '\0';
  return {.says = std::move(says),
          .holds = error < (printed ? 1e-6 : close),
          .found = printed ? fmt::format("{} random spheres: off by up to {:.2g} {}", trials, error,
                                         what)
                           : fmt::format("{} random spheres: off by less than {:.0e} {}", trials,
                                         decade(error), what),
          .known = known};
}

constexpr const char* of_energy = "of the energy before";

double energy_error(double formula, const Struck& o, const Sample& s) {
  return std::abs(formula - o.loss) / s.sphere.energy();
}

// --- 4.1 -----------------------------------------------------------------------------------------

Statement velocities() {
  return formula("V_n, V_t, V_t' (11, 12, 13)",
                 worst(11, sample_in_space,
                       [](const Sample& s) {
                         return size(velocity_after(s) - struck_in_space(s).velocity) /
                                size(s.sphere.velocity);
                       }),
                 "of the speed before");
}

Statement spins(Form form) {
  const double error = worst(14, sample_in_space, [&](const Sample& s) {
    return s.sphere.radius * size(spin_after(s, form) - struck_in_space(s).spin) /
           size(s.sphere.contact_velocity());
  });
  const char* of = "of the slip before, as a velocity";
  return form == Form::printed
             ? formula("Ω_t' with the sign of (15) as printed", error, of, "B6")
             : formula("Ω_t and Ω_t' (14, and 15 with the other sign); Ω_n = ω_n", error, of);
}

Statement loss_of_two_ratios(Form form) {
  const double error = worst(16, sample_in_space, [&](const Sample& s) {
    return energy_error(loss_16(s, form), struck_in_space(s), s);
  });
  return form == Form::printed ? formula("T_L by (16) as printed", error, of_energy, "B8")
                               : formula("T_L by (16), corrected", error, of_energy);
}

Statement loss_of_friction(Form form) {
  const double error = worst(17, along_slip, [&](const Sample& s) {
    return energy_error(loss_17(s, form), struck_in_space(s), s);
  });
  return form == Form::printed ? formula("T_L by (17) as printed", error, of_energy, "B10")
                               : formula("T_L by (17), corrected", error, of_energy);
}

/// Coulomb's rule of `brach`, and the process of friction, which needs no ratio.
Statement coulomb_rule() {
  double ratio = 0.;
  double process = 0.;
  double turned = 0.;
  int slid = 0;
  FixedRandom random(171);
  for (int k = 0; k < trials; ++k) {
    const Sample s = sample_in_space(random);
    const double f = random(0., 0.5);
    const auto mu_0 = critical(s.sphere, s.e_n);
    const double size_0 = std::hypot(mu_0[0], mu_0[1]);
    const double part = std::min(1., f / size_0);
    if (part < 1.) ++slid;
    const SpatialProblem p =
        problem_of(s.sphere, SpatialSurface{.restitution = s.e_n, .friction = f});
    const SpatialOutcome o = brach(p);
    const SpatialOutcome exact = darboux_keller(p, Hypothesis::newton);
    ratio = largest(ratio, std::hypot(o.impulse.t1 / o.impulse.n - part * mu_0[0],
                                      o.impulse.t2 / o.impulse.n - part * mu_0[1]));
    process = largest(process, size(exact.velocity - o.velocity) / size(p.approach));
    turned = largest(
        turned, std::abs(exact.velocity.t1 * p.approach.t2 - exact.velocity.t2 * p.approach.t1) /
                    dot(p.approach, p.approach));
  }
  return {.says =
              "Under dry friction the direction of slip is constant; μ = f while f ≤ |μ_0|, else μ "
              "= μ_0",
          .holds = ratio < close && process < close && turned < close && slid > 0 && slid < trials,
          .found = fmt::format("{} random spheres, {} of them slide throughout: ratios equal to "
                               "{:.0e}; the exact process of friction gives the same velocities to "
                               "{:.0e}, its slip turns by less than {:.0e}",
                               trials, slid, decade(ratio), decade(process), decade(turned)),
          .known = {}};
}

Statement rolls() {
  double slip = 0.;
  double rebound = 0.;
  double least = 1.;
  FixedRandom random(41);
  for (int k = 0; k < trials; ++k) {
    Sample s = sample_in_space(random);
    s.e_n = 0.;
    s.part = {1., 1.};
    const Struck o = struck_in_space(s);
    Sphere after = s.sphere;
    after.velocity = o.velocity;
    after.spin = o.spin;
    slip = largest(slip, tangential_size(after.contact_velocity()));
    rebound = largest(rebound, std::abs(o.velocity.n));
    least = std::min(least, after.energy() / s.sphere.energy());
  }
  return {.says =
              "A sphere with e_n = 0 and μ = μ_0 stays on the barrier, rolling, and keeps a part "
              "of its "
              "energy",
          .holds = slip < close && rebound < close && least > 0.,
          .found = fmt::format("{} random spheres: slip below {:.0e} m/s, rebound below {:.0e} "
                               "m/s; at least {:.3f} of the energy remains",
                               trials, decade(slip), decade(rebound), least),
          .known = {}};
}

Table example_table() {
  Sample s;
  s.sphere = {.mass = 2.,
              .radius = 0.5,
              .velocity = {.n = -2., .t1 = 3., .t2 = 0.},
              .spin = {.n = 0., .t1 = 4., .t2 = 0.}};
  s.e_n = 0.5;
  s.part = {0.6, 0.6};
  const Struck o = struck_in_space(s);
  const Vec3 v = velocity_after(s);
  const Vec3 w = spin_after(s, Form::corrected);
  Table t{.caption =
              "m = 2 kg, a = 0.5 m, v = (-2, 3, 0) m/s, spin 4 rad/s about t (cross spin), e_n = "
              "0.5, μ/μ_0 = 0.6",
          .columns = {"", "by", "closed form", "system equations"},
          .rows = {}};
  const auto row = [&](const char* name, const char* by, double closed, double solved) {
    t.rows.push_back({{given(name), given(by), ours(closed), ours(solved)}});
  };
  row("V_n [m/s]", "(11)", v.n, o.velocity.n);
  row("V_t [m/s]", "(12)", v.t1, o.velocity.t1);
  row("V_t' [m/s]", "(13)", v.t2, o.velocity.t2);
  row("Ω_t [rad/s]", "(14)", w.t1, o.spin.t1);
  row("Ω_t' [rad/s]", "(15), corrected", w.t2, o.spin.t2);
  row("T_L [J]", "(17), corrected", loss_17(s, Form::corrected), o.loss);
  return t;
}

Part point_contact() {
  return {.id = "Section 4.1",
          .title = "A sphere with spin against a barrier, point contact",
          .text =
              "The closed forms (11) to (17) against the system equations as `brach` solves them. "
              "The publication prints no numbers here; each formula is compared on random spheres, "
              "and an example stands in the table.",
          .tables = {example_table()},
          .statements = {velocities(), spins(Form::corrected), spins(Form::printed),
                         loss_of_two_ratios(Form::corrected), loss_of_two_ratios(Form::printed),
                         loss_of_friction(Form::corrected), loss_of_friction(Form::printed),
                         coulomb_rule(), rolls()},
          .pictures = {}};
}

// --- 4.2 -----------------------------------------------------------------------------------------

Statement motion_with_couple() {
  return formula("V_n, V_t, Ω_t' (18, 19, 20)",
                 worst(18, sample_in_plane,
                       [](const Sample& s) {
                         const Struck o = struck_in_plane(s);
                         return std::max({std::abs(o.velocity.n + s.e_n * s.sphere.velocity.n),
                                          std::abs(o.velocity.t1 - slide_after(s)),
                                          s.sphere.radius * std::abs(o.spin.t2 - roll_after(s))}) /
                                size(s.sphere.velocity);
                       }),
                 "of the speed before");
}

Statement impulses_with_couple() {
  return formula(
      "P_n, P_t, M_t' (21, 22, 23)",
      worst(21, sample_in_plane,
            [](const Sample& s) {
              const Struck o = struck_in_plane(s);
              const double P_n = -s.sphere.mass * (1. + s.e_n) * s.sphere.velocity.n;
              const double mu = s.part[0] * critical_rolling(s, Form::corrected);
              return std::max(
                         {std::abs(o.impulse.n - P_n), std::abs(o.impulse.t1 - mu * P_n),
                          std::abs(o.couple.t2 - couple_23(s, o.impulse.t1)) / s.sphere.radius}) /
                     P_n;
            }),
      "of P_n");
}

Statement loss_with_couple(Form form) {
  const double error = worst(24, sample_in_plane, [&](const Sample& s) {
    return energy_error(loss_24(s, form), struck_in_plane(s), s);
  });
  return form == Form::printed ? formula("T_L by (24) as printed", error, of_energy, "B13")
                               : formula("T_L by (24), corrected", error, of_energy);
}

Statement loss_without_couple(Form form) {
  const double error = worst(25, without_couple, [&](const Sample& s) {
    return energy_error(loss_25(s, form), struck_in_plane(s), s);
  });
  return form == Form::printed ? formula("T_L by (25) as printed", error, of_energy, "B14")
                               : formula("T_L by (25), corrected: no couple", error, of_energy);
}

/// Eq. 26: all energy is lost.
Statement full_sticking() {
  return formula(
      "T_L of a sphere that sticks fully, (e_n, μ, e_m) = (0, μ_0, 0), is all of its energy (26)",
      worst(26, sample_in_plane, [](const Sample& s) { return std::abs(remaining(s.sphere, 0.)); }),
      of_energy);
}

Part adhering() {
  return {.id = "Section 4.2",
          .title = "A sphere in the plane against a surface that adheres: a couple acts",
          .text =
              "The closed forms (18) to (26) against the system equations as `brach` solves them, "
              "with `moment_coefficients`. No numbers are printed.",
          .tables = {},
          .statements = {motion_with_couple(), impulses_with_couple(),
                         loss_with_couple(Form::corrected), loss_with_couple(Form::printed),
                         loss_without_couple(Form::corrected), loss_without_couple(Form::printed),
                         full_sticking()},
          .pictures = {}};
}

}  // namespace

std::vector<Part> sphere_parts() { return {point_contact(), adhering(), fig_4(), fig_5()}; }

}  // namespace carom::papers::br
