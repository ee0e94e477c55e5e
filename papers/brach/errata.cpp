// SPDX-License-Identifier: Apache-2.0
// Errata of [Brach 1998]; B4 (eqs 11 to 13) and B11 (19 to 23, 26) are right as printed and have no
// entry.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <papers/brach/formulas.hpp>
#include <papers/brach/parts.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>

namespace carom::papers::br {
namespace {

constexpr double close = 1e-12;

/// "500 random spheres: printed off by 2.6, corrected by 7e-15 of the energy".
std::string shown(double printed, double corrected, const char* of) {
  return fmt::format(
      "{} random spheres against the system equations: the printed form is off by up to {:.2g}, "
      "the corrected one by less than {:.0e} {}",
      trials, printed, decade(corrected), of);
}

bool holds(double printed, double corrected) { return printed > 1e-2 && corrected < 1e-11; }

/// A closed form of the loss in two forms.
template <class Draw, class Solve, class Loss>
Erratum loss_erratum(Erratum e, std::uint64_t seed, const Draw& draw, const Solve& solve,
                     const Loss& loss) {
  const auto error = [&](Form form) {
    return worst(seed, draw, [&](const Sample& s) {
      return std::abs(loss(s, form) - solve(s).loss) / s.sphere.energy();
    });
  };
  const double printed = error(Form::printed);
  const double corrected = error(Form::corrected);
  e.shown = shown(printed, corrected, "of the energy before");
  e.holds = holds(printed, corrected);
  return e;
}

/// The angle [rad] from t to t' of an impulse against slip, from the slip before alone.
double against_slip(const Sphere& sphere) {
  const Vec3 v = sphere.contact_velocity();
  return std::atan2(-v.t2, -v.t1);
}

/// How far the parts (mu sin eta, cos eta) of the impulse ratio are from one of size mu, wherever
/// eta counts from.
double size_as_printed(double mu, double eta) {
  const auto error = [&](double angle) {
    return std::abs(std::hypot(mu * std::sin(angle), std::cos(angle)) - mu);
  };
  return std::min(error(eta), error(std::numbers::pi / 2. - eta));
}

Erratum parts_of_ratio() {
  double printed = 0.;
  double corrected = 0.;
  FixedRandom random(1);
  for (int k = 0; k < trials; ++k) {
    const Sample s = along_slip(random);
    const Struck o = struck_in_space(s);
    const double t = o.impulse.t1 / o.impulse.n;
    const double t2 = o.impulse.t2 / o.impulse.n;
    const double mu = std::hypot(t, t2);
    const double eta = against_slip(s.sphere);
    printed = largest(printed, size_as_printed(mu, eta));
    corrected = largest(corrected, std::hypot(t - mu * std::cos(eta), t2 - mu * std::sin(eta)));
  }
  return {
      .id = "B1",
      .reason = Reason::misprint,
      .where = "Section 3, after Eq. (10)",
      .printed = "μ_t = μ sinη, μ_t' = cosη",
      .corrected = "μ_t = μ cosη, μ_t' = μ sinη, as in 4.1: a definition of η",
      .shown = fmt::format(
          "{} random spheres with an impulse against slip: the printed parts miss μ² = μ_t² + "
          "μ_t'², printed beside them, by up to {:.2g} in μ, wherever η counts from; with η the "
          "direction against slip, from t, the others are the solved ratios to {:.0e}",
          trials, printed, decade(corrected)),
      .holds = holds(printed, corrected)};
}

Erratum where_stationary() {
  const Stationarity s = stationarity();
  return {.id = "B2",
          .reason = Reason::reading,
          .where = "Section 3",
          .printed =
              "where P_n does not depend on the ratios (central impacts, say): the loss is "
              "stationary at (e_n, μ_t0, μ_t0), greatest at (0, μ_t0, μ_t0)",
          .corrected =
              "the last entry is μ_t'0; at e_n ≠ 0 the ratios are those that end slip at that e_n, "
              "not those of e_n = 0 that the section defines",
          .shown = fmt::format(
              "{} random spheres, relative gradient of T_L: at the ratios of the actual e_n below "
              "{:.0e}; at those of e_n = 0 up to {:.2f}; at (μ_t0, μ_t0) up to {:.2f}",
              trials, decade(s.central), s.central_without, s.one_index),
          .holds = s.central < 1e-5 && s.central_without > 0.1 && s.one_index > 0.1};
}

Erratum which_critical() {
  const double right = error_of_eq_10(false);
  const double other = error_of_eq_10(true);
  return {
      .id = "B3",
      .reason = Reason::reading,
      .where = "Eq. (10)",
      .printed = "P_n0, μ_t0 and μ_t'0; in 4.1 μ_0 has the factor 1/(1 + e_n)",
      .corrected =
          "(10) is right with those of e_n = 0, as Section 3 defines them, not with those of 4.1",
      .shown = fmt::format("{} random pairs of bodies: (10) is off by less than {:.0e} of the "
                           "energy before; with the ratios of the actual e_n by up to {:.2f}",
                           trials, decade(right), other),
      .holds = right < close && other > 1e-2};
}

Erratum handedness() {
  const auto error = [](double side) {
    return worst(5, sample_in_space, [&](const Sample& s) {
      const double gamma = 5. / (7. * s.sphere.radius);
      const double slip = s.sphere.velocity.t2 + side * s.sphere.radius * s.sphere.spin.t1;
      const double closed = s.sphere.spin.t1 - s.part[1] * gamma * slip;
      return std::abs(closed - struck_in_space(s).spin.t1);
    });
  };
  const double right = error(1.);
  const double left = error(-1.);
  return {.id = "B5",
          .reason = Reason::reading,
          .where = "Eq. (14)",
          .printed = "v_Ct' is not written out, the handedness of n, t, t' not said",
          .corrected = "right for n, t, t' right-handed, v_Ct' = v_t' + a ω_t",
          .shown = fmt::format("{} random spheres: off by less than {:.0e} rad/s so, by up to "
                               "{:.1f} rad/s with v_t' - a ω_t",
                               trials, decade(right), left),
          .holds = right < close && left > 0.1};
}

Erratum sign_of_spin() {
  const auto error = [](Form form) {
    return worst(6, sample_in_space, [&](const Sample& s) {
      return std::abs(spin_after(s, form).t2 - struck_in_space(s).spin.t2);
    });
  };
  const double printed = error(Form::printed);
  const double corrected = error(Form::corrected);
  return {.id = "B6",
          .reason = Reason::misprint,
          .where = "Eq. (15)",
          .printed = "Ω_t' = ω_t' - (μ_t/μ_t0) γ v_Ct",
          .corrected = "Ω_t' = ω_t' + (μ_t/μ_t0) γ v_Ct; (14) and (15) cannot have the same sign",
          .shown = shown(printed, corrected, "in rad/s"),
          .holds = holds(printed, corrected)};
}

Erratum gamma_of_sphere() {
  const auto error = [](bool as_read) {
    return worst(7, sample_in_space, [&](const Sample& s) {
      const double a = s.sphere.radius;
      const double gamma = as_read ? 5. / 7. * a : 5. / (7. * a);
      const double closed = s.sphere.spin.t1 - s.part[1] * gamma * s.sphere.contact_velocity().t2;
      return std::abs(closed - struck_in_space(s).spin.t1);
    });
  };
  const double printed = error(true);
  const double corrected = error(false);
  return {.id = "B7",
          .reason = Reason::scan,
          .where = "after Eq. (15)",
          .printed = "γ = 5/7a",
          .corrected = "γ = 5/(7a): an inverse length",
          .shown = shown(printed, corrected, "in rad/s, by (14)"),
          .holds = holds(printed, corrected)};
}

Erratum angle_of_impulse() {
  double off = 0.;
  double right = 0.;
  FixedRandom random(9);
  for (int k = 0; k < trials; ++k) {
    const Sample s = along_slip(random);
    const Struck o = struck_in_space(s);
    const double mu_t = o.impulse.t1 / o.impulse.n;
    const double mu_t2 = o.impulse.t2 / o.impulse.n;
    const double tangent = std::tan(against_slip(s.sphere));
    off = largest(off, std::abs(std::atan(mu_t2 / mu_t2) - std::atan(tangent)));
    right = largest(right, std::abs(std::atan(mu_t2 / mu_t) - std::atan(tangent)));
  }
  return {.id = "B9",
          .reason = Reason::scan,
          .where = "after Eq. (16)",
          .printed = "η = arctan(μ_t'/μ_t')",
          .corrected = "η = arctan(μ_t'/μ_t): a definition",
          .shown = fmt::format("as printed it is always 45 deg: off by up to {:.1f} deg from the "
                               "line of slip of {} random spheres with an impulse against slip, "
                               "corrected by less than {:.0e} deg",
                               off * 180. / std::numbers::pi, trials,
                               decade(right * 180. / std::numbers::pi)),
          .holds = off > 0.1 && right < close};
}

Erratum rolling_ratio() {
  const auto error = [](Form form) {
    return worst(12, sample_in_plane, [&](const Sample& s) {
      // The ratio that ends slip.
      SpatialSurface surface{.restitution = s.e_n};
      surface.tangential_coefficient = std::array<double, 2>{0., 0.};
      surface.moment_coefficients = {-1., -1., s.e_m};
      const Struck o = direct(s.sphere, surface);
      const double ratio = o.impulse.t1 / o.impulse.n;
      return std::abs(critical_rolling(s, form) - ratio) / std::max(1., std::abs(ratio));
    });
  };
  const double printed = error(Form::printed);
  const double corrected = error(Form::corrected);
  return {.id = "B12",
          .reason = Reason::misprint,
          .where = "4.2, after Eq. (23)",
          .printed = "μ_0 = λ(v_t + e_m a ω), a velocity",
          .corrected = "μ_0 = λ(v_t + e_m a ω)/((1 + e_n) v_n)",
          .shown = shown(printed, corrected, "of the ratio that ends slip"),
          .holds = holds(printed, corrected)};
}

Erratum remaining_erratum() {
  const auto error = [](Form form) {
    return worst(15, sample_in_plane, [&](const Sample& s) {
      const double direct_one = remaining(s.sphere, s.e_m);
      return std::abs(remaining_27(s.sphere, s.e_m, form) - direct_one) / std::max(1., direct_one);
    });
  };
  const double printed = error(Form::printed);
  const double corrected = error(Form::corrected);
  return {.id = "B15",
          .reason = Reason::misprint,
          .where = "Eq. (27)",
          .printed = "(v_t + k²ω/a)",
          .corrected = "(v_t + k²ω/a)²",
          .shown = shown(printed, corrected, "in T_R*"),
          .holds = holds(printed, corrected)};
}

Erratum bound_erratum() {
  const auto error = [](Form form) {
    return worst(16, sample_in_plane, [&](const Sample& s) {
      return std::abs(bound_28(s.sphere, form) - remaining(s.sphere, -1.));
    });
  };
  const double printed = error(Form::printed);
  const double corrected = error(Form::corrected);
  return {.id = "B16",
          .reason = Reason::misprint,
          .where = "Eq. (28)",
          .printed = "(v_t + k²aω/a²)",
          .corrected = "(v_t + k²ω/a)²",
          .shown = shown(printed, corrected, "in T_R* at e_m = -1"),
          .holds = holds(printed, corrected)};
}

}  // namespace

std::vector<Erratum> errata() {
  return {parts_of_ratio(),
          where_stationary(),
          which_critical(),
          handedness(),
          sign_of_spin(),
          gamma_of_sphere(),
          loss_erratum({.id = "B8",
                        .reason = Reason::scan,
                        .where = "Eq. (16)",
                        .printed = "λ_t' (μ_t' μ_t0)(2 - μ_t' μ_t0) v_Ct²",
                        .corrected = "λ_t (μ_t/μ_t0)(2 - μ_t/μ_t0) v_Ct²"},
                       8, sample_in_space, struck_in_space, loss_16),
          angle_of_impulse(),
          loss_erratum({.id = "B10",
                        .reason = Reason::scan,
                        .where = "Eq. (17)",
                        .printed = "v_C² + v_Ct'²",
                        .corrected = "v_Ct² + v_Ct'²"},
                       10, along_slip, struck_in_space, loss_17),
          rolling_ratio(),
          loss_erratum({.id = "B13",
                        .reason = Reason::misprint,
                        .where = "Eq. (24)",
                        .printed = "½ m k_2 (1 - e_m²); e_n in the brackets; a² e_m 2/k²",
                        .corrected = "½ m k² (1 - e_m²) ω² + ½ m λ r (v_t + e_m a ω)[2(v_t - e_m² "
                                     "a ω) - r λ (v_t + e_m a ω)(1 + a² e_m²/k²)], r = μ/μ_0"},
                       13, sample_in_plane, struck_in_plane, loss_24),
          loss_erratum({.id = "B14",
                        .reason = Reason::misprint,
                        .where = "Eq. (25)",
                        .printed = "(v_t - a ω)",
                        .corrected = "(v_t - a ω)², λ = 2/7"},
                       14, without_couple, struck_in_plane, loss_25),
          remaining_erratum(),
          bound_erratum()};
}

}  // namespace carom::papers::br
